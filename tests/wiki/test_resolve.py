"""Which file a link means: the cases observed in Obsidian 1.13.7, and that lookups follow every change."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zibaldone.wiki.resolve import LinkResolver

steady = settings(deadline=None, derandomize=True, max_examples=100)

FILES = [
    "Note.md",
    "a/b/Note.md",
    "zzzz/Note.md",
    "zzzz/deep/Other.md",
    "a/Only.md",
    "a/sub/Pair.md",
    "b/sub/Pair.md",
    "v1.2.md",
    "image.png",
    "image.png.md",
    "Assets/Café plan.pdf",
    "Board.canvas",
]


@pytest.mark.parametrize(
    ("target", "source", "path"),
    [
        ("", "a/Only.md", "a/Only.md"),
        ("Note", "index.md", "Note.md"),
        ("note", "index.md", "Note.md"),
        ("Note.MD", "index.md", "Note.md"),
        ("Note", "zzzz/x.md", "Note.md"),  # exact from the root, even over one beside the source
        ("a/b/Note", "zzzz/x.md", "a/b/Note.md"),
        ("b/Note", "x.md", "a/b/Note.md"),  # a suffix, at a slash
        ("/Note", "zzzz/x.md", "Note.md"),
        ("/b/Note", "x.md", None),
        ("./Note", "zzzz/x.md", "zzzz/Note.md"),
        ("../Note", "a/b/x.md", None),
        ("../../Note", "a/b/x.md", "Note.md"),
        ("../../../Note", "a/b/x.md", None),
        ("./../zzzz/Note", "a/x.md", "zzzz/Note.md"),
        ("Only", "zzzz/x.md", "a/Only.md"),
        ("sub/Pair", "b/x.md", "b/sub/Pair.md"),  # below the source's folder
        ("Pair", "zzzz/x.md", "a/sub/Pair.md"),  # same length: alphabetical
        ("v1.2", "x.md", "v1.2.md"),
        ("image.png", "x.md", "image.png"),
        ("image.png.md", "x.md", "image.png.md"),
        ("image", "x.md", None),
        ("cafe\u0301 plan.pdf", "x.md", "Assets/Café plan.pdf"),
        ("Café\u00a0plan.pdf", "x.md", "Assets/Café plan.pdf"),
        ("Board.canvas", "x.md", "Board.canvas"),
        ("Missing", "x.md", None),
        ("a//Only", "x.md", "a/Only.md"),
    ],
)
def test_a_target_from_a_source(target: str, source: str, path: str | None) -> None:
    assert LinkResolver(FILES).resolve(target, source) == path


def test_without_a_note_at_the_root_the_own_folder_comes_first_then_the_shortest_path() -> None:
    resolver = LinkResolver(["a/b/Note.md", "zzzz/Note.md", "b/Note.md"])
    assert resolver.resolve("Note", "zzzz/x.md") == "zzzz/Note.md"
    assert resolver.resolve("Note", "a/x.md") == "a/b/Note.md"  # below the source's folder
    assert resolver.resolve("Note", "zzzz/deep/x.md") == "b/Note.md"  # an ancestor folder counts for nothing
    assert resolver.resolve("Note", "x.md") == "b/Note.md"
    resolver.add("zz/Note.md")
    assert resolver.resolve("Note", "z/x.md") == "b/Note.md"  # "z" is no part of "zz"
    resolver.remove("zz/Note.md")
    resolver.remove("b/Note.md")
    assert resolver.resolve("Note", "c/x.md") == "a/b/Note.md"  # characters, not folders
    assert resolver.candidates("Note", "c/x.md") == ("a/b/Note.md", "zzzz/Note.md")


def test_names_that_differ_in_case_only_are_told_apart_where_they_can_be() -> None:
    resolver = LinkResolver(["note.md", "Note.md"])
    assert resolver.resolve("Note", "x.md") == "Note.md"
    assert resolver.resolve("note", "x.md") == "note.md"
    assert resolver.resolve("NOTE", "x.md") == "Note.md"
    resolver.remove("Note.md")
    assert resolver.resolve("Note", "x.md") == "note.md"


def test_a_decomposed_name_on_disk_is_found_and_given_back_as_it_is_there() -> None:
    decomposed = unicodedata.normalize("NFD", "Café.md")
    resolver = LinkResolver([decomposed])
    assert resolver.resolve("Café", "x.md") == decomposed
    assert decomposed in resolver


paths = st.lists(
    st.builds(
        lambda folders, name: "/".join([*folders, name]),
        st.lists(st.sampled_from(["a", "b", "A", "sub"]), max_size=3),
        st.sampled_from(["Note.md", "note.md", "x.md", "x", "x.md.md", "v1.md", "pic.png"]),
    ),
    max_size=12,
)


@steady
@given(paths, paths, paths)
def test_a_resolver_kept_up_to_date_is_one_built_anew(first: list[str], gone: list[str], added: list[str]) -> None:
    kept = LinkResolver(first)
    for path in gone:
        kept.remove(path)
    for path in added:
        kept.add(path)
    built = LinkResolver((set(first) - set(gone)) | set(added))
    for target in ("Note", "note", "x", "x.md", "b/Note", "/a/x", "./Note", "../x", "pic.png", "v1"):
        for source in ("x.md", "a/x.md", "b/sub/x.md"):
            assert kept.resolve(target, source) == built.resolve(target, source)
            assert kept.candidates(target, source) == built.candidates(target, source)


def test_lookups_and_changes_cost_the_same_in_a_large_vault() -> None:
    resolver = LinkResolver(f"{n % 100}/note {n}.md" for n in range(50_000))
    began = time.process_time()
    for n in range(5_000):
        assert resolver.resolve(f"note {n}", "x.md")
        resolver.rename(f"{n % 100}/note {n}.md", f"moved/{n}.md")
    assert time.process_time() - began < 2

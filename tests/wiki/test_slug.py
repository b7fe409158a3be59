"""Slugs in any script, and the paths that they stand for."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zibaldone.errors import InvalidRequest
from zibaldone.vault.paths import path_problem
from zibaldone.wiki.slug import (
    MOST_SEGMENT_BYTES,
    Slug,
    free_slug,
    is_page_path,
    make_slug,
    namespace_of,
    page_path,
    parse_slug,
    path_slug,
)

steady = settings(deadline=None, derandomize=True, max_examples=100)

titles = st.text(max_size=80)
FORBIDDEN = set(':*?"<>|#^[]\\\0') | {chr(code) for code in range(32)}


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Penicillin", "penicillin"),
        ("  Beta-Lactams / Penicillins  ", "beta-lactams-penicillins"),
        ("Don't panic!", "dont-panic"),
        ("Straße", "strasse"),
        ("C", "c"),
        ("C++", "c-plus-plus"),
        ("C#", "c-sharp"),
        ("日本語のノート", "日本語のノート"),
        ("ペニシリン（抗生物質）", "ペニシリン-抗生物質"),
        ("Пенициллин и рыбалка", "пенициллин-и-рыбалка"),
        ("بنسلين", "بنسلين"),
        ("می\u200cخواهم", "میخواهم"),
        ("페니실린 G", "페니실린-g"),
        ("पेनिसिलिन", "पेनिसिलिन"),
        ("e\u0301te\u0301", "été"),
        ("1️⃣ First", "1-first"),
        ("葛\U000e0100城", "葛城"),
        ("CON", "con-page"),
        ("com1", "com1-page"),
        ("com¹", "com¹-page"),
        ("../../etc/passwd", "etc-passwd"),
        ('a:b*c?d"e<f>g|h#i^j[k]l.', "a-b-c-d-e-f-g-h-i-j-k-l"),
    ],
)
def test_a_title_becomes_a_slug_in_its_script(title: str, slug: str) -> None:
    assert make_slug(title) == slug


@pytest.mark.parametrize("title", ["", "🎉", "...", "\u202e", "\u3164", "///"])
def test_a_title_without_letters_gets_a_name_from_its_hash(title: str) -> None:
    assert make_slug(title).startswith("page-")
    assert make_slug(title) != make_slug(title + "!")


def test_long_titles_that_begin_alike_stay_two() -> None:
    one, other = make_slug("漢" * 100), make_slug("漢" * 101)
    assert one != other
    assert len(one.encode()) <= MOST_SEGMENT_BYTES


@steady
@given(titles, st.sampled_from(["", "abx", "abx:beta-lactams", "抗生物質"]))
def test_slug_path_slug_and_every_name_can_be_held(title: str, namespace: str) -> None:
    slug = make_slug(title, namespace)
    path = page_path(slug)
    assert path_slug(path) == slug
    assert parse_slug(slug) == slug
    assert namespace_of(slug) == namespace
    assert path_problem(path) is None
    assert path.startswith("Zibaldone/pages/")
    for name in path.split("/"):
        assert not FORBIDDEN & set(name)
        assert not name.startswith(".")
        assert not name.removesuffix(".md").endswith((".", " "))
        assert len(name.encode()) <= MOST_SEGMENT_BYTES + 3


@steady
@given(titles)
def test_spellings_that_file_systems_take_for_one_are_one_slug(title: str) -> None:
    slug = make_slug(title)
    for spelling in (slug.upper(), unicodedata.normalize("NFD", slug), unicodedata.normalize("NFC", slug)):
        if spelling.casefold() == slug or unicodedata.normalize("NFC", spelling) == slug:
            assert parse_slug(spelling) == slug
            assert path_slug(f"Zibaldone/pages/{spelling.replace(':', '/')}.md") == slug


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("Foo Bar", "`foo-bar`"),
        ("a::b", "`a:b`"),
        ("abx/penicillin", "`abx:penicillin`"),
        ("../x", "`x`"),
        ("con", "`con-page`"),
        ("", "bees:varroa"),
        (":", "bees:varroa"),
        ("a" * 200, "Name it `aaa"),
        (":".join("abcdefghij"), "`a:b:c:d:e:f:g:h`"),
    ],
)
def test_what_is_no_slug_is_refused_with_the_nearest_one(text: str, hint: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        parse_slug(text)
    assert hint in refused.value.hint


@pytest.mark.parametrize(
    "path",
    ["Zibaldone/index.md", "pages/x.md", "Zibaldone/pages/x.png", "Zibaldone/pages/Foo Bar.md", "Zibaldone/pages/.md"],
)
def test_other_paths_are_no_pages(path: str) -> None:
    assert path_slug(path) is None


def test_a_page_that_a_person_named_is_still_in_the_pages_folder() -> None:
    assert is_page_path("zibaldone/Pages/Foo Bar.md")
    assert path_slug("Zibaldone/pages/ABX/Penicillin.md") == "abx:penicillin"
    assert path_slug("Wiki/pages/x.md", "Wiki") == "x"


def test_a_free_slug_counts_up_and_stays_in_its_namespace() -> None:
    taken = {"abx:a", "abx:a-2"}
    assert free_slug(Slug("abx:a"), taken) == "abx:a-3"
    assert free_slug(Slug("b"), taken) == "b"
    long = make_slug("a" * 200)
    assert len(free_slug(long, {long}).encode()) <= MOST_SEGMENT_BYTES

"""The index: lines are added, changed and removed; everything else stays byte for byte."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zibaldone.vault.scaffold import scaffold
from zibaldone.wiki.index_page import IndexEntry, add_entry, list_entries, remove_entry, rename_entry
from zibaldone.wiki.index_text import IndexText
from zibaldone.wiki.slug import Slug, make_slug

steady = settings(deadline=None, derandomize=True, max_examples=100)

PENICILLIN = IndexEntry(Slug("abx:penicillin"), "Penicillin", ("antibiotic", "#beta lactam"))
MINE = b"""\
---
type: index
---

# My index

Words of mine.

## Pages

- [[pages/bees|Bees]]

## abx

- [[pages/abx/amoxicillin|Amoxicillin]] (antibiotic) - my favourite
  - a thought of mine
- [[pages/abx/vancomycin|Vancomycin]]

## My own section

- [[Home]]
- something else
"""


def test_an_entry_stands_among_its_siblings() -> None:
    line = b"- [[pages/abx/penicillin|Penicillin]] (antibiotic, beta-lactam)\n"
    assert add_entry(MINE, PENICILLIN) == MINE.replace(b"- [[pages/abx/vanco", line + b"- [[pages/abx/vanco")


def test_an_entry_behind_the_last_sibling_stands_behind_its_children() -> None:
    index = MINE.replace(b"- [[pages/abx/vancomycin|Vancomycin]]\n", b"")
    assert b"  - a thought of mine\n- [[pages/abx/penicillin|" in add_entry(index, PENICILLIN)


@pytest.mark.parametrize(
    ("slug", "before"),
    [
        ("zoo:lion", b"## My own section"),
        ("bb:x", b"## My own section"),
        ("aa:x", b"## abx"),
        ("abx:beta:x", b"## My own"),
    ],
)
def test_a_new_namespace_gets_a_section_in_order(slug: str, before: bytes) -> None:
    index = add_entry(MINE, IndexEntry(Slug(slug), "Title"))
    namespace = slug.rpartition(":")[0]
    made = f"## {namespace}\n\n- [[pages/{slug.replace(':', '/')}|Title]]\n\n".encode()
    assert index == MINE.replace(before, made + before)
    assert remove_entry(index, Slug(slug)) == MINE


def test_an_entry_that_is_there_is_brought_up_to_date_where_it_stands() -> None:
    index = add_entry(MINE, IndexEntry(Slug("abx:amoxicillin"), "Amoxi", ("new",)))
    assert index == MINE.replace(
        b"[[pages/abx/amoxicillin|Amoxicillin]] (antibiotic)", b"[[pages/abx/amoxicillin|Amoxi]] (new)"
    )
    assert add_entry(index, IndexEntry(Slug("abx:amoxicillin"), "Amoxi", ("new",))) == index


def test_words_of_the_person_stay_when_an_entry_goes() -> None:
    index = remove_entry(MINE, Slug("abx:amoxicillin"))
    assert index == MINE.replace(b"[[pages/abx/amoxicillin|Amoxicillin]]", b"Amoxicillin")
    assert remove_entry(MINE, Slug("abx:gone")) == MINE


def test_in_a_section_out_of_order_an_entry_stands_between_an_earlier_and_a_later_one() -> None:
    titles = ["Mango", "Apple", "Pear", "Lemon", "Quince", "Banana"]
    index = "## Pages\n\n" + "".join(f"- [[pages/{title.lower()}|{title}]]\n" for title in titles)
    for title in ("Cherry", "Nut", "Zest"):
        lines = add_entry(index.encode(), IndexEntry(make_slug(title), title)).decode().splitlines()[2:]
        at = next(number for number, line in enumerate(lines) if title in line)
        assert "".join(lines).count("[[") == len(titles) + 1
        assert at == 0 or lines[at - 1] < lines[at]
        assert at == len(lines) - 1 or lines[at] < lines[at + 1]


def test_few_lines_of_a_large_index_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    entry_on = IndexText._entry_on

    def counting(self: IndexText, at: int, namespace: str) -> object:
        looked.append(at)
        return entry_on(self, at, namespace)

    monkeypatch.setattr(IndexText, "_entry_on", counting)
    index = "# Index\n\n## Pages\n\n" + "".join(f"- [[pages/p-{n:04}|P {n:04}]]\n" for n in range(5000))
    added = add_entry(index.encode(), IndexEntry(Slug("p-2000b"), "P 2000b")).decode()
    assert "|P 2000]]\n- [[pages/p-2000b|P 2000b]]\n- [[pages/p-2001|" in added
    assert len(looked) < 30


def test_a_renamed_page_moves_to_its_new_place_or_stays_where_the_person_wrote() -> None:
    moved = rename_entry(MINE, Slug("abx:vancomycin"), IndexEntry(Slug("abx:abacus"), "Abacus"))
    assert b"## abx\n\n- [[pages/abx/abacus|Abacus]]\n- [[pages/abx/amox" in moved
    assert b"vancomycin" not in moved
    kept = rename_entry(MINE, Slug("abx:amoxicillin"), IndexEntry(Slug("abx:zz"), "Zz", ("t",)))
    assert b"- [[pages/abx/zz|Zz]] (t) - my favourite\n  - a thought" in kept


@pytest.mark.parametrize(
    "line",
    [
        b"- [[Zibaldone/pages/abx/penicillin]]",
        b"* [ ] [[/Zibaldone/pages/abx/penicillin.md|P]]",
        b"- [P](pages/abx/penicillin.md)",
        b"1- no\n- [P](./pages/abx/penicillin.md)",
    ],
)
def test_a_page_is_known_by_any_link_to_its_path(line: bytes) -> None:
    index = b"# Mine\n\n" + line + b"\n"
    assert list(list_entries(index)) == ["abx:penicillin"]
    assert add_entry(index, PENICILLIN).count(b"penicillin") == 1


def test_line_endings_marks_bad_bytes_and_code_are_left_alone() -> None:
    index = b"\xef\xbb\xbf# I\r\n\r\n\xff\xfe bytes\r\n\r\n```\r\n## abx\r\n- [[pages/abx/penicillin]]\r\n```"
    added = add_entry(index, PENICILLIN)
    assert added.startswith(index + b"\r\n\r\n## abx\r\n\r\n- [[pages/abx/penicillin|Penicillin]]")
    assert added.count(b"\n") == added.count(b"\r\n")
    assert remove_entry(added, PENICILLIN.slug) == index + b"\r\n"


def test_titles_and_tags_cannot_leave_their_place(tmp_path: object) -> None:
    index = add_entry(b"", IndexEntry(Slug("x"), "a]] | [[b\n# c", ("t)](x", "")))
    assert index.decode().splitlines() == ["## Pages", "", "- [[pages/x|a)) / ((b # c]] (t-x)"]


@pytest.mark.parametrize("index", [b"## abx\nwords\n## b\n", b"## abx\nwords\n\n## b\n", b"## abx\n\nwords\n"])
def test_a_section_that_has_only_words_keeps_them(index: bytes) -> None:
    added = add_entry(index, PENICILLIN)
    assert b"words\n\n- [[pages/abx/penicillin|" in added
    assert remove_entry(added, PENICILLIN.slug) == index


slugs = st.builds(
    make_slug, st.text("abcxyzé日 -", min_size=1, max_size=6), st.sampled_from(["", "abx", "zoo", "abx:beta", "日"])
)
entries = st.builds(IndexEntry, slugs, st.text(min_size=1, max_size=12), st.just(("t",)))
starts = st.sampled_from(
    [b"", MINE, MINE.replace(b"\n", b"\r\n"), b"# I\n\ntext\n\n\n", b"text\n## zoo\nwords\n## b\n"]
)


@steady
@given(starts, st.lists(entries, max_size=8, unique_by=lambda entry: entry.slug), entries)
def test_what_was_added_can_be_taken_back(start: bytes, before: list[IndexEntry], entry: IndexEntry) -> None:
    index = start
    for earlier in before:
        index = add_entry(index, earlier)
    known = list_entries(index)
    assert known.keys() == list_entries(start).keys() | {earlier.slug for earlier in before}
    if entry.slug not in known:
        added = add_entry(index, entry)
        assert entry.slug in list_entries(added)
        assert add_entry(added, entry) == added
        assert remove_entry(added, entry.slug) == index


@steady
@given(st.lists(entries, min_size=2, max_size=10, unique_by=lambda entry: entry.slug), st.randoms())
def test_the_order_of_adding_does_not_matter(listed: list[IndexEntry], random: object) -> None:
    shuffled = list(listed)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one = other = b"# Index\n"
    for entry in listed:
        one = add_entry(one, entry)
    for entry in shuffled:
        other = add_entry(other, entry)
    assert one == other


def test_the_index_that_a_vault_begins_with(tmp_path: object) -> None:
    from pathlib import Path

    start = scaffold(Path(str(tmp_path)))["Zibaldone/index.md"]
    assert remove_entry(add_entry(start, PENICILLIN), PENICILLIN.slug) == start

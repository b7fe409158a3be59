"""A page of the memory: what its lines say, and that an edit changes the line that it is about and no other byte."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.memories import NOON, an_entry
from zibaldone.profile.page import (
    ARCHIVE,
    MOST_CHARS,
    Edit,
    Item,
    edit_page,
    memory_path,
    read_page,
    shown,
    write_entry,
)
from zibaldone.profile.takeover import take_over

NEXT_DAY = NOON.replace(day=3).isoformat()
FULL = an_entry(
    id_="5ab7",
    updated_at=NEXT_DAY,
    is_explicit=False,
    confidence=0.9,
    source_count=2,
    decay_days=14,
    pinned=True,
    replaces=["aaaa", "bbbb"],
    conflicts_with=["cccc"],
    sources=["chat:c01#4", "note:A, from b|c.md:1-2"],
)


def test_a_new_page_reads_like_a_list() -> None:
    page = edit_page(None, "user", [Edit(None, an_entry(sources=["note:Daily/2026-03-02.md:14"]))])
    assert page == (
        b"---\ntype: memory\nwritten_by: Zibaldone\n---\n\n# About you\n\n"
        b"- Leo is eight %%id 3f9a1c20, added 2026-03-02, explicit, from note:Daily/2026-03-02.md:14%%\n"
    )
    assert memory_path("Zibaldone", "feedback") == "Zibaldone/memory/feedback.md"


def test_all_that_an_entry_has_is_on_its_line_and_read_back() -> None:
    line = write_entry(FULL)
    assert line == (
        "Leo is eight %%id 5ab7, added 2026-03-02, confirmed 2026-03-03, 90 %, said 2 times, fades after 14 days, "
        "pinned, replaces aaaa bbbb, conflicts with cccc, from chat:c01#4 | note:A, from b%7Cc.md:1-2%%"
    )
    assert read_page(f"- {line}".encode()).items == [
        Item(
            0,
            "Leo is eight",
            id="5ab7",
            added=date(2026, 3, 2),
            confirmed=date(2026, 3, 3),
            confidence=0.9,
            source_count=2,
            decay_days=14,
            pinned=True,
            replaces=("aaaa", "bbbb"),
            conflicts_with=("cccc",),
            sources=("chat:c01#4", "note:A, from b|c.md:1-2"),
        )
    ]


def test_a_line_of_the_archive_says_what_ended_it() -> None:
    page = edit_page(None, ARCHIVE, [Edit(None, an_entry(state="retired", why="replaced by 5ab7, today"))])
    assert page is not None
    assert page.decode().splitlines()[-1] == (
        "- Leo is eight %%id 3f9a1c20, was user, added 2026-03-02, explicit, retired: replaced by 5ab7; today%%"
    )
    assert not read_page(page).problems


@pytest.mark.parametrize("existing", [b"- mine\r\n* [ ] other", b"> no list\n", b"\xff\xfe odd bytes\n\n- x\n", b""])
def test_what_is_there_stays_byte_for_byte(existing: bytes) -> None:
    page = edit_page(existing, "context", [Edit(None, an_entry("Moving in May"))])
    assert page is not None
    assert page.startswith(existing)
    assert b"- Moving in May %%id 3f9a1c20" in page
    assert (b"\r\n" in page) == (b"\r\n" in existing)


def test_the_line_keeps_its_marker_and_its_ending() -> None:
    before = an_entry()
    lines = ["# Me\r\n", f"  12) [x]  {write_entry(before)}\r\n", "- last"]
    page = edit_page("".join(lines).encode(), "user", [Edit(before, before.model_copy(update={"content": "Leo is 9"}))])
    assert page is not None
    changed = page.decode().splitlines(keepends=True)
    assert (changed[0], changed[2]) == (lines[0], lines[2])
    assert changed[1] == "  12) [x]  Leo is 9 %%id 3f9a1c20, added 2026-03-02, explicit%%\r\n"


def test_a_line_without_an_id_is_known_by_its_words() -> None:
    before = an_entry()
    page = edit_page(b"\xef\xbb\xbf* Leo  is eight", "user", [Edit(before, before.model_copy(update={"pinned": True}))])
    assert page == b"\xef\xbb\xbf* Leo is eight %%id 3f9a1c20, added 2026-03-02, explicit, pinned%%"


def test_what_goes_takes_its_copies_along() -> None:
    before = an_entry()
    line = f"- {write_entry(before)}\n"
    page = f"- a\n{line}- b\n{line}- Leo is eight\n"
    assert edit_page(page.encode(), "user", [Edit(before, None)]) == b"- a\n- b\n"
    after = before.model_copy(update={"content": "Leo is nine"})
    assert edit_page(page.encode(), "user", [Edit(before, after)]) == (f"- a\n- {write_entry(after)}\n- b\n".encode())


def test_a_line_that_was_just_taken_out_by_hand_stays_out() -> None:
    before = an_entry()
    edits = [Edit(before, before.model_copy(update={"pinned": True}))]
    assert edit_page(b"- other\n", "user", edits) == b"- other\n"
    assert edit_page(None, "user", edits) is None
    assert edit_page(None, "user", [Edit(before, None)]) is None


def test_no_words_can_end_the_comment_or_act_in_obsidian() -> None:
    entry = an_entry("one\ntwo `= this` %% [[x]] ~~gone~~", sources=["note:A %% b%.md:3", "import:50%"], why="so %% so")
    line = write_entry(entry)
    assert line.count("%%") == 2
    assert "[[x" not in line
    assert "`= this`" not in line.replace("\\`", "")
    [item] = read_page(f"- {line}".encode()).items
    assert (item.text, item.sources[-1]) == ("one two `= this` %% [[x]] ~~gone~~", "import:50%")


# Any words, and those that could be taken for something else.
WORDS = st.text(max_size=40) | st.lists(
    st.sampled_from(
        ["%%", "%", "~~", "- ", "[x] ", "`", "\\", "&amp;", "::", "id 3f9a", "a", " ", "#", "obsidian:x", "|"]
    ),
    max_size=8,
).map("".join)


@given(WORDS.filter(lambda text: shown(an_entry(text)) != ""), st.lists(WORDS, max_size=2), st.integers(1, 100))
def test_what_we_write_is_read_as_nothing_new(text: str, sources: list[str], percent: int) -> None:
    entry = an_entry(text, sources=sources, confidence=percent / 100, is_explicit=False)
    page = edit_page(None, "user", [Edit(None, entry)])
    assert page is not None
    assert take_over("user", read_page(page), [entry], NOON) == []
    assert read_page(page).problems == []


@given(st.lists(st.binary(max_size=30), max_size=12), st.integers(0, 12), st.sampled_from([b"\n", b"\r\n"]))
def test_any_page_keeps_the_bytes_of_its_other_lines(lines: list[bytes], at: int, ending: bytes) -> None:
    above = [line.replace(b"\r", b"").replace(b"\n", b"") for line in lines]
    before = an_entry()
    rows = [*above[:at], f"- {write_entry(before)}".encode(), *above[at:]]
    page = ending.join(rows)
    after = edit_page(page, "user", [Edit(before, before.model_copy(update={"content": "Leo is nine"}))])
    assert after is not None
    # In the person's own frontmatter or code it is no entry.
    assert after in (page, page.replace(b"Leo is eight %%id 3f9a1c20", b"Leo is nine %%id 3f9a1c20"))


LONG = "word " * (MOST_CHARS // 5 + 1)


@pytest.mark.parametrize(
    ("page", "line", "message"),
    [
        ("- a\nnothing of a list", 2, "This line is no item of a list: put `- ` before what is to be remembered."),
        ("- a %%added 2026-03", 1, "Its comment does not end: put `%%` after it."),
        ("- a %%id 3f9a, colour blue%%", 1, "“colour blue” is not understood, and passed over."),
        ("- a %%id 3f9a, added 2026-13-45%%", 1, "“added 2026-13-45” is not understood, and passed over."),
        ("- a %%id 3f9a, fades after 0 days%%", 1, "“fades after 0 days” is not understood, and passed over."),
        ("- a %%id 3f9a, 120 %%%", 1, "Its comment does not end: put `%%` after it."),
        ("- a %%id ../x%%", 1, "“id ../x” is not understood, and passed over."),
        ("- a %%id 3f9a%%\n- b %%id 3f9a%%", 2, "It has the id of line 1: it is taken as a new one."),
        ("- a %%id 3f9a%%\n- a %%id 3f9a%%", 2, "It says what line 1 says, and is passed over."),
        ("- a\n- a", 2, "It says what line 1 says, and is passed over."),
        (f"- {LONG}", 1, f"It has {len(LONG.strip())} characters, and an entry at most {MOST_CHARS}: split it."),
        ("---\n- a", 1, "The properties at the top have no end (`---`): they are read as lines."),
        ("```\n- a\n```", 1, "What stands in a block of code is not remembered."),
        ("- b\n```\n- a", 2, "This block of code has no end: its lines are read."),
        ("- a\n<<<<<<< HEAD\n- b\n", 2, "A merge left its marks here. Choose one side, then it is read."),
    ],
)
def test_what_is_not_understood_is_said_by_line(page: str, line: int, message: str) -> None:
    assert (line, message) in read_page(page.encode()).problems


@pytest.mark.parametrize(
    "page",
    [
        "---\ntags: [x]\n- no item\n---\n# Head\n\n> said\n> - so\n\n| a |\n| - |\n\n***\n<!-- - a -->\n%% - b %%\n",
        "General\n=======\n",
        "- \n* [ ] \n",
        "",
    ],
)
def test_what_is_the_persons_own_is_no_entry(page: str) -> None:
    assert read_page(page.encode()).items == []


@pytest.mark.parametrize("marker", ["- ", "* ", "+ ", "1. ", "23) ", "\t- ", "    - ", "- [ ] ", "- [x] ", "1. [>] "])
def test_every_kind_of_item_is_one(marker: str) -> None:
    [item] = read_page(f"{marker}Tea, no milk ".encode()).items
    assert item == Item(0, "Tea, no milk")


def test_both_sides_of_a_merge_are_still_lines_that_an_edit_finds() -> None:
    before = an_entry()
    mine, theirs = f"- {write_entry(before)}", "- Leo is nine %%id 3f9a1c20%%"
    page = f"<<<<<<< HEAD\n{mine}\n=======\n{theirs}\n>>>>>>> theirs\n"
    assert read_page(page.encode()).is_torn
    assert take_over("user", read_page(page.encode()), [before], NOON) == []
    assert edit_page(page.encode(), "user", [Edit(before, None)]) == page.replace(f"{mine}\n", "").encode()

"""What a page says that is not known yet. The kinds of edits are in `runtime/test_memory_pages.py`."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.memories import NOON, an_entry
from zibaldone.profile.page import Edit, edit_page, read_page
from zibaldone.profile.takeover import Change, default_decay, new_id, retire, take_over
from zibaldone.schemas.memory import MemoryEntry, MemoryType

NOW = NOON + timedelta(days=40)


def taken(text: str, *known: MemoryEntry, kind: MemoryType = "user") -> list[Change]:
    return take_over(kind, read_page(text.encode()), known, NOW)


def test_a_line_of_the_persons_own_is_explicit_and_from_their_hand() -> None:
    [change] = taken("- Leo is eight", kind="context")
    entry = change.entry
    assert (change.action, entry.type, entry.content, entry.is_explicit) == (
        "added by hand",
        "context",
        "Leo is eight",
        True,
    )
    assert (entry.sources, entry.decay_days, entry.created_at) == (["hand"], 14, NOW.isoformat())
    assert (entry.confidence, entry.source_count, entry.state) == (1.0, 1, "active")


def test_a_line_of_ours_that_the_state_does_not_know_is_what_it_says() -> None:
    """As after a clone, or where the state was lost."""
    lost = an_entry(
        is_explicit=False,
        confidence=0.9,
        source_count=3,
        decay_days=30,
        pinned=True,
        sources=["chat:a#1"],
        replaces=["0a0b"],
        conflicts_with=["0c0d"],
    )
    page = edit_page(None, "user", [Edit(None, lost)])
    assert page is not None
    [change] = take_over("user", read_page(page), [], NOW)
    assert change.entry == lost  # its day is its noon


@pytest.mark.parametrize("day", ["2031-01-01", NOW.date().isoformat()])
def test_what_was_added_today_or_later_is_from_now(day: str) -> None:
    [change] = taken(f"- Leo is eight %%id 3f9a1c20, added {day}%%")
    assert change.entry.created_at == change.entry.updated_at == NOW.isoformat()


def test_words_that_were_changed_are_explicit_whatever_the_comment_says() -> None:
    known = an_entry(is_explicit=False, confidence=0.6, pinned=True, source_count=4, sources=["chat:a#1"])
    [change] = taken("- Leo is nine %%id 3f9a1c20, added 2026-03-02, 60 %, pinned, said 4 times%%", known)
    assert change == Change(
        "edited by hand",
        known.model_copy(
            update={
                "content": "Leo is nine",
                "is_explicit": True,
                "confidence": 1.0,
                "sources": ["chat:a#1", "hand"],
                "updated_at": NOW.isoformat(),
            }
        ),
    )
    # The comment is still that of before, and takes nothing back when the page is read again.
    assert taken("- Leo is nine %%id 3f9a1c20, added 2026-03-02, 60 %, pinned, said 4 times%%", change.entry) == []


def test_a_line_that_comes_back_is_active_again() -> None:
    known = retire(an_entry(), "deleted by hand", NOON)
    [change] = taken("- Leo is eight %%id 3f9a1c20%%", known)
    assert (change.entry.state, change.entry.why, change.entry.updated_at) == ("active", None, NOW.isoformat())
    [change] = taken("- Leo is eight", known)  # without its id it is said anew
    assert (change.action, change.entry.id == known.id) == ("added by hand", False)


def test_what_is_struck_out_was_never_said_or_is_no_longer_so() -> None:
    assert taken("- ~~Leo is eight~~") == []
    [change] = taken("- ~~Leo is nine~~ %%id 3f9a1c20%%", an_entry())
    assert (change.entry.state, change.entry.why, change.entry.content) == (
        "retired",
        "struck out by hand",
        "Leo is eight",
    )
    assert taken("- ~~Leo is eight~~ %%id 3f9a1c20%%", change.entry) == []


def test_a_line_on_two_pages_stays_where_it_was_and_is_new_on_the_other() -> None:
    page = read_page(b"- Leo is eight %%id 3f9a1c20%%")
    assert take_over("user", page, [an_entry()], NOW, elsewhere={"3f9a1c20"}) == []
    [change] = take_over("feedback", page, [an_entry()], NOW, elsewhere={"3f9a1c20"})
    assert (change.action, change.entry.type) == ("added by hand", "feedback")
    assert take_over("feedback", page, [an_entry(), change.entry], NOW, elsewhere={"3f9a1c20"}) == []
    [change] = take_over("feedback", page, [an_entry()], NOW)
    assert (change.action, change.entry.id, change.entry.type) == ("edited by hand", "3f9a1c20", "feedback")


def test_what_is_on_its_way_to_another_page_is_not_deleted() -> None:
    assert take_over("user", read_page(b""), [an_entry()], NOW, elsewhere={"3f9a1c20"}) == []


def test_ids_are_no_two_alike() -> None:
    first = new_id("user", "Leo", NOON, ())
    assert (len(first), new_id("user", "Leo", NOON, ())) == (8, first)
    assert new_id("user", "Leo", NOON, [first]) != first
    assert [default_decay(kind) for kind in ("user", "feedback", "context")] == [None, None, 14]


LINES = st.lists(
    st.tuples(
        st.sampled_from(["Leo is eight", "Has two cats", "Lives in Ulm", "我对花生过敏", "~~Leo is eight~~", ""]),
        st.sampled_from(["", " %%id 3f9a1c20%%", " %%id 77aa, explicit%%", " %%pinned%%", " %%id 3f9a", "%%", "\r"]),
    ).map(lambda parts: f"- {parts[0]}{parts[1]}"),
    max_size=6,
)


@given(LINES, LINES)
def test_reading_a_page_twice_says_nothing_twice(before: list[str], after: list[str]) -> None:
    known = {entry.id: entry for entry in (an_entry(), an_entry("Has two cats", "77aa", is_explicit=False))}
    for lines in (before, after):
        page = read_page("\n".join(lines).encode())
        changes = take_over("user", page, list(known.values()), NOW)
        known |= {change.entry.id: change.entry for change in changes}
        assert take_over("user", page, list(known.values()), NOW) == []
        # A line for each active entry, and no entry for two.
        texts = [item.text for item in page.items if not item.is_struck and not item.is_copy]
        assert sum(entry.state == "active" for entry in known.values()) <= len(texts)

"""What of the memory enters a prompt: the order, the budget, and nothing twice."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from support.memories import NOON, an_entry
from zibaldone.profile.recall import choose_entries, choose_rules, describe_recalled, entry_line
from zibaldone.schemas.memory import MEMORY_TYPES, MemoryEntry
from zibaldone.schemas.rules import Rule


def an(content: str, id_: str, days: int = 0, **fields: object) -> MemoryEntry:
    return an_entry(content, id_, created_at=(NOON + timedelta(days=days)).isoformat(), **fields)


TALK = an("I prepare a talk", "aaaa", type="context")
BRIEF = an("Short answers", "bbbb", type="feedback")
LEO = an("Leo is eight", "cccc")
VIOLA = an("I play the viola", "dddd", is_explicit=False, confidence=0.5)
GHENT = an("I live in Ghent", "eeee", is_explicit=False, confidence=0.9)
ALL = [TALK, BRIEF, LEO, VIOLA, GHENT]
FIVE_SIZES = st.lists(st.integers(1, 12), min_size=5, max_size=5)
FIVE_SHARES = st.lists(st.floats(0, 1), min_size=5, max_size=5)


def chosen(budget: int, near: dict[str, float] | None = None, size: int = 4) -> list[str]:
    return [one.id for one in choose_entries(ALL, near or {}, {one.id: size for one in ALL}, budget)]


def test_all_are_told_by_type_where_there_is_room() -> None:
    assert chosen(100) == ["cccc", "dddd", "eeee", "bbbb", "aaaa"]


def test_explicit_ones_come_first_then_the_nearest_and_surest() -> None:
    assert chosen(12) == ["cccc", "bbbb", "aaaa"]
    assert chosen(16, {"dddd": 0.9, "eeee": 0.4}) == ["cccc", "dddd", "bbbb", "aaaa"]
    assert chosen(16, {"dddd": 0.9, "eeee": 0.6}) == ["cccc", "eeee", "bbbb", "aaaa"]
    assert chosen(3) == chosen(0) == []


def test_what_is_too_long_leaves_its_room_to_others() -> None:
    sizes = {one.id: 4 for one in ALL} | {"cccc": 50}
    assert [one.id for one in choose_entries(ALL, {}, sizes, 10)] == ["bbbb", "aaaa"]


@given(
    st.integers(0, 40),
    st.lists(st.integers(1, 12), min_size=5, max_size=5),
    st.lists(st.floats(0, 1), min_size=5, max_size=5),
)
def test_the_budget_is_kept(budget: int, lengths: list[int], nearness: list[float]) -> None:
    ids = [one.id for one in ALL]
    sizes, near = dict(zip(ids, lengths, strict=True)), dict(zip(ids, nearness, strict=True))
    found = choose_entries(ALL, near, sizes, budget)
    assert sum(sizes[one.id] for one in found) <= budget
    kinds = [MEMORY_TYPES.index(one.type) for one in found]
    assert kinds == sorted(kinds)
    left = budget - sum(sizes[one.id] for one in found)
    assert all(sizes[one.id] > left for one in ALL if one not in found)


def test_it_stands_there_as_the_person_said_it() -> None:
    assert describe_recalled([], []) == ""
    rule = Rule(agent="relay", text="Name the source first", layer="user")
    assert describe_recalled([rule], [LEO, BRIEF, TALK]) == (
        "- Name the source first\n"
        "About them, in their own words:\n- Leo is eight\n"
        "How they want answers:\n- Short answers\n"
        "What they are busy with:\n- I prepare a talk"
    )
    doubtful = LEO.model_copy(update={"conflicts_with": ["dddd"]})
    assert entry_line(doubtful) == "- Leo is eight (but they said otherwise, too)"


def test_a_rule_that_an_entry_says_is_told_by_the_entry() -> None:
    grown = Rule(agent="relay", text="Short answers", layer="user", rests_on=["bbbb"])
    reworded = grown.model_copy(update={"text": "Short answers, but on Sundays"})
    own = Rule(agent="common", text="Short answers", layer="user")
    left = grown.model_copy(update={"rests_on": ["gone"]})
    assert choose_rules([grown, reworded, own, left], ALL) == [reworded, own, left]

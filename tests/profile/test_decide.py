"""What becomes of a statement beside what is known: who wins, who stays; no inference changes what was said."""

from __future__ import annotations

from datetime import timedelta
from itertools import product

import pytest

from support.memories import NOON, an_entry
from zibaldone.profile.decide import Relation, confirm, decide, is_beaten
from zibaldone.profile.takeover import Change
from zibaldone.schemas.memory import MemoryEntry

NOW = NOON + timedelta(days=1)
LEIDEN = an_entry("Lives in Leiden", "0001", sources=["chat:a#1"])
ULM = an_entry("Lives in Ulm", "0002", sources=["chat:b#1"])


def inferred(entry: MemoryEntry, confidence: float = 0.8) -> MemoryEntry:
    return entry.model_copy(update={"is_explicit": False, "confidence": confidence})


def told(changes: list[Change]) -> list[tuple[str, str, str]]:
    return [(change.action, change.entry.id, change.entry.state) for change in changes]


def test_something_new_is_added() -> None:
    assert decide(ULM, [], NOW) == [Change("added", ULM)]


@pytest.mark.parametrize(
    ("old", "new", "beaten"),
    [
        (LEIDEN, ULM, True),
        (inferred(LEIDEN, 0.99), ULM, True),
        (LEIDEN, inferred(ULM, 0.99), False),
        (inferred(LEIDEN, 0.8), inferred(ULM, 0.7), True),
        (inferred(LEIDEN, 0.9), inferred(ULM, 0.6), False),
    ],
)
def test_who_gives_way_to_whom(old: MemoryEntry, new: MemoryEntry, beaten: bool) -> None:
    assert is_beaten(old, new) is beaten
    first, last = decide(new, [Relation(old, "contradicts")], NOW)
    if beaten:
        assert (first.action, first.entry.state, first.entry.why) == ("replaced", "retired", "replaced by 0002")
        assert (last.entry.replaces, last.entry.conflicts_with) == (["0001"], [])
    else:
        assert (first.action, first.entry.state, first.entry.conflicts_with) == ("in conflict", "active", ["0002"])
        assert (last.entry.replaces, last.entry.conflicts_with) == ([], ["0001"])


def test_a_conflict_is_noted_once_and_ends_when_one_side_gives_way() -> None:
    old = LEIDEN.model_copy(update={"conflicts_with": ["0002"]})
    both = inferred(ULM).model_copy(update={"conflicts_with": ["0001"]})
    again = [Relation(both, "same"), Relation(old, "contradicts")]
    assert told(decide(inferred(ULM), again, NOW)) == [("confirmed", "0002", "active")]
    *_, last = decide(ULM, again, NOW)
    assert (last.entry.replaces, last.entry.conflicts_with) == (["0001"], [])


def test_a_repeat_confirms_and_the_old_words_stay() -> None:
    [change] = decide(
        an_entry("I live in Ulm", "0003", sources=["chat:c#1"], is_explicit=False, confidence=0.8),
        [Relation(inferred(ULM), "same")],
        NOW,
    )
    entry = change.entry
    assert (change.action, entry.id, entry.content) == ("confirmed", "0002", "Lives in Ulm")
    assert (entry.source_count, entry.sources, entry.updated_at) == (2, ["chat:b#1", "chat:c#1"], NOW.isoformat())
    assert (entry.is_explicit, entry.confidence) == (False, pytest.approx(0.96))


def test_what_was_inferred_takes_the_words_of_the_one_who_says_so() -> None:
    new = an_entry("I live in Ulm, Germany", "0003", sources=["chat:c#1"])
    entry = confirm(inferred(ULM), new, NOW)
    assert (entry.id, entry.content, entry.is_explicit, entry.confidence) == ("0002", new.content, True, 1.0)


@pytest.mark.parametrize(
    ("sources", "source", "count"),
    [
        (["chat:a#1"], "chat:a#1", 1),
        (["chat:a#1", "chat:b#1"], "chat:a#1", 1),  # the same turn, read again at night
        (["chat:a#1"], "chat:a#2", 2),
        (["cli"], "cli", 2),
        (["hand"], "chat:a#1", 2),
    ],
)
def test_said_once_more_or_only_read_once_more(sources: list[str], source: str, count: int) -> None:
    new = an_entry(ULM.content, "0003", sources=[source])
    assert confirm(ULM.model_copy(update={"sources": sources}), new, NOW).source_count == count


def test_an_entry_names_twenty_sources_at_most() -> None:
    entry = ULM
    for number in range(50):
        entry = confirm(entry, an_entry(ULM.content, "0003", sources=[f"chat:c#{number}"]), NOW)
    assert (len(entry.sources), entry.sources[-1], entry.source_count) == (20, "chat:c#49", 51)


def test_no_inference_changes_what_was_said() -> None:
    """Whatever it repeats and contradicts, and however sure it is."""
    others = [LEIDEN, inferred(LEIDEN.model_copy(update={"id": "0004"}))]
    for confidence, same, against in product((0.01, 0.5, 0.99), (None, ULM, inferred(ULM)), others):
        relations = [Relation(same, "same")] if same else []
        new = an_entry("Ulm", "0003", is_explicit=False, confidence=confidence)
        for change in decide(new, [*relations, Relation(against, "contradicts")], NOW):
            before = {one.id: one for one in (ULM, LEIDEN)}.get(change.entry.id)
            if before and change.entry.is_explicit:
                kept = ("content", "type", "confidence", "is_explicit", "pinned", "decay_days", "state", "created_at")
                assert [getattr(change.entry, name) for name in kept] == [getattr(before, name) for name in kept]
            elif before is LEIDEN:
                raise AssertionError("it is not explicit any more")


def test_what_was_said_beats_what_was_inferred_when_it_is_confirmed_by_inference() -> None:
    relations = [Relation(ULM, "same"), Relation(inferred(LEIDEN, 1.0), "contradicts")]
    assert told(decide(inferred(ULM, 0.1), relations, NOW)) == [
        ("replaced", "0001", "retired"), ("confirmed", "0002", "active")
    ]  # fmt: skip

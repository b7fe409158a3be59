"""Operations that tidy the memory: nothing goes without a successor or a reason, nothing explicit by an inference."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest

from support.memories import NOON, an_entry
from zibaldone.profile.consolidate import archive, is_allowed, settle
from zibaldone.profile.decide import Relation
from zibaldone.profile.takeover import Change, retire
from zibaldone.schemas.memory import MemoryEntry

LATER = NOON + timedelta(days=3)


def an(content: str, id_: str, days: int = 0, **fields: object) -> MemoryEntry:
    at = (NOON + timedelta(days=days)).isoformat()
    return an_entry(content, id_, **{"created_at": at, "updated_at": at, "is_explicit": False, **fields})


def ends(changes: list[Change]) -> dict[str, str | None]:
    return {one.entry.id: one.entry.why for one in changes if one.entry.state != "active"}


def test_of_two_that_say_the_same_the_older_stays_with_all_that_is_known() -> None:
    older = an("Leo is eight", "aaaa", confidence=0.8, source_count=2, sources=["chat:a#1"], replaces=["0000"])
    newer = an("My son Leo is 8", "bbbb", 2, confidence=0.7, sources=["chat:b#1"], replaces=["1111"])
    gone, kept = (change.entry for change in settle(Relation(older, "same"), newer, LATER))
    assert (gone.id, gone.state, gone.why) == ("bbbb", "retired", "merged into aaaa")
    assert (kept.id, kept.content, kept.source_count) == ("aaaa", "Leo is eight", 3)
    assert kept.sources == ["chat:a#1", "chat:b#1"]
    assert kept.replaces == ["0000", "bbbb", "1111"]
    assert (kept.created_at, kept.updated_at) == (older.created_at, newer.updated_at)
    assert 0.9 < kept.confidence < 1


def test_what_was_said_expressly_stays_whichever_is_older() -> None:
    said, noticed = an("Leo is eight", "bbbb", 2, is_explicit=True, confidence=1.0), an("Leo is 8", "aaaa")
    changes = settle(Relation(noticed, "same"), said, LATER)
    assert ends(changes) == {"aaaa": "merged into bbbb"}
    kept = changes[-1].entry
    assert (kept.content, kept.is_explicit, kept.created_at) == ("Leo is eight", True, noticed.created_at)


def test_a_contradiction_ends_the_older_or_is_shown() -> None:
    older, newer = an("I am 35", "aaaa", confidence=0.8), an("I am 36", "bbbb", 1, confidence=0.8)
    changes = settle(Relation(older, "contradicts"), newer, LATER)
    assert ends(changes) == {"aaaa": "replaced by bbbb"}
    assert changes[-1].entry.replaces == ["aaaa"]
    said = older.model_copy(update={"is_explicit": True})
    changes = settle(Relation(said, "contradicts"), newer, LATER)
    assert ends(changes) == {}
    assert [one.entry.conflicts_with for one in changes] == [["bbbb"], ["aaaa"]]
    [_, shown] = changes
    assert settle(Relation(said, "contradicts"), shown.entry, LATER) == []  # it is known


@pytest.mark.parametrize("fields", [{"state": "retired", "why": "x"}, {"type": "context"}])
def test_what_is_over_or_of_another_type_is_left_alone(fields: dict[str, object]) -> None:
    older, newer = an("I am 35", "aaaa"), an("I am 36", "bbbb", 1, **fields)
    for verdict in ("same", "contradicts"):
        assert settle(Relation(older, verdict), newer, LATER) == []  # type: ignore[arg-type]
        assert settle(Relation(newer, verdict), older, LATER) == []  # type: ignore[arg-type]


def test_what_faded_is_archived_when_it_had_faded_before() -> None:
    faded = an("Preparing a talk", "aaaa", type="context", decay_days=14)
    fresh = an("Moving", "bbbb", 14, type="context", decay_days=14)
    pinned = an("A thesis", "cccc", type="context", decay_days=14, pinned=True)
    fact = an("Leo is eight", "dddd")
    entries, now = [faded, fresh, pinned, fact], NOON + timedelta(days=15)
    assert archive(entries, now, frozenset()) == []
    [change] = archive(entries, now, frozenset({"aaaa", "bbbb", "cccc", "dddd", "gone"}))
    assert (change.entry.id, change.entry.state, change.entry.why) == ("aaaa", "archived", "faded")
    assert archive([change.entry], now, frozenset({"aaaa"})) == []


@pytest.mark.parametrize(
    ("what", "change"),
    [
        ("an end without a reason", lambda said, new: [Change("x", said.model_copy(update={"state": "retired"}))]),
        ("an end without a successor", lambda said, new: [Change("x", retire(said, "old", NOON))]),
        (
            "an end by what was noticed",
            lambda said, new: [
                Change("x", retire(said, "old", NOON)),
                Change("x", new.model_copy(update={"replaces": [said.id]})),
            ],
        ),
        (
            "an end by what is over itself",
            lambda said, new: [
                Change("x", retire(said, "old", NOON)),
                Change("x", retire(new.model_copy(update={"replaces": [said.id], "is_explicit": True}), "y", NOON)),
            ],
        ),
        ("other words", lambda said, new: [Change("x", said.model_copy(update={"content": "Leo is nine"}))]),
        ("less than explicit", lambda said, new: [Change("x", said.model_copy(update={"is_explicit": False}))]),
    ],
)
def test_what_is_not_allowed(what: str, change: object) -> None:
    said, noticed = an("Leo is eight", "aaaa", is_explicit=True), an("Leo is nine", "bbbb", 1)
    assert not is_allowed(change(said, noticed), [said, noticed]), what  # type: ignore[operator]


def test_five_hundred_random_operations_end_nothing_explicit_by_an_inference() -> None:
    chance = random.Random(6)
    kept = ("content", "type", "is_explicit", "pinned", "created_at")
    for _ in range(500):
        known = {
            f"{n:04d}": an(
                f"Statement {chance.randrange(4)}",
                f"{n:04d}",
                chance.randrange(30),
                is_explicit=chance.random() < 0.5,
                confidence=round(chance.random(), 2),
                type=chance.choice(["user", "context"]),
                decay_days=chance.choice([None, 14]),
                state=chance.choice(["active", "active", "active", "retired"]),
                conflicts_with=chance.sample([f"{m:04d}" for m in range(6)], chance.randrange(2)),
            )
            for n in range(6)
        }
        for _ in range(8):
            older, newer = chance.sample(list(known.values()), 2)
            changes = settle(Relation(older, chance.choice(["same", "contradicts"])), newer, LATER)  # type: ignore[arg-type]
            assert is_allowed(changes, list(known.values()))
            after = {one.entry.id: one.entry for one in changes}
            assert after.keys() <= known.keys()
            for id_, entry in after.items():
                before = known[id_]
                if entry.state == "active":
                    if before.is_explicit:
                        # (created_at is the earlier of two that became one)
                        assert all(getattr(entry, name) == getattr(before, name) for name in kept[:-1])
                    continue
                successors = [one for one in after.values() if id_ in one.replaces and one.state == "active"]
                assert entry.why is not None
                assert successors
                assert not before.is_explicit or any(one.is_explicit for one in successors)
            known |= after

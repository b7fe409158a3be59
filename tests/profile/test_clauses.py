"""The statements that a sentence joins, and how one of them is parted from an entry."""

from __future__ import annotations

import pytest

from support.memories import NOON, an_entry
from zibaldone.profile.clauses import part_clauses, part_entry
from zibaldone.profile.decide import Relation
from zibaldone.schemas.memory import MemoryEntry


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("I'm 35 and I live in Ulm.", ["I'm 35", "I live in Ulm."]),
        ("Ich bin Lehrer, und ich singe im Chor", ["Ich bin Lehrer", "ich singe im Chor"]),
        ("J'ai deux fils et j'habite à Brest", ["J'ai deux fils", "j'habite à Brest"]),
        ("We own a boat and I row daily, but we never fish", ["We own a boat", "I row daily", "we never fish"]),
    ],
)
def test_what_stands_alone_is_a_statement(text: str, clauses: list[str]) -> None:
    assert part_clauses(text) == clauses


@pytest.mark.parametrize(
    "text",
    [
        "I live in Ulm.",
        "I live with my wife and my two sons",
        "When I was six, I moved to Ulm",
        "Leo and I have been to Ulm",
        "I have an old boat and I love it",
        "Ich habe ein Boot und ich bin damit zufrieden",
        "I am not sure that we stay, I think I am 35",
    ],
)
def test_what_leans_on_the_rest_stays_with_it(text: str) -> None:
    assert part_clauses(text) == [text]


OLD = an_entry("I'm 35 and I live in Ulm.", is_explicit=False, confidence=0.8)
EXPLICIT = OLD.model_copy(update={"is_explicit": True})
NEW = an_entry("I'm 36", "11111111", is_explicit=False, confidence=0.8)


def test_a_statement_that_is_over_is_parted_and_the_rest_keeps_its_entry() -> None:
    [change], relation = part_entry(Relation(OLD, "contradicts", "I'm 35"), NEW, NOON, [OLD.id, NEW.id])
    assert change.entry == OLD.model_copy(update={"content": "I live in Ulm."})
    assert (relation.entry.content, relation.verdict, relation.clause) == ("I'm 35", "contradicts", None)
    assert relation.entry.id not in (OLD.id, NEW.id)


@pytest.mark.parametrize(
    ("relation", "new"),
    [
        (Relation(OLD, "contradicts"), NEW),  # all of it is over
        (Relation(OLD, "same", "I live in Ulm."), NEW),  # it is confirmed
        (Relation(EXPLICIT, "contradicts", "I'm 35"), NEW),  # the person's to settle
        (Relation(OLD, "contradicts", "I'm 35"), NEW.model_copy(update={"confidence": 0.5})),  # less sure
    ],
)
def test_what_is_not_ended_in_part_is_not_parted(relation: Relation, new: MemoryEntry) -> None:
    assert part_entry(relation, new, NOON, []) == ([], relation)


def test_what_is_said_expressly_of_a_part_takes_its_place() -> None:
    said = an_entry("I live in Ulm", "22222222")
    [change], relation = part_entry(Relation(OLD, "same", "I live in Ulm."), said, NOON, [OLD.id])
    assert (change.entry.content, relation.entry.content) == ("I'm 35", "I live in Ulm.")
    assert relation.verdict == "contradicts"

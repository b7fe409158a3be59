"""Recall cards: what one asks, when it is due, and where it goes when its node changes. Pure.

When a card is due is FSRS's to say (Free Spaced Repetition Scheduler), without its steps of minutes, since nobody sits
here for an hour, and without its random shifts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from zibaldone.domain.hierarchy import Card, content_id

if TYPE_CHECKING:
    from fsrs import Scheduler


class Grade(StrEnum):
    """How well the person remembered."""

    AGAIN = "again"
    HARD = "hard"
    GOOD = "good"
    EASY = "easy"


@dataclass(frozen=True, slots=True)
class FollowedCards:
    """`kept` are right as they are. `outdated` have a node, but not all of the passages that they were made from: they
    keep their schedule and need another text. The node of `orphaned` is gone without an heir."""

    kept: tuple[Card, ...]
    outdated: tuple[Card, ...]
    orphaned: tuple[Card, ...]


def card_id(node_id: str, evidence: Iterable[str]) -> str:
    """The same for the same passages of a node."""
    return content_id(["card", node_id, *sorted(evidence)])


def new_card(
    node_id: str, evidence: Collection[str], question: str, answer: str, generated_by: str, now: datetime
) -> Card:
    """Due at once. `now` has a time zone."""
    from fsrs import Card as Scheduled

    name = card_id(node_id, evidence)
    schedule = Scheduled(card_id=int(name[:12], 16), due=now.astimezone(UTC)).to_json()
    return Card(name, node_id, tuple(sorted(evidence)), question, answer, generated_by, schedule)


def due_at(card: Card) -> datetime:
    """In UTC."""
    from fsrs import Card as Scheduled

    return Scheduled.from_json(card.schedule).due


def grade_card(card: Card, grade: Grade, now: datetime) -> Card:
    """The card with its next day. `now` has a time zone."""
    from fsrs import Card as Scheduled
    from fsrs import Rating

    rating = {Grade.AGAIN: Rating.Again, Grade.HARD: Rating.Hard, Grade.GOOD: Rating.Good, Grade.EASY: Rating.Easy}
    reviewed, _ = _scheduler().review_card(Scheduled.from_json(card.schedule), rating[grade], now.astimezone(UTC))
    return replace(card, schedule=reviewed.to_json())


@cache
def _scheduler() -> Scheduler:
    from fsrs import Scheduler

    return Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)


def follow_cards(
    cards: Iterable[Card], heirs: Mapping[str, str], evidence: Mapping[str, Collection[str]]
) -> FollowedCards:
    """Cards at the nodes of a new build: `evidence` has the hashes of each node's passages, `heirs` leads from nodes
    that are gone to those that have most of theirs. Of a node that was split the card goes to the part that has all of
    its passages."""
    kept, outdated, orphaned = [], [], []
    for card in cards:
        home = heirs.get(card.node_id, card.node_id)
        complete = [node for node, its in evidence.items() if _has_all(card, its)]
        if complete:
            kept.append(replace(card, node_id=home if home in complete else min(complete)))
        elif home in evidence:
            outdated.append(replace(card, node_id=home))
        else:
            orphaned.append(card)
    return FollowedCards(tuple(kept), tuple(outdated), tuple(orphaned))


def _has_all(card: Card, evidence: Collection[str]) -> bool:
    return bool(card.evidence) and all(passage in evidence for passage in card.evidence)


def order_due(cards: Iterable[Card], now: datetime, risk: Mapping[str, float]) -> Sequence[Card]:
    """Those that are due, of the nodes that are forgotten soonest first."""
    due = [card for card in cards if due_at(card) <= now]
    return sorted(due, key=lambda card: (-risk.get(card.node_id, 0.0), due_at(card), card.id))

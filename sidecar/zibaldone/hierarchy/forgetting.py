"""What is important and was not touched for long. Pure.

Staleness is what the days since the last touch have let fade (CrossModalRAG's half-life), times the share of all nodes
that were touched since then. Days alone say nothing in a vault that rested for some months: everything has faded, and
what was left a year earlier would stand beside what the person did last.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from zibaldone.domain.hierarchy import Concept, Episode, Event
from zibaldone.hierarchy.usage import HALF_LIFE_DAYS

# Events that are enough to be sure of a node, CrossModalRAG's.
ENOUGH = 3


@dataclass(frozen=True, slots=True)
class Remembered:
    """A node: its importance in 0..1 (None where no graph was made), how many events it has, and the last day that one
    of them happened, its source was changed or it was used; None where that is not known."""

    id: str
    title: str
    importance: float | None
    support: int
    last_touched: date | None


@dataclass(frozen=True, slots=True)
class Risk:
    """All in 0..1; `risk` is importance times staleness, and confidence is no part of it."""

    id: str
    title: str
    risk: float
    importance: float
    staleness: float
    confidence: float
    last_touched: date | None


def gather_nodes(
    concepts: Sequence[Concept],
    episodes: Sequence[Episode],
    events: Sequence[Event],
    importance: Mapping[str, float],
    touched: Mapping[str, date],
) -> list[Remembered]:
    """All concepts, and the episodes that are not for the greater part about one of them (or a concept would stand
    there with each of its episodes), with the last day on which something happened to each.

    `touched` has the last use by id. What an episode was about goes on where its events' concepts do: it is as fresh as
    the middle one of its events, each of which is as fresh as its concept.
    """
    days = {event.id: event.day for event in events}
    lasts = {one.id: _latest([touched.get(one.id), *(days[event] for event in one.events)]) for one in concepts}
    fresh = {**days, **{event: lasts[one.id] for one in concepts for event in one.events}}
    for one in episodes:
        known = sorted(day for event in one.events if (day := fresh[event]))
        lasts[one.id] = _latest([touched.get(one.id), known[(len(known) - 1) // 2] if known else None])
    nodes: list[Concept | Episode] = [*concepts, *_of_many_things(episodes, concepts)]
    return [Remembered(one.id, one.title, importance.get(one.id), len(one.events), lasts[one.id]) for one in nodes]


def _of_many_things(episodes: Iterable[Episode], concepts: Iterable[Concept]) -> Iterator[Episode]:
    concept_of = {event: one.id for one in concepts for event in one.events}
    for one in episodes:
        counts = Counter(concept_of[event] for event in one.events if event in concept_of)
        if 2 * max(counts.values(), default=0) <= len(one.events):
            yield one


def _latest(days: Iterable[date | None]) -> date | None:
    return max((day for day in days if day is not None), default=None)


def rank_risks(
    nodes: Iterable[Remembered], today: date, min_support: int = 1, half_life_days: float = HALF_LIFE_DAYS
) -> list[Risk]:
    """The greatest risk first, and of equal ones the surest. All `nodes` count for how stale one is."""
    every = list(nodes)
    days = sorted(node.last_touched or date.min for node in every)
    risks = [_risk(node, days, today, half_life_days) for node in every if node.support >= min_support]
    return sorted(risks, key=lambda one: (-one.risk, -one.confidence, one.id))


def _risk(node: Remembered, days: Sequence[date], today: date, half_life_days: float) -> Risk:
    confidence = confidence_of(node.support)
    importance = confidence if node.importance is None else node.importance
    staleness = _staleness(node.last_touched, days, today, half_life_days)
    return Risk(node.id, node.title, importance * staleness, importance, staleness, confidence, node.last_touched)


def _staleness(last_touched: date | None, days: Sequence[date], today: date, half_life_days: float) -> float:
    """`days` are the last touches of all nodes, in order. Those of the same day count half; no known day is 1."""
    if last_touched is None:
        return 1.0
    faded = 1.0 - 0.5 ** (max(0, (today - last_touched).days) / half_life_days)
    until = (bisect_left(days, last_touched) + bisect_right(days, last_touched)) / 2
    return float(faded * (1 - until / len(days)))


def confidence_of(support: int) -> float:
    """How sure so many events make, in 0..1."""
    return min(1.0, support / ENOUGH)

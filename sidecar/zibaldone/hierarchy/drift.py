"""How the thinking on a concept moved: from one window of time to the next, and after a pause. Pure.

The centroid of a few events lies away from that of a few others of the same kind by chance. With vectors of unit
length that scatter by the variance s^2 around their mean, the cosine that two centroids of n and m events have by
chance alone is (1 - s^2) / sqrt((1 - s^2 + s^2/n) (1 - s^2 + s^2/m)): what goes beyond it counts, and the more, the
more events there are on both sides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from math import sqrt

import numpy as np

from zibaldone.domain.hierarchy import Concept, Event
from zibaldone.domain.vectors import unit
from zibaldone.hierarchy.forgetting import confidence_of
from zibaldone.hierarchy.space import Vectors
from zibaldone.hierarchy.usage import HALF_LIFE_DAYS

WINDOW_DAYS = 30
# So many events of all concepts count beside a concept's own for how far events scatter.
_BORROWED = 5
_SMALLEST = 1e-9


@dataclass(frozen=True, slots=True)
class DriftWindow:
    """A window with events, from `start` to `end` (inclusive). `drift` is 1 - cosine to the one before that has any (0
    for the first), `expected` what chance alone makes of it."""

    start: date
    end: date
    drift: float
    expected: float
    support: int
    confidence: float


@dataclass(frozen=True, slots=True)
class Relearning:
    """That after at least one empty window `again` came, before the next of these, nearest in meaning to `before`.
    `strength`, in 0..1, is their cosine times what the days between had let fade, times how sure the events on the side
    with fewer of them make: one that was mentioned in passing was not known before."""

    again: str
    before: str
    day: date
    pause_days: int
    strength: float


@dataclass(frozen=True, slots=True)
class ConceptDrift:
    """`overall_drift` is the greatest that goes beyond chance, times its window's confidence."""

    id: str
    title: str
    overall_drift: float
    windows: tuple[DriftWindow, ...]
    relearning: tuple[Relearning, ...]
    confidence: float


@dataclass(frozen=True, slots=True)
class _Window:
    start: date
    events: tuple[Event, ...]
    vectors: Vectors

    @property
    def scatter(self) -> float:
        """Sum of squared distances from the mean."""
        return float(np.sum((self.vectors - self.vectors.mean(axis=0)) ** 2))


def measure_drift(
    concepts: Sequence[Concept], events: Sequence[Event], vectors: Vectors, window_days: int = WINDOW_DAYS
) -> list[ConceptDrift]:
    """Of each concept with events on known days; those that drifted most and those that were most clearly learned again
    come first, in turns, and nothing that was not learned again takes a turn of these. `vectors` (n, d) are the rows of
    `events` in the space of the concepts, of unit length."""
    row_of = {event.id: row for row, event in enumerate(events)}
    windows = {
        one.id: _cut([events[row_of[event]] for event in one.events], vectors, row_of, window_days) for one in concepts
    }
    general = _variance([window for its in windows.values() for window in its], 1.0, 0)
    drifts = [_measure(one, windows[one.id], general, window_days) for one in concepts if windows[one.id]]
    return _in_turns(drifts)


def _cut(events: Sequence[Event], vectors: Vectors, row_of: Mapping[str, int], window_days: int) -> list[_Window]:
    """The windows that have events, counted from the first one's day."""
    dated = sorted((event.day, event.id, event) for event in events if event.day is not None)
    held: dict[int, list[Event]] = {}
    for day, _, event in dated:
        held.setdefault((day - dated[0][0]).days // window_days, []).append(event)
    return [
        _Window(
            dated[0][0] + timedelta(days=number * window_days),
            tuple(its),
            vectors[[row_of[event.id] for event in its]],
        )
        for number, its in held.items()
    ]


def _variance(windows: Sequence[_Window], general: float, borrowed: int) -> float:
    """Around the means of windows, in 0..1, where `borrowed` more events scatter by `general`."""
    free = sum(len(window.events) - 1 for window in windows)
    scatter = sum(window.scatter for window in windows)
    return min(1.0, (scatter + borrowed * general) / (free + borrowed)) if free + borrowed else general


def _measure(concept: Concept, windows: Sequence[_Window], general: float, window_days: int) -> ConceptDrift:
    variance = _variance(windows, general, _BORROWED)
    first = windows[0]
    shown = [_shown(first, 0.0, 0.0, len(first.events), window_days)]
    for before, window in pairwise(windows):
        drift = 1 - float(np.clip(unit(before.vectors.mean(axis=0)) @ unit(window.vectors.mean(axis=0)), -1, 1))
        expected = expected_drift(variance, len(before.events), len(window.events))
        least = min(len(before.events), len(window.events))
        shown.append(_shown(window, drift, expected, least, window_days))
    spells = _spells(windows, window_days)
    relearning = [_relearn([one for its in spells[:at] for one in its], spells[at]) for at in range(1, len(spells))]
    return ConceptDrift(
        concept.id,
        concept.title,
        max(max(0.0, one.drift - one.expected) * one.confidence for one in shown),
        tuple(shown),
        tuple(relearning),
        confidence_of(sum(len(window.events) for window in windows)),
    )


def expected_drift(variance: float, before: int, now: int) -> float:
    """1 - cosine of the centroids of so many vectors of unit length each that scatter by `variance` around one mean."""
    mean = max(_SMALLEST, 1 - variance)
    return 1 - mean / sqrt((mean + variance / before) * (mean + variance / now))


def _shown(window: _Window, drift: float, expected: float, least: int, window_days: int) -> DriftWindow:
    end = window.start + timedelta(days=window_days - 1)
    return DriftWindow(window.start, end, drift, expected, len(window.events), confidence_of(least))


def _spells(windows: Sequence[_Window], window_days: int) -> list[list[_Window]]:
    """Windows that follow on each other, with at least an empty one between two spells."""
    spells = [[windows[0]]]
    for before, window in pairwise(windows):
        if (window.start - before.start).days > window_days:
            spells.append([])
        spells[-1].append(window)
    return spells


def _relearn(earlier: Sequence[_Window], spell: Sequence[_Window]) -> Relearning:
    known, learned = ([event for one in its for event in one.events] for its in (earlier, spell))
    vectors = np.concatenate([one.vectors for one in spell])
    cosines = vectors @ np.concatenate([one.vectors for one in earlier]).T
    row, column = np.unravel_index(int(cosines.argmax()), cosines.shape)
    again, before = learned[row], known[column]
    assert again.day and known[-1].day  # only events on known days are in a window
    pause = (learned[0].day or again.day) - known[-1].day
    faded = 1 - 0.5 ** (pause.days / HALF_LIFE_DAYS)
    sure = confidence_of(min(len(known), len(learned)))
    strength = faded * max(0.0, float(cosines[row, column])) * sure
    return Relearning(again.id, before.id, again.day, pause.days, strength)


def _in_turns(drifts: Sequence[ConceptDrift]) -> list[ConceptDrift]:
    strengths = {one.id: max((its.strength for its in one.relearning), default=0.0) for one in drifts}
    moved = sorted(drifts, key=lambda one: (-one.overall_drift, one.id))
    learned = sorted((one for one in drifts if strengths[one.id]), key=lambda one: (-strengths[one.id], one.id))
    places: dict[str, int] = {}
    for order in (moved, learned):
        for place, one in enumerate(order):
            places[one.id] = min(place, places.get(one.id, place))
    return sorted(drifts, key=lambda one: (places[one.id], -one.overall_drift, one.id))

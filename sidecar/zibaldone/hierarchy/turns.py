"""Which of many events show how the thinking about something changed. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from zibaldone.domain.hierarchy import Event
from zibaldone.domain.vectors import unit
from zibaldone.hierarchy.drift import WINDOW_DAYS
from zibaldone.hierarchy.space import Vectors

# The part of the events shown that are such pairs.
_PAIRED = 0.6


def choose_turns(events: Sequence[Event], vectors: Vectors, most: int) -> list[Event]:
    """At most `most`, in order of time: those that say nearly the same at different times (a window apart), in pairs,
    since what changed shows where one thing is said twice; the others from all of the time evenly.

    Args:
        vectors: (n, d) of the events, of unit length; empty where they have none.
    """
    order = sorted(range(len(events)), key=lambda row: in_time(events[row]))
    chosen = set(_pairs(events, vectors, order, int(_PAIRED * most) // 2)) if len(vectors) else set()
    rest = [row for row in order if row not in chosen]
    chosen.update(spread_evenly(rest, most - len(chosen)))
    return [events[row] for row in order if row in chosen]


def in_time(event: Event) -> tuple[date, str, int]:
    return event.day or date.min, event.path, event.line_start


def spread_evenly(rows: Sequence[int], most: int) -> list[int]:
    """The first, the last and some between them."""
    if len(rows) <= most or most < 2:
        return list(rows[:most])
    step = (len(rows) - 1) / (most - 1)
    return [rows[round(number * step)] for number in range(most)]


def _pairs(events: Sequence[Event], vectors: Vectors, order: Sequence[int], most: int) -> list[int]:
    """The rows of the `most` nearest pairs; an event is in one of them at most."""
    apart = timedelta(days=WINDOW_DAYS)
    centred = unit(vectors - vectors.mean(axis=0))
    pairs = sorted(
        (-float(centred[one] @ centred[other]), one, other)
        for number, one in enumerate(order)
        for other in order[number + 1 :]
        if _days_between(events[one], events[other]) >= apart and events[one].quote != events[other].quote
    )
    rows: list[int] = []
    for nearness, one, other in pairs:
        if nearness < 0 and len(rows) < 2 * most and one not in rows and other not in rows:
            rows += [one, other]
    return rows


def _days_between(one: Event, other: Event) -> timedelta:
    return abs(other.day - one.day) if one.day and other.day else timedelta(0)

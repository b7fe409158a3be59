"""Which events show how the thinking about something changed."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np

from support.planted_year import NEW_YEAR, plant_year
from zibaldone.domain.hierarchy import Event
from zibaldone.hierarchy.space import Vectors
from zibaldone.hierarchy.turns import choose_turns

YEAR = plant_year(events=40)
NOTHING: Vectors = np.empty((0, 0), np.float32)


def events_on(days: list[int]) -> list[Event]:
    every = zip(YEAR.events, days, strict=False)
    return [replace(one, id=f"e{n:02}", day=NEW_YEAR + timedelta(days=day)) for n, (one, day) in enumerate(every)]


def test_what_is_said_twice_with_a_pause_between_is_shown_from_both_times() -> None:
    events = events_on([7 * n for n in range(40)])
    vectors = YEAR.vectors.copy()
    vectors[33] = vectors[4]
    shown = [one.id for one in choose_turns(events, vectors, 6)]
    assert {"e04", "e33"} <= set(shown)
    assert shown == sorted(shown)
    assert len(shown) == 6
    assert {"e04", "e33"}.isdisjoint(one.id for one in choose_turns(events, NOTHING, 6))


def test_what_is_said_twice_in_a_month_or_in_the_same_words_is_no_turn() -> None:
    events = events_on([7 * n for n in range(40)])
    vectors = YEAR.vectors.copy()
    vectors[6] = vectors[4]
    assert {"e04", "e06"} - {one.id for one in choose_turns(events, vectors, 4)}
    vectors[30] = vectors[4]
    events[30] = replace(events[30], quote=events[4].quote)
    events[6] = replace(events[6], quote=events[4].quote)
    assert {"e04", "e30"} - {one.id for one in choose_turns(events, vectors, 4)}


def test_of_few_all_are_shown_in_order_and_without_vectors_those_between_evenly() -> None:
    events = events_on([30, 10, 20])
    assert [one.id for one in choose_turns(events, YEAR.vectors[:3], 10)] == ["e01", "e02", "e00"]
    assert choose_turns([], NOTHING, 10) == []
    many = events_on(list(range(40)))
    assert [one.id for one in choose_turns(many, NOTHING, 3)] == ["e00", "e20", "e39"]

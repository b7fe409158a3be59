"""Movement that is more than chance, and what was learned again."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from support.planted_year import NEW_YEAR, plant_year
from zibaldone.domain.hierarchy import Concept, Event
from zibaldone.domain.vectors import unit
from zibaldone.hierarchy.drift import ConceptDrift, expected_drift, measure_drift
from zibaldone.hierarchy.space import Vectors

ONE = plant_year(events=1).events[0]
RNG = np.random.default_rng(5)


def drift_of(days: list[int | None], vectors: Vectors) -> ConceptDrift:
    events = [_event(number, day) for number, day in enumerate(days)]
    ids = tuple(event.id for event in events)
    (drift,) = measure_drift([Concept("c", "C", ids, ids)], events, vectors)
    return drift


def _event(number: int, day: int | None) -> Event:
    return replace(ONE, id=f"e{number:03}", day=None if day is None else NEW_YEAR + timedelta(days=day))


def around(centre: Vectors, number: int, share: float = 0.5) -> Vectors:
    noise = unit(RNG.standard_normal((number, centre.shape[-1])).astype(np.float32))
    return unit(np.sqrt(share) * centre + np.sqrt(1 - share) * noise)


CENTRE, ELSEWHERE = unit(RNG.standard_normal((2, 384)).astype(np.float32))


def test_windows_are_of_thirty_days_from_the_first_event_on() -> None:
    drift = drift_of([40, 10, 39, None], around(CENTRE, 4))
    assert [(window.start - NEW_YEAR).days for window in drift.windows] == [10, 40]
    assert [(window.end - NEW_YEAR).days for window in drift.windows] == [39, 69]
    assert [window.support for window in drift.windows] == [2, 1]
    assert drift.relearning == ()
    assert drift.confidence == 1.0


def test_a_move_is_a_drift_and_scatter_is_none() -> None:
    days: list[int | None] = [number * 5 for number in range(24)]
    still = drift_of(days, around(CENTRE, 24))
    moved = drift_of(days, np.concatenate([around(CENTRE, 12), around(unit(CENTRE + ELSEWHERE), 12)]))
    assert still.overall_drift < 0.06
    assert moved.overall_drift > 0.1


def test_a_window_with_one_event_is_no_drift_by_itself() -> None:
    drift = drift_of([0, 1, 2, 3, 4, 35], around(CENTRE, 6))
    assert drift.windows[1].drift > 0.2
    assert drift.overall_drift < 0.03


@pytest.mark.parametrize(("before", "now"), [(1, 1), (2, 5), (20, 20)])
def test_what_chance_makes_of_it_is_what_is_expected(before: int, now: int) -> None:
    trials = [
        1 - float(unit(around(CENTRE, before).mean(axis=0)) @ unit(around(CENTRE, now).mean(axis=0)))
        for _ in range(200)
    ]
    assert np.mean(trials) == pytest.approx(expected_drift(0.5, before, now), abs=0.02)


def test_what_comes_back_after_an_empty_window_is_learned_again() -> None:
    vectors = around(CENTRE, 6)
    vectors[4] = vectors[1]
    drift = drift_of([0, 1, 1, 95, 96, 97], vectors)
    (again,) = drift.relearning
    assert (again.again, again.before, again.pause_days) == ("e004", "e001", 94)
    assert again.strength == pytest.approx(1 - 0.5 ** (94 / 30), abs=1e-5)


def test_what_begins_again_with_one_event_is_learned_again_by_those_that_follow() -> None:
    (again,) = drift_of([0, 1, 2, 115, 125, 135, 136], np.repeat(CENTRE[None], 7, axis=0)).relearning
    assert again.pause_days == 113
    assert again.strength == pytest.approx(1 - 0.5 ** (113 / 30), abs=1e-5)


@pytest.mark.parametrize("days", [[0, 95, 96, 97], [0, 1, 2, 95]])
def test_what_was_mentioned_once_is_hardly_learned_again(days: list[int | None]) -> None:
    (again,) = drift_of(days, np.repeat(CENTRE[None], 4, axis=0)).relearning
    assert again.strength == pytest.approx((1 - 0.5 ** (again.pause_days / 30)) / 3, abs=1e-5)


def test_what_was_never_away_takes_no_turn_of_what_was_learned_again() -> None:
    moved = np.concatenate([np.repeat(CENTRE[None], 3, axis=0), np.repeat(ELSEWHERE[None], 3, axis=0)])
    still = np.repeat(CENTRE[None], 6, axis=0)
    events, concepts = [], []
    for name, days in (("a still", 0), ("b moved", 0), ("c moved", 0), ("d again", 120)):
        own = [replace(_event(n, n * 10 + days * (n > 2)), id=f"{name} {n}") for n in range(6)]
        events += own
        concepts.append(Concept(name, name, tuple(one.id for one in own), ()))
    drifts = measure_drift(concepts, events, np.concatenate([still, moved, moved, still]))
    assert [one.id for one in drifts] == ["b moved", "d again", "c moved", "a still"]


def test_a_concept_without_days_has_no_drift() -> None:
    assert measure_drift([Concept("c", "C", ("e000",), ())], [_event(0, None)], around(CENTRE, 1)) == []
    assert measure_drift([], [], around(CENTRE, 0)) == []
    alone = drift_of([3], around(CENTRE, 1))
    assert (alone.overall_drift, len(alone.windows)) == (0.0, 1)

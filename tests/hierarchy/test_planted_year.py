"""All levels over a made-up year of which everything is known."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise
from time import perf_counter

import numpy as np
import pytest

from support.agreement import adjusted_rand, v_measure
from support.planted_year import E5_RANGE, PlantedYear, plant_year
from zibaldone.domain.hierarchy import Concept, Episode, Event, event_id
from zibaldone.hierarchy.concepts import Concepts, build_concepts
from zibaldone.hierarchy.drift import measure_drift
from zibaldone.hierarchy.episodes import Episodes, build_episodes
from zibaldone.hierarchy.forgetting import gather_nodes, rank_risks
from zibaldone.hierarchy.graph import rank_concepts, rank_episodes, relate_concepts
from zibaldone.hierarchy.lineage import Known
from zibaldone.hierarchy.projects import find_projects
from zibaldone.hierarchy.space import Vectors

YEAR = plant_year()
NOTHING = Known()


def concepts_of(events: Sequence[Event], vectors: Vectors, before: Concepts | None = None) -> Concepts:
    named = {one.id: one for one in before.concepts} if before else {}
    return build_concepts(events, vectors, E5_RANGE, before.known if before else NOTHING, named)


def episodes_of(events: Sequence[Event], before: Episodes | None = None) -> Episodes:
    named = {one.id: one for one in before.episodes} if before else {}
    return build_episodes(events, find_projects(events, ()), before.known if before else NOTHING, named)


def labels(events: Sequence[Event], groups: Sequence[Concept | Episode]) -> list[str]:
    of_event = {event: group.id for group in groups for event in group.events}
    return [of_event.get(event.id, event.id) for event in events]


@pytest.mark.parametrize("seed", range(3))
def test_what_was_planted_is_found(seed: int) -> None:
    year = plant_year(seed)
    assert v_measure(year.concepts, labels(year.events, concepts_of(year.events, year.vectors).concepts)) >= 0.75
    assert adjusted_rand(year.episodes, labels(year.events, episodes_of(year.events).episodes)) >= 0.8


def test_the_cosines_are_such_as_e5_gives() -> None:
    cosines = (YEAR.vectors @ YEAR.vectors.T)[np.triu_indices(len(YEAR.vectors), k=1)]
    assert cosines.min() > 0.75
    assert cosines.max() < 0.95


def test_the_order_of_events_does_not_matter() -> None:
    here = labels(YEAR.events, concepts_of(YEAR.events, YEAR.vectors).concepts)
    for seed in range(3):
        order = random.Random(seed).sample(range(len(YEAR.events)), len(YEAR.events))
        there = concepts_of([YEAR.events[row] for row in order], YEAR.vectors[order])
        assert adjusted_rand(here, labels(YEAR.events, there.concepts)) == 1.0
    grown = _grow(YEAR, 350)
    assert adjusted_rand(here, labels(YEAR.events, grown[-1].concepts)) >= 0.95


def _grow(year: PlantedYear, first: int) -> list[Concepts]:
    """Builds with one event more each."""
    builds = [concepts_of(year.events[:first], year.vectors[:first])]
    for count in range(first + 1, len(year.events) + 1):
        builds.append(concepts_of(year.events[:count], year.vectors[:count], builds[-1]))
    return builds


def test_200_events_one_at_a_time_keep_identities_and_names() -> None:
    year = plant_year(events=300)
    builds = _grow(year, 100)
    kept, named, there = 0, 0, 0
    for before, after in pairwise(builds):
        titles = {one.id: one.title for one in after.concepts}
        there += len(before.concepts)
        kept += sum(one.id in titles for one in before.concepts)
        named += sum(titles.get(one.id) == one.title for one in before.concepts)
    assert kept / there >= 0.98
    assert named / there >= 0.98


def test_a_second_build_changes_nothing() -> None:
    first, episodes = concepts_of(YEAR.events, YEAR.vectors), episodes_of(YEAR.events)
    again = concepts_of(YEAR.events, YEAR.vectors, first)
    assert (again.concepts, again.known, again.heirs, again.successions) == (first.concepts, first.known, {}, ())
    assert episodes_of(YEAR.events, episodes) == episodes


def test_nothing_dangles_after_sources_are_deleted_renamed_and_edited() -> None:
    first, episodes = concepts_of(YEAR.events, YEAR.vectors), episodes_of(YEAR.events)
    sources = sorted({event.source_id for event in YEAR.events})
    random.Random(7).shuffle(sources)
    deleted, renamed, edited = set(sources[:17]), set(sources[17:34]), set(sources[34:50])
    rows = [row for row, event in enumerate(YEAR.events) if event.source_id not in deleted]
    events = [_edited(YEAR.events[row], renamed, edited) for row in rows]
    after, later = concepts_of(events, YEAR.vectors[rows], first), episodes_of(events, episodes)
    there = {event.id for event in events}
    for group in (*after.concepts, *later.episodes):
        assert set(group.events) <= there
    for known in (after.known, later.known):
        assert frozenset().union(*known.live.values(), *known.retired.values()) <= there
    assert {one.id for one in first.concepts} == {one.id for one in after.concepts}
    assert set(after.heirs.values()) <= {one.id for one in after.concepts}


def _edited(event: Event, renamed: set[str], edited: set[str]) -> Event:
    if event.source_id in renamed:
        return replace(event, path=event.path.replace(".md", " (new).md"))
    if event.source_id in edited:
        quote = f"{event.quote} now"
        return replace(event, quote=quote, id=event_id(event.source_id, event.kind, quote))
    return event


@pytest.mark.parametrize("seed", range(3))
def test_drifts_relearnings_and_what_is_forgotten_come_first(seed: int) -> None:
    year = plant_year(seed)
    built, episodes = concepts_of(year.events, year.vectors), episodes_of(year.events).episodes
    planted = {event.id: concept for event, concept in zip(year.events, year.concepts, strict=True)}
    drifts = measure_drift(built.concepts, year.events, built.space.vectors)
    members = {one.id: one.events for one in (*built.concepts, *episodes)}
    assert year.drifted | year.relearned <= {planted[members[one.id][0]] for one in drifts[:8]}
    relations = relate_concepts(built.concepts, episodes, year.events)
    importance = rank_concepts(built.concepts, relations)
    importance |= rank_episodes(episodes, built.concepts, importance)
    nodes = gather_nodes(built.concepts, episodes, year.events, importance, {})
    risks = rank_risks(nodes, date(2026, 12, 31))
    assert year.forgotten <= {planted[members[one.id][0]] for one in risks[:15]}


def test_ten_thousand_events_are_not_many() -> None:
    year = plant_year(events=10_000, concepts=150, episodes=1_200)
    started = perf_counter()
    built = concepts_of(year.events, year.vectors)
    print(f"10,000 events, {len(built.concepts)} concepts: {perf_counter() - started:.1f} s")
    assert v_measure(year.concepts, labels(year.events, built.concepts)) >= 0.75


def test_few_events_are_compared_as_the_model_says() -> None:
    one, other = YEAR.concepts.index(0), YEAR.concepts.index(1)
    events = [YEAR.events[row] for row in (one, one, other)]
    events = [replace(event, id=str(number)) for number, event in enumerate(events)]
    built = concepts_of(events, YEAR.vectors[[one, one, other]])
    assert [set(concept.events) for concept in built.concepts] == [{"0", "1"}]
    assert concepts_of([], YEAR.vectors[:0]).concepts == ()
    assert concepts_of(events[:1], YEAR.vectors[:1]).concepts == ()

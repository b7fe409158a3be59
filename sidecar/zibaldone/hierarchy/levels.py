"""The levels above the events, from the lowest to the highest. Pure; this file is their order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from zibaldone.config.settings import MemoryOfVaultSettings
from zibaldone.domain.hierarchy import Concept, Episode, Event, Succession
from zibaldone.hierarchy.concepts import build_concepts
from zibaldone.hierarchy.drift import ConceptDrift, measure_drift
from zibaldone.hierarchy.episodes import build_episodes
from zibaldone.hierarchy.graph import Relation, rank_concepts, rank_episodes, relate_concepts
from zibaldone.hierarchy.lineage import Known
from zibaldone.hierarchy.projects import NoteLink, find_projects
from zibaldone.hierarchy.space import Vectors


@dataclass(frozen=True, slots=True)
class Levels:
    """What is above the events. `importance` is in 0..1, by the id of a concept or episode; `drifts` in the order of
    `measure_drift`."""

    episodes: tuple[Episode, ...] = ()
    concepts: tuple[Concept, ...] = ()
    relations: tuple[Relation, ...] = ()
    importance: Mapping[str, float] = field(default_factory=dict)
    drifts: tuple[ConceptDrift, ...] = ()


@dataclass(frozen=True, slots=True)
class Identities:
    """Who was who after a build: what it leaves to the next one. `named` has all groups by id, as they were named."""

    episodes: Known = field(default_factory=Known)
    concepts: Known = field(default_factory=Known)
    named_episodes: Mapping[str, Episode] = field(default_factory=dict)
    named_concepts: Mapping[str, Concept] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BuiltLevels:
    """`heirs` leads from groups that are gone to those that have most of theirs."""

    levels: Levels
    identities: Identities
    heirs: Mapping[str, str]
    successions: tuple[Succession, ...]


def build_levels(
    events: Sequence[Event],
    vectors: Vectors,
    cosine_range: tuple[float, float],
    links: Sequence[NoteLink],
    before: Identities,
    settings: MemoryOfVaultSettings,
) -> BuiltLevels:
    """
    Args:
        vectors: (n, d) of the events, of unit length.
        cosine_range: the embedder's, see `space.calibrate`.
    """
    projects = find_projects(events, links)
    episodes = build_episodes(events, projects, before.episodes, before.named_episodes, settings.gap_hours)
    concepts = build_concepts(
        events, vectors, cosine_range, before.concepts, before.named_concepts, settings.deviations
    )
    relations = relate_concepts(concepts.concepts, episodes.episodes, events, links)
    of_concepts = rank_concepts(concepts.concepts, relations)
    levels = Levels(
        episodes.episodes,
        concepts.concepts,
        tuple(relations),
        of_concepts | rank_episodes(episodes.episodes, concepts.concepts, of_concepts),
        tuple(measure_drift(concepts.concepts, events, concepts.space.vectors, settings.drift_days)),
    )
    identities = Identities(
        episodes.known,
        concepts.known,
        {**before.named_episodes, **{one.id: one for one in episodes.episodes}},
        {**before.named_concepts, **{one.id: one for one in concepts.concepts}},
    )
    heirs = {**episodes.heirs, **concepts.heirs}
    return BuiltLevels(levels, identities, heirs, (*episodes.successions, *concepts.successions))

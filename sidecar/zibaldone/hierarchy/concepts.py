"""Concepts: which events are about the same. Pure.

Every build looks at all events at once, in an order of its own, so that it does not matter in which they came; who
is who is settled afterwards (`lineage`). Groups are joined while their members' mean cosine is at least the space's
threshold (average linkage). Of more than `SAMPLE` events a sample is grouped, the others join the group that they are
nearest to, and what fits nowhere is grouped in the next round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from zibaldone.domain.hierarchy import Concept, Event, Succession
from zibaldone.hierarchy.lineage import Known, carry_over
from zibaldone.hierarchy.naming import keeps_name, name_groups
from zibaldone.hierarchy.space import Space, Vectors, calibrate, event_languages

MIN_EVENTS = 2
# One in 44 pairs that have nothing to do with each other is as much alike; the mean of two groups hardly ever is.
DEVIATIONS = 2.0
SAMPLE = 3_000
# A round that finds a place for a smaller share of what is left is the last.
_LEAST_PLACED = 0.01
Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Concepts:
    """A build. `space` has a row for each event, in the order in which they were given."""

    concepts: tuple[Concept, ...]
    space: Space
    known: Known
    heirs: Mapping[str, str] = field(default_factory=dict)
    successions: tuple[Succession, ...] = ()


def build_concepts(
    events: Sequence[Event],
    vectors: Vectors,
    cosine_range: tuple[float, float],
    before: Known,
    named: Mapping[str, Concept],
    deviations: float = DEVIATIONS,
) -> Concepts:
    """`vectors` (n, d) of the events, of unit length; `before` and `named` (by id) are what the last build knew.

    `cosine_range` is the embedder's (see `space.calibrate`), and `deviations` how much more alike than others events
    have to be: the greater, the smaller the concepts.
    """
    order = sorted(range(len(events)), key=lambda row: _place(events[row].id))
    ordered = [events[row] for row in order]
    shared = (event_languages(ordered), [event.kind for event in ordered])
    space = calibrate(vectors[order], shared, cosine_range, deviations)
    groups = [_central_first(space.vectors, group) for group in group_rows(space.vectors, space.threshold)]
    ids = [tuple(ordered[row].id for row in group) for group in groups]
    carried = carry_over([frozenset(its) for its in ids], before, "concept")
    titles = name_groups([[ordered[row].title for row in group] for group in groups], [one.title for one in ordered])
    concepts = [
        _named(Concept(name, title, its, its), named.get(name))
        for name, title, its in zip(carried.ids, titles, ids, strict=True)
    ]
    concepts.sort(key=lambda one: (-len(one.events), one.id))
    back = np.empty_like(space.vectors)
    back[order] = space.vectors
    space = Space(back, space.threshold)
    return Concepts(tuple(concepts), space, carried.known, carried.heirs, carried.successions)


def _place(event: str) -> str:
    """Where an event stands among the others: anywhere, but always there."""
    return blake2b(event.encode(), digest_size=8).hexdigest()


def _named(concept: Concept, before: Concept | None) -> Concept:
    if before is None or not keeps_name(before.named_for, concept.events):
        return concept
    return replace(concept, title=before.title, named_for=before.named_for)


def _central_first(vectors: Vectors, rows: Rows) -> Rows:
    return rows[np.argsort(-(vectors[rows] @ vectors[rows].mean(axis=0)), kind="stable")]


def group_rows(vectors: Vectors, threshold: float) -> list[Rows]:
    """The rows of each group of at least `MIN_EVENTS`; rows of no group are left out.

    The same for the same rows in the same order; the first of them are the sample.
    """
    groups: list[Rows] = []
    left = np.arange(len(vectors))
    while len(left) >= MIN_EVENTS:
        sample, rest = left[:SAMPLE], left[SAMPLE:]
        found = [sample[rows] for rows in _agglomerate(vectors[sample], threshold)]
        if found and len(rest):
            found = _join(vectors, found, rest, threshold)
        groups += found
        placed = np.concatenate(found) if found else np.empty(0, np.intp)
        if not len(rest) or len(placed) < _LEAST_PLACED * len(left):
            break
        left = left[~np.isin(left, placed)]
    return groups


def _agglomerate(vectors: Vectors, threshold: float) -> list[Rows]:
    if len(vectors) < MIN_EVENTS:
        return []
    from scipy.cluster.hierarchy import fcluster, linkage

    distances = 1 - (vectors @ vectors.T)[np.triu_indices(len(vectors), k=1)]
    labels = fcluster(linkage(np.maximum(distances, 0), "average"), 1 - threshold, "distance")
    order = np.argsort(labels, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(labels[order])) + 1)
    return [rows for rows in groups if len(rows) >= MIN_EVENTS]


def _join(vectors: Vectors, groups: Sequence[Rows], rest: Rows, threshold: float) -> list[Rows]:
    """`groups` with those of `rest` whose mean cosine with the members of one is at least `threshold`."""
    centres = np.stack([vectors[rows].mean(axis=0) for rows in groups])
    cosines = vectors[rest] @ centres.T
    best = cosines.argmax(axis=1)
    fits = cosines.max(axis=1) >= threshold
    return [np.concatenate([rows, rest[fits & (best == index)]]) for index, rows in enumerate(groups)]

"""How concepts belong together, and which of them are important. Pure.

The weight of an edge is a sum of shares in 0..1, so that a concept is not tied to others by its size: of the episodes
of two, the shared ones (their cosine; 1.0), of their notes, those that link to one of the other (0.5), of their tags,
the shared ones (Jaccard's index; 0.25). More events in the same episodes change nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf, sqrt

from zibaldone.domain.hierarchy import Concept, Episode, Event
from zibaldone.hierarchy.projects import NoteLink

EPISODES, LINKS, TAGS = 1.0, 0.5, 0.25
DAMPING = 0.85
# A tag that more concepts have says nothing of two of them.
_MOST_TAGGED = 50


@dataclass(frozen=True, slots=True)
class Relation:
    """`a` < `b` are ids of concepts; `episodes` and `tags` are what they share, `links` lead from one's sources to the
    other's."""

    a: str
    b: str
    weight: float
    episodes: tuple[str, ...]
    links: int
    tags: tuple[str, ...]


def relate_concepts(
    concepts: Sequence[Concept], episodes: Sequence[Episode], events: Sequence[Event], links: Sequence[NoteLink] = ()
) -> list[Relation]:
    """All pairs with anything in common, the closest first."""
    by_id = {event.id: event for event in events}
    of_event = {event: episode.id for episode in episodes for event in episode.events}
    held = {one.id: {of_event[event] for event in one.events if event in of_event} for one in concepts}
    tagged = {one.id: {tag for event in one.events for tag in by_id[event].tags} for one in concepts}
    paths = {one.id: {by_id[event].path for event in one.events} for one in concepts}
    shared, tags, linked = _sharing(held), _sharing(tagged, _MOST_TAGGED), _linked(paths, links)
    relations = []
    for a, b in sorted({*shared, *tags, *linked}):
        its, common, between = shared.get((a, b), []), tags.get((a, b), []), linked.get((a, b), set())
        weight = (
            EPISODES * len(its) / sqrt(max(1, len(held[a]) * len(held[b])))
            + LINKS * len({link.path for link in between}) / len(paths[a] | paths[b])
            + TAGS * len(common) / max(1, len(tagged[a] | tagged[b]))
        )
        relations.append(Relation(a, b, weight, tuple(sorted(its)), len(between), tuple(sorted(common))))
    return sorted(relations, key=lambda one: (-one.weight, one.a, one.b))


def _sharing(held: Mapping[str, Iterable[str]], most: float = inf) -> dict[tuple[str, str], list[str]]:
    where: dict[str, list[str]] = defaultdict(list)
    for concept, things in held.items():
        for thing in things:
            where[thing].append(concept)
    shared: dict[tuple[str, str], list[str]] = defaultdict(list)
    for thing, concepts in where.items():
        if len(concepts) <= most:
            for pair in combinations(sorted(concepts), 2):
                shared[pair].append(thing)
    return shared


def _linked(paths: Mapping[str, set[str]], links: Sequence[NoteLink]) -> dict[tuple[str, str], set[NoteLink]]:
    at: dict[str, list[str]] = defaultdict(list)
    for concept, its in paths.items():
        for path in its:
            at[path].append(concept)
    linked: dict[tuple[str, str], set[NoteLink]] = defaultdict(set)
    for link in links:
        for a, b in _ends(at.get(link.path, ()), at.get(link.target, ())):
            linked[a, b].add(link)
    return linked


def _ends(sources: Iterable[str], targets: Sequence[str]) -> Iterator[tuple[str, str]]:
    for source in sources:
        for target in targets:
            if source != target:
                yield min(source, target), max(source, target)


def rank_concepts(concepts: Sequence[Concept], relations: Sequence[Relation]) -> dict[str, float]:
    """Importance in 0..1 by id: weighted PageRank, the greatest of which is 1.

    Each concept is tied to itself as to one that shares all of its episodes. So what has nothing to do with anything
    else is of middling importance, however large it is: that it is tied to nothing says nothing against it.
    """
    if not concepts:
        return {}
    import networkx

    graph = networkx.Graph()
    graph.add_nodes_from(sorted(one.id for one in concepts))
    graph.add_weighted_edges_from((one.a, one.b, one.weight) for one in relations)
    graph.add_weighted_edges_from((one.id, one.id, EPISODES) for one in concepts)
    ranks: dict[str, float] = networkx.pagerank(graph, alpha=DAMPING)
    most = max(ranks.values())
    return {name: rank / most for name, rank in ranks.items()}


def rank_episodes(
    episodes: Sequence[Episode], concepts: Sequence[Concept], importance: Mapping[str, float]
) -> dict[str, float]:
    """Importance in 0..1 by id: the mean of that of its events' concepts, so that a long episode is no more important
    than a short one about the same. An event of no concept counts as 0."""
    of_event = {event: importance[one.id] for one in concepts for event in one.events}
    return {one.id: sum(of_event.get(event, 0.0) for event in one.events) / len(one.events) for one in episodes}

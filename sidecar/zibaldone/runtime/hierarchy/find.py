"""Finding nodes for a question, and the passages that they rest on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256

import numpy as np

from zibaldone.domain.hierarchy import Event
from zibaldone.domain.lexicon import document_terms, text_language
from zibaldone.domain.vectors import unit
from zibaldone.domain.words import STOP_WORDS
from zibaldone.hierarchy.find import FoundNode, rank_nodes
from zibaldone.hierarchy.space import Vectors
from zibaldone.inference.roles import Embedder
from zibaldone.retrieval.answerable import scale_cosine
from zibaldone.runtime.hierarchy.levels import VaultLevels
from zibaldone.schemas.search import Level
from zibaldone.store.cache_db import ContentCache

# Nodes that are answered from, and the part of the best one's score that the others have to have.
_NODES: Mapping[Level, int] = {"event": 12, "episode": 8, "concept": 6}
_LEAST = 0.6


@dataclass(frozen=True, slots=True)
class NodeAt:
    """A node of a level with its events, all of which are there."""

    id: str
    level: Level
    title: str
    events: tuple[Event, ...]
    importance: float

    @property
    def last(self) -> date | None:
        return max((event.day for event in self.events if event.day), default=None)


@dataclass(frozen=True, slots=True)
class Matched:
    node: NodeAt
    found: FoundNode


def nodes_at(view: VaultLevels, level: Level, is_there: Callable[[Event], bool]) -> list[NodeAt]:
    """Those with at least one event for which `is_there`, and of each only these."""
    importance = view.levels.importance
    if level == "event":
        above = {event: importance.get(one.id, 0.0) for one in view.levels.concepts for event in one.events}
        return [
            NodeAt(event.id, level, event.title, (event,), above.get(event.id, 0.0))
            for event in view.events
            if is_there(event)
        ]
    groups = view.levels.concepts if level == "concept" else view.levels.episodes
    found = []
    for one in groups:
        events = tuple(event for id_ in one.events if (event := view.event(id_)) is not None and is_there(event))
        if events:
            found.append(NodeAt(one.id, level, one.title, events, importance.get(one.id, 0.0)))
    return found


def match_nodes(
    query: str,
    vector: Vectors | None,
    nodes: Sequence[NodeAt],
    texts: Mapping[str, str],
    cache: ContentCache,
    embedder: Embedder | None,
    profile: str,
    today: date,
    most: int | None = None,
) -> list[Matched]:
    """The nodes that a question is about, the best first.

    Args:
        vector: the question's; None without a model.
        texts: what is embedded of each event, by its id.
    """
    if not nodes:
        return []
    terms = [term for term in _terms(query) if term not in STOP_WORDS]
    words = [
        frozenset(_terms(" ".join([node.title, *(f"{one.title} {one.quote}" for one in node.events)])))
        for node in nodes
    ]
    near = _nearness(vector, nodes, texts, cache, embedder)
    days = [node.last for node in nodes]
    ranked = rank_nodes(terms, near, words, days, [node.importance for node in nodes], profile, today)
    if not ranked:
        return []
    least = _LEAST * ranked[0].score
    kept = [one for one in ranked if one.score >= least][: most or _NODES[nodes[0].level]]
    return [Matched(nodes[one.row], one) for one in kept]


def _terms(text: str) -> list[str]:
    return document_terms(text, text_language(text))


def _nearness(
    vector: Vectors | None,
    nodes: Sequence[NodeAt],
    texts: Mapping[str, str],
    cache: ContentCache,
    embedder: Embedder | None,
) -> Vectors:
    """Of each node's centroid to the question, in the model's range; empty where some events have no vector."""
    if vector is None or embedder is None:
        return np.empty(0, np.float32)
    known = event_vectors([event for node in nodes for event in node.events], texts, cache, embedder)
    if known is None:
        return np.empty(0, np.float32)
    centroids = unit(np.stack([np.mean([known[event.id] for event in node.events], axis=0) for node in nodes]))
    cosines = centroids @ vector
    return np.array([min(1.0, max(0.0, scale_cosine(float(one), embedder.cosine_range))) for one in cosines])


def event_vectors(
    events: Sequence[Event], texts: Mapping[str, str], cache: ContentCache, embedder: Embedder
) -> dict[str, Vectors] | None:
    """By id; None where some have none."""
    hashes = {event.id: sha256(texts[event.id].encode()).hexdigest() for event in events}
    known = cache.get(embedder.fingerprint, list(set(hashes.values()))[:30_000])
    if any(hash_ not in known for hash_ in hashes.values()):
        return None
    return {id_: known[hash_] for id_, hash_ in hashes.items()}


def named_first(matched: Sequence[Matched]) -> list[Matched]:
    """Where a node holds words of the question, only those that hold at least half as much of its information: it names
    what it is about."""
    most = max((one.found.parts.lexical for one in matched), default=0.0)
    return [one for one in matched if one.found.parts.lexical >= most / 2]

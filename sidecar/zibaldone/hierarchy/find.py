"""Which nodes a question is about: by meaning, words, recency and importance, weighed as CrossModalRAG does. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import log
from typing import NamedTuple

import numpy as np

from zibaldone.hierarchy.space import Vectors
from zibaldone.hierarchy.usage import HALF_LIFE_DAYS


class NodeWeights(NamedTuple):
    semantic: float
    lexical: float
    recency: float
    centrality: float


PROFILES: Mapping[str, NodeWeights] = {
    "balanced": NodeWeights(0.55, 0.25, 0.10, 0.10),
    "relevant": NodeWeights(0.70, 0.20, 0.05, 0.05),
    "recent": NodeWeights(0.30, 0.20, 0.40, 0.10),
    "usage": NodeWeights(0.70, 0.20, 0.05, 0.05),
}


@dataclass(frozen=True, slots=True)
class FoundNode:
    """All parts are in 0..1."""

    row: int
    score: float
    parts: NodeWeights


def rank_nodes(
    terms: Sequence[str],
    nearness: Vectors,
    words: Sequence[frozenset[str]],
    days: Sequence[date | None],
    importance: Sequence[float],
    profile: str,
    today: date,
) -> list[FoundNode]:
    """The best first; one that has neither a word of the question nor is nearer than most is left out.

    Args:
        terms: those of the question, as `words` has those of each node's titles and quotes.
        nearness: (n,) to the question, in 0..1 of the model's range; empty without a model.
        days: the last day of each node.
    """
    weights = PROFILES[profile]
    lexical = _held(terms, words)
    near = nearness if len(nearness) else np.zeros(len(words), np.float32)
    found = []
    for row in range(len(words)):
        if terms and lexical[row] == 0 and near[row] <= 0:
            continue
        parts = NodeWeights(float(near[row]), lexical[row], _recency(days[row], today), importance[row])
        score = sum(weight * part for weight, part in zip(weights, parts, strict=True))
        found.append(FoundNode(row, score, parts))
    return sorted(found, key=lambda one: (-one.score, one.row))


def _held(terms: Sequence[str], words: Sequence[frozenset[str]]) -> list[float]:
    """The part of the question's information that each node has; rare words hold more of it."""
    asked = list(dict.fromkeys(terms))
    spread = Counter(term for its in words for term in asked if term in its)
    weight = {term: log(1 + len(words) / (1 + spread[term])) for term in asked}
    total = sum(weight.values())
    return [sum(weight[term] for term in asked if term in its) / total if total else 0.0 for its in words]


def _recency(day: date | None, today: date) -> float:
    return 0.0 if day is None else float(0.5 ** (max(0, (today - day).days) / HALF_LIFE_DAYS))

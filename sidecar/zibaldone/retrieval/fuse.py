"""Fusing the legs' scores. Pure.

Scores are fused, not ranks: with one weak leg, rank fusion falls below the better leg, while an average of
scores scaled to 0..1 stays at or above both on most public sets (figures in ARCHITECTURE.md). Every candidate
is scored by every leg, so a passage is not punished for the leg that did not find it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple, TypeVar

K = TypeVar("K", bound=Hashable)

# The semantic leg's share where the best lexical passage holds nothing of what was asked, and where it holds all:
# words are worth as much as they cover.
SHARE_UNCOVERED = 1.0
SHARE_COVERED = 0.1
TITLE_WEIGHT = 0.05
RECENT_WEIGHT = 0.3


class Parts(NamedTuple):
    """What each leg contributes to a candidate, each in 0..1."""

    bm25: float
    semantic: float
    recency: float
    title: float


def scale_scores(scores: Mapping[K, float]) -> dict[K, float]:
    """Min-max to 0..1 over the candidates; all equal gives 1."""
    if not scores:
        return {}
    low, high = min(scores.values()), max(scores.values())
    span = high - low
    return {key: (value - low) / span if span > 0 else 1.0 for key, value in scores.items()}


def semantic_share(legs: Sequence[str], coverage: float) -> float:
    """Weight of the semantic leg. `coverage`: share (0..1) of the question's information in the best lexical hit."""
    if "semantic" not in legs:
        return 0.0
    if "bm25" not in legs:
        return 1.0
    return SHARE_UNCOVERED + (SHARE_COVERED - SHARE_UNCOVERED) * coverage


def fuse_scores(
    candidates: Sequence[str],
    bm25: Mapping[str, float],
    cosine: Mapping[str, float],
    *,
    title: Mapping[str, float],
    recency: Mapping[str, float],
    share: float,
    profile: str,
) -> dict[str, tuple[float, Parts]]:
    """Score of each candidate in 0..1 with what it is made of.

    `title` is the share of the question's words that stand in the title, `recency` exp(-days/45)
    (CrossModalRAG's constant); recency decides only in the profile `recent`.
    """
    lexical = scale_scores({c: bm25.get(c, 0.0) for c in candidates}) if bm25 else {}
    semantic = scale_scores({c: cosine[c] for c in candidates if c in cosine})
    recent = RECENT_WEIGHT if profile == "recent" else 0.0
    fused: dict[str, tuple[float, Parts]] = {}
    for candidate in candidates:
        parts = Parts(
            lexical.get(candidate, 0.0),
            semantic.get(candidate, 0.0),
            recency.get(candidate, 0.0),
            title.get(candidate, 0.0),
        )
        match = share * parts.semantic + (1 - share) * parts.bm25
        topical = (match + TITLE_WEIGHT * parts.title) / (1 + TITLE_WEIGHT)
        fused[candidate] = ((1 - recent) * topical + recent * parts.recency * topical, parts)
    return fused

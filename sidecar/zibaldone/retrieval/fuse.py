"""Fusing the legs' scores. Pure.

Scores are fused, not ranks: with one weak leg, rank fusion falls below the better leg. Every candidate is scored by
every leg, so a passage is not punished for the leg that did not find it, and how much each leg counts follows the query
(figures in ARCHITECTURE.md, "Fusion").
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from math import exp
from typing import NamedTuple, TypeVar

import numpy as np

K = TypeVar("K", bound=Hashable)

# The weight of the nearness in meaning, as the logistic of this: less where the best worded passage covers what was
# asked and where a time is asked about, which no vector tells; more where the nearest passage stands out of the rest.
_SHARE, _COVERED, _STANDOUT, _TIMED = 1.1, -3.2, 4.65, -1.0
_TITLE = 0.05
# A passage in another language than the question has few of its words; it counts as if it had so much of the share of
# those as its nearness has of the meaning (ARCHITECTURE.md, "Between languages").
_FOREIGN = 0.7
# What a reranker counts: one that was trained for it, of the whole; another, for each standard deviation of its scores
# where it agrees fully with the fusion (ARCHITECTURE.md, "Reranking").
_TRAINED, _UNTRAINED = 0.5, 0.075
# What the latter counts besides where no word of the question is there, down to nothing at so much of them.
_UNWORDED, _LITTLE = 0.1, 0.4
# Whatever the profile, where the newest is asked for.
_LATEST = 0.3


class Profile(NamedTuple):
    """How scores are weighed: `tilt` towards meaning (1: as the query has it), and what recency and usage add, at most,
    to a passage that answers."""

    tilt: float
    recency: float
    usage: float


# After CrossModalRAG's: the ratios of its weights for vectors and words, beside that of its `balanced`. A new note gets
# next to nothing for being new but in `recent`: it should not beat an old one that answers.
PROFILES = {
    "balanced": Profile(1.0, 0.02, 0.0),
    "relevant": Profile(1.5, 0.0, 0.0),
    "recent": Profile(0.95, 0.45, 0.0),
    "usage": Profile(1.2, 0.02, 0.15),
}


class Parts(NamedTuple):
    """What each leg contributes to a candidate, each in 0..1."""

    lexical: float
    bm25: float
    semantic: float
    recency: float
    title: float
    usage: float


def scale_scores(scores: Mapping[K, float]) -> dict[K, float]:
    """Min-max to 0..1 over the candidates; all equal gives 1."""
    if not scores:
        return {}
    low, high = min(scores.values()), max(scores.values())
    span = high - low
    return {key: (value - low) / span if span > 0 else 1.0 for key, value in scores.items()}


def blend_scores(
    before: Sequence[float], reranked: Sequence[float], *, trained: bool, coverage: float = 1.0
) -> list[float]:
    """The scores of some candidates with what a reranker says of each, which may be on any scale.

    One that was not trained to judge counts as much as it agrees with the fusion on these candidates, and nothing where
    it contradicts it; but more where the best worded passage covers (`coverage`, 0..1) little of what was asked, so
    that the words tell little.
    """
    if trained:
        both = [scale_scores(dict(enumerate(scores))) for scores in (before, reranked)]
        return [
            (1 - _TRAINED) * fused + _TRAINED * judged for fused, judged in zip(*map(dict.values, both), strict=True)
        ]
    fused, judged = np.array(before), np.array(reranked)
    spread = judged.std()
    if not (spread > 0 and fused.std() > 0):
        return list(before)
    agreement = max(0.0, float(np.corrcoef(fused, judged)[0, 1]))
    weight = _UNTRAINED * agreement + _UNWORDED * max(0.0, 1 - coverage / _LITTLE)
    added: list[float] = (fused + weight * (judged - judged.mean()) / spread).tolist()
    return added


def _by_best(scores: Mapping[K, float]) -> dict[K, float]:
    """Beside the best: what holds none of the words is at 0."""
    high = max(scores.values(), default=0.0)
    return {key: value / high for key, value in scores.items()} if high > 0 else {}


def semantic_share(coverage: float, standout: float, profile: Profile, *, timed: bool = False) -> float:
    """Weight (0..1) of the nearness in meaning beside the words.

    Args:
        coverage: the share (0..1) of the question's information in the best worded passage.
        standout: how far the nearest note is from the tenth, in the embedder's own range (0..1).
        timed: whether days are asked about.
    """
    share = 1 / (1 + exp(-(_SHARE + _COVERED * coverage + _STANDOUT * standout + _TIMED * timed)))
    tilted = share * profile.tilt
    return tilted / (tilted + 1 - share)


def weigh_topical(words: float, semantic: float, title: float, share: float) -> float:
    """How well a candidate fits by its words and its meaning, in 0..1 + the weight of a title; `share` is that of
    meaning."""
    return share * semantic + (1 - share) * words + _TITLE * title


def fuse_scores(
    candidates: Sequence[str],
    worded: tuple[Mapping[str, float], Mapping[str, float]],
    near: Mapping[str, float],
    *,
    share: float,
    profile: Profile,
    title: Mapping[str, float],
    recency: Mapping[str, float],
    usage: Mapping[str, float],
    latest: bool,
    foreign: Collection[str] = (),
) -> dict[str, tuple[float, Parts]]:
    """Score of each candidate in 0..1 with what it is made of.

    Args:
        worded: scores by `lexical` and by `bm25`, empty where the leg is not asked.
        near: scores by meaning, of all candidates that have a vector; empty where the leg is not asked.
        share: the weight of meaning, 0 or 1 where only one is asked.
        title: the share of the question's words that stand in the title.
        recency: exp(-days/45), CrossModalRAG's.
        foreign: those in another language than the question's.
    """
    by_words = [_by_best(one) for one in worded]
    semantic = scale_scores({c: near[c] for c in candidates if c in near})
    used = [one for one in by_words if one]
    recent = max(profile.recency, _LATEST if latest else 0.0)
    fused: dict[str, tuple[float, Parts]] = {}
    for candidate in candidates:
        parts = Parts(
            lexical=by_words[0].get(candidate, 0.0),
            bm25=by_words[1].get(candidate, 0.0),
            semantic=semantic.get(candidate, 0.0),
            recency=recency.get(candidate, 0.0),
            title=title.get(candidate, 0.0),
            usage=usage.get(candidate, 0.0),
        )
        words = sum(one.get(candidate, 0.0) for one in used) / len(used) if used else 0.0
        if candidate in foreign:
            words = max(words, _FOREIGN * parts.semantic)
        topical = weigh_topical(words, parts.semantic, parts.title, share)
        added = 1 + recent * parts.recency + profile.usage * parts.usage
        fused[candidate] = (topical * added / ((1 + _TITLE) * (1 + recent + profile.usage)), parts)
    return fused

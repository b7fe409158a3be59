"""The space in which events are compared: what all of them share is taken away, and what is left is calibrated. Pure.

An embedding model gives all texts a common direction, those of a language another one, and those that say the same kind
of thing a third: any two cosines of e5 are in .75 to .95, a German sentence is nearer to a German one than to its own
translation, and what was decided about bread to what was decided about taxes. Without the three, cosines of texts that
have nothing to do with each other lie around 0, by about as much below as above.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zibaldone.domain.hierarchy import Event
from zibaldone.domain.language import guess_language
from zibaldone.domain.vectors import unit
from zibaldone.domain.words import index_terms

Vectors = NDArray[np.float32]
# Fewer events than these say too little of what all share.
FEW = 20
_NEAR = 0.75
# So many events that share nothing count beside those of a language, or of a kind, for what they share.
_DOUBTED = 20
# Whose pairs are enough to measure a spread by.
_MEASURED = 3_000


@dataclass(frozen=True, slots=True)
class Space:
    """`vectors` (n, d) are of unit length; `threshold` is the mean cosine from which on groups are about the same."""

    vectors: Vectors
    threshold: float


def event_languages(events: Sequence[Event]) -> list[str]:
    """Of each event's own words; where they are too few, of all that were taken from its source; else empty."""
    words = [index_terms(f"{event.title} {event.quote}") for event in events]
    by_source: dict[str, list[str]] = {}
    for event, its in zip(events, words, strict=True):
        by_source.setdefault(event.source_id, []).extend(its)
    sources = {source: guess_language(its) for source, its in by_source.items()}
    return [guess_language(its) or sources[event.source_id] or "" for event, its in zip(events, words, strict=True)]


def calibrate(
    vectors: Vectors, shared: Sequence[Sequence[str]], cosine_range: tuple[float, float], deviations: float
) -> Space:
    """The space of `vectors` (n, d; of unit length), which are in no particular order.

    `shared` are labels of the rows, such as their languages, and their kinds: what the rows of a label have in common
    is taken away. `cosine_range` are the model's cosines of texts that have nothing to do with each other and of such
    that say the same: few events are compared as they are, and are about the same in its last quarter. More of them
    measure that themselves: from as many standard deviations of unrelated pairs on as `deviations`.
    """
    if len(vectors) < FEW:
        unrelated, same = cosine_range
        return Space(unit(vectors), unrelated + _NEAR * (same - unrelated))
    left = vectors - vectors.mean(axis=0)
    for labels in shared:
        left = _without_shared(left, np.array(labels))
    left = unit(left)
    return Space(left, measure_threshold(left[:_MEASURED], deviations))


def _without_shared(vectors: Vectors, labels: NDArray[np.str_]) -> Vectors:
    left = vectors.copy()
    for label in np.unique(labels):
        rows = labels == label
        left[rows] -= vectors[rows].sum(axis=0) / (np.count_nonzero(rows) + _DOUBTED)
    return left


def measure_threshold(vectors: Vectors, deviations: float) -> float:
    """The median cosine of any two and `deviations` times the spread of what is below it, where no pair is that is
    about the same."""
    cosines = (vectors @ vectors.T)[np.triu_indices(len(vectors), k=1)]
    median = float(np.median(cosines))
    below = cosines[cosines < median]
    spread = float(np.sqrt(np.mean((below - median) ** 2))) if below.size else 0.0
    return median + deviations * spread

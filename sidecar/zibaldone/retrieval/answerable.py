"""Whether anything that was found can be an answer: a probability, not a raw cosine. Pure.

What tells is how near in meaning the best passage is and how much of what was asked for stands in it, each word
weighted by how rare it is; a word that the vault never uses weighs most. The gate before the model is for clear cases:
the model's own judgement comes after it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

# Logistic regression over 954 questions of the public sets, a third of them German over English text, with the passage
# that answers there or taken out: area under the curve 0.945 (ARCHITECTURE.md, "Abstention").
_BIAS, _LIKENESS, _COVERAGE, _KNOWN = -1.67, 5.9, 12.8, -8.2
# The same for words alone, where there are no vectors: 0.946 within one language.
_BIAS_WORDS, _COVERAGE_WORDS, _KNOWN_WORDS = -1.36, 13.1, -4.9


@dataclass(frozen=True, slots=True)
class Signals:
    """What is known before a model is asked, each in 0..1.

    `likeness` of the nearest passage in the embedder's own range (None without vectors); `coverage`, the share of the
    question's information that the best passage holds; `known`, the share of the question's words that the vault uses
    at all. Little coverage of known words speaks against an answer; of unknown ones (another language) it says little.
    """

    likeness: float | None
    coverage: float
    known: float


def scale_cosine(cosine: float, cosine_range: tuple[float, float]) -> float:
    """A cosine's place (0..1) in its embedder's range."""
    low, high = cosine_range
    return min(1.0, max(0.0, (cosine - low) / (high - low)))


def answerable_probability(signals: Signals) -> float:
    if signals.likeness is None:
        return _logistic(_BIAS_WORDS + _COVERAGE_WORDS * signals.coverage + _KNOWN_WORDS * signals.known)
    return _logistic(_BIAS + _LIKENESS * signals.likeness + _COVERAGE * signals.coverage + _KNOWN * signals.known)


def _logistic(x: float) -> float:
    return 1 / (1 + exp(-x))

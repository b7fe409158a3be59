"""Whether anything that was found can be an answer: a probability, not a raw cosine. Pure.

What tells is how near in meaning the best passage is, how far its note stands out of the others, and how much of what
was asked for stands in the best worded passage. The gate before the model is for clear cases: a question that is near
to something in the vault and not answered there looks much like one that is, until a model reads.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

# Logistic regression over 3,500 questions of six public sets, with what answers them there or taken out, and the half
# of our own questions that is for it (ARCHITECTURE.md, "Abstention").
_BIAS, _LIKENESS, _COVERAGE, _KNOWN, _STANDOUT = -1.95, 2.65, 3.97, -3.17, 4.05
# The same for words alone, where there are no vectors.
_BIAS_WORDS, _COVERAGE_WORDS, _KNOWN_WORDS = -0.02, 5.12, -2.69


@dataclass(frozen=True, slots=True)
class Signals:
    """What is known before a model is asked, each in 0..1.

    `likeness` of the nearest passage in the embedder's own range (None without vectors); `coverage`, the share of the
    question's information that the best worded passage holds; `known`, the share of the question's words that the vault
    uses at all; `standout`, how far the nearest note is from the tenth. Little coverage of known words speaks against
    an answer; of unknown ones (another language) it says little.
    """

    likeness: float | None
    coverage: float
    known: float
    standout: float = 0.0


def scale_cosine(cosine: float, cosine_range: tuple[float, float]) -> float:
    """A cosine's place (0..1) in its embedder's range."""
    low, high = cosine_range
    return min(1.0, max(0.0, (cosine - low) / (high - low)))


def answerable_probability(signals: Signals) -> float:
    if signals.likeness is None:
        return _logistic(_BIAS_WORDS + _COVERAGE_WORDS * signals.coverage + _KNOWN_WORDS * signals.known)
    near = _LIKENESS * signals.likeness + _STANDOUT * signals.standout
    return _logistic(_BIAS + near + _COVERAGE * signals.coverage + _KNOWN * signals.known)


def _logistic(x: float) -> float:
    return 1 / (1 + exp(-x))

"""Whether the evidence holds the answer, from what the model thinks and how well it was found. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

# Logistic regression; ARCHITECTURE.md, "Abstention", says on what it was fitted and what it reached.
_BIAS, _MARGIN, _RETRIEVAL = -1.9, 2.5, 0.5


def judge_evidence(verdict_scores: Sequence[float], retrieval: float) -> float:
    """Probability (0..1) that the evidence answers the question.

    Args:
        verdict_scores: the model's log probabilities of Yes and No.
        retrieval: the retrieval's own probability.
    """
    yes, no = verdict_scores
    found = min(max(retrieval, 1e-6), 1 - 1e-6)
    return 1 / (1 + exp(-(_BIAS + _MARGIN * (yes - no) + _RETRIEVAL * log(found / (1 - found)))))

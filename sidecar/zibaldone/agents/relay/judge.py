"""Whether the evidence holds the answer, from what the model thinks of it and how it was found. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

# Logistic regression over half of 200 questions about two real vaults (ARCHITECTURE.md, "Abstention").
_BIAS, _FOUND, _READ = -1.74, 0.74, 1.83
_CLEAR = 0.02


def judge_evidence(verdict_scores: Sequence[float], found: float) -> float:
    """Probability (0..1) that the evidence answers the question.

    Args:
        verdict_scores: the model's log probabilities of Yes and No.
        found: the probability by retrieval alone (`retrieval.answerable`).
    """
    yes, no = verdict_scores
    found = min(1 - _CLEAR, max(_CLEAR, found))
    return 1 / (1 + exp(-(_BIAS + _FOUND * log(found / (1 - found)) + _READ * (yes - no))))

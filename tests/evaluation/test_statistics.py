"""Intervals and tests, against values worked out by hand and against the normal distribution."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

import numpy as np
import pytest

from zibaldone.evaluation.statistics import bootstrap_interval, paired_bootstrap_p


def test_the_interval_of_what_is_always_the_same_is_a_point() -> None:
    assert bootstrap_interval([0.25] * 7) == (0.25, 0.25)
    assert bootstrap_interval([0.5]) == (0.5, 0.5)


def test_the_interval_of_two_values() -> None:
    """Their resamples have the means 0, 0.5, 1 in 1, 2, 1 of 4 cases."""
    assert bootstrap_interval([0, 1]) == (0, 1)
    assert bootstrap_interval([0, 1], level=0.4) == (0.5, 0.5)


def test_the_interval_of_many_values_is_that_of_the_normal_distribution() -> None:
    values = np.linspace(0, 1, 400)
    half = NormalDist().inv_cdf(0.975) * values.std() / sqrt(len(values))
    low, high = bootstrap_interval(list(values))
    assert low == pytest.approx(0.5 - half, abs=0.002)
    assert high == pytest.approx(0.5 + half, abs=0.002)


def test_no_difference_has_p_1_and_the_same_difference_everywhere_the_smallest() -> None:
    assert paired_bootstrap_p([0.1, 0.7, 0.4], [0.1, 0.7, 0.4]) == 1
    assert paired_bootstrap_p([1, 0], [0, 1]) == 1
    assert paired_bootstrap_p([0.6, 0.7, 0.8], [0.1, 0.2, 0.3], resamples=99) == pytest.approx(1 / 100)


def test_p_of_one_better_query_of_four() -> None:
    """Shifted to -1/4 three times and 3/4 once, a resample is as far from 0 unless it holds the last exactly once:
    1 - 4 * 1/4 * (3/4)^3."""
    p = paired_bootstrap_p([0.5, 0.5, 0.5, 1.5], [0.5] * 4)
    assert p == pytest.approx(1 - (3 / 4) ** 3, abs=0.015)
    assert paired_bootstrap_p([0.5] * 4, [0.5, 0.5, 0.5, 1.5]) == pytest.approx(p, abs=0.015)


def test_p_of_many_queries_is_that_of_the_normal_distribution() -> None:
    differences = np.random.default_rng(1).normal(0.05, 0.4, 500)
    z = differences.mean() / (differences.std() / sqrt(len(differences)))
    expected = 2 * (1 - NormalDist().cdf(abs(z)))
    assert paired_bootstrap_p(list(differences), [0.0] * 500) == pytest.approx(expected, abs=0.01)


def test_the_same_seed_gives_the_same_figures() -> None:
    values = [0.1, 0.9, 0.3, 0.3]
    assert bootstrap_interval(values, seed=3) == bootstrap_interval(values, seed=3)

"""How sure a mean over queries is, and the difference of two. Pure; the same seed gives the same figures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 10_000
_BLOCK = 1_000  # resamples that are drawn at once: a thousand queries are 8 MB of them
_ROUNDING = 1e-12  # sums in another order differ by less


def bootstrap_interval(
    values: Sequence[float], *, level: float = 0.95, resamples: int = RESAMPLES, seed: int = 0
) -> tuple[float, float]:
    """Where the mean of `values` (at least one) lies: the percentile interval (Efron and Tibshirani 1993, ch. 13)."""
    outside = (1 - level) / 2
    low, high = np.quantile(_resample_means(values, resamples, seed), [outside, 1 - outside])
    return float(low), float(high)


def paired_bootstrap_p(
    ours: Sequence[float], theirs: Sequence[float], *, resamples: int = RESAMPLES, seed: int = 0
) -> float:
    """How probable a difference of the means at least as large, in either direction, would be if there were none.

    The differences are shifted to a mean of 0 and resampled (Efron and Tibshirani 1993, ch. 16); the sample itself
    counts as one resample, so the smallest possible value is 1 / (resamples + 1).

    Args:
        ours, theirs: values of the same queries in the same order.
    """
    differences = np.subtract(ours, theirs)
    observed = differences.mean()
    means = _resample_means(differences - observed, resamples, seed)
    as_large = np.count_nonzero(np.abs(means) >= abs(observed) - _ROUNDING)
    return float((as_large + 1) / (resamples + 1))


def _resample_means(values: Sequence[float] | NDArray[np.float64], resamples: int, seed: int) -> NDArray[np.float64]:
    array = np.asarray(values, dtype=np.float64)
    random = np.random.default_rng(seed)
    sizes = [min(_BLOCK, resamples - start) for start in range(0, resamples, _BLOCK)]
    return np.concatenate([array[random.integers(len(array), size=(size, len(array)))].mean(axis=1) for size in sizes])

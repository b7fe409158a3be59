"""How far two partitions of the same things agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from math import comb, log

Labels = Sequence[Hashable]


def adjusted_rand(one: Labels, other: Labels) -> float:
    """1 for the same partition, around 0 for one by chance (Hubert and Arabie, 1985)."""
    both = sum(comb(count, 2) for count in Counter(zip(one, other, strict=True)).values())
    first = sum(comb(count, 2) for count in Counter(one).values())
    second = sum(comb(count, 2) for count in Counter(other).values())
    chance = first * second / max(1, comb(len(one), 2))
    most = (first + second) / 2
    return 1.0 if most == chance else (both - chance) / (most - chance)


def v_measure(truth: Labels, found: Labels) -> float:
    """Harmonic mean of homogeneity and completeness (Rosenberg and Hirschberg, 2007)."""
    homogeneity, completeness = _explained(truth, found), _explained(found, truth)
    total = homogeneity + completeness
    return 2 * homogeneity * completeness / total if total else 0.0


def _explained(what: Labels, by: Labels) -> float:
    """The share of the entropy of `what` that `by` takes away."""
    whole = _entropy(what)
    left = _entropy(list(zip(what, by, strict=True))) - _entropy(by)
    return 1 - left / whole if whole else 1.0


def _entropy(labels: Labels) -> float:
    return -sum(count / len(labels) * log(count / len(labels)) for count in Counter(labels).values())

"""How good one ranking is. Pure; binary or graded. A document that is listed twice counts once, at its best rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log2


def measure(ranked: Sequence[str], grades: Mapping[str, int], cuts: Sequence[int]) -> dict[str, float]:
    """`ndcg@k`, `recall@k`, `mrr@k` and `hit@k` for each cut, each in 0..1.

    Args:
        ranked: ids of documents, best first.
        grades: of the documents that answer (at least one), above 0.
    """
    measured: dict[str, float] = {}
    once = list(dict.fromkeys(ranked))
    for k in cuts:
        top = once[:k]
        found = [id_ for id_ in top if id_ in grades]
        measured[f"ndcg@{k}"] = _gain([grades.get(id_, 0) for id_ in top]) / _gain(sorted(grades.values())[::-1][:k])
        measured[f"recall@{k}"] = len(found) / len(grades)
        measured[f"mrr@{k}"] = 1 / (top.index(found[0]) + 1) if found else 0.0
        measured[f"hit@{k}"] = float(bool(found))
    return measured


def _gain(grades: Sequence[int]) -> float:
    """Discounted cumulative gain with linear gain, as trec_eval has it (Järvelin and Kekäläinen 2002)."""
    return sum(grade / log2(rank + 1) for rank, grade in enumerate(grades, 1))

"""Queries ranked one after the other: how good each ranking is, and how long it took."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from zibaldone.evaluation.metrics import measure
from zibaldone.schemas.evaluation import Latency
from zibaldone.schemas.sync import Progress

Show = Callable[[Progress], None]

PASSAGES = 100  # that a search is asked for: a document's score is that of its best passage


@dataclass(frozen=True, slots=True)
class Measured:
    """`by_query` holds the measures of each query by its id."""

    by_query: dict[str, dict[str, float]]
    latency_ms: Latency

    @property
    def means(self) -> dict[str, float]:
        return self.of(self.by_query)

    def of(self, queries: Iterable[str]) -> dict[str, float]:
        """The means over some of the queries, at least one."""
        rows = [self.by_query[query] for query in queries]
        return {name: round(fmean(row[name] for row in rows), 4) for name in rows[0]}


async def measure_rankings(
    grades: Mapping[str, Mapping[str, int]],
    rank: Callable[[str], Awaitable[Sequence[str]]],
    cuts: Sequence[int],
    show: Show,
) -> Measured:
    """Args:
    grades: by query (at least one), of the documents that answer it.
    rank: a query's documents, best first.
    """
    by_query: dict[str, dict[str, float]] = {}
    took: list[float] = []
    for number, (query, answers) in enumerate(grades.items(), 1):
        began = time.monotonic()
        ranked = await rank(query)
        took.append((time.monotonic() - began) * 1000)
        by_query[query] = measure(ranked, answers, cuts)
        show(Progress(stage="searching", done=number, total=len(grades), unit="queries"))
    p50, p95 = (round(float(np.percentile(took, part)), 2) for part in (50, 95))
    return Measured(by_query, Latency(p50=p50, p95=p95))

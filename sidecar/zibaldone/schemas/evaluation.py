"""What `zib eval` found."""

from __future__ import annotations

from zibaldone.schemas.base import Wire


class Latency(Wire):
    p50: float
    p95: float


class KindFigures(Wire):
    kind: str
    queries: int
    metrics: dict[str, float]


class RetrievalReport(Wire):
    """`metrics` are means over the queries: `ndcg@k`, `recall@k`, `mrr@k`, `hit@k`; `kinds` has those of each kind that
    the questions name. `image_gap` is how much of what pictures say in words is found beyond what they say by their
    layout (recall at the first cut), None where not both are asked about.

    `index_seconds` is 0 where the index was there before: a person's own questions over their own vault.
    """

    set: str
    docs: int
    queries: int
    strategy: str
    metrics: dict[str, float]
    kinds: list[KindFigures] = []
    image_gap: float | None = None
    latency_ms: Latency
    index_seconds: float

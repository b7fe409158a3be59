"""What `zib eval` found."""

from __future__ import annotations

from zibaldone.schemas.base import Wire


class Latency(Wire):
    p50: float
    p95: float


class RetrievalReport(Wire):
    """`metrics` are means over the queries: `ndcg@k`, `recall@k`, `mrr@k`, `hit@k`.

    `index_seconds` is 0 where the index was there before: a person's own questions over their own vault.
    """

    set: str
    docs: int
    queries: int
    strategy: str
    metrics: dict[str, float]
    latency_ms: Latency
    index_seconds: float

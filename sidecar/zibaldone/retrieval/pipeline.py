"""Search: the order of the steps."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import exp

import numpy as np

from zibaldone.config.settings import RetrievalSettings
from zibaldone.domain.locators import line_locator
from zibaldone.domain.words import index_terms, query_terms
from zibaldone.errors import ModelFailed, ModelMissing
from zibaldone.index.vectors import VectorIndex
from zibaldone.inference.roles import Embedder, Vectors
from zibaldone.retrieval.answerable import Signals, answerable_probability, cover_terms, scale_cosine
from zibaldone.retrieval.fuse import fuse_scores, scale_scores, semantic_share
from zibaldone.retrieval.strategy import parse_strategy
from zibaldone.schemas.search import Hit, SearchRequest, SearchResponse, SearchTiming
from zibaldone.store.cache_db import EmbeddingCache
from zibaldone.store.index_db import IndexStore, StoredChunk

# Candidates that each leg brings.
DEPTH = 60
# Passages whose words say how far the lexical leg can be trusted, and whether there is an answer.
BEST = 5
# Candidates that are compared once more, and the weight of that comparison (ARCHITECTURE.md, "Reranking").
RERANK_DEPTH = 24
RERANK_WEIGHT = 0.5
RECENCY_DAYS = 45.0


@dataclass(frozen=True, slots=True)
class SearchIndex:
    """What a search reads. `embedder` and `vectors` are None where no embedding model is there."""

    store: IndexStore
    cache: EmbeddingCache
    vectors: VectorIndex | None
    embedder: Embedder | None


async def search(
    request: SearchRequest, index: SearchIndex, settings: RetrievalSettings, today: date
) -> SearchResponse:
    """Ranked passages for a query, and whether any of them is good enough to answer from.

    Without a usable embedding model the lexical leg alone searches, and `notes` says so.

    Raises:
        InvalidRequest: an unknown building block in the strategy.
    """
    started = time.monotonic()
    strategy = request.strategy or settings.strategy
    profile = request.profile or settings.profile
    plan = parse_strategy(strategy)
    notes: list[str] = []

    vector: Vectors | None = None
    if "semantic" in plan.legs or plan.rerank:
        vector, note = await _embed(request.query, index)
        notes.extend([note] if note else [])
    embedded = time.monotonic()

    terms = query_terms(request.query)
    lexical: list[tuple[str, float]] = []
    if _uses_words(plan.legs, vector) and not request.paths:
        lexical = await asyncio.to_thread(index.store.search_terms, terms, DEPTH)
    worded = time.monotonic()

    semantic: list[tuple[str, float]] = []
    if vector is not None and index.vectors and "semantic" in plan.legs and not request.paths:
        semantic = await asyncio.to_thread(index.vectors.nearest, vector, DEPTH)
    found = time.monotonic()

    candidates = list(dict.fromkeys(chunk_id for chunk_id, _ in [*lexical, *semantic]))
    if request.paths:
        candidates = await asyncio.to_thread(index.store.chunk_ids_of, request.paths)
    usage = await asyncio.to_thread(_look_up, terms, index.store)
    ranked = await asyncio.to_thread(_rank, candidates, usage, vector, index, plan.legs, profile, today)
    if plan.rerank and vector is not None and index.embedder:
        ranked = await _rerank(request.query, ranked, index.embedder)
    hits = _select(ranked, request.k, per_source=request.k if request.paths else max(3, request.k // 2))
    if request.modality:
        hits = [hit for hit in hits if hit.modality in request.modality]
    probability = answerable_probability(_measure(usage, ranked, index)) if hits else 0.0
    done = time.monotonic()
    return SearchResponse(
        query=request.query,
        strategy=strategy,
        profile=profile,
        abstain=not hits or probability < settings.min_retrieval,
        top_score=round(probability, 4),
        hits=hits,
        notes=notes,
        timing=SearchTiming(
            total_ms=_ms(started, done),
            embed_ms=_ms(started, embedded),
            lexical_ms=_ms(embedded, worded),
            vector_ms=_ms(worded, found),
        ),
    )


@dataclass(frozen=True, slots=True)
class Usage:
    """How the vault uses the question's terms: in how many of its `chunks` each stands. Looked up once a search."""

    frequency: dict[str, int]
    chunks: int

    @property
    def terms(self) -> list[str]:
        return list(self.frequency)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its score, its raw cosine (None without vectors) and how it came about."""

    chunk: StoredChunk
    score: float
    cosine: float | None
    hit: Hit

    def rescored(self, score: float, rerank: float) -> Ranked:
        components = self.hit.components.model_copy(update={"rerank": round(rerank, 4)})
        hit = self.hit.model_copy(update={"score": round(score, 4), "components": components})
        return Ranked(self.chunk, score, self.cosine, hit)


def _rank(
    candidates: Sequence[str],
    usage: Usage,
    vector: Vectors | None,
    index: SearchIndex,
    legs: Sequence[str],
    profile: str,
    today: date,
) -> list[Ranked]:
    """The candidates of all legs, each scored exactly by every leg, best first."""
    chunks = index.store.chunks(candidates)
    ids = [id_ for id_ in candidates if id_ in chunks]
    if not ids:
        return []
    bm25 = index.store.term_scores(usage.terms, ids) if _uses_words(legs, vector) else {}
    cosine = _cosines(vector, chunks, index)
    best_worded = sorted(bm25, key=lambda id_: -bm25[id_])[:BEST]
    coverage = _cover(usage, [chunks[id_] for id_ in best_worded])
    used_legs = legs if vector is not None else ("bm25",)
    fused = fuse_scores(
        ids,
        bm25,
        cosine,
        title={id_: _title_match(usage.terms, chunk) for id_, chunk in chunks.items()},
        recency={id_: exp(-max(0, (today - chunk.date).days) / RECENCY_DAYS) for id_, chunk in chunks.items()},
        share=semantic_share(used_legs, coverage),
        profile=profile,
    )
    order = sorted(ids, key=lambda id_: (-fused[id_][0], id_))
    return [
        Ranked(
            chunk=chunks[id_],
            score=fused[id_][0],
            cosine=cosine.get(id_),
            hit=_hit(rank, fused[id_][0], chunks[id_], fused[id_][1]),
        )
        for rank, id_ in enumerate(order, 1)
    ]


async def _rerank(query: str, ranked: Sequence[Ranked], embedder: Embedder) -> list[Ranked]:
    """The best candidates once more, by late interaction: it sees the one sentence that a chunk's vector blurs."""
    head, tail = list(ranked[:RERANK_DEPTH]), list(ranked[RERANK_DEPTH:])
    if len(head) < 2:
        return [*head, *tail]
    compared = await embedder.compare(query, [candidate.chunk.embed_text for candidate in head])
    closeness = scale_scores(dict(enumerate(compared)))
    before = scale_scores({number: candidate.score for number, candidate in enumerate(head)})
    scores = {n: (1 - RERANK_WEIGHT) * before[n] + RERANK_WEIGHT * closeness[n] for n in closeness}
    # Scores stay comparable with those of the tail: the head keeps the range that it had.
    low, high = head[-1].score, head[0].score
    order = sorted(scores, key=lambda n: (-scores[n], n))
    return [*(head[n].rescored(low + (high - low) * scores[n], closeness[n]) for n in order), *tail]


def _select(ranked: Sequence[Ranked], k: int, per_source: int) -> list[Hit]:
    """The best k, at most `per_source` of one note; renumbered."""
    taken: dict[str, int] = {}
    hits: list[Hit] = []
    for candidate in ranked:
        path = candidate.chunk.path
        if taken.get(path, 0) < per_source and len(hits) < k:
            taken[path] = taken.get(path, 0) + 1
            hits.append(candidate.hit.model_copy(update={"rank": len(hits) + 1}))
    return hits


def _measure(usage: Usage, ranked: Sequence[Ranked], index: SearchIndex) -> Signals:
    best = [candidate.chunk for candidate in ranked[:BEST]]
    cosines = [candidate.cosine for candidate in ranked[:BEST] if candidate.cosine is not None]
    return Signals(
        likeness=scale_cosine(max(cosines), index.embedder.cosine_range) if cosines and index.embedder else None,
        coverage=_cover(usage, best),
        known=_share_known(usage.frequency),
    )


def _look_up(terms: Sequence[str], store: IndexStore) -> Usage:
    return Usage(store.document_frequency(terms), store.chunk_count())


def _cover(usage: Usage, chunks: Sequence[StoredChunk]) -> float:
    """The largest share of the question's information that one of the passages holds."""
    words = [frozenset(index_terms(" ".join([c.title, *c.aliases, *c.heading, c.text]))) for c in chunks]
    return cover_terms(usage.terms, words, usage.frequency, usage.chunks)


async def _embed(query: str, index: SearchIndex) -> tuple[Vectors | None, str | None]:
    if index.embedder is None or index.vectors is None:
        return None, "No embedding model is there: searched by words only. `zib models pull` fetches one."
    try:
        return await index.embedder.embed_query(query), None
    except (ModelFailed, ModelMissing) as error:
        return None, f"{error.message} Searched by words only."


def _uses_words(legs: Sequence[str], vector: Vectors | None) -> bool:
    return "bm25" in legs or vector is None


def _cosines(vector: Vectors | None, chunks: Mapping[str, StoredChunk], index: SearchIndex) -> dict[str, float]:
    """Exact cosine of every candidate, from the cached vectors: the approximate index only proposes."""
    if vector is None or index.embedder is None:
        return {}
    known = index.cache.get(index.embedder.fingerprint, [chunk.embed_hash for chunk in chunks.values()])
    return {id_: float(np.dot(vector, known[c.embed_hash])) for id_, c in chunks.items() if c.embed_hash in known}


def _share_known(frequency: Mapping[str, int]) -> float:
    return sum(count > 0 for count in frequency.values()) / len(frequency) if frequency else 0.0


def _title_match(terms: Sequence[str], chunk: StoredChunk) -> float:
    title = set(index_terms(" ".join([chunk.title, *chunk.aliases])))
    return sum(term in title for term in terms) / len(terms) if terms else 0.0


def _hit(rank: int, score: float, chunk: StoredChunk, components: object) -> Hit:
    return Hit(
        rank=rank,
        score=round(score, 4),
        chunk_id=chunk.id,
        source_uri=chunk.uri,
        path=chunk.path,
        title=chunk.title,
        heading=list(chunk.heading),
        locator=line_locator(chunk.line_start, chunk.line_end),
        line_start=chunk.line_start,
        line_end=chunk.line_end,
        origin=chunk.origin.value,
        date=chunk.date.isoformat(),
        date_source=chunk.date_source.value,
        text=chunk.text,
        components=components,
    )


def _ms(start: float, end: float) -> float:
    return round((end - start) * 1000, 2)

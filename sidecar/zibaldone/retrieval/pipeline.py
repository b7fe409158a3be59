"""Search: the order of the steps."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from heapq import nlargest
from math import exp

import numpy as np

from zibaldone.config.settings import RetrievalSettings
from zibaldone.domain.locators import line_locator
from zibaldone.domain.words import search_query
from zibaldone.errors import ModelFailed, ModelMissing
from zibaldone.index.exact import Nearest
from zibaldone.inference.roles import Embedder, Vectors
from zibaldone.retrieval.answerable import Signals, answerable_probability, cover_terms, scale_cosine
from zibaldone.retrieval.fuse import Parts, fuse_scores, scale_scores, semantic_share
from zibaldone.retrieval.strategy import parse_strategy
from zibaldone.retrieval.union import SearchStore
from zibaldone.schemas.search import Components, Hit, SearchRequest, SearchResponse, SearchTiming
from zibaldone.store.cache_db import EmbeddingCache
from zibaldone.store.index_db import Candidate, StoredChunk

# Candidates that each leg brings.
DEPTH = 60
# Notes that are best by their words as a whole, the passages of each that are candidates, and what a note's BM25 weighs
# beside the passage's own (ARCHITECTURE.md, "Words").
NOTES = 20
PASSAGES_OF_NOTE = 2
NOTE_WEIGHT = 1.0
# Passages whose words say how far the lexical leg can be trusted, and whether there is an answer.
BEST = 5
# Candidates that are compared once more, and the weight of that comparison (ARCHITECTURE.md, "Reranking").
RERANK_DEPTH = 24
RERANK_WEIGHT = 0.5
RECENCY_DAYS = 45.0


@dataclass(frozen=True, slots=True)
class SearchIndex:
    """What a search reads. `embedder` and `vectors` are None where no embedding model is there."""

    store: SearchStore
    cache: EmbeddingCache
    vectors: Nearest | None
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
    vector: Vectors | None = None
    note: str | None = None
    if "semantic" in plan.legs or plan.rerank:
        vector, note = await _embed(request.query, index)
    embedded = time.monotonic()

    def find() -> Found:
        return _find(request, plan.legs, profile, vector, index, today)

    def respond(found: Found) -> SearchResponse:
        hits, probability = _conclude(request, found, index)
        notes = [note] if note else []
        if vector is not None and (waiting := index.store.pending_count()):
            notes.append(f"{waiting} passages are not embedded yet: found by words only until `zib sync` is done.")
        return SearchResponse(
            query=request.query,
            strategy=strategy,
            profile=profile,
            abstain=not hits or probability < settings.min_retrieval,
            top_score=round(probability, 4),
            hits=hits,
            notes=notes,
            timing=SearchTiming(
                total_ms=_ms(started, time.monotonic()),
                embed_ms=_ms(started, embedded),
                lexical_ms=found.lexical_ms,
                vector_ms=found.vector_ms,
            ),
        )

    if not plan.rerank or vector is None or index.embedder is None:
        return await asyncio.to_thread(lambda: respond(find()))  # one trip: it is short beside the way to a thread
    found = await asyncio.to_thread(find)
    ranked = await _rerank(request.query, found.ranked, index.store, index.embedder)
    return await asyncio.to_thread(respond, replace(found, ranked=ranked))


def recall_hits(chunk_ids: Sequence[str], store: SearchStore) -> list[Hit]:
    """Passages that were found before, as they are now, in the order given; without those that are gone."""
    chunks = store.chunks(chunk_ids)
    there = [chunks[chunk_id] for chunk_id in chunk_ids if chunk_id in chunks]
    return [_hit(rank, chunk, 0.0, Components()) for rank, chunk in enumerate(there, 1)]


@dataclass(frozen=True, slots=True)
class Usage:
    """How the vault uses the question's terms: which of its `chunks` (their rows) hold each, and the BM25 of every
    chunk and of every note (by its row) that holds any. Looked up once a search."""

    holders: dict[str, frozenset[int]]
    chunks: int
    scores: dict[int, float]
    notes: dict[int, float]

    def score(self, chunk: Candidate) -> float:
        """A passage's BM25 with that of its note: a question's words are spread over the note that answers it."""
        return self.scores.get(chunk.row, 0.0) + NOTE_WEIGHT * self.notes.get(chunk.source_row, 0.0)

    @property
    def frequency(self) -> dict[str, int]:
        return {term: len(rows) for term, rows in self.holders.items()}

    def cover(self, rows: Iterable[int]) -> float:
        """The largest share of the question's information that one of some passages holds."""
        frequency = self.frequency
        held = ({term for term, holders in self.holders.items() if row in holders} for row in rows)
        return max((cover_terms(one, frequency, self.chunks) for one in held), default=0.0)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its score, its raw cosine (None without vectors) and how the score came about."""

    chunk: Candidate
    score: float
    cosine: float | None
    parts: Parts
    rerank: float = 0.0


@dataclass(frozen=True, slots=True)
class Found:
    """The candidates of all legs, best first."""

    usage: Usage
    ranked: list[Ranked]
    lexical_ms: float
    vector_ms: float


def _find(
    request: SearchRequest, legs: Sequence[str], profile: str, vector: Vectors | None, index: SearchIndex, today: date
) -> Found:
    """Ask the legs, rank what they bring."""
    began = time.monotonic()
    store = index.store
    usage = _look_up(search_query(request.query), store)
    worded = "bm25" in legs or vector is None
    if request.paths:
        candidates = store.candidates(store.chunk_ids_of(request.paths))
    else:
        candidates = _best_worded(usage, store) if worded else {}
    looked_up = time.monotonic()
    semantic: dict[str, float] = {}
    if vector is not None and index.vectors and "semantic" in legs and not request.paths:
        semantic = dict(index.vectors.nearest(vector, DEPTH))
    near = time.monotonic()
    candidates.update(store.candidates([id_ for id_ in semantic if id_ not in candidates]))
    cosine = _cosines(vector, candidates, semantic, index)
    used_legs = legs if vector is not None else ("bm25",)
    bm25 = {id_: score for id_, chunk in candidates.items() if (score := usage.score(chunk))} if worded else {}
    ranked = _rank(candidates, bm25, cosine, usage, store, used_legs, profile, today)
    return Found(usage, ranked, _ms(began, looked_up), _ms(looked_up, near))


def _rank(
    candidates: Mapping[str, Candidate],
    bm25: Mapping[str, float],
    cosine: Mapping[str, float],
    usage: Usage,
    store: SearchStore,
    legs: Sequence[str],
    profile: str,
    today: date,
) -> list[Ranked]:
    """The candidates of all legs, each scored exactly by every leg, best first."""
    ids = list(candidates)
    if not ids:
        return []
    titled = store.holders(list(usage.holders), titles=True).values()
    best_worded = [candidates[id_].row for id_ in nlargest(BEST, bm25, key=bm25.__getitem__)]
    fused = fuse_scores(
        ids,
        bm25,
        cosine,
        title={id_: _share(chunk.row in rows for rows in titled) for id_, chunk in candidates.items()},
        recency={id_: _recency(chunk.date, today) for id_, chunk in candidates.items()},
        share=semantic_share(legs, usage.cover(best_worded)),
        profile=profile,
    )
    order = sorted(ids, key=lambda id_: (-fused[id_][0], id_))
    return [Ranked(candidates[id_], fused[id_][0], cosine.get(id_), fused[id_][1]) for id_ in order]


def _conclude(request: SearchRequest, found: Found, index: SearchIndex) -> tuple[list[Hit], float]:
    """The hits, and the probability that they answer the question."""
    taken = _select(found.ranked, request.k, per_source=request.k if request.paths else max(3, request.k // 2))
    best = found.ranked[:BEST]
    chunks = index.store.chunks([one.chunk.id for one in taken])
    shown = [one for one in taken if one.chunk.id in chunks]  # else it went while we ranked
    hits = [
        _hit(
            rank,
            chunks[one.chunk.id],
            one.score,
            Components(
                **{leg: round(part, 4) for leg, part in one.parts._asdict().items()}, rerank=round(one.rerank, 4)
            ),
        )
        for rank, one in enumerate(shown, 1)
    ]
    if request.modality:
        hits = [hit for hit in hits if hit.modality in request.modality]
    if not hits:
        return [], 0.0
    return hits, answerable_probability(_measure(found.usage, best, index))


async def _rerank(query: str, ranked: Sequence[Ranked], store: SearchStore, embedder: Embedder) -> list[Ranked]:
    """The best candidates once more, by late interaction: it sees the one sentence that a chunk's vector blurs."""
    head, tail = list(ranked[:RERANK_DEPTH]), list(ranked[RERANK_DEPTH:])
    if len(head) < 2:
        return [*head, *tail]
    chunks = await asyncio.to_thread(store.chunks, [candidate.chunk.id for candidate in head])
    texts = [chunks[c.chunk.id].embed_text if c.chunk.id in chunks else "" for c in head]
    compared = await embedder.compare(query, texts)
    closeness = scale_scores(dict(enumerate(compared)))
    before = scale_scores({number: candidate.score for number, candidate in enumerate(head)})
    scores = {n: (1 - RERANK_WEIGHT) * before[n] + RERANK_WEIGHT * closeness[n] for n in closeness}
    # Scores stay comparable with those of the tail: the head keeps the range that it had.
    low, high = head[-1].score, head[0].score
    order = sorted(scores, key=lambda n: (-scores[n], n))
    rescored = [replace(head[n], score=low + (high - low) * scores[n], rerank=closeness[n]) for n in order]
    return [*rescored, *tail]


def _select(ranked: Sequence[Ranked], k: int, per_source: int) -> list[Ranked]:
    """The best k, at most `per_source` of one note."""
    taken: dict[str, int] = {}
    selected: list[Ranked] = []
    for candidate in ranked:
        path = candidate.chunk.path
        if taken.get(path, 0) < per_source and len(selected) < k:
            taken[path] = taken.get(path, 0) + 1
            selected.append(candidate)
    return selected


def _measure(usage: Usage, best: Sequence[Ranked], index: SearchIndex) -> Signals:
    embedder = index.embedder
    cosines = [candidate.cosine for candidate in best if candidate.cosine is not None]
    return Signals(
        likeness=scale_cosine(max(cosines), embedder.cosine_range) if cosines and embedder else None,
        coverage=usage.cover(one.chunk.row for one in best),
        known=_share(bool(rows) for rows in usage.holders.values()),
    )


def _look_up(terms: Sequence[str], store: SearchStore) -> Usage:
    return Usage(store.holders(terms), store.chunk_count(), store.match_terms(terms), store.match_sources(terms))


def _best_worded(usage: Usage, store: SearchStore) -> dict[str, Candidate]:
    """The best `DEPTH` passages by their own words, and the best of the notes that are best as a whole; those of files
    that vanished are passed over."""
    scores = usage.scores
    best = nlargest(DEPTH, scores, key=scores.__getitem__)
    of_notes: dict[int, list[int]] = {}
    for row, note in store.rows_of(nlargest(NOTES, usage.notes, key=usage.notes.__getitem__)).items():
        if row in scores:
            of_notes.setdefault(note, []).append(row)
    rows = {row for some in of_notes.values() for row in nlargest(PASSAGES_OF_NOTE, some, key=scores.__getitem__)}
    candidates = store.candidates(rows=list(rows.union(best)))
    if len(candidates) >= len(best):
        return candidates
    order = sorted(scores, key=scores.__getitem__, reverse=True)
    for start in range(DEPTH, len(order), DEPTH):
        if len(candidates) >= DEPTH:
            break
        candidates.update(store.candidates(rows=order[start : start + DEPTH]))
    return candidates


async def _embed(query: str, index: SearchIndex) -> tuple[Vectors | None, str | None]:
    if index.embedder is None or index.vectors is None:
        return None, "No embedding model is there: searched by words only. `zib models pull` fetches one."
    try:
        return await index.embedder.embed_query(query), None
    except (ModelFailed, ModelMissing) as error:
        return None, f"{error.message} Searched by words only."


def _cosines(
    vector: Vectors | None, candidates: Mapping[str, Candidate], semantic: Mapping[str, float], index: SearchIndex
) -> dict[str, float]:
    """Exact cosine of every candidate: that of the vector index where it proposed the passage (only which ones it
    proposes is approximate), else from the cached vector."""
    if vector is None or index.embedder is None:
        return {}
    cosines = {id_: cosine for id_, cosine in semantic.items() if id_ in candidates}
    others = {id_: chunk.embed_hash for id_, chunk in candidates.items() if id_ not in cosines}
    known = index.cache.get(index.embedder.fingerprint, list(others.values()))
    cosines.update({id_: float(np.dot(vector, known[hash_])) for id_, hash_ in others.items() if hash_ in known})
    return cosines


def _share(are: Iterable[bool]) -> float:
    said = list(are)
    return sum(said) / len(said) if said else 0.0


@lru_cache(maxsize=4096)
def _recency(day: str, today: date) -> float:
    return exp(-max(0, (today - date.fromisoformat(day)).days) / RECENCY_DAYS)


def _hit(rank: int, chunk: StoredChunk, score: float, components: Components) -> Hit:
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

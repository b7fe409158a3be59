"""One query over the index: what the legs bring, each scored by every leg, best first."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from heapq import nlargest
from math import exp
from typing import Protocol

import numpy as np

from zibaldone.domain.notes import DateSource
from zibaldone.errors import ZibaldoneError
from zibaldone.index.exact import Nearest
from zibaldone.inference.roles import ChatModel, Embedder, Reranker, Vectors
from zibaldone.retrieval.event import Event
from zibaldone.retrieval.fuse import PROFILES, Parts, fuse_scores, semantic_share
from zibaldone.retrieval.language_bias import LanguageBias, LanguageBiases
from zibaldone.retrieval.lexical import ROWS, Words, WordScore, find_worded, look_up, score_words
from zibaldone.retrieval.query.times import TimeHint
from zibaldone.retrieval.scope import Scope
from zibaldone.retrieval.union import SearchStore
from zibaldone.store.cache_db import ContentCache
from zibaldone.store.index_db import Candidate

# Candidates that the semantic leg brings.
DEPTH = 60
# A note's nearness is half that of the passage, half the mean of so many of its nearest passages.
_OF_NOTE = 3
# Notes by which it is told how far the nearest stands out.
_REST = 10
# Passages whose words say how far the lexical leg can be trusted.
BEST = 5
RECENCY_DAYS = 45.0
# So many times as many passages are looked at where most may be filtered out.
_FILTERED = 10


class SearchModels(Protocol):
    """The models that some strategies ask for, each or why it is missing; see `runtime.models.ModelSet`."""

    def find_chat(self) -> tuple[ChatModel | None, ZibaldoneError | None]: ...

    def find_reranker(self) -> tuple[Reranker | None, ZibaldoneError | None]: ...


@dataclass(frozen=True, slots=True)
class SearchIndex:
    """What a search reads. `embedder` and `vectors` are None where no embedding model is there; without `models`,
    reranking is by the embedder. `usage` is how much passages (ids) are used, in 0..1. `biases` is given where what it
    remembers is of use to later searches."""

    store: SearchStore
    cache: ContentCache
    vectors: Nearest | None
    embedder: Embedder | None
    models: SearchModels | None = None
    usage: Mapping[str, float] = field(default_factory=dict)
    biases: LanguageBiases | None = None

    def find_bias(self) -> LanguageBias | None:
        if self.embedder is None:
            return None
        return (self.biases or LanguageBiases(self.cache)).find(self.store, self.embedder.fingerprint)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is looked for: the text, the time that it asks about, whether for the newest, by which legs and how weighed.
    `paths` limits it to these notes, all of whose passages are ranked; `event` is what it is to be before or after."""

    text: str
    time: TimeHint | None
    latest: bool
    legs: tuple[str, ...]
    profile: str
    paths: Sequence[str] = ()
    event: Event | None = None

    @property
    def is_near(self) -> bool:
        return not {"semantic", "hyde"}.isdisjoint(self.legs)


@dataclass(frozen=True, slots=True)
class Worded:
    """What the words bring, which needs no model, and how long that took."""

    words: Words
    candidates: dict[str, Candidate]
    ms: float


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its score, its raw cosine (None without vectors) and how the score came about."""

    chunk: Candidate
    score: float
    cosine: float | None
    worded: WordScore
    parts: Parts
    rerank: float = 0.0
    subquery: str | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """The candidates of all legs, best first; `share` is the weight of meaning, by `coverage` and `standout`."""

    words: Words
    ranked: list[Ranked]
    share: float
    coverage: float
    standout: float
    lexical_ms: float
    vector_ms: float


def find_by_words(wanted: Wanted, scope: Scope, store: SearchStore) -> Worded:
    began = time.monotonic()
    words = look_up(wanted.text, wanted.time, store, ROWS if scope.is_open else _FILTERED * ROWS)
    if wanted.paths:
        candidates = store.candidates(store.chunk_ids_of(wanted.paths))
    else:
        candidates = store.candidates(rows=find_worded(words, store, scope))
    return Worded(words, candidates, (time.monotonic() - began) * 1000)


def rank_passages(
    wanted: Wanted, worded: Worded, vector: Vectors | None, scope: Scope, index: SearchIndex, today: date
) -> Found:
    """What the words and the vector (None without one) bring, ranked."""
    began = time.monotonic()
    proposed: dict[str, float] = {}
    bias = index.find_bias() if vector is not None else None
    spoken = bias.language_of(vector) if bias and vector is not None else None
    if bias and vector is not None:
        vector = bias.level_question(vector)
    if wanted.is_near and index.vectors is not None and vector is not None and not wanted.paths:
        within = None if scope.is_open else index.store.ids_within(scope.notes, scope.passages)
        for aim in bias.aims(vector) if bias else [vector]:
            proposed |= index.vectors.nearest(aim, DEPTH, within)
    vector_ms = (time.monotonic() - began) * 1000
    others = index.store.candidates([id_ for id_ in proposed if id_ not in worded.candidates])
    candidates = _admitted({**worded.candidates, **others}, scope)
    cosine = _cosines(vector, candidates, {} if bias else proposed, index, bias)
    foreign = {id_ for id_, one in candidates.items() if bias and one.language != spoken}
    return _rank(wanted, worded, candidates, cosine, foreign, index, today, vector_ms)


def _rank(
    wanted: Wanted,
    looked_up: Worded,
    candidates: Mapping[str, Candidate],
    cosine: Mapping[str, float],
    foreign: Collection[str],
    index: SearchIndex,
    today: date,
    vector_ms: float,
) -> Found:
    words = looked_up.words
    worded = score_words(words, list(candidates.values()))
    asks_words = "lexical" in wanted.legs, "bm25" in wanted.legs or not cosine
    lexical = {id_: one.lexical for id_, one in worded.items()} if asks_words[0] else {}
    bm25 = {id_: one.bm25 for id_, one in worded.items()} if asks_words[1] and not (lexical and not cosine) else {}
    nearness = _with_notes(cosine, candidates)
    near = nearness if wanted.is_near else {}
    coverage = words.cover(one.held for one in nlargest(BEST, worded.values(), key=lambda one: one.bm25))
    standout = _standout(nearness, candidates, index.embedder)
    profile = PROFILES[wanted.profile]
    share = float(bool(near))
    if near and (lexical or bm25):
        share = semantic_share(coverage, standout, profile, timed=wanted.time is not None)
    ids = list(candidates) if near else [id_ for id_ in candidates if id_ in worded]
    fused = fuse_scores(
        ids,
        (lexical, bm25),
        near,
        share=share,
        profile=profile,
        title={id_: one.titled for id_, one in worded.items()},
        recency=_order_by_day(candidates) if wanted.latest else _recencies(candidates, today),
        usage=index.usage,
        latest=wanted.latest,
        foreign=foreign,
    )
    if event := wanted.event:
        fused = {id_: (score * event.weigh(candidates[id_].date), parts) for id_, (score, parts) in fused.items()}
    fused = {id_: (score * _certainty(candidates[id_]), parts) for id_, (score, parts) in fused.items()}
    order = sorted(ids, key=lambda id_: (-fused[id_][0], id_))
    ranked = [
        Ranked(candidates[id_], fused[id_][0], cosine.get(id_), worded.get(id_, WordScore()), fused[id_][1])
        for id_ in order
    ]
    return Found(words, ranked, share, coverage, standout, looked_up.ms, vector_ms)


def _certainty(chunk: Candidate) -> float:
    """What is recognised in a picture may be misread: of two passages that fit, the surer one is first."""
    return 1.0 if chunk.confidence is None else (1.0 + chunk.confidence) / 2


def _admitted(candidates: dict[str, Candidate], scope: Scope) -> dict[str, Candidate]:
    if not candidates:
        return candidates
    admitted = scope.admits(np.array([one.row for one in candidates.values()], np.int64))
    return {id_: one for (id_, one), may in zip(candidates.items(), admitted, strict=True) if may}


def _cosines(
    vector: Vectors | None,
    candidates: Mapping[str, Candidate],
    known: Mapping[str, float],
    index: SearchIndex,
    bias: LanguageBias | None,
) -> dict[str, float]:
    """Exact cosine of every candidate: the known one, else from the cached vector."""
    if vector is None or index.embedder is None:
        return {}
    cosines = {id_: cosine for id_, cosine in known.items() if id_ in candidates}
    others = [chunk for id_, chunk in candidates.items() if id_ not in cosines]
    vectors = index.cache.get(index.embedder.fingerprint, [chunk.embed_hash for chunk in others])
    others = [chunk for chunk in others if chunk.embed_hash in vectors]
    if others:
        matrix = np.stack([vectors[chunk.embed_hash] for chunk in others])
        if bias:
            matrix = bias.level_passages(matrix, [chunk.language for chunk in others])
        cosines.update(zip([chunk.id for chunk in others], (matrix @ vector).tolist(), strict=True))
    return cosines


def _with_notes(cosine: Mapping[str, float], candidates: Mapping[str, Candidate]) -> dict[str, float]:
    """The nearness of passages, that of their notes averaged in: a note that is near throughout answers better than one
    with a single near sentence. A passage that is no candidate counts as the farthest of those that are."""
    if not cosine:
        return {}
    of_note: dict[int, list[float]] = {}
    for id_, value in cosine.items():
        of_note.setdefault(candidates[id_].note, []).append(value)
    farthest = min(cosine.values())
    means = {}
    for id_ in cosine:
        note = candidates[id_].note
        if note not in means:
            size = min(_OF_NOTE, candidates[id_].note_chunks)
            best = nlargest(size, of_note[note])
            means[note] = (sum(best) + (size - len(best)) * farthest) / size
    return {id_: 0.5 * value + 0.5 * means[candidates[id_].note] for id_, value in cosine.items()}


def _standout(near: Mapping[str, float], candidates: Mapping[str, Candidate], embedder: Embedder | None) -> float:
    if not near or embedder is None:
        return 0.0
    best: dict[int, float] = {}
    for id_, value in near.items():
        note = candidates[id_].note
        best[note] = max(value, best.get(note, value))
    top = nlargest(_REST, best.values())
    low, high = embedder.cosine_range
    return (top[0] - top[-1]) / (high - low) * len(top) / _REST  # among few notes anything stands out


@lru_cache(maxsize=4096)
def _days_ago(day: str, today: date) -> int:
    return max(0, (today - date.fromisoformat(day)).days)


def _recencies(candidates: Mapping[str, Candidate], today: date) -> dict[str, float]:
    """Nothing for a file's own time: a fresh clone would make every note look new."""
    return {
        id_: 0.0 if chunk.date_source == DateSource.MTIME else exp(-_days_ago(chunk.date, today) / RECENCY_DAYS)
        for id_, chunk in candidates.items()
    }


def _order_by_day(candidates: Mapping[str, Candidate]) -> dict[str, float]:
    """From 0 for the oldest to 1 for the newest, however long ago that is."""
    days = sorted({chunk.date for chunk in candidates.values() if chunk.date_source != DateSource.MTIME})
    place = {day: (number + 1) / len(days) for number, day in enumerate(days)}
    return {
        id_: 0.0 if chunk.date_source == DateSource.MTIME else place[chunk.date] for id_, chunk in candidates.items()
    }

"""Search: the order of the steps."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from zibaldone.config.settings import RetrievalSettings
from zibaldone.domain.day_terms import is_day_term
from zibaldone.domain.locators import file_locator, line_locator
from zibaldone.domain.notes import Modality
from zibaldone.domain.strategy import Strategy, parse_strategy
from zibaldone.domain.vectors import unit
from zibaldone.errors import DeadlineExceeded, InvalidRequest, ModelFailed, ModelInvalid, ModelMissing
from zibaldone.inference.roles import Embedder, Reranker, Vectors
from zibaldone.retrieval.answerable import Signals, answerable_probability, scale_cosine
from zibaldone.retrieval.event import Event, find_event
from zibaldone.retrieval.fuse import blend_scores, scale_scores
from zibaldone.retrieval.hyde import write_hypothesis
from zibaldone.retrieval.query.comparisons import find_comparison
from zibaldone.retrieval.query.syntax import Query, parse_query
from zibaldone.retrieval.query.times import TimeHint, find_time, wants_latest
from zibaldone.retrieval.rank import Found, Ranked, SearchIndex, Wanted, find_by_words, rank_passages
from zibaldone.retrieval.rerankers import LateInteraction
from zibaldone.retrieval.scope import Scope, open_scope
from zibaldone.retrieval.select import PER_SOURCE, Selected, select_passages
from zibaldone.retrieval.union import PassageStore, SearchStore
from zibaldone.retrieval.within import read_within
from zibaldone.schemas.search import Components, Explanation, Hit, SearchRequest, SearchResponse, SearchTiming
from zibaldone.store.index_db import StoredChunk

# Candidates that are compared once more (ARCHITECTURE.md, "Reranking").
RERANK_DEPTH = 24
# The places of each side of a comparison are k / SIDE, at least one (CrossModalRAG's).
_SIDE = 4


@dataclass(slots=True)
class Passes:
    """What each pass over the index found: the whole query's first, then each side's of a comparison."""

    scope: Scope
    wanted: list[Wanted]
    found: list[Found]
    sides: tuple[str, ...] = ()


async def search(
    request: SearchRequest,
    index: SearchIndex,
    settings: RetrievalSettings,
    today: date,
    among: Collection[str] | None = None,
) -> SearchResponse:
    """Ranked passages for a query, and whether any of them is good enough to answer from.

    `among` are the passages (ids) that are searched, however many of a note; None: all.
    Without a usable embedding model the lexical leg alone searches, and `notes` says so.

    Raises:
        InvalidRequest: an unknown building block in the strategy.
    """
    started = time.monotonic()
    strategy = request.strategy or settings.strategy
    profile = request.profile or settings.profile
    plan = parse_strategy(strategy)
    query = parse_query(request.query)
    within = read_within(request.within) if request.within else None
    comparison = None if request.paths else find_comparison(query.text)
    sides = (comparison.left, comparison.right) if comparison else ()
    if comparison:
        query = replace(query, phrases=())  # what is quoted there names a side
    texts = [query.text, *sides] if query.text.strip() else []
    # Not side by side with what follows: the embedder has all cores, and waits for the slowest of its threads.
    vectors, remarks = await _embed(texts, plan, index)
    embed_ms = _ms(started, time.monotonic())

    def find() -> Passes:
        scope = open_scope(query, tuple(request.modality), index.store, within, among)
        asked_time, latest = find_time(query.text, today), wants_latest(query.text)  # of the sides of a comparison too
        event = None if asked_time or not texts else find_event(query.text, scope, index.store)
        whole = Wanted(query.text, asked_time, latest, plan.legs, profile, request.paths, event)
        beside = [replace(whole, text=side, time=find_time(side, today) or asked_time) for side in sides]
        wanted = [whole, *beside] if texts else []
        found = [
            rank_passages(one, find_by_words(one, scope, index.store), vector, scope, index, today)
            for one, vector in zip(wanted, vectors, strict=True)
        ]
        return Passes(scope, wanted, found, sides)

    def respond(passes: Passes) -> SearchResponse:
        hits, probability, notes = _conclude(
            request, query, passes, index, settings, capped=among is None and not request.paths
        )
        if vectors and vectors[0] is not None and (waiting := index.store.pending_count()):
            notes.append(f"{waiting} passages are not embedded yet: found by words only until `zib sync` is done.")
        return SearchResponse(
            query=request.query,
            strategy=strategy,
            profile=profile,
            abstain=not hits or probability < settings.min_retrieval,
            top_score=round(probability, 4),
            hits=hits,
            notes=[*remarks, *query.notes, *notes],
            explanation=_explain(query, passes) if request.explain else None,
            timing=SearchTiming(
                total_ms=_ms(started, time.monotonic()),
                embed_ms=embed_ms if plan.embeds else 0.0,
                lexical_ms=round(sum(found.lexical_ms for found in passes.found), 2),
                vector_ms=round(sum(found.vector_ms for found in passes.found), 2),
            ),
        )

    if not plan.rerank or not texts:
        return await asyncio.to_thread(lambda: respond(find()))  # one trip: it is short beside the way to a thread
    passes = await asyncio.to_thread(find)
    try:
        for number, text in enumerate(texts):
            ranked = await _rerank(text, passes.found[number], index)
            passes.found[number] = replace(passes.found[number], ranked=ranked)
    except (ModelFailed, ModelMissing, ModelInvalid, DeadlineExceeded) as error:
        remarks.append(f"{error.message} The passages are not reranked.")
    return await asyncio.to_thread(respond, passes)


def recall_hits(chunk_ids: Sequence[str], store: PassageStore) -> list[Hit]:
    """Passages that were found before, as they are now, in the order given; without those that are gone."""
    chunks = store.chunks(chunk_ids)
    there = [chunks[chunk_id] for chunk_id in chunk_ids if chunk_id in chunks]
    return [_hit(rank, chunk, 0.0, Components()) for rank, chunk in enumerate(there, 1)]


async def _embed(texts: Sequence[str], plan: Strategy, index: SearchIndex) -> tuple[list[Vectors | None], list[str]]:
    """A vector for each text where the strategy asks for them, and what there is to say where one is missing."""
    nothing: list[Vectors | None] = [None] * len(texts)
    if not plan.embeds or not texts:
        return nothing, []
    if index.embedder is None or index.vectors is None:
        return nothing, ["No embedding model is there: searched by words only. `zib models pull` fetches one."]
    remarks: list[str] = []
    try:
        vectors = [await index.embedder.embed_query(text) for text in texts]
    except (ModelFailed, ModelMissing) as error:
        return nothing, [f"{error.message} Searched by words only."]
    if plan.writes:
        try:
            vectors[0] = await _imagine(texts[0], vectors[0], index, index.embedder)
        except (ModelFailed, ModelMissing, ModelInvalid, DeadlineExceeded, InvalidRequest) as error:
            remarks.append(f"{error.message} Searched for the question itself.")
    return [*vectors], remarks


async def _imagine(question: str, asked: Vectors, index: SearchIndex, embedder: Embedder) -> Vectors:
    """Where a note would be that answers: what it might say counts half as much as the question, which is all that we
    know (ARCHITECTURE.md, "HyDE")."""
    chat, error = await asyncio.to_thread(index.models.find_chat) if index.models else (None, None)
    if chat is None:
        raise error or ModelMissing("No chat model is there.", "`zib models pull` fetches one.")
    written: Vectors = (await embedder.embed_passages([await write_hypothesis(question, chat)]))[0]
    return unit(2 * asked + written)


def _conclude(
    request: SearchRequest,
    query: Query,
    passes: Passes,
    index: SearchIndex,
    settings: RetrievalSettings,
    *,
    capped: bool,
) -> tuple[list[Hit], float, list[str]]:
    """The hits, the probability that they answer the question, and what there is to say about them."""
    notes = list(passes.scope.notices)
    if not passes.found:  # nothing but filters: the newest that they leave
        return _newest(request.k, passes.scope, index.store), 1.0, notes
    main, *others = passes.found
    ranked = _merge(main.ranked, [found.ranked for found in others], passes.sides)
    places = max(1, request.k // _SIDE)
    chosen = select_passages(
        ranked,
        request.k,
        per_source=PER_SOURCE if capped else request.k,
        reserved=dict.fromkeys(passes.sides, places),
    )
    for side, found in zip(passes.sides, others, strict=True):
        if not found.words.known:
            notes.append(f"No passage holds the words “{side}”.")
        elif _answers(found, index) < settings.min_retrieval:
            notes.append(f"Nothing was found about “{side}”.")
    hits = _hits(chosen, index.store)
    return hits, _answers(main, index) if hits else 0.0, notes


def _merge(main: Sequence[Ranked], others: Sequence[Sequence[Ranked]], sides: Sequence[str]) -> list[Ranked]:
    """What all passes found, each passage once, by its best score; a side's own finds know which side that was."""
    best = {one.chunk.id: one for one in main}
    for side, ranked in zip(sides, others, strict=True):
        for one in ranked:
            known = best.get(one.chunk.id)
            if known is None or (known.subquery is None and one.score > known.score):
                best[one.chunk.id] = replace(one, subquery=side)
    return sorted(best.values(), key=lambda one: (-one.score, one.chunk.id))


async def _rerank(query: str, found: Found, index: SearchIndex) -> list[Ranked]:
    """The best candidates once more, each compared with the question word by word."""
    head, tail = found.ranked[:RERANK_DEPTH], found.ranked[RERANK_DEPTH:]
    reranker = await _find_reranker(index)
    if len(head) < 2 or reranker is None:
        return [*head, *tail]
    chunks = await asyncio.to_thread(index.store.chunks, [candidate.chunk.id for candidate in head])
    texts = [chunks[c.chunk.id].embed_text if c.chunk.id in chunks else "" for c in head]
    before = [candidate.score for candidate in head]
    closeness = await reranker.score(query, texts)
    blended = blend_scores(before, closeness, trained=reranker.is_trained, coverage=found.coverage)
    shown, scores = scale_scores(dict(enumerate(closeness))), scale_scores(dict(enumerate(blended)))
    # Scores stay comparable with those of the tail: the head keeps the range that it had.
    low, high = head[-1].score, head[0].score
    order = sorted(scores, key=lambda n: (-scores[n], n))
    rescored = [replace(head[n], score=low + (high - low) * scores[n], rerank=shown[n]) for n in order]
    return [*rescored, *tail]


async def _find_reranker(index: SearchIndex) -> Reranker | None:
    """Raises what is wrong with the one that is set; None where there is no embedder to do it either."""
    if index.models is None:
        return LateInteraction(index.embedder) if index.embedder else None
    reranker, error = await asyncio.to_thread(index.models.find_reranker)
    if reranker is None and error is not None and index.embedder is not None:
        raise error
    return reranker


def _answers(found: Found, index: SearchIndex) -> float:
    """The probability that what was found answers."""
    if not found.ranked:
        return 0.0
    embedder = index.embedder
    cosines = [one.cosine for one in found.ranked if one.cosine is not None]
    likeness = scale_cosine(max(cosines), embedder.cosine_range) if cosines and embedder else None
    return answerable_probability(Signals(likeness, found.coverage, found.words.known, found.standout))


def _newest(k: int, scope: Scope, store: SearchStore) -> list[Hit]:
    """The first passage of each of the newest notes that the operators leave."""
    admitted = None if scope.notes is None else frozenset(scope.notes.tolist())
    notes = [note for note in store.notes() if admitted is None or note.row in admitted]
    notes.sort(key=lambda note: (note.date or date.min, note.path), reverse=True)
    hits: list[Hit] = []
    for note in notes:
        if len(hits) == k:
            break
        ids = store.chunk_ids_of([note.path])
        chunks = store.chunks(ids)
        left = [chunks[id_] for id_ in ids if id_ in chunks and scope.admits(np.array([chunks[id_].row]))[0]]
        hits.extend(_hit(len(hits) + 1, chunk, 0.0, Components()) for chunk in left[:1])
    return hits


def _hits(chosen: Sequence[Selected], store: SearchStore) -> list[Hit]:
    chunks = store.chunks([one.ranked.chunk.id for one in chosen])
    shown = [one for one in chosen if one.ranked.chunk.id in chunks]  # else it went while we ranked
    return [
        _hit(
            rank,
            chunks[one.ranked.chunk.id],
            one.ranked.score,
            Components(
                **{leg: round(part, 4) for leg, part in one.ranked.parts._asdict().items()},
                rerank=round(one.ranked.rerank, 4),
            ),
            subquery=one.ranked.subquery,
            also=list(dict.fromkeys(same.chunk.path for same in one.also if same.chunk.path != one.ranked.chunk.path)),
        )
        for rank, one in enumerate(shown, 1)
    ]


def _explain(query: Query, passes: Passes) -> Explanation:
    if not passes.found:
        return Explanation(searched="", left_out=list(passes.scope.left_out))
    main, wanted = passes.found[0], passes.wanted[0]
    return Explanation(
        searched=query.text,
        words={
            " | ".join(word.forms[:4]): sum(main.words.counts[form] for form in word.forms)
            for word in main.words.asked
            if not is_day_term(word.forms[0])
        },
        semantic_weight=round(main.share, 4),
        coverage=round(main.coverage, 4),
        standout=round(main.standout, 4),
        time=_tell_time(wanted.time, wanted.event),
        latest=wanted.latest,
        subqueries=list(passes.sides),
        candidates=len(main.ranked),
        left_out=list(passes.scope.left_out),
    )


def _tell_time(time_asked: TimeHint | None, event: Event | None) -> str | None:
    if time_asked:
        since = "until" if time_asked.start == date.min else f"{time_asked.start} to"
        return f"{since} {time_asked.end}"
    return f"{event.direction} {event.name}, {event.day} by {event.path}" if event else None


def _hit(
    rank: int,
    chunk: StoredChunk,
    score: float,
    components: Components,
    *,
    subquery: str | None = None,
    also: Sequence[str] = (),
) -> Hit:
    return Hit(
        rank=rank,
        score=round(score, 4),
        chunk_id=chunk.id,
        source_uri=chunk.uri,
        path=chunk.path,
        title=chunk.title,
        heading=list(chunk.heading),
        locator=line_locator(chunk.line_start, chunk.line_end)
        if chunk.modality == Modality.TEXT
        else file_locator(chunk.page, chunk.place),
        line_start=chunk.line_start,
        line_end=chunk.line_end,
        page=chunk.page,
        modality=chunk.modality.value,
        confidence=chunk.confidence,
        origin=chunk.origin.value,
        date=chunk.date.isoformat(),
        date_source=chunk.date_source.value,
        text=chunk.text,
        components=components,
        subquery=subquery,
        also=list(also),
    )


def _ms(start: float, end: float) -> float:
    return round((end - start) * 1000, 2)

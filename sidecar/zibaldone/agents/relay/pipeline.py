"""One turn: a question in, events out, exactly one of them terminal. This file is the order of the steps."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Container, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from uuid import uuid4

from zibaldone.agents.relay.address import find_address
from zibaldone.agents.relay.cite import ReadLines, cite_claims, lines_of, make_citation
from zibaldone.agents.relay.draft import read_draft, render_answer
from zibaldone.agents.relay.followup import PastTurn, resolve_question
from zibaldone.agents.relay.listen import Heard, hear
from zibaldone.agents.relay.overview import Overview, render_overview
from zibaldone.agents.relay.pack import ReadBefore, arrange_hits, find_round, pack_rounds
from zibaldone.agents.relay.pages import Passages, drop_unheld, follow_pages, leading_pages, set_stale_aside
from zibaldone.agents.relay.parts import split_question
from zibaldone.agents.relay.phrases import guess_language, say
from zibaldone.agents.relay.prompt import answer_messages, format_evidence, show_messages
from zibaldone.agents.relay.quote import choose_quote, split_spans, word_overlap
from zibaldone.agents.relay.read import Reading, read_evidence
from zibaldone.agents.relay.remembering import (
    Recalled,
    TurnMemory,
    acknowledge,
    describe_memory,
    with_remembered,
)
from zibaldone.agents.relay.route import Route, choose_route, merge_sides, order_by_date, steer
from zibaldone.config.settings import RetrievalSettings
from zibaldone.errors import ModelInvalid, ModelMissing, WritebackError, ZibaldoneError
from zibaldone.inference.roles import ChatModel, Embedder, Finished, Piece, Sampling
from zibaldone.retrieval.within import read_within
from zibaldone.schemas.ask import (
    NO_MODEL,
    AbstentionReason,
    Answer,
    Answered,
    AskEvent,
    AskRequest,
    AskTiming,
    Citation,
    DebugTrace,
    Failed,
    Noted,
    Notice,
    Retrieved,
    Started,
    Token,
    Writeback,
)
from zibaldone.schemas.failure import describe_error
from zibaldone.schemas.memory import Remembered
from zibaldone.schemas.search import Hit, Level, SearchRequest, SearchResponse

# Passages that an answer without a model quotes.
QUOTED_PASSAGES = 3
# All passages of a note, to choose from them those that hold some lines.
_MOST = 100


Search = Callable[[SearchRequest], Awaitable[SearchResponse]]
# From a question, as it is searched, and the level that was asked for to what a broad one is answered by; else None.
FindOverview = Callable[[str, Level | None], Awaitable[Overview | None]]


@dataclass(frozen=True, slots=True)
class TurnParts:
    """What a turn needs, and nothing else.

    `chat` is None, with the reason in `no_chat`, where no model can answer. `read_lines(path, first, last)` gives the
    lines of a note as they are on disk now (none where the note is gone or excluded), `recall(chunk_ids)` passages as
    they are indexed now, `open_pages(hits)` what the passages of pages among them rest on. `record` ends the turn in
    the vault, or raises `WritebackError`; it gives what was written and, where something is to be said about it, a
    sentence. `search_beyond` is asked where the notes have no answer, and None where there is nothing more to ask.
    `conventions` are the person's, from AGENTS.md; `worked_on` are notes that people committed since the last turn;
    `before` are the turns before this one, the latest first. `memory` is None where nothing is taken in or recalled;
    `overview` answers broad questions where the memory of the vault can, None where it is not asked. `agents` are the
    others, each from what it is told and a language to what it says.
    """

    search: Search
    read_lines: ReadLines
    record: Callable[[Answer], Awaitable[tuple[Writeback | None, str | None]]]
    chat: ChatModel | None
    no_chat: str | None
    embedder: Embedder | None
    retrieval: RetrievalSettings
    sampling: Sampling
    read_before: ReadBefore
    recall: Callable[[Sequence[str]], Awaitable[list[Hit]]]
    open_pages: Callable[[Sequence[Hit]], Awaitable[Passages]]
    search_beyond: Search | None = None
    conventions: str = ""
    worked_on: Container[str] = ()
    memory: TurnMemory | None = None
    agents: Mapping[str, Callable[[str, str], Awaitable[str]]] = field(default_factory=dict)
    before: Sequence[PastTurn] = ()
    overview: FindOverview | None = None


@dataclass(slots=True)
class Turn:
    """What is known of the turn so far; becomes the answer."""

    request: AskRequest
    searched: str  # the question as it is searched
    model: str
    route: Route
    started: float = field(default_factory=time.monotonic)
    found: SearchResponse | None = None
    text: str = ""
    reason: AbstentionReason | None = None
    not_covered: str | None = None
    citations: list[Citation] = field(default_factory=list)
    unsupported: list[str] = field(default_factory=list)
    truncated: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    traces: list[DebugTrace] = field(default_factory=list)
    recalled: Recalled = field(default_factory=Recalled)
    kept: list[Remembered] = field(default_factory=list)
    timing: dict[str, float] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)  # of the packed passages (chunk ids), in tokens
    looked_beyond: bool = False
    is_question: bool = True

    def abstain(self, reason: AbstentionReason, phrase: str) -> None:
        self.reason = reason
        self.citations = []
        self.text = say(phrase, guess_language(self.request.question))

    def say(self, text: str) -> None:
        """The turn is no question: this is all that there is to say."""
        self.text, self.is_question = text, False
        self.route = Route("chat")

    def elapsed_ms(self) -> float:
        return round((time.monotonic() - self.started) * 1000, 1)

    def answer(self) -> Answer:
        return Answer(
            question=self.request.question,
            within=_named(self.request),
            searched_as=self.searched if self.searched != self.request.question else None,
            answer=self.text,
            abstained=self.reason is not None,
            abstention_reason=self.reason,
            top_score=self.found.top_score if self.found else 0.0,
            not_covered=self.not_covered,
            route=self.route.kind,
            citations=self.citations,
            unsupported_claims=self.unsupported,
            hits=self.found.hits if self.found else [],
            matched_nodes=self.found.matched_nodes if self.found else [],
            memory_used=self.recalled.ids,
            remembered=self.kept,
            writeback=None,
            model=self.model,
            truncated=self.truncated,
            notes=self.notes,
            conversation_id=self.request.conversation_id,
            debug=self.traces if self.request.debug else None,
            timing=AskTiming.model_validate({**self.timing, "total_ms": self.elapsed_ms()}),
        )


async def take_turn(request: AskRequest, parts: TurnParts) -> AsyncGenerator[AskEvent, None]:
    """Search, decide, generate, cite, record.

    Closing the generator stops the compute; a turn that is closed before it is recorded leaves nothing in the vault.
    """
    model = parts.chat.name if parts.chat and request.use_llm else NO_MODEL
    yield Started(turn_id=uuid4().hex, model=model, conversation_id=request.conversation_id)
    try:
        heard = await hear(request.question, parts.memory.classify) if parts.memory else Heard((), request.question)
        address = find_address(heard.question)
        if address.rest and address.agent in ("relay", "data"):
            request = request.model_copy(update={"question": address.rest})
        searched, route = await asyncio.to_thread(_understand, request.question, parts.before)  # the first reads tables
        turn = Turn(request, searched, model, route)
        async for event in _take_in(turn, heard, parts):
            yield event
        if turn.is_question and (ask := parts.agents.get(address.agent)):
            turn.say(await ask(address.rest, guess_language(request.question)))
        if not turn.is_question:
            yield Answered(answer=turn.answer())
            return
        turn.recalled = await parts.memory.recall(searched) if parts.memory else Recalled()
        if turn.recalled.left_out:
            left_out = f"{turn.recalled.left_out} entries of the memory"
            turn.truncated.append(f"Not told to the model for lack of room: {left_out}.")
        async with aclosing(_reply(turn, parts)) as events:
            async for event in events:
                yield event
        if parts.memory and not heard.states_only:
            for kept in await parts.memory.notice(heard.statements):
                turn.kept.append(kept)
                yield Noted(remembered=kept)
        answer = turn.answer()
        # A written note is never half a turn: once recording began it ends, even where the client has gone.
        try:
            writeback, remark = await asyncio.shield(parts.record(answer))
        except WritebackError as error:  # told aloud, and the answer is not lost for it
            yield Answered(answer=answer.model_copy(update={"writeback_error": describe_error(error)}))
            return
        notes = [*answer.notes, remark] if remark else answer.notes
        yield Answered(answer=answer.model_copy(update={"writeback": writeback, "notes": notes}))
    except ZibaldoneError as error:
        yield Failed(error=describe_error(error))


async def _reply(turn: Turn, parts: TurnParts) -> AsyncGenerator[AskEvent, None]:
    """An overview where the question is broad, else what the passages found say."""
    request = turn.request
    broad = parts.overview if not (request.note_path or request.modality) else None
    if broad and (overview := await broad(turn.searched, request.level)):
        turn.found, turn.model = overview.found, NO_MODEL
        turn.timing["retrieval_ms"] = turn.elapsed_ms()
        yield Retrieved(hits=turn.found.hits, top_score=turn.found.top_score)
        turn.text, turn.citations = render_overview(overview, guess_language(request.question))
        return
    found = await _retrieve(turn, parts)
    passages = await parts.open_pages(found.hits)
    usable, stale = set_stale_aside(found.hits, passages)
    found = turn.found = found.model_copy(update={"hits": usable})
    turn.notes += [*found.notes, *stale]
    if turn.recalled.hits:
        found = turn.found = with_remembered(found, turn.recalled.hits)
    turn.timing["retrieval_ms"] = turn.elapsed_ms()
    yield Retrieved(hits=found.hits, top_score=found.top_score)

    if (not found.hits or found.abstain) and (beyond := await _look_beyond(turn, parts)):
        found = turn.found = beyond
        yield Retrieved(hits=found.hits, top_score=found.top_score)
    if not found.hits or found.abstain:
        turn.abstain("weak_retrieval", "nothing")
    elif not request.use_llm or parts.chat is None:
        if request.use_llm and parts.no_chat:
            turn.notes.append(parts.no_chat)
            yield Notice(message=parts.no_chat)
        await _quote_passages(turn, found, parts)
    else:
        try:
            async with aclosing(_generate(turn, found, passages, parts, parts.chat)) as events:
                async for event in events:
                    yield event
        except (ModelMissing, ModelInvalid) as error:  # it can never answer; a failed one may the next time
            why = f"No model wrote this answer: {error.message} {error.hint}"
            turn.reason, turn.model = None, NO_MODEL
            turn.notes.append(why)
            yield Notice(message=why)
            await _quote_passages(turn, found, parts)


async def _take_in(turn: Turn, heard: Heard, parts: TurnParts) -> AsyncGenerator[AskEvent, None]:
    """What the message orders to be remembered; and all of it, where it says nothing else. Then it is no question."""
    if parts.memory is None:
        return
    for order in heard.orders:
        try:
            turn.kept.append(await parts.memory.remember(order))
            yield Noted(remembered=turn.kept[-1])
        except ZibaldoneError as error:
            turn.notes.append(error.message)
            yield Notice(message=error.message)
    language = guess_language(turn.request.question)
    if heard.asks_of_memory:
        turn.say(describe_memory(await parts.memory.tell(), language))
    elif heard.states_only:
        for kept in await parts.memory.notice(heard.statements):
            turn.kept.append(kept)
            yield Noted(remembered=kept)
    if not turn.text and turn.kept and (heard.states_only or not heard.question):
        turn.say(acknowledge(turn.kept, language))
    elif not heard.question:
        turn.say("\n".join(turn.notes))


def _understand(question: str, before: Sequence[PastTurn]) -> tuple[str, Route]:
    """The question as it is searched, and its kind."""
    searched = resolve_question(question, before)
    return searched, choose_route(searched)


async def _retrieve(turn: Turn, parts: TurnParts) -> SearchResponse:
    """Search for the question, and for each side of a comparison."""
    wanted = _search_request(turn, parts.retrieval)
    found = await parts.search(wanted)
    hits = steer(found.hits, parts.worked_on)
    if turn.route.sides:
        sides = []
        for side in turn.route.sides:
            beside = await parts.search(wanted.model_copy(update={"query": f"{side} {turn.route.rest}".rstrip()}))
            sides.append([hit.model_copy(update={"subquery": side}) for hit in beside.hits])
        hits = merge_sides(hits, sides, wanted.k)
    within = read_within(_named(turn.request))
    if within.lines:
        near = [hit for hit in hits if within.admit_lines(hit.path, hit.line_start, hit.line_end)]
        hits = near[: turn.request.k or parts.retrieval.k]
    return found.model_copy(update={"hits": hits})


async def _look_beyond(turn: Turn, parts: TurnParts) -> SearchResponse | None:
    """Search the folders of texts, where there are any, once; None where nothing in them is likely to answer."""
    if parts.search_beyond is None or turn.looked_beyond:
        return None
    turn.looked_beyond = True
    found = await parts.search_beyond(_search_request(turn, parts.retrieval))
    return found if found.hits and not found.abstain else None


async def _generate(
    turn: Turn, found: SearchResponse, passages: Passages, parts: TurnParts, chat: ChatModel
) -> AsyncGenerator[AskEvent, None]:
    """Pack, read, answer."""
    question = turn.request.question
    conversation = turn.request.conversation_id
    limited = _named(turn.request) or turn.request.modality
    before = [] if limited else find_round(found.hits, parts.read_before.of(conversation))
    pages = [] if before else leading_pages(found.hits, passages)
    hits, together = arrange_hits(found.hits, await parts.recall(before) if before else [], pages)
    packed = await _pack(turn, hits, parts, chat, together, apart=bool(pages))
    asked = split_question(question)
    reading = await _read(turn, asked, packed, parts, chat, found=found.top_score, again=together > 0)
    parts.read_before.keep(conversation, packed[: reading.rounds_read])
    if reading.missing and (beyond := await _look_beyond(turn, parts)):
        turn.found = found.model_copy(update={"hits": [*found.hits, *beyond.hits]})
        yield Retrieved(hits=turn.found.hits, top_score=found.top_score)
        packed = await _pack(turn, beyond.hits, parts, chat)
        further = await _read(turn, reading.missing, packed, parts, chat, found=beyond.top_score)
        reading = reading.and_then(further)
    if not reading.covered:
        turn.abstain("llm_insufficient", "insufficient")
        return
    if turn.route.kind == "expansion":
        reading.evidence = order_by_date(reading.evidence)
    async with aclosing(_answer(turn, reading, passages, parts, chat)) as events:
        async for event in events:
            yield event


async def _pack(
    turn: Turn, hits: Sequence[Hit], parts: TurnParts, chat: ChatModel, together: int = 0, *, apart: bool = False
) -> list[list[Hit]]:
    """The passages in rounds; what finds no room is told."""
    sizes = await chat.count_tokens([format_evidence(marker, hit) for marker, hit in enumerate(hits, 1)])
    turn.sizes.update(zip([hit.chunk_id for hit in hits], sizes, strict=True))
    packed = pack_rounds(hits, sizes, parts.retrieval.evidence_tokens, together, apart=apart)
    if packed.left_out:
        turn.truncated.append(f"Not shown to the model for lack of room: {', '.join(packed.left_out)}.")
    return packed.rounds


async def _read(
    turn: Turn,
    asked: Sequence[str],
    rounds: Sequence[Sequence[Hit]],
    parts: TurnParts,
    chat: ChatModel,
    *,
    found: float,
    again: bool = False,
) -> Reading:
    reading = await read_evidence(
        turn.request.question,
        asked,
        rounds,
        chat,
        found=found,
        least=parts.retrieval.min_answerable,
        again=again,
        conventions=_conventions(turn, parts),
        deadline_s=parts.sampling.deadline_s,
    )
    turn.traces.extend(reading.traces)
    read = sum(turn.sizes[hit.chunk_id] for one in rounds[: reading.rounds_read] for hit in one)
    turn.timing["evidence_tokens"] = turn.timing.get("evidence_tokens", 0) + read
    return reading


async def _answer(
    turn: Turn, reading: Reading, passages: Passages, parts: TurnParts, chat: ChatModel
) -> AsyncGenerator[AskEvent, None]:
    """Stream an answer from what was read, and cite it."""
    question = turn.request.question
    dated = turn.route.kind == "expansion"
    evidence = [format_evidence(marker, hit, dated=dated) for marker, hit in enumerate(reading.evidence, 1)]
    covered = "; ".join(reading.covered) if reading.missing else None
    messages = answer_messages(question, evidence, covered, _conventions(turn, parts))
    output = ""
    began = time.monotonic()
    async with aclosing(chat.generate(messages, parts.sampling)) as deltas:
        async for delta in deltas:
            match delta:
                case Piece(text=text):
                    text = text if output else text.lstrip()
                    if text:
                        turn.timing.setdefault("first_token_ms", turn.elapsed_ms())
                        output += text
                        yield Token(text=text)
                case Finished(reason=reason, prompt_tokens=prompt, completion_tokens=completion):
                    if reason == "length":
                        turn.truncated.append("The answer reached its token limit and may end early.")
                    turn.timing.update(prompt_tokens=prompt, completion_tokens=completion)
    turn.timing["context_tokens"] = await chat.context_tokens()
    turn.timing["generation_ms"] = round((time.monotonic() - began) * 1000, 1)
    turn.traces.append(DebugTrace(prompt=show_messages(messages), output=output))

    draft = read_draft(output, len(reading.evidence))
    if draft.dropped_markers:
        turn.notes.append(f"Dropped {len(draft.dropped_markers)} citation(s) of evidence that does not exist.")
    cited = await cite_claims(draft.claims, question, reading.evidence, parts.read_lines, parts.embedder)
    if (behind := follow_pages(cited, reading.evidence, passages)) is not None:
        claims, held_by = behind
        cited = await cite_claims(claims, question, held_by, parts.read_lines, parts.embedder)
        cited = drop_unheld(cited, shown=len(reading.evidence))
    turn.unsupported = [item.claim.text for item in cited if not item.supported]
    if not any(item.supported for item in cited):
        turn.abstain("unsupported", "unsupported")
        return
    turn.not_covered = "; ".join(reading.missing) or None
    turn.citations = list({(c.marker, c.line_start, c.line_end): c for item in cited for c in item.citations}.values())
    turn.text = render_answer([(item.claim.text, [c.marker for c in item.citations]) for item in cited])


async def _quote_passages(turn: Turn, found: SearchResponse, parts: TurnParts) -> None:
    """The answer that needs no model: the best passages, quoted and cited."""
    question = turn.request.question
    lines = [say("passages", guess_language(question))]
    for hit in found.hits:
        spans = split_spans(await lines_of(hit, parts.read_lines), hit.line_start)
        quote = choose_quote(spans, [word_overlap(question, span.text) for span in spans])
        if quote is not None and len(turn.citations) < QUOTED_PASSAGES:
            marker = len(turn.citations) + 1
            turn.citations.append(make_citation(marker, hit, quote, supported=True))
            lines.append(f"“{quote.text}” [{marker}]")
    turn.text = "\n\n".join(lines)
    if not turn.citations:
        turn.abstain("weak_retrieval", "nothing")


def _conventions(turn: Turn, parts: TurnParts) -> str:
    """What every prompt begins with: how the person wants it, and what is remembered of them."""
    return "\n".join(filter(None, (parts.conventions, turn.recalled.text)))


def _named(request: AskRequest) -> list[str]:
    """What the question is limited to; empty where it is not."""
    return [*([request.note_path] if request.note_path else []), *request.within]


def _search_request(turn: Turn, settings: RetrievalSettings) -> SearchRequest:
    request = turn.request
    named = _named(request)
    within = read_within(named)
    return SearchRequest(
        query=turn.searched,
        k=_MOST if within.lines else request.k or settings.k,
        strategy=request.strategy or settings.answer_strategy,
        profile=request.profile,
        modality=request.modality,
        paths=list(within.notes) if within.is_of_notes else [],
        within=[] if within.is_of_notes else named,
        level=request.level,
    )

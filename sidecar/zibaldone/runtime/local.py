"""The engine in this process: opens a vault's stores, index and models, and wires the flows to them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from contextlib import aclosing
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Literal

from zibaldone.agents.action.describe import describe_waiting
from zibaldone.agents.agenda.describe import describe_agenda
from zibaldone.agents.pattern.describe import describe_run
from zibaldone.agents.relay.followup import last_turns
from zibaldone.agents.relay.pack import ReadBefore
from zibaldone.agents.relay.pages import Passages
from zibaldone.agents.relay.pipeline import Search, TurnParts, take_turn
from zibaldone.config.change import change_config
from zibaldone.config.connectors import OWN_HISTORY, HistoryOptions
from zibaldone.config.load import LoadedSettings, load_settings
from zibaldone.config.places import VaultPlaces
from zibaldone.config.settings import Settings
from zibaldone.domain.notes import Modality, Origin
from zibaldone.domain.strategy import parse_strategy
from zibaldone.errors import (
    InvalidRequest,
    ModelMissing,
    NotFound,
    PathOutsideVault,
    VaultChanged,
    VectorServerFailed,
    ZibaldoneError,
)
from zibaldone.index.exact import NOTHING_NEAR
from zibaldone.index.vectors import VectorIndex
from zibaldone.inference.roles import ChatModel, Embedder, Sampling
from zibaldone.ingest.extract.process import Extractor
from zibaldone.ingest.parse import Decoded, decode_note
from zibaldone.ingest.pipeline import SourceReader, ingest
from zibaldone.ingest.publish import has_unpublished, notice_loss, pending_count, publish_vectors
from zibaldone.profile.migration_note import describe_migration
from zibaldone.retrieval.language_bias import LanguageBiases
from zibaldone.retrieval.pipeline import recall_hits, search
from zibaldone.retrieval.rank import SearchIndex
from zibaldone.retrieval.union import Area, SearchStore, unite
from zibaldone.retrieval.within import read_within
from zibaldone.runtime.agenda import AgendaKeeper
from zibaldone.runtime.as_of import PastVault, read_day
from zibaldone.runtime.connectors import Connectors
from zibaldone.runtime.divergence import LocalDivergence
from zibaldone.runtime.doctor import examine
from zibaldone.runtime.documents import DocumentReader
from zibaldone.runtime.evolution import Models, TopicHistorian
from zibaldone.runtime.exchange import Exchange
from zibaldone.runtime.foreground import Foreground
from zibaldone.runtime.forgetting import Eraser
from zibaldone.runtime.hierarchy.chats import is_turn_of
from zibaldone.runtime.hierarchy.wiring import open_vault_memory
from zibaldone.runtime.history import read_history
from zibaldone.runtime.indexer import Indexer
from zibaldone.runtime.ingest_pages import Reader
from zibaldone.runtime.linking import LinkSuggester
from zibaldone.runtime.local_library import LocalLibrary
from zibaldone.runtime.local_memory import LocalMemory
from zibaldone.runtime.local_wiki import Indexing, open_wiki
from zibaldone.runtime.memory import MemoryKeeper
from zibaldone.runtime.memory_pages import MemoryPages
from zibaldone.runtime.memory_turn import MemoryOfTurn
from zibaldone.runtime.migration import Migrator
from zibaldone.runtime.models import ModelSet
from zibaldone.runtime.page_reader import PageReader
from zibaldone.runtime.past_index import PastIndexes
from zibaldone.runtime.pattern import PatternRunner
from zibaldone.runtime.proposals import ProposalDesk
from zibaldone.runtime.reader import FILES, FolderReaders, is_source, read_folder, wanted_kinds
from zibaldone.runtime.record import Recorder
from zibaldone.runtime.related import find_related
from zibaldone.runtime.rules import RuleBook
from zibaldone.runtime.sources import SourceShelf
from zibaldone.runtime.writer import VaultWriter, open_writer
from zibaldone.schemas.agenda import Agenda, AgendaAddRequest, AgendaRequest
from zibaldone.schemas.ask import (
    TERMINAL_ASK_EVENTS,
    Answer,
    Answered,
    AskEvent,
    AskRequest,
    Failed,
    Notice,
    Queued,
    Token,
    Writeback,
)
from zibaldone.schemas.changes import Changes, ChangeSummary, Undone, UndoRequest
from zibaldone.schemas.coverage import Coverage
from zibaldone.schemas.evolution import Evolution, EvolutionRequest
from zibaldone.schemas.exchange import Pulled, Pushed
from zibaldone.schemas.failure import describe_error
from zibaldone.schemas.history import Conversation, Conversations, Deleted, RenameConversationRequest
from zibaldone.schemas.memory import MigrateRequest, PatternRequest
from zibaldone.schemas.proposals import (
    Decided,
    Decision,
    HunkEdit,
    Proposal,
    Proposals,
    ProposalSummary,
    Suggested,
    SuggestLinksRequest,
)
from zibaldone.schemas.related import RelatedNotes, RelatedRequest
from zibaldone.schemas.search import Hit, SearchRequest, SearchResponse
from zibaldone.schemas.settings import ConfigReport, SettingsChange
from zibaldone.schemas.status import DoctorReport, GitStatus, NoteCounts, Status
from zibaldone.schemas.sync import (
    ChangesAccepted,
    Jobs,
    PauseRequest,
    Progress,
    SkippedFile,
    SyncEvent,
    SyncReport,
    SyncRequest,
    SyncState,
    VaultChanges,
)
from zibaldone.store.cache_db import ContentCache
from zibaldone.store.database import open_or_replace
from zibaldone.store.hierarchy import HierarchyStore
from zibaldone.store.index_db import IndexStore
from zibaldone.store.state_db import Said, StateStore
from zibaldone.vault.exclusions import KEPT, Exclusions
from zibaldone.vault.files import TooLarge, VaultFiles
from zibaldone.vault.history.commit import AUTHOR_EMAIL
from zibaldone.vault.history.git import Git
from zibaldone.vault.history.repository import log_paths
from zibaldone.vault.outside import OutsideFiles, is_outside
from zibaldone.vault.paths import is_hidden
from zibaldone.vault.scaffold import MAX_AGENTS_BYTES, added_conventions, check_folder
from zibaldone.vault.undo import UndoStore
from zibaldone.vault.watch import watch_vault
from zibaldone.wiki.sources import SOURCES

log = logging.getLogger(__name__)

# As many of the newest commits are looked through for what people worked on.
_STEERING_COMMITS = 50
# How often what is being written is kept, for the case of a kill.
_KEPT_EVERY_S = 1.0

# A question asked without a running sidecar first looks at what changed; more than this is left to `zib sync`.
CATCH_UP_CHUNKS = 200
DRAIN_EVERY_S = 2.0
HINT_EVERY_S = 2.0


def local_now() -> datetime:
    return datetime.now().astimezone()


async def open_local_engine(vault: Path, loaded: LoadedSettings, places: VaultPlaces, *, watch: bool) -> LocalEngine:
    """Open the vault as its owner (the caller holds the lock). With `watch` the disk is followed from now on."""
    engine = await asyncio.to_thread(LocalEngine, vault, loaded, places)
    engine.start(watch=watch)
    return engine


class LocalEngine:
    """See `runtime.engine.Engine`. Made by `open_local_engine`."""

    def __init__(
        self, vault: Path, loaded: LoadedSettings, places: VaultPlaces, clock: Callable[[], datetime] = local_now
    ) -> None:
        self._vault = vault
        self._loaded = loaded
        self._places = places
        self._settings: Settings = loaded.settings
        check_folder(vault, self._settings.folder)
        undo = UndoStore(places.undo)
        self._files = VaultFiles(vault, undo.keep)
        self._store = open_or_replace(IndexStore, places.index_db)
        self._cache = open_or_replace(ContentCache, places.cache_db)
        self._biases = LanguageBiases(self._cache)
        self._state = open_or_replace(StateStore, places.state_db)
        self._hierarchy = open_or_replace(HierarchyStore, places.hierarchy_db)
        self._vectors: VectorIndex | None = None
        self._models = ModelSet(self._settings)
        self._foreground = Foreground()
        self._read_before = ReadBefore()
        self._past = PastIndexes(vault, places.past, self._cache, self._settings, self._exclusions)
        self._extractor = Extractor(ocr=self._settings.index.ocr)
        self._connectors = Connectors(
            places, self._cache, self._extractor, self._settings.chunking, self._settings.index.url
        )
        self._outside = OutsideFiles(self._connectors.there)
        self._connectors.refresh()
        self._writer: VaultWriter = open_writer(
            vault, self._files, undo, self._state.changes, places, self._settings.folder, self._store.path_of
        )
        self._desk = ProposalDesk(self._state.proposals, self._writer, self._files)
        self._agenda = AgendaKeeper(self._files, self._store, self._desk)
        self._indexer = Indexer(self._run_sync, self._settings.watch.debounce_s)
        self._shelf = SourceShelf(self._files.root, self._files, self._writer, self._settings.folder, self._outside)
        self.wiki = open_wiki(
            self._files,
            self._writer,
            self._desk,
            self._settings,
            self._exclusions,
            self._store,
            self._cache,
            Indexing(self._indexer.hint, self._catch_up),
            self._use_embedder,
            lambda: self._shelf.registry().sources,
            self._outside,
        )
        self.library = LocalLibrary(
            self._shelf,
            self._files,
            self._writer,
            self._settings,
            self._indexer.hint,
            self.wiki.source_pages(self._shelf, self._find_reader, self._index),
        )
        self.divergence = LocalDivergence(
            self._files,
            self._store,
            self._cache,
            self._settings.folder,
            self._catch_up,
            self._use_embedder,
            self._models.find_chat,
        )
        keeper = MemoryKeeper(
            MemoryPages(self._files, self._writer, self._state.memory, self._settings.folder),
            self._state.memory,
            self._settings,
            self._models,
            self._cache,
            Eraser(
                vault,
                self._writer,
                undo,
                self._state,
                self._store,
                places,
                self._settings.folder,
                self._drop_derived,
            ),
            self._index,
            clock,
        )
        book = RuleBook(self._files, self._writer, self._settings.folder)
        runner = PatternRunner(
            keeper,
            book,
            self._writer,
            self._state,
            self._models,
            self._settings,
            clock,
            self._foreground.wait_turn,
        )
        migrator = Migrator(keeper, self._state.memory, self._files, self._writer, self._models.find_embedder, clock)
        self.memory = LocalMemory(keeper, book, runner, migrator)
        self.vault_memory = open_vault_memory(
            self._files,
            self._writer,
            self._settings,
            self._hierarchy,
            self._state.identities,
            self._cache,
            self._store,
            self._everything,
            self._said,
            self._read,
            self._models,
            self._use_embedder,
            self._foreground,
            self._catch_up,
            clock,
        )
        self._recorder = Recorder(self._writer, self.wiki.compactor, self._settings)
        self._exchange = Exchange(self._writer, self._settings, places.remotes)
        self._pushes: set[asyncio.Task[None]] = set()
        self._push_failed: str | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._watching = False
        self._recorded = asyncio.Event()
        self._caught_up = False

    def start(self, *, watch: bool) -> None:
        self._indexer.start()
        if not self._settings.read_only:  # what waits then waits on: it would be written in the vault
            self._tasks.append(asyncio.create_task(self._drain_commits(), name="commits"))
        self._watching = watch
        if watch:
            self._indexer.request(SyncRequest())
            self._tasks.append(asyncio.create_task(self._watch(), name="watch"))
            self._tasks.append(asyncio.create_task(self._follow_hints(), name="hints"))
            self._tasks.append(asyncio.create_task(self.memory.runner.run_nightly(), name="pattern"))
            if self._settings.memory_of_vault.background:
                self._tasks.append(asyncio.create_task(self.vault_memory.builder.follow(), name="memory of the vault"))

    async def close(self) -> None:
        await asyncio.gather(*self._pushes, return_exceptions=True)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.to_thread(self._extractor.close)  # or the indexer would wait for it
        await self._indexer.close()
        await self._models.close()
        await asyncio.to_thread(self._close_stores)

    def _close_stores(self) -> None:
        self._close_vectors()
        self._store.close()
        self._connectors.close()
        self._cache.close()
        self._hierarchy.close()
        self._state.close()

    def _drop_derived(self) -> None:
        """What may hold forgotten words and is made again: the memory of the vault, and what models answered for it."""
        self._close_vectors()
        self._hierarchy.clear()
        self._cache.drop_answers()

    def _close_vectors(self) -> None:
        if self._vectors:
            self._vectors.close()

    # -- search and ask --------------------------------------------------------------------------------

    async def search(self, request: SearchRequest) -> SearchResponse:
        await self._catch_up()
        return await self._search(request, vaults=True, folders=True)

    async def related(self, request: RelatedRequest) -> RelatedNotes:
        """Raises `ModelMissing` where there is no embedding model, and `NotFound` for a note that is not indexed."""
        await self._catch_up_words()
        await asyncio.to_thread(self._require_note, request.path)
        embedder, missing = await self._use_embedder()
        if embedder is None or self._vectors is None:
            raise missing or ModelMissing("There is no embedding model.", "`zib models pull` fetches one.")
        return await asyncio.to_thread(
            find_related,
            request.path,
            request.k,
            self._store,
            self._cache,
            self._vectors,
            embedder.fingerprint,
            self._biases,
        )

    async def _search(
        self, request: SearchRequest, *, own: bool = True, vaults: bool = False, folders: bool = False
    ) -> SearchResponse:
        """Search the vault's `own` index, those of other `vaults` and those of `folders` of texts, as one."""
        embedder, missing = await self._use_embedder()
        store, vectors = unite(self._areas(embedder, own=own, vaults=vaults, folders=folders))
        profile = request.profile or self._settings.retrieval.profile
        used = await asyncio.to_thread(self.vault_memory.use.strengths) if profile == "usage" else {}
        index = SearchIndex(store, self._cache, vectors, embedder, self._models, used, self._biases)
        today = datetime.now().astimezone().date()
        drilled = await self.vault_memory.drill(request, request.level, profile, embedder) if request.level else None
        within = drilled.passages if drilled and drilled.nodes else None
        try:
            found = await search(request, index, self._settings.retrieval, today, within)
            if self._vectors is not None and await self._lost_vectors(self._vectors):
                self._indexer.request(SyncRequest())
        except VectorServerFailed as error:
            missing = error
            plan = parse_strategy(request.strategy or self._settings.retrieval.strategy)
            if {"lexical", "bm25"}.isdisjoint(plan.legs):  # somebody has to propose passages
                legs = "+".join(("bm25", *plan.legs))
                request = request.model_copy(update={"strategy": f"rerank({legs})" if plan.rerank else legs})
            found = await search(request, replace(index, vectors=NOTHING_NEAR), self._settings.retrieval, today, within)
        hits = await asyncio.to_thread(self._leave_out_ghosts, found.hits)
        notes = [*found.notes, f"{missing.message} Searched by words only. {missing.hint}"] if missing else found.notes
        if drilled is not None and not drilled.nodes:
            notes = [*notes, f"No {request.level} matches: all passages were searched."]
        nodes = drilled.nodes if drilled else []
        return found.model_copy(update={"hits": hits, "notes": notes, "matched_nodes": nodes})

    def _leave_out_ghosts(self, hits: Sequence[Hit]) -> list[Hit]:
        """Without those of notes that went or were renamed since the last look at the disk."""
        there = [hit for hit in hits if is_outside(hit.path) or (self._vault / hit.path).is_file()]
        return [hit.model_copy(update={"rank": rank}) for rank, hit in enumerate(there, 1)]

    def _areas(self, embedder: Embedder | None, *, own: bool, vaults: bool, folders: bool) -> list[Area]:
        vectors = self._vectors if embedder else None
        return [
            *([Area(self._store, vectors)] if own else ()),
            *(self._connectors.areas(embedder, vaults=True) if vaults else ()),
            *(self._connectors.areas(embedder, vaults=False) if folders else ()),
        ]

    def _everything(self) -> SearchStore:
        """What is known of all notes, those beside the vault included."""
        return unite(self._areas(None, own=True, vaults=True, folders=True))[0]

    def _said(self) -> list[Said]:
        """What the person said in kept conversations, where these may be learned from."""
        return self._state.said_since(0) if self._settings.memory.enabled else []

    async def _lost_vectors(self, vectors: VectorIndex) -> bool:
        """Whether the vector index turned out to be damaged when this search opened it."""
        if not vectors.is_open or vectors.is_verified:
            return False
        return await asyncio.to_thread(notice_loss, self._store, vectors)

    async def ask(self, request: AskRequest) -> AsyncGenerator[AskEvent, None]:
        day: date | None = None
        try:
            if request.as_of is not None:
                day = read_day(request.as_of, datetime.now().astimezone().date())
            elif notes := [*([request.note_path] if request.note_path else []), *read_within(request.within).notes]:
                await self._catch_up()
                for path in notes:
                    await asyncio.to_thread(self._require_note, path)
        except ZibaldoneError as error:
            yield Failed(error=describe_error(error))
            return
        if request.pull and day is None:
            for sentence in await self._pull_for_turn():
                yield Notice(message=sentence)
        await self._catch_up()
        chat, missing = await asyncio.to_thread(self._models.find_chat) if request.use_llm else (None, None)
        embedder, _ = await asyncio.to_thread(self._models.find_embedder)
        parts = TurnParts(
            search=partial(self._search, vaults=True),
            search_beyond=self._beyond(request),
            read_lines=self._read_lines,
            record=lambda answer: self._record(answer, chat, embedder, wanted=request.writeback),
            chat=chat,
            no_chat=f"No model wrote this answer: {missing.message} {missing.hint}" if missing else None,
            embedder=embedder,
            retrieval=self._settings.retrieval,
            sampling=Sampling(
                max_tokens=self._settings.models.answer_tokens, deadline_s=self._settings.models.deadline_s
            ),
            read_before=self._read_before,
            open_pages=lambda hits: asyncio.to_thread(self._open_pages, hits),
            conventions=await asyncio.to_thread(self._conventions),
            worked_on=await asyncio.to_thread(self._worked_on),
            agents={} if day is not None else self._other_agents(),
            recall=lambda chunk_ids: asyncio.to_thread(recall_hits, chunk_ids, self._everything()),
            overview=self.vault_memory.overview,
        )
        async with contextlib.AsyncExitStack() as stack:
            ahead = stack.enter_context(self._foreground.question())
            told = 0
            if day is not None:
                recorded = await asyncio.to_thread(self._store.recorded)
                now = [path for path, one in recorded.items() if not one.skipped]
                past = PastVault(day, self._past, self._settings, embedder, now)
                await stack.enter_async_context(aclosing(past))
                parts = past.take_over(parts)
            async with aclosing(self._conversation(request, parts)) as events:
                async for event in events:
                    if (now_ahead := ahead()) != told and not isinstance(event, TERMINAL_ASK_EVENTS):
                        told = now_ahead
                        yield Queued(ahead=told)
                    if isinstance(event, Answered) and day is None:
                        await self.vault_memory.note_answer(event.answer, track=request.track, accept=request.accept)
                    if isinstance(event, Answered) and request.push and day is None:
                        push = asyncio.create_task(self._push_after_turn(), name="push")
                        self._pushes.add(push)
                        push.add_done_callback(self._pushes.discard)
                    yield event

    async def evolution(self, request: EvolutionRequest) -> Evolution:
        await self._catch_up()
        chat, missing = await asyncio.to_thread(self._models.find_chat) if request.use_llm else (None, None)
        embedder, _ = await asyncio.to_thread(self._models.find_embedder)
        no_chat = f"No model summed it up: {missing.message} {missing.hint}" if missing else None
        historian = TopicHistorian(self._past, self._settings, self._search)
        with self._foreground.question():
            return await historian.trace(request, Models(chat, no_chat, embedder))

    async def _record(
        self, answer: Answer, chat: ChatModel | None, embedder: Embedder | None, *, wanted: bool
    ) -> tuple[Writeback | None, str | None]:
        written, remark = await self._recorder.record(answer, chat, embedder, wanted=wanted)
        if written is not None and written.page is not None:
            self._indexer.hint([written.path])  # the next question finds it
        return written, remark

    async def _conversation(self, request: AskRequest, parts: TurnParts) -> AsyncGenerator[AskEvent, None]:
        """The turn, with question and answer kept; what a cancelled or killed turn had written stays, as partial.

        What a kill finds written is at most a second old.
        """
        if request.conversation_id is not None:
            so_far = await asyncio.to_thread(self._state.conversation, request.conversation_id)
            parts = replace(parts, before=last_turns(so_far.messages[: _messages(request.after_turns)]))
        conversation_id, message_id = await asyncio.to_thread(
            self._state.begin_turn, request.conversation_id, request.question, after=request.after_turns
        )
        request = request.model_copy(update={"conversation_id": conversation_id})
        text = ""
        state: Literal["complete", "partial", "failed"] = "failed"
        answer: Answer | None = None
        kept_at = -math.inf
        try:
            memory = await self._memory_of_turn(request, parts, f"chat:{conversation_id}#{message_id - 1}")
            parts = replace(parts, memory=memory)
            async with aclosing(take_turn(request, parts)) as events:
                async for event in events:
                    match event:
                        case Token(text=piece):
                            text, state = text + piece, "partial"
                            if time.monotonic() - kept_at > _KEPT_EVERY_S:
                                kept_at = time.monotonic()
                                await asyncio.to_thread(self._state.end_turn, message_id, text, state)
                        case Answered(answer=answer):
                            text, state = answer.answer, "complete"
                    yield event
        finally:
            await asyncio.shield(asyncio.to_thread(self._state.end_turn, message_id, text, state, answer))
            self.vault_memory.builder.wake()

    def _other_agents(self) -> dict[str, Callable[[str, str], Awaitable[str]]]:
        """What the conversation passes on, and who answers in its name."""

        async def agenda(span: str, language: str) -> str:
            return describe_agenda(await self.agenda(AgendaRequest.model_validate({"span": span})), language)

        async def pattern(_: str, language: str) -> str:
            return describe_run(await self.memory.runner.run(PatternRequest(), in_turn=True), language)

        async def action(_: str, language: str) -> str:
            return describe_waiting(await self.proposals(all_states=False), language)

        async def migrate(_: str, language: str) -> str:
            return describe_migration(await self.memory.migrate(MigrateRequest()), language)

        return {"agenda": agenda, "migrate": migrate, "pattern": pattern, "action": action}

    async def _memory_of_turn(self, request: AskRequest, parts: TurnParts, source: str) -> MemoryOfTurn | None:
        """None where the memory is off, or the question is about another time."""
        if not self._settings.memory.enabled or request.as_of is not None:
            return None
        tokens = self._settings.memory.tokens
        rules = await asyncio.to_thread(self.memory.book.of_conversations)
        return MemoryOfTurn(self.memory.keeper, self._files, parts.embedder, parts.chat, source, tokens, rules)

    def _beyond(self, request: AskRequest) -> Search | None:
        """The search of the folders of texts; None where there are none, or the question is about one note."""
        if request.note_path or request.within or not self._connectors.areas(None, vaults=False):
            return None
        return partial(self._search, own=False, folders=True)

    def _open_pages(self, hits: Sequence[Hit]) -> Passages:
        owners = {one.base: one.owner for one in self._connectors.there().values()}
        folders = {"": self._settings.folder} | owners
        return PageReader(self._read, self._everything(), folders, lambda: self._shelf.registry().sources).read(hits)

    def _read(self, path: str) -> bytes:
        """A note, or a file beside the vault. Raises `NotFound`, `PathOutsideVault` and `VaultChanged`."""
        return self._outside.read(path) if is_outside(path) else self._files.read_stable(path)

    async def _read_lines(self, path: str, first: int, last: int) -> list[str]:
        def read() -> list[str]:
            reason = None if is_outside(path) else self._exclusions().reason(path)
            of_memory = path.startswith(f"{self._settings.folder}/memory/")
            if reason and not (
                reason == KEPT and (of_memory or path.startswith(f"{self._settings.folder}/{SOURCES}/"))
            ):
                return []
            decoded = decode_note(self._read(path))
            if not isinstance(decoded, Decoded):
                return []
            lines = decoded.text.splitlines()[first - 1 : last]
            return [line.partition("%%")[0] for line in lines] if of_memory else lines

        try:
            return await asyncio.to_thread(read)
        except (NotFound, PathOutsideVault, VaultChanged, OSError):
            return []

    # -- sync ------------------------------------------------------------------------------------------

    async def sync(self, request: SyncRequest) -> AsyncGenerator[SyncEvent, None]:
        async with aclosing(self._indexer.sync(request)) as events:
            async for event in events:
                yield event

    async def pause(self, request: PauseRequest) -> SyncState:
        if request.paused:
            self._indexer.pause()
            self._recorded.set()  # nobody waits for what is left for later
        else:
            self._indexer.resume()
        return SyncState.model_validate({"state": self._indexer.state})

    async def note_changes(self, changes: VaultChanges) -> ChangesAccepted:
        await asyncio.to_thread(lambda: [self._files.resolve(path) for path in changes.paths])
        self._indexer.hint(changes.paths)
        return ChangesAccepted(accepted=len(changes.paths))

    async def jobs(self) -> Jobs:
        return Jobs(jobs=self._indexer.jobs())

    async def cancel_job(self, job_id: str) -> Jobs:
        self._indexer.cancel(job_id)
        return await self.jobs()

    async def _run_sync(self, request: SyncRequest, tell: Callable[[Progress | Notice], None]) -> SyncReport:
        if request.rebuild:
            await asyncio.to_thread(self._store.clear)
            await asyncio.to_thread(self._connectors.clear)
        try:
            return await self._ingest(request, tell)
        finally:
            self._recorded.set()
            self._caught_up = True
            self.vault_memory.builder.wake()

    async def _ingest(self, request: SyncRequest, tell: Callable[[Progress | Notice], None]) -> SyncReport:
        under: list[str] = []
        if request.paths:
            under = await asyncio.to_thread(lambda: [self._relative(path) for path in request.paths])
        embedder, missing = await self._use_embedder(tell)
        report = await ingest(
            self._readers(wanted_kinds(request.only), request.max_commits),
            self._store,
            self._cache,
            self._vectors if embedder else None,
            embedder,
            under=under,
            accept_deletions=request.accept_deletions,
            report=tell,
            recorded=self._recorded.set,
            wait_turn=self._foreground.wait_turn,
        )
        notes = [*report.notes, *([f"{missing.message} {missing.hint}"] if missing else ())]
        if request.paths:
            return report.model_copy(update={"notes": notes})
        notes += await asyncio.to_thread(self._connectors.refresh)
        beside = await self._connectors.sync(embedder, request, report=tell, wait_turn=self._foreground.wait_turn)
        return report.model_copy(update={"notes": notes, "connectors": beside})

    def _folder(self, kinds: frozenset[Modality] = FILES) -> FolderReaders:
        documents = DocumentReader(self._extractor, self._cache, self._settings.chunking, self._store.embeds)
        return read_folder(self._files, self._exclusions, self._settings.chunking, documents, kinds=kinds)

    def _readers(self, kinds: frozenset[Modality], most: int | None) -> list[SourceReader]:
        folder = self._folder(kinds & FILES)
        return [
            *([folder.notes] if Modality.TEXT in kinds else ()),
            *([folder.files] if kinds & FILES else ()),
            *([self._own_history(most)] if Modality.CODE in kinds else ()),
        ]

    def _own_history(self, most: int | None) -> SourceReader:
        """The vault's commits; of what is indexed as it is now, the message alone."""
        return read_history(
            self._vault,
            OWN_HISTORY,
            HistoryOptions(max_commits=self._settings.index.commits if most is None else most),
            self._settings.chunking,
            exclusions=self._exclusions,
            written_by=Origin.PERSON,
            is_shown=is_source,
        )

    def _relative(self, path: str) -> str:
        """A path as a person types it, relative to the vault.

        Raises:
            PathOutsideVault: it is not in the vault.
        """
        given = Path(path)
        if given.is_absolute() and given.is_relative_to(self._vault):
            path = given.relative_to(self._vault).as_posix()
        path = path.rstrip("/")
        self._files.resolve(path)
        return path

    async def _catch_up_words(self) -> None:
        """See what changed while nobody looked, before the first answer. A sidecar waits until its first sync has
        recorded the words of all notes; a command without one does so itself."""
        if self._watching:
            await self._recorded.wait()
        if self._watching or self._recorded.is_set():
            return
        self._recorded.set()
        report = await ingest(
            [self._folder().notes],
            self._store,
            self._cache,
            None,
            None,
            report=lambda _: None,
            wait_turn=self._foreground.wait_turn,
        )
        log.debug("caught up: %s", report.model_dump(exclude={"skipped"}))

    async def _catch_up(self) -> None:
        """As `_catch_up_words`; a command without a sidecar embeds what changed too, where that is little."""
        await self._catch_up_words()
        if self._watching or self._caught_up:
            return
        self._caught_up = True
        embedder, _ = await self._use_embedder()
        waiting = await asyncio.to_thread(pending_count, self._store, self._vectors)
        unpublished = await asyncio.to_thread(has_unpublished, self._store, self._vectors)
        await self._connectors.sync(None, SyncRequest(), report=lambda _: None, wait_turn=self._foreground.wait_turn)
        if embedder and self._vectors and unpublished and waiting <= CATCH_UP_CHUNKS:
            with contextlib.suppress(VectorServerFailed):  # told by the search
                await publish_vectors(
                    self._store,
                    self._cache,
                    self._vectors,
                    embedder,
                    report=lambda done, total: None,
                    wait_turn=self._foreground.wait_turn,
                )

    async def _use_embedder(
        self, tell: Callable[[Progress | Notice], None] | None = None
    ) -> tuple[Embedder | None, ZibaldoneError | None]:
        """The embedder, with the vector index that belongs to it; says what a change of model costs."""
        if self._vectors is not None and (opened := self._models.opened_embedder) is not None:
            return opened, None
        embedder, missing = await asyncio.to_thread(self._models.find_embedder)
        if embedder is None:
            return None, missing
        if self._vectors is None:
            self._vectors = VectorIndex(self._places.vectors, embedder.fingerprint, self._settings.index.url)
            await asyncio.to_thread(self._connectors.use_embedder, embedder)
            lost = await asyncio.to_thread(self._store.use_embedder, embedder.fingerprint)
            if lost:
                sentence = f"The embedding model is now {embedder.name}: {lost} passages will be embedded again."
                log.info(sentence)
                if tell:
                    tell(Notice(message=sentence))
        return embedder, None

    async def _find_reader(self) -> Reader:
        """Who reads documents; the pages are in the index by then, as far as they can be."""
        await self._catch_up()
        chat, missing = await asyncio.to_thread(self._models.find_chat)
        embedder, _ = await self._use_embedder()
        return Reader(chat, missing, embedder, await asyncio.to_thread(self._conventions))

    async def _index(self, paths: Sequence[str]) -> None:
        async with aclosing(self.sync(SyncRequest(paths=list(paths)))) as events:
            async for _ in events:
                pass

    def _require_note(self, path: str) -> None:
        """Raises `NotFound` for a note that no answer can be about."""
        known = self._store.recorded([path]).get(path)
        if known is None or known.held:
            raise NotFound(f"There is no note {path}.", "Ask about all notes, or open the note and ask again.")
        if known.skipped:
            raise NotFound(f"{path} is not read: {known.skipped}.", "Ask about all notes instead.")

    def _worked_on(self) -> frozenset[str]:
        """The notes in what people committed since our last commit."""
        try:
            commits = log_paths(Git(self._vault), max_commits=_STEERING_COMMITS)
        except ZibaldoneError:
            return frozenset()
        theirs = takewhile(lambda commit: commit.email != AUTHOR_EMAIL, commits)
        return frozenset(path for commit in theirs for path in commit.paths)

    def _conventions(self) -> str:
        try:
            data = self._files.read_stable(f"{self._settings.folder}/AGENTS.md", MAX_AGENTS_BYTES)
        except (OSError, ZibaldoneError):
            return ""
        decoded = None if isinstance(data, TooLarge) else decode_note(data)
        return added_conventions(decoded.text, self._settings.folder) if isinstance(decoded, Decoded) else ""

    def _exclusions(self) -> Exclusions:
        return Exclusions.read(self._vault, self._settings.exclusions, self._settings.folder)

    async def _watch(self) -> None:
        async for paths in watch_vault(self._vault):
            if paths:
                self._indexer.hint(_sources_and_folders(paths))
            else:  # anything may have changed
                self._indexer.request(SyncRequest())

    async def _drain_commits(self) -> None:
        with contextlib.suppress(ZibaldoneError, OSError):
            await asyncio.to_thread(self._writer.recover)
        while True:
            with contextlib.suppress(ZibaldoneError, OSError):
                await asyncio.to_thread(self._writer.drain)
            await asyncio.sleep(DRAIN_EVERY_S)

    async def _follow_hints(self) -> None:
        while True:
            with contextlib.suppress(OSError):
                if await asyncio.to_thread(self._take_hint):
                    self._indexer.request(SyncRequest())
            await asyncio.sleep(HINT_EVERY_S)

    def _take_hint(self) -> bool:
        """Whether a git hook has said that the work tree may have changed."""
        if not self._places.hint.exists():
            return False
        self._places.hint.unlink()
        return True

    # -- agenda ----------------------------------------------------------------------------------------

    async def agenda(self, request: AgendaRequest) -> Agenda:
        await self._catch_up_words()
        return await asyncio.to_thread(self._agenda.look, request, datetime.now().astimezone())

    async def add_to_agenda(self, request: AgendaAddRequest) -> Proposal:
        await self._catch_up_words()
        return await asyncio.to_thread(self._agenda.propose, request, datetime.now().astimezone())

    # -- changes ---------------------------------------------------------------------------------------

    async def changes(self, limit: int) -> Changes:
        found = await asyncio.to_thread(self._writer.changes, limit)
        return Changes(
            changes=[
                ChangeSummary(
                    id=change.id,
                    at=change.at.isoformat(),
                    kind=change.kind,
                    message=change.message,
                    state=change.state,
                    paths=[path.path for path in change.paths],
                    commit=change.commit,
                    undoes=change.undoes,
                )
                for change in found
            ]
        )

    async def undo(self, request: UndoRequest) -> Undone:
        self._require_writable()
        done = await asyncio.to_thread(self._writer.take_back, request.change, datetime.now().astimezone())
        self._indexer.hint(done.paths)
        return Undone(
            change=done.change_id, paths=list(done.paths), commit=done.commit, queued=done.queued, reason=done.reason
        )

    # -- the git remote --------------------------------------------------------------------------------

    async def pull(self) -> Pulled:
        done = await asyncio.to_thread(self._exchange.pull, datetime.now().astimezone())
        self._indexer.hint(_shown(done))
        return done

    async def push(self) -> Pushed:
        done = await asyncio.to_thread(self._exchange.push, datetime.now().astimezone())
        if done.pulled:
            self._indexer.hint(_shown(done.pulled))
        return done

    async def _pull_for_turn(self) -> list[str]:
        """Sentences for the person. What came is in the index before the question is asked, as far as that is done
        within `git.wait_s`."""
        failed, self._push_failed = self._push_failed, None
        pulled, problem = await asyncio.to_thread(self._exchange.pull_for_turn, datetime.now().astimezone())
        if pulled and (paths := _shown(pulled)) and self._watching:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._settings.git.wait_s):
                    async with aclosing(self.sync(SyncRequest(paths=paths))) as events:
                        async for _ in events:
                            pass
        return [sentence for sentence in (failed, problem) if sentence]

    async def _push_after_turn(self) -> None:
        self._push_failed = await asyncio.to_thread(self._exchange.push_after_turn, datetime.now().astimezone())
        if self._push_failed:
            log.warning(self._push_failed)

    # -- proposals -------------------------------------------------------------------------------------

    async def proposals(self, *, all_states: bool) -> Proposals:
        found = await asyncio.to_thread(self._desk.list, only_open=not all_states)
        return Proposals(
            proposals=[
                ProposalSummary(
                    id=one.id, at=one.at, title=one.title, reason=one.reason, state=one.state, paths=list(one.files)
                )
                for one in found
            ]
        )

    async def proposal(self, number: int) -> Proposal:
        return await asyncio.to_thread(self._desk.show, number)

    async def suggest_links(self, request: SuggestLinksRequest) -> Suggested:
        await self._catch_up_words()
        suggester = LinkSuggester(self._files, self._store, self._desk, self._settings.folder)
        return await asyncio.to_thread(suggester.suggest, request, datetime.now().astimezone())

    async def edit_proposal(self, number: int, edit: HunkEdit) -> Proposal:
        return await asyncio.to_thread(self._desk.edit, number, edit)

    async def apply_proposal(self, number: int, decision: Decision) -> Decided:
        self._require_writable()
        left, done = await asyncio.to_thread(
            self._desk.apply, number, decision, datetime.now().astimezone(), self.wiki.list_approved
        )
        if done is None:
            return Decided(proposal=left)
        self._indexer.hint(done.paths)
        return Decided(proposal=left, change=done.change_id, commit=done.commit, queued=done.queued, reason=done.reason)

    async def reject_proposal(self, number: int, decision: Decision) -> Decided:
        return Decided(proposal=await asyncio.to_thread(self._desk.reject, number, decision))

    def _require_writable(self) -> None:
        if self._settings.read_only:
            raise InvalidRequest("Nothing in the vault is changed in read-only mode.", "Set read_only = false.")

    # -- looking ---------------------------------------------------------------------------------------

    async def status(self) -> Status:
        counts = await asyncio.to_thread(self._store.counts)
        skipped = await asyncio.to_thread(self._store.skipped)
        problems = await asyncio.to_thread(self._store.problems)
        return Status(
            vault=str(self._vault),
            owner=None,
            kinds=await asyncio.to_thread(self._store.kinds),
            notes=NoteCounts(
                indexed=counts.indexed, pending=counts.pending, skipped=counts.skipped, failed=counts.failed
            ),
            skipped=[SkippedFile(path=path, reason=reason) for path, reason in skipped],
            problems=[SkippedFile(path=path, reason=reason) for path, reason in problems],
            chunks=counts.chunks,
            vectors=counts.vectors,
            models={role.role: role for role in await asyncio.to_thread(self._models.status)},
            git=await asyncio.to_thread(self._git_status),
            disk_bytes=await asyncio.to_thread(_disk_bytes, self._places.root),
            sync_state=self._indexer.state,
            connectors=await asyncio.to_thread(self._connectors.statuses),
        )

    def _git_status(self) -> GitStatus:
        return GitStatus(state=self._writer.state(), queued_commits=self._writer.queued())

    async def doctor(self) -> DoctorReport:
        models = await asyncio.to_thread(self._models.status)
        return await asyncio.to_thread(
            examine, self._vault, self._places, self._loaded, models, self._store, self._writer
        )

    async def config(self) -> ConfigReport:
        return self._loaded.report()

    async def change_config(self, change: SettingsChange) -> ConfigReport:
        def write() -> ConfigReport:
            notes = change_config(self._loaded.config_file, change.values)
            report = load_settings(self._vault).report()
            return report.model_copy(update={"warnings": [*notes, *report.warnings]})

        return await asyncio.to_thread(write)

    async def coverage(self) -> Coverage:
        def look() -> Coverage:
            recorded = self._store.recorded()
            pending, skipped, failed = self._store.uncovered()
            own = f"{self._settings.folder}/"
            there = (path for path, one in recorded.items() if not (one.skipped or one.held or path.startswith(own)))
            return Coverage(
                indexed=sorted(path for path in there if path not in pending),
                pending=sorted(pending),
                skipped=_reasons(skipped.items()),
                failed=_reasons(failed.items()),
                problems=_reasons(self._store.problems()),
                state=self._indexer.state,
            )

        return await asyncio.to_thread(look)

    # -- conversations ---------------------------------------------------------------------------------

    async def conversations(self, words: str = "") -> Conversations:
        return Conversations(conversations=await asyncio.to_thread(self._state.conversations, words))

    async def conversation(self, conversation_id: str) -> Conversation:
        return await asyncio.to_thread(self._state.conversation, conversation_id)

    async def rename_conversation(self, conversation_id: str, request: RenameConversationRequest) -> Conversation:
        await asyncio.to_thread(self._state.rename_conversation, conversation_id, request.title)
        return await self.conversation(conversation_id)

    async def delete_conversation(self, conversation_id: str) -> Deleted:
        await asyncio.to_thread(self._state.delete_conversation, conversation_id)
        await asyncio.to_thread(self._drop_events_of, conversation_id)
        self.vault_memory.builder.wake()
        return Deleted(deleted=1)

    def _drop_events_of(self, conversation_id: str) -> None:
        paths = self._hierarchy.sources()
        self._hierarchy.drop_sources([path for path in paths if is_turn_of(path, conversation_id)])


def _reasons(found: Iterable[tuple[str, str]]) -> list[SkippedFile]:
    return [SkippedFile(path=path, reason=reason) for path, reason in sorted(found)]


def _messages(turns: int | None) -> int | None:
    """Of so many turns: each is a question and an answer."""
    return None if turns is None else 2 * turns


def _sources_and_folders(paths: Iterable[str]) -> list[str]:
    """What of a batch of changed paths can concern the index: files that are read, and folders that came or went."""
    return [path for path in paths if is_source(path) or "." not in path.rpartition("/")[2]]


def _shown(pulled: Pulled) -> list[str]:
    """What came and is not hidden, as the index wants it."""
    return [path for path in pulled.paths if not is_hidden(path)]


def _disk_bytes(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):
            total += path.stat().st_size if path.is_file() else 0
    return total

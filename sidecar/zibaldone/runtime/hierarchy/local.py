"""The memory of the vault in this process: what every command of it asks for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection
from datetime import datetime

from zibaldone.agents.relay.overview import Overview
from zibaldone.config.settings import MemoryOfVaultSettings
from zibaldone.domain.hierarchy import TouchKind
from zibaldone.errors import ZibaldoneError
from zibaldone.hierarchy.cards import Grade, due_at
from zibaldone.hierarchy.forgetting import Risk
from zibaldone.inference.roles import ChatModel, Embedder, Vectors
from zibaldone.retrieval.query.times import find_time
from zibaldone.runtime.hierarchy.broad import BroadQuestions
from zibaldone.runtime.hierarchy.builder import Builder, FindEmbedder, failed_sources
from zibaldone.runtime.hierarchy.cards import CardBox
from zibaldone.runtime.hierarchy.chats import searched
from zibaldone.runtime.hierarchy.cores import choose_cores, passage_vectors, passages_of, show_cores
from zibaldone.runtime.hierarchy.gate import CoreGate
from zibaldone.runtime.hierarchy.levels import LevelKeeper, VaultLevels
from zibaldone.runtime.hierarchy.node_search import Drilled, NodeSearch
from zibaldone.runtime.hierarchy.notes import ConceptNotes
from zibaldone.runtime.hierarchy.tell import (
    Live,
    live_events,
    node_confidence,
    node_levels,
    node_members,
    show_concepts,
    show_drift,
    show_evidence,
    show_fading,
    show_timeline,
    weigh_risks,
)
from zibaldone.runtime.hierarchy.use import UseKeeper
from zibaldone.schemas.ask import Answer, Citation, Failed
from zibaldone.schemas.failure import describe_error
from zibaldone.schemas.hierarchy import (
    BuildEvent,
    BuildReport,
    BuildRequest,
    ConceptNotesWritten,
    Concepts,
    Distilled,
    Drift,
    Forgetting,
    Graded,
    GradeRequest,
    MemoryBuilt,
    MemoryStats,
    NodesRequest,
    Recall,
    RecallNode,
    RecallRequest,
    Timeline,
    TimelineRequest,
    TouchRequest,
    Usage,
    UsageCleared,
)
from zibaldone.schemas.search import Hit, Level, Profile, SearchRequest
from zibaldone.schemas.sync import PauseRequest, Progress
from zibaldone.store.cache_db import ContentCache
from zibaldone.store.hierarchy import HierarchyStore
from zibaldone.store.identities import IdentityStore

_NOTHING = "Nothing is built yet: `zib build-memory` does it."


class LocalVaultMemory:
    """See `runtime.engine.VaultMemory`.

    Args:
        live: of passages (ids) those that are there now.
        catch_up: sees what changed while nobody looked.
    """

    def __init__(
        self,
        builder: Builder,
        keeper: LevelKeeper,
        store: HierarchyStore,
        identities: IdentityStore,
        cache: ContentCache,
        cards: CardBox,
        use: UseKeeper,
        gate: CoreGate,
        notes: ConceptNotes,
        search: NodeSearch,
        broad: BroadQuestions,
        live: Callable[[Collection[str]], Live],
        catch_up: Callable[[], Awaitable[None]],
        find_embedder: FindEmbedder,
        find_chat: Callable[[], tuple[ChatModel | None, ZibaldoneError | None]],
        settings: MemoryOfVaultSettings,
        clock: Callable[[], datetime],
    ) -> None:
        self.builder = builder
        self.use = use
        self._keeper = keeper
        self._store = store
        self._identities = identities
        self._cache = cache
        self._cards = cards
        self._gate = gate
        self._notes = notes
        self._search = search
        self._broad = broad
        self._live = live
        self._catch_up = catch_up
        self._find_embedder = find_embedder
        self._find_chat = find_chat
        self._settings = settings
        self._clock = clock

    # -- building --------------------------------------------------------------------------------------

    async def build(self, request: BuildRequest) -> AsyncGenerator[BuildEvent, None]:
        await self._catch_up()
        told: asyncio.Queue[Progress | None] = asyncio.Queue()
        task: asyncio.Task[BuildReport] = asyncio.create_task(self.builder.run(request, told.put_nowait))
        task.add_done_callback(lambda _: told.put_nowait(None))
        try:
            while (progress := await told.get()) is not None:
                yield progress
            yield MemoryBuilt(report=task.result())
        except ZibaldoneError as error:
            yield Failed(error=describe_error(error))
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def stats(self) -> MemoryStats:
        await self._catch_up()
        waiting = await self.builder.waiting()

        def count() -> MemoryStats:
            view = self._keeper.read()
            sources = self._store.sources()
            state = "building" if self.builder.is_building else "paused" if self.builder.is_paused else "idle"
            return MemoryStats.model_validate(
                {
                    "state": state,
                    "sources": waiting.sources,
                    "read": len(sources),
                    "left": waiting.left,
                    "seconds_left": None if waiting.seconds is None else round(waiting.seconds, 1),
                    "failed": failed_sources(sources),
                    "events": len(view.stored),
                    "episodes": len(view.levels.episodes),
                    "concepts": len(view.levels.concepts),
                    "relations": len(view.levels.relations),
                    "successions": len(self._identities.successions()),
                    "cards": len(self._identities.cards()),
                    "touches": len(self._identities.touches()),
                    "tracking": self._settings.track,
                    "built_at": self._keeper.built_at,
                    "gate": self._gate.verdict(),
                }
            )

        return await asyncio.to_thread(count)

    async def pause(self, request: PauseRequest) -> MemoryStats:
        await self.builder.pause(paused=request.paused)
        return await self.stats()

    # -- telling ---------------------------------------------------------------------------------------

    async def concepts(self, request: NodesRequest) -> Concepts:
        view, live, notes = await self._look()
        found, total = await asyncio.to_thread(show_concepts, view, live, request)
        return Concepts(concepts=found, total=total, notes=notes)

    async def timeline(self, request: TimelineRequest) -> Timeline:
        view, live, notes = await self._look()
        found, total = await asyncio.to_thread(show_timeline, view, live, request)
        return Timeline(timeline=found, total=total, notes=notes)

    async def forgetting(self, request: NodesRequest) -> Forgetting:
        view, live, notes = await self._look()

        def weigh() -> Forgetting:
            risks = self._risks(view, live, request.min_support)
            found, total = show_fading(view, live, request, risks)
            return Forgetting(forgetting=found, total=total, notes=notes)

        return await asyncio.to_thread(weigh)

    async def drift(self, request: NodesRequest) -> Drift:
        view, live, notes = await self._look()
        found, total = await asyncio.to_thread(show_drift, view, live, request)
        return Drift(drift=found, total=total, notes=notes)

    async def distill(self, request: NodesRequest) -> Distilled:
        view, there, notes = await self._look()
        live = searched(there)
        embedder, _ = await self._find_embedder()

        def choose() -> Distilled:
            passages = passages_of(view, live)
            vectors = passage_vectors(live, self._cache, embedder)
            cores = choose_cores(passages, vectors, self._settings.core_ratio)
            found, total = show_cores(view, live, request, passages, cores)
            return Distilled(distill=found, total=total, gate=self._gate.verdict(), notes=notes)

        return await asyncio.to_thread(choose)

    async def recall(self, request: RecallRequest) -> Recall:
        view, live, notes = await self._look()
        risks = await asyncio.to_thread(self._risks, view, live, request.min_support)
        levels, members = node_levels(view), node_members(view)
        wanted = [one for one in risks if request.level in (None, levels[one.id]) and request.node in (None, one.id)]
        chat, _ = await asyncio.to_thread(self._find_chat)
        cards = await self._cards.due(view, live, wanted, request, chat)
        titles = {one.id: one for one in wanted}
        shown = [
            RecallNode(
                node_id=card.node_id,
                level=levels[card.node_id],
                title=titles[card.node_id].title,
                confidence=node_confidence(events),
                evidence=show_evidence(events, live),
                card=card.id,
                question=card.question,
                answer=card.answer,
                due=due_at(card).isoformat(timespec="seconds"),
                generated_by=card.generated_by,
                risk=round(titles[card.node_id].risk, 4),
            )
            for card in cards
            if (events := live_events(view, live, members[card.node_id]))
        ]
        return Recall(recall=shown[: request.top], total=len(shown), notes=notes)

    async def grade(self, card: str, request: GradeRequest) -> Graded:
        graded = await asyncio.to_thread(self._cards.grade, card, Grade(request.grade))
        if self._settings.track:
            await asyncio.to_thread(self.use.note, [graded.node_id], TouchKind.OPEN)
        return Graded(card=graded.id, due=due_at(graded).isoformat(timespec="seconds"))

    # -- finding ---------------------------------------------------------------------------------------

    async def drill(self, request: SearchRequest, level: Level, profile: Profile, embedder: Embedder | None) -> Drilled:
        """The nodes that a search at a level is about, and the passages under them."""
        vector = await self._embed(request.query, embedder)
        today = self._clock().date()
        return await asyncio.to_thread(self._search.drill, request.query, vector, embedder, level, profile, today)

    async def overview(self, question: str, level: Level | None) -> Overview | None:
        """What answers a broad question; None for any other, and where nothing was built."""
        if await asyncio.to_thread(lambda: self._keeper.built_at) is None:
            return None
        today = self._clock().date()
        hint = await asyncio.to_thread(find_time, question, today)
        timeless = f"{question[: hint.span[0]]} {question[hint.span[1] :]}" if hint else question
        embedder, _ = await self._find_embedder()
        broad = await self._broad.find(" ".join(timeless.split()), embedder, has_time=hint is not None)
        if broad is None:
            return None
        vector = await self._embed(broad.topic, embedder) if broad.topic else None
        return await asyncio.to_thread(self._search.overview, question, broad, vector, embedder, level, today)

    @staticmethod
    async def _embed(text: str, embedder: Embedder | None) -> Vectors | None:
        """None where no model can."""
        try:
            return await embedder.embed_query(text) if embedder else None
        except ZibaldoneError:
            return None

    # -- use -------------------------------------------------------------------------------------------

    async def note_answer(self, answer: Answer, *, track: bool | None, accept: bool) -> None:
        """Count what an answer used, and with `accept` what it cites, unless the person does not want that."""
        if track is None:
            track = self._settings.track
        hits = [*(hit.chunk_id for hit in answer.hits), *(node.node_id for node in answer.matched_nodes)]
        if track and hits:
            await asyncio.to_thread(self.use.note, hits, TouchKind.HIT)
        cited = {hit.chunk_id for hit in answer.hits if any(_is_cited(hit, one) for one in answer.citations)}
        if accept and cited:
            await asyncio.to_thread(self.use.note, sorted(cited), TouchKind.ACCEPTED)

    async def usage(self, request: NodesRequest) -> Usage:
        view, _, _ = await self._look()

        def show() -> Usage:
            targets = {one.target for one in self.use.touches()}
            found, total = self.use.show(view, self._live(targets), request)
            return Usage(usage=found, tracking=self._settings.track, total=total)

        return await asyncio.to_thread(show)

    async def clear_usage(self) -> UsageCleared:
        return UsageCleared(cleared=await asyncio.to_thread(self.use.clear))

    async def touch(self, request: TouchRequest) -> Usage:
        if self._settings.track:
            await asyncio.to_thread(self.use.note, request.targets, TouchKind(request.kind))
        return await self.usage(NodesRequest())

    async def write_notes(self) -> ConceptNotesWritten:
        await self._catch_up()
        return await asyncio.to_thread(self._notes.write, self._clock())

    # -- reading ---------------------------------------------------------------------------------------

    async def _look(self) -> tuple[VaultLevels, Live, list[str]]:
        """What was built, the passages of its events that are there now, and what is to be said about it."""
        await self._catch_up()
        waiting = await self.builder.waiting()

        def read() -> tuple[VaultLevels, Live, list[str]]:
            view = self._keeper.read()
            live = self._live({event.chunk_id for event in view.events})
            notes = []
            if self._keeper.built_at is None:
                notes.append(_NOTHING)
            elif waiting.left:
                some = "source is" if waiting.left == 1 else "sources are"
                notes.append(f"{waiting.left} {some} not read yet, or changed since: `zib build-memory` reads them.")
            return view, live, notes

        return await asyncio.to_thread(read)

    def _risks(self, view: VaultLevels, live: Live, min_support: int) -> list[Risk]:
        today = self._clock().date()
        return weigh_risks(view, live, self.use.touches(), today, min_support, self._settings.half_life_days)


def _is_cited(hit: Hit, citation: Citation) -> bool:
    if hit.source_uri != citation.source_uri or hit.page != citation.page:
        return False
    return hit.line_start <= citation.line_end and citation.line_start <= hit.line_end

"""Building the memory of the vault: what changed is read for events, then the levels above are built anew.

One build at a time. In a sidecar one begins by itself after a sync, gives way to questions, stops between two sources
for a build that a person asks for, and goes on where it was stopped: each source is kept when it was read.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from zibaldone.errors import ModelMissing, ZibaldoneError
from zibaldone.inference.roles import ChatModel, Embedder
from zibaldone.runtime.foreground import Foreground
from zibaldone.runtime.hierarchy.asking import BackgroundChat
from zibaldone.runtime.hierarchy.broad import BroadQuestions
from zibaldone.runtime.hierarchy.gate import CoreGate
from zibaldone.runtime.hierarchy.levels import LevelKeeper
from zibaldone.runtime.hierarchy.notes import ConceptNotes
from zibaldone.runtime.hierarchy.reading import NO_MODEL, EventReader
from zibaldone.runtime.hierarchy.sources import Listed, SourceList
from zibaldone.runtime.hierarchy.vectors import TextVectors
from zibaldone.schemas.hierarchy import BuildReport, BuildRequest
from zibaldone.schemas.sync import Progress, SkippedFile
from zibaldone.store.hierarchy import HierarchyStore, ReadSource

log = logging.getLogger(__name__)

FindEmbedder = Callable[[], Awaitable[tuple[Embedder | None, ZibaldoneError | None]]]
# From the name of a chat model (None: the one that is set) to the model, or why there is none.
FindChat = Callable[[str | None], tuple[ChatModel | None, ZibaldoneError | None]]
Tell = Callable[[Progress], None]

# A long first build shows what it has so far.
_SOURCES_PER_BUILD = 200
# Changes that come one after the other are built once.
DEBOUNCE_S = 5.0
_MEASURED = 50
_PAUSED = "paused"


@dataclass(slots=True)
class _Pass:
    """What one pass over the sources did."""

    read: int = 0
    changed: int = 0
    retired: int = 0
    left: int = 0
    was_stopped: bool = False
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Waiting:
    """How far the reading is. `seconds` is an estimate, None where nothing was measured."""

    sources: int
    left: int
    seconds: float | None


class Builder:
    """See the module."""

    def __init__(
        self,
        sources: SourceList,
        reader: EventReader,
        levels: LevelKeeper,
        store: HierarchyStore,
        vectors: TextVectors,
        asking: BackgroundChat,
        foreground: Foreground,
        broad: BroadQuestions,
        find_embedder: FindEmbedder,
        find_chat: FindChat,
        gate: CoreGate,
        notes: ConceptNotes | None,
        clock: Callable[[], datetime],
    ) -> None:
        """`notes` are written after each build; None where the person does not want that."""
        self._sources = sources
        self._reader = reader
        self._levels = levels
        self._store = store
        self._vectors = vectors
        self._asking = asking
        self._foreground = foreground
        self._broad = broad
        self._find_embedder = find_embedder
        self._find_chat = find_chat
        self._gate = gate
        self._notes = notes
        self._clock = clock
        self._one_at_a_time = asyncio.Lock()
        self._asked_for = 0
        self._wake = asyncio.Event()
        self.is_paused = store.read_document(_PAUSED) == "1"

    # -- in the background -----------------------------------------------------------------------------

    def wake(self) -> None:
        """The index may have changed."""
        self._wake.set()

    async def follow(self) -> None:
        """Build whenever something changed; never returns."""
        while True:
            await self._wake.wait()
            await asyncio.sleep(DEBOUNCE_S)
            self._wake.clear()
            if self.is_paused:
                continue
            try:
                async with self._one_at_a_time:
                    report = await self._build(BuildRequest(), lambda progress: None, stops=self._has_to_stop)
                if report.left:
                    self._wake.set()
            except ZibaldoneError as error:
                log.warning("The memory of the vault was not built: %s", error.message)
            except Exception:  # whatever it is, there is another change
                log.exception("The memory of the vault was not built")

    async def pause(self, *, paused: bool) -> None:
        """Stop building by itself, or go on; also after the next start."""
        self.is_paused = paused
        await asyncio.to_thread(self._store.put_document, _PAUSED, "1" if paused else "0")
        if not paused:
            self._wake.set()

    @property
    def is_building(self) -> bool:
        return self._one_at_a_time.locked()

    def _has_to_stop(self) -> bool:
        return self._asked_for > 0 or self.is_paused

    # -- one build -------------------------------------------------------------------------------------

    async def run(self, request: BuildRequest, tell: Tell) -> BuildReport:
        """Raises what the models raise where nothing can be built; a source that cannot be read is in the report."""
        self._asked_for += 1
        try:
            await self._one_at_a_time.acquire()
        finally:
            self._asked_for -= 1
        try:
            return await self._build(request, tell, stops=lambda: False)
        finally:
            self._one_at_a_time.release()
            self._wake.set()  # what was stopped for it goes on

    async def _build(self, request: BuildRequest, tell: Tell, stops: Callable[[], bool]) -> BuildReport:
        started = time.monotonic()
        calls = self._asking.calls + self._vectors.calls
        known = self._asking.known + self._vectors.known
        embedder, missing = (None, None) if request.model == NO_MODEL else await self._find_embedder()
        done = await self._read_sources(request, embedder, tell, stops)
        if missing:
            done.notes.append(f"{missing.message} Events are told by their words alone. {missing.hint}")
        if request.level != "event" and not done.was_stopped:
            await self._build_levels(request, embedder, tell, done)
        return await asyncio.to_thread(
            self._report,
            done,
            self._asking.calls + self._vectors.calls - calls,
            self._asking.known + self._vectors.known - known,
            time.monotonic() - started,
        )

    async def _read_sources(
        self, request: BuildRequest, embedder: Embedder | None, tell: Tell, stops: Callable[[], bool]
    ) -> _Pass:
        done = _Pass()
        listed, known = await asyncio.to_thread(lambda: (self._sources.list(), self._store.sources()))
        version = self._reader.version(embedder)
        due = [one for one in listed if _is_due(one, known, version)]
        wanted = due[: request.limit]
        since_build = 0
        for number, one in enumerate(wanted):
            await self._foreground.wait_turn()
            if stops():
                done.was_stopped = True
                break
            tell(Progress(stage="reading for events", done=number, total=len(wanted), unit="sources"))
            done.changed += await self._read_source(one, known.get(one.path), embedder)
            done.read += 1
            since_build += 1
            if since_build >= _SOURCES_PER_BUILD and request.level != "event":
                since_build = 0
                await self._levels.rebuild(embedder, self._clock())
        gone = known.keys() - {one.path for one in listed}
        done.retired = len(gone)
        await asyncio.to_thread(self._store.drop_sources, gone)
        done.left = len(due) - done.read
        return done

    async def _read_source(self, one: Listed, before: ReadSource | None, embedder: Embedder | None) -> bool:
        """Whether its events are other than before. What fails is noted, and tried again by the next build."""
        began = time.monotonic()
        passages = await asyncio.to_thread(self._sources.read, one.path)
        version = self._reader.version(embedder)
        try:
            events = await self._reader.events_of(passages, embedder) if passages else []
        except ModelMissing:
            raise
        except ZibaldoneError as error:
            failed = ReadSource(one.path, before.version if before else "", "", 0.0, error.message)
            await asyncio.to_thread(self._store.note_source, failed)
            return False
        read = ReadSource(one.path, one.version, version, time.monotonic() - began, None)
        return await asyncio.to_thread(self._store.put_source, read, events)

    async def _build_levels(self, request: BuildRequest, embedder: Embedder | None, tell: Tell, done: _Pass) -> None:
        if not await asyncio.to_thread(self._levels.is_current, embedder):
            await self._foreground.wait_turn()
            tell(Progress(stage="building episodes and concepts", done=0, total=1, unit="builds"))
            await self._levels.rebuild(embedder, self._clock())
        if embedder is not None:
            await self._broad.prepare(embedder)  # so that no question waits for it
        await self._name(request, tell, done)
        if embedder is not None and request.level in ("distill", "all"):
            await self._gate.measure(embedder)
        if self._notes is not None:
            try:
                await asyncio.to_thread(self._notes.write, self._clock())
            except ZibaldoneError as error:
                done.notes.append(f"The notes of concepts were not written: {error.message}")

    async def _name(self, request: BuildRequest, tell: Tell, done: _Pass) -> None:
        if request.model == NO_MODEL:
            return
        chat, missing = await asyncio.to_thread(self._find_chat, request.model)
        if chat is None:
            if request.model is not None and missing is not None:
                raise missing
            done.notes.append("Concepts are named by their words: no chat model is there.")
            return
        try:
            await self._levels.name_concepts(
                chat,
                self._asking,
                lambda number, total: tell(
                    Progress(stage="naming concepts", done=number, total=total, unit="concepts")
                ),
            )
        except ZibaldoneError as error:
            done.notes.append(f"{error.message} Concepts without a name are named by their words.")

    def _report(self, done: _Pass, calls: int, known: int, seconds: float) -> BuildReport:
        view = self._levels.read()
        sources = self._store.sources()
        return BuildReport(
            read=done.read,
            unchanged=len(sources) - done.read,
            retired=done.retired,
            failed=failed_sources(sources),
            left=done.left,
            events=len(view.stored),
            episodes=len(view.levels.episodes),
            concepts=len(view.levels.concepts),
            relations=len(view.levels.relations),
            changed=done.changed,
            model_calls=calls,
            asked_before=known,
            gate=self._gate.verdict(),
            notes=done.notes,
            seconds=round(seconds, 2),
        )

    async def waiting(self) -> Waiting:
        """What is left to read, and how long that takes by the sources that were read before."""
        embedder, _ = await self._find_embedder()
        return await asyncio.to_thread(self._count_waiting, self._reader.version(embedder))

    def _count_waiting(self, version: str) -> Waiting:
        listed, known = self._sources.list(), self._store.sources()
        left = sum(_is_due(one, known, version) for one in listed)
        times = [one.seconds for one in known.values() if one.problem is None][-_MEASURED:]
        return Waiting(len(listed), left, left * sum(times) / len(times) if times else None)


def failed_sources(sources: Mapping[str, ReadSource]) -> list[SkippedFile]:
    return [SkippedFile(path=one.path, reason=one.problem) for one in sources.values() if one.problem]


def _is_due(one: Listed, known: Mapping[str, ReadSource], reader: str) -> bool:
    """What a model told is not taken back because the model is missing today."""
    before = known.get(one.path)
    if before is None or before.version != one.version or before.problem is not None:
        return True
    return before.reader != reader and not reader.endswith(NO_MODEL)

"""Syncs, one at a time, whoever asks: a person, a hint about changed files, the clock.

Hints are coalesced over the debounce and reconcile just their paths. Somebody who asks for a whole sync while one runs
gets the next one (the running one may have passed the file that they just saved) and sees the progress of both.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from uuid import uuid4

from zibaldone.errors import NotFound, ZibaldoneError
from zibaldone.schemas.ask import Cancelled, Failed, Notice
from zibaldone.schemas.failure import describe_error
from zibaldone.schemas.sync import TERMINAL_SYNC_EVENTS, Job, Progress, Synced, SyncEvent, SyncReport, SyncRequest

log = logging.getLogger(__name__)

# Events get lost; the disk is looked at this often where nothing else asks.
RECONCILE_EVERY_S = 300.0
_KEPT_JOBS = 20

RunSync = Callable[[SyncRequest, Callable[[Progress | Notice], None]], Awaitable[SyncReport]]


@dataclass(slots=True)
class _Work:
    request: SyncRequest
    id: str = field(default_factory=lambda: uuid4().hex)
    state: str = "queued"
    progress: Progress | None = None
    error: str | None = None
    asked: bool = False
    listeners: list[asyncio.Queue[tuple[_Work, SyncEvent]]] = field(default_factory=list)
    task: asyncio.Task[SyncReport] | None = None

    def tell(self, event: SyncEvent) -> None:
        if isinstance(event, Progress):
            self.progress = event
        for listener in self.listeners:
            listener.put_nowait((self, event))

    def job(self) -> Job:
        return Job.model_validate(
            {"id": self.id, "kind": "sync", "state": self.state, "progress": self.progress, "error": self.error}
        )


class Indexer:
    """Runs `run` for one request at a time in a task of its own; see the module."""

    def __init__(self, run: RunSync, debounce_s: float) -> None:
        self._run = run
        self._debounce_s = debounce_s
        self._queue: deque[_Work] = deque()
        self._running: _Work | None = None
        self._ended: deque[_Work] = deque(maxlen=_KEPT_JOBS)
        self._hints: set[str] = set()
        self._paused = False
        self._wake = asyncio.Event()
        self._loop: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._loop = asyncio.create_task(self._work(), name="indexer")

    async def close(self) -> None:
        """Stop; what was recorded stays, what was not is done by the next sync."""
        for task in (self._running.task if self._running else None, self._loop):
            if task:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    @property
    def state(self) -> str:
        return "running" if self._running else "paused" if self._paused else "idle"

    def pause(self) -> None:
        """Leave what changes for later, also what is being done of it. What somebody asks for is done all the same."""
        self._paused = True
        self._hints.clear()
        if self._running and self._running.task and not self._running.asked:
            self._running.task.cancel()

    def resume(self) -> None:
        """Look at all that was left."""
        if self._paused:
            self._paused = False
            self.request(SyncRequest())

    def hint(self, paths: Iterable[str]) -> None:
        """These vault-relative paths may have changed."""
        if not self._paused:
            self._hints.update(paths)
            self._wake.set()

    def request(self, request: SyncRequest) -> None:
        """Ask for a sync without watching it."""
        if not self._paused:
            self._enqueue(request)

    async def sync(self, request: SyncRequest) -> AsyncGenerator[SyncEvent, None]:
        """Ask for a sync and watch it (and the one that runs before it) to its end."""
        events: asyncio.Queue[tuple[_Work, SyncEvent]] = asyncio.Queue()
        before = self._running
        if before:
            before.listeners.append(events)
        work = self._enqueue(request)
        work.asked = True
        work.listeners.append(events)
        try:
            while True:
                source, event = await events.get()
                if not isinstance(event, TERMINAL_SYNC_EVENTS):
                    yield event
                elif source is work:
                    yield event
                    return
        finally:
            for watched in (before, work):
                if watched and events in watched.listeners:
                    watched.listeners.remove(events)

    def jobs(self) -> list[Job]:
        running = [self._running] if self._running else []
        return [work.job() for work in [*self._ended, *running, *self._queue]]

    def cancel(self, job_id: str) -> None:
        """Stop a running or waiting sync.

        Raises:
            NotFound: no such job is running or waiting.
        """
        if self._running and self._running.id == job_id and self._running.task:
            self._running.task.cancel()
            return
        for work in self._queue:
            if work.id == job_id:
                self._queue.remove(work)
                self._end(work, "cancelled", Cancelled())
                return
        raise NotFound(f"No job {job_id} is running or waiting.", "`GET /v1/jobs` lists them.")

    def _enqueue(self, request: SyncRequest) -> _Work:
        for waiting in self._queue:
            if waiting.request == request:
                return waiting
        work = _Work(request)
        self._queue.append(work)
        self._wake.set()
        return work

    async def _work(self) -> None:
        while True:
            try:
                async with asyncio.timeout(RECONCILE_EVERY_S):
                    await self._wake.wait()
            except TimeoutError:
                self.request(SyncRequest())
            self._wake.clear()
            if self._hints and not self._queue:
                await asyncio.sleep(self._debounce_s)
                paths, self._hints = sorted(self._hints), set()
                if paths:  # a pause forgets them
                    self._queue.append(_Work(SyncRequest(paths=paths)))
            while self._queue:
                await self._perform(self._queue.popleft())

    async def _perform(self, work: _Work) -> None:
        self._running = work
        work.state = "running"
        work.task = asyncio.create_task(self._run_sync(work), name="sync")
        try:
            report = await work.task
        except asyncio.CancelledError:
            self._end(work, "cancelled", Cancelled())
            current = asyncio.current_task()
            if current and current.cancelling():
                raise
        except ZibaldoneError as error:
            work.error = error.message
            self._end(work, "failed", Failed(error=describe_error(error)))
        except Exception as error:  # the worker survives anything
            log.exception("a sync failed")
            work.error = type(error).__name__
            unknown = ZibaldoneError("The sync failed.", "The log and `zib doctor` may tell why.")
            self._end(work, "failed", Failed(error=describe_error(unknown)))
        else:
            self._end(work, "done", Synced(report=report))
        finally:
            self._running = None

    async def _run_sync(self, work: _Work) -> SyncReport:
        return await self._run(work.request, work.tell)

    def _end(self, work: _Work, state: str, event: SyncEvent) -> None:
        work.state = state
        work.tell(event)
        self._ended.append(work)

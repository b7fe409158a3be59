"""A pause leaves what changes for later, and nothing that somebody asks for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from zibaldone.runtime.indexer import Indexer
from zibaldone.schemas.ask import Notice
from zibaldone.schemas.sync import Progress, Synced, SyncReport, SyncRequest


class Runs:
    """Syncs that end when they are let."""

    def __init__(self) -> None:
        self.asked: list[SyncRequest] = []
        self.begun = asyncio.Event()
        self.go = asyncio.Event()

    async def __call__(self, request: SyncRequest, tell: Callable[[Progress | Notice], None]) -> SyncReport:
        self.asked.append(request)
        self.begun.set()
        await self.go.wait()
        return SyncReport()


async def test_a_pause_stops_what_nobody_asked_for_and_resuming_looks_at_all() -> None:
    runs = Runs()
    indexer = Indexer(runs, 0.0)
    indexer.start()
    indexer.request(SyncRequest())
    await runs.begun.wait()
    assert indexer.state == "running"
    indexer.pause()
    runs.begun.clear()
    runs.go.set()
    indexer.hint(["a.md"])
    indexer.request(SyncRequest())
    [last] = [event async for event in indexer.sync(SyncRequest(paths=["b.md"]))][-1:]
    assert isinstance(last, Synced)
    assert [request.paths for request in runs.asked] == [[], ["b.md"]]
    assert indexer.state == "paused"
    runs.begun.clear()
    indexer.resume()
    await runs.begun.wait()
    assert runs.asked[2:] == [SyncRequest()]
    await indexer.close()

"""`RemoteVaultMemory`: the `VaultMemory` protocol over the owner's HTTP API."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from typing import cast
from urllib.parse import quote, urlencode

from pydantic import BaseModel

from zibaldone.client.library import Call
from zibaldone.schemas.hierarchy import (
    TERMINAL_BUILD_EVENTS,
    BuildEvent,
    BuildEventLine,
    BuildRequest,
    ConceptNotesWritten,
    Concepts,
    Distilled,
    Drift,
    Forgetting,
    Graded,
    GradeRequest,
    MemoryStats,
    NodesRequest,
    Recall,
    RecallRequest,
    Timeline,
    TimelineRequest,
    TouchRequest,
    Usage,
    UsageCleared,
    WriteNotesRequest,
)
from zibaldone.schemas.sync import PauseRequest

# A model writes each card.
_LONG_S = 3600.0
Stream = Callable[..., AsyncGenerator[BaseModel, None]]


class RemoteVaultMemory:
    """`stream` gives the events of a path, see `RemoteEngine`."""

    def __init__(self, call: Call, stream: Stream) -> None:
        self._call = call
        self._stream = stream

    def build(self, request: BuildRequest) -> AsyncGenerator[BuildEvent, None]:
        lines = self._stream("/v1/build-memory", request, BuildEventLine, TERMINAL_BUILD_EVENTS)
        return cast("AsyncGenerator[BuildEvent, None]", lines)

    async def stats(self) -> MemoryStats:
        return await self._call("GET", "/v1/memory-stats", MemoryStats)

    async def pause(self, request: PauseRequest) -> MemoryStats:
        return await self._call("POST", "/v1/memory-stats/pause", MemoryStats, request)

    async def concepts(self, request: NodesRequest) -> Concepts:
        return await self._call("GET", _path("concepts", request), Concepts)

    async def timeline(self, request: TimelineRequest) -> Timeline:
        return await self._call("GET", _path("timeline", request), Timeline)

    async def forgetting(self, request: NodesRequest) -> Forgetting:
        return await self._call("GET", _path("forgetting", request), Forgetting)

    async def drift(self, request: NodesRequest) -> Drift:
        return await self._call("GET", _path("drift", request), Drift)

    async def distill(self, request: NodesRequest) -> Distilled:
        return await self._call("GET", _path("distill", request), Distilled)

    async def recall(self, request: RecallRequest) -> Recall:
        return await self._call("POST", "/v1/recall", Recall, request, answer_s=_LONG_S)

    async def grade(self, card: str, request: GradeRequest) -> Graded:
        return await self._call("POST", f"/v1/recall/{quote(card, safe='')}", Graded, request)

    async def usage(self, request: NodesRequest) -> Usage:
        return await self._call("GET", _path("usage", request), Usage)

    async def clear_usage(self) -> UsageCleared:
        return await self._call("DELETE", "/v1/usage", UsageCleared)

    async def touch(self, request: TouchRequest) -> Usage:
        return await self._call("POST", "/v1/usage", Usage, request)

    async def write_notes(self) -> ConceptNotesWritten:
        return await self._call("POST", "/v1/concepts/notes", ConceptNotesWritten, WriteNotesRequest())


def _path(name: str, request: BaseModel) -> str:
    return f"/v1/{name}?{urlencode(request.model_dump(exclude_none=True))}"

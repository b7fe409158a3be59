"""`RemoteLibrary`: the `Library` protocol over the owner's HTTP API."""

from __future__ import annotations

from typing import Protocol, TypeVar

from pydantic import BaseModel

from zibaldone.schemas.sources import (
    Collected,
    CollectRequest,
    ImportReport,
    ImportRequest,
    IngestReport,
    IngestRequest,
    Sources,
    StalePages,
)

M = TypeVar("M", bound=BaseModel)

# Thousands of files, each made durable one by one; or a document that a model reads, on whatever machine.
_LONG_S = 3600.0


class Call(Protocol):
    """One request and its answer; see `RemoteEngine`."""

    async def __call__(
        self, method: str, path: str, model: type[M], body: BaseModel | None = None, *, answer_s: float = ...
    ) -> M: ...


class RemoteLibrary:
    def __init__(self, call: Call) -> None:
        self._call = call

    async def add(self, request: IngestRequest) -> IngestReport:
        return await self._call("POST", "/v1/sources", IngestReport, request, answer_s=_LONG_S * len(request.paths))

    async def list(self) -> Sources:
        return await self._call("GET", "/v1/sources", Sources)

    async def collect(self, request: CollectRequest) -> Collected:
        return await self._call("POST", "/v1/sources/gc", Collected, request)

    async def stale(self) -> StalePages:
        return await self._call("GET", "/v1/stale", StalePages)

    async def import_folder(self, request: ImportRequest) -> ImportReport:
        return await self._call("POST", "/v1/import", ImportReport, request, answer_s=_LONG_S)

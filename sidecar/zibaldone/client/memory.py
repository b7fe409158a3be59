"""`RemoteMemory`: the `PersonalMemory` protocol over the owner's HTTP API."""

from __future__ import annotations

from urllib.parse import quote, urlencode

from zibaldone.client.wiki import Call
from zibaldone.schemas.memory import (
    Cleared,
    ClearRequest,
    EditMemoryRequest,
    ForgetRequest,
    Forgotten,
    ImportMemoryRequest,
    KeepRequest,
    Memory,
    MemoryHistory,
    MemoryImported,
    MemoryRequest,
    Migrated,
    MigrateRequest,
    PatternReport,
    PatternRequest,
    Remembered,
    RememberRequest,
)
from zibaldone.schemas.rules import Rules, RulesRequest


class RemoteMemory:
    """`slow_call` waits as long as a run of the model takes."""

    def __init__(self, call: Call, slow_call: Call) -> None:
        self._call = call
        self._slow_call = slow_call

    async def tell(self, request: MemoryRequest) -> Memory:
        query = {"all": "1"} if request.all else {}
        if request.as_of is not None:
            query["as_of"] = request.as_of
        return await self._call("GET", f"/v1/memory?{urlencode(query)}", Memory)

    async def remember(self, request: RememberRequest) -> Remembered:
        return await self._call("POST", "/v1/memory", Remembered, request)

    async def edit(self, id_: str, request: EditMemoryRequest) -> Remembered:
        return await self._call("POST", f"/v1/memory/{quote(id_, safe='')}", Remembered, request)

    async def prevail(self, id_: str, request: KeepRequest) -> Remembered:
        return await self._call("POST", f"/v1/memory/{quote(id_, safe='')}/keep", Remembered, request)

    async def clear(self, request: ClearRequest) -> Cleared:
        return await self._call("POST", "/v1/memory/clear", Cleared, request)

    async def forget(self, request: ForgetRequest) -> Forgotten:
        return await self._call("POST", "/v1/memory/forget", Forgotten, request)

    async def history(self, id_: str | None) -> MemoryHistory:
        return await self._call("GET", f"/v1/memory/history?{urlencode({'id': id_} if id_ else {})}", MemoryHistory)

    async def rules(self, request: RulesRequest) -> Rules:
        query = urlencode(request.model_dump(exclude_none=True))
        return await self._call("GET", f"/v1/rules?{query}", Rules)

    async def pattern(self, request: PatternRequest) -> PatternReport:
        return await self._slow_call("POST", "/v1/pattern", PatternReport, request)

    async def migrate(self, request: MigrateRequest) -> Migrated:
        return await self._slow_call("POST", "/v1/memory/migrate", Migrated, request)

    async def import_entries(self, request: ImportMemoryRequest) -> MemoryImported:
        return await self._slow_call("POST", "/v1/memory/import", MemoryImported, request)

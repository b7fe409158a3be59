"""The memory of the person in this process: what it knows, the rules, the nightly run."""

from __future__ import annotations

import asyncio

from zibaldone.runtime.memory import MemoryKeeper
from zibaldone.runtime.migration import Migrator
from zibaldone.runtime.pattern import PatternRunner
from zibaldone.runtime.rules import RuleBook
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


class LocalMemory:
    """See `runtime.engine.PersonalMemory`."""

    def __init__(self, keeper: MemoryKeeper, book: RuleBook, runner: PatternRunner, migrator: Migrator) -> None:
        self.keeper = keeper
        self.book = book
        self.runner = runner
        self.migrator = migrator

    async def tell(self, request: MemoryRequest) -> Memory:
        return await self.keeper.tell(request)

    async def remember(self, request: RememberRequest) -> Remembered:
        return await self.keeper.remember(request)

    async def edit(self, id_: str, request: EditMemoryRequest) -> Remembered:
        return await self.keeper.edit(id_, request)

    async def prevail(self, id_: str, request: KeepRequest) -> Remembered:
        return await self.keeper.prevail(id_, request)

    async def clear(self, request: ClearRequest) -> Cleared:
        return await self.keeper.clear(request)

    async def forget(self, request: ForgetRequest) -> Forgotten:
        return await self.keeper.forget(request)

    async def history(self, id_: str | None) -> MemoryHistory:
        return await self.keeper.history(id_)

    async def rules(self, request: RulesRequest) -> Rules:
        return await asyncio.to_thread(self.book.tell, request)

    async def pattern(self, request: PatternRequest) -> PatternReport:
        return await self.runner.run(request)

    async def migrate(self, request: MigrateRequest) -> Migrated:
        return await self.migrator.migrate(request)

    async def import_entries(self, request: ImportMemoryRequest) -> MemoryImported:
        return await self.migrator.import_entries(request)

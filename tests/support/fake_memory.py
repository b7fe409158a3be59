"""A scripted `PersonalMemory`: answers with the golden examples and records what it was asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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


class ScriptedMemory:
    """`record` is told each call as `memory.NAME`, and may raise; `example` reads a golden one by its name.

    `remembered` is what keeping and changing a statement answer.
    """

    def __init__(self, record: Callable[[str, object], None], example: Callable[[str], Any]) -> None:
        self._record = record
        self._example = example
        self.remembered = "Remembered.new"

    async def tell(self, request: MemoryRequest) -> Memory:
        self._record("memory.tell", request)
        return Memory.model_validate(self._example("Memory.typical"))

    async def remember(self, request: RememberRequest) -> Remembered:
        self._record("memory.remember", request)
        return Remembered.model_validate(self._example(self.remembered))

    async def edit(self, id_: str, request: EditMemoryRequest) -> Remembered:
        self._record("memory.edit", (id_, request))
        return Remembered.model_validate(self._example(self.remembered))

    async def prevail(self, id_: str, request: KeepRequest) -> Remembered:
        self._record("memory.prevail", (id_, request))
        return Remembered.model_validate(self._example(self.remembered))

    async def clear(self, request: ClearRequest) -> Cleared:
        self._record("memory.clear", request)
        return Cleared.model_validate(self._example("Cleared.two"))

    async def forget(self, request: ForgetRequest) -> Forgotten:
        self._record("memory.forget", request)
        return Forgotten.model_validate(self._example("Forgotten.one"))

    async def history(self, id_: str | None) -> MemoryHistory:
        self._record("memory.history", id_)
        return MemoryHistory.model_validate(self._example("MemoryHistory.two"))

    async def rules(self, request: RulesRequest) -> Rules:
        self._record("memory.rules", request)
        return Rules.model_validate(self._example("Rules.two"))

    async def pattern(self, request: PatternRequest) -> PatternReport:
        self._record("memory.pattern", request)
        return PatternReport.model_validate(self._example("PatternReport.partial"))

    async def migrate(self, request: MigrateRequest) -> Migrated:
        self._record("memory.migrate", request)
        return Migrated.model_validate(self._example("Migrated.typical"))

    async def import_entries(self, request: ImportMemoryRequest) -> MemoryImported:
        self._record("memory.import_entries", request)
        return MemoryImported.model_validate(self._example("MemoryImported.two"))

"""A scripted `PersonalMemory` and `VaultMemory`: answer with the golden examples and record what they were asked."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from typing import Any

from zibaldone.schemas.hierarchy import (
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
)
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
from zibaldone.schemas.sync import PauseRequest


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


class ScriptedVaultMemory:
    """As `ScriptedMemory`; calls are recorded as `vault_memory.NAME`."""

    def __init__(self, record: Callable[[str, object], None], example: Callable[[str], Any]) -> None:
        self._record = record
        self._example = example

    async def build(self, request: BuildRequest) -> AsyncGenerator[BuildEvent, None]:
        self._record("vault_memory.build", request)
        yield BuildEventLine.model_validate(self._example("BuildEventLine.built")).root

    async def stats(self) -> MemoryStats:
        self._record("vault_memory.stats", None)
        return MemoryStats.model_validate(self._example("MemoryStats.typical"))

    async def pause(self, request: PauseRequest) -> MemoryStats:
        self._record("vault_memory.pause", request)
        return MemoryStats.model_validate(self._example("MemoryStats.typical"))

    async def concepts(self, request: NodesRequest) -> Concepts:
        self._record("vault_memory.concepts", request)
        return Concepts.model_validate(self._example("Concepts.one"))

    async def timeline(self, request: TimelineRequest) -> Timeline:
        self._record("vault_memory.timeline", request)
        return Timeline.model_validate(self._example("Timeline.one"))

    async def forgetting(self, request: NodesRequest) -> Forgetting:
        self._record("vault_memory.forgetting", request)
        return Forgetting.model_validate(self._example("Forgetting.one"))

    async def drift(self, request: NodesRequest) -> Drift:
        self._record("vault_memory.drift", request)
        return Drift.model_validate(self._example("Drift.one"))

    async def distill(self, request: NodesRequest) -> Distilled:
        self._record("vault_memory.distill", request)
        return Distilled.model_validate(self._example("Distilled.one"))

    async def recall(self, request: RecallRequest) -> Recall:
        self._record("vault_memory.recall", request)
        return Recall.model_validate(self._example("Recall.one"))

    async def grade(self, card: str, request: GradeRequest) -> Graded:
        self._record("vault_memory.grade", (card, request))
        return Graded.model_validate(self._example("Graded.one"))

    async def usage(self, request: NodesRequest) -> Usage:
        self._record("vault_memory.usage", request)
        return Usage.model_validate(self._example("Usage.one"))

    async def clear_usage(self) -> UsageCleared:
        self._record("vault_memory.clear_usage", None)
        return UsageCleared.model_validate(self._example("UsageCleared.two"))

    async def touch(self, request: TouchRequest) -> Usage:
        self._record("vault_memory.touch", request)
        return Usage.model_validate(self._example("Usage.one"))

    async def write_notes(self) -> ConceptNotesWritten:
        self._record("vault_memory.write_notes", None)
        return ConceptNotesWritten.model_validate(self._example("ConceptNotesWritten.typical"))

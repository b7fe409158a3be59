"""A memory with nights: a scripted chat model, a clock that stands where it is put, a run when it is asked for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from support.memories import NOON
from support.vaults import Asking, Vault
from zibaldone.inference.fake import FakeChat, _evidence_fits
from zibaldone.inference.roles import Message
from zibaldone.profile.classify import Kind
from zibaldone.profile.probe import RELATION_PROBES, WORTH_PROBES
from zibaldone.runtime.memory import Statement
from zibaldone.schemas.memory import (
    MemoryEntry,
    MemoryRequest,
    MemoryType,
    PatternReport,
    PatternRequest,
    Remembered,
    RememberRequest,
)

YES, NO = [-0.001, -9.0], [-9.0, -0.001]
_PROBES = (*WORTH_PROBES, *RELATION_PROBES)


@dataclass
class Judge:
    """What the chat model thinks: of statements (log odds that they are worth keeping; those it does not know are
    not), and of pairs. `garbage` is what it says instead; it may raise."""

    worth: dict[str, float] = field(default_factory=dict)
    same: set[tuple[str, str]] = field(default_factory=set)
    against: set[tuple[str, str]] = field(default_factory=set)
    garbage: Callable[[], Any] | None = None
    asked: int = 0

    def __call__(self, messages: Sequence[Message], labels: Sequence[str]) -> Any:
        self.asked += 1
        if self.garbage is not None:
            return self.garbage()
        if messages[-1].content.startswith("Notes:"):  # whether they answer a question
            return YES if _evidence_fits(messages) else NO
        if any(messages == probe.likely for probe in _PROBES):
            return YES
        if any(messages == probe.unlikely for probe in _PROBES):
            return NO
        system, text = messages[0].content, messages[-1].content
        if not text.startswith("A: "):
            odds = self.worth.get(text, -9.0)
            return [min(0.0, odds), min(0.0, -odds)]
        old, new = text.removeprefix("A: ").split("\nB: ")
        if "say the same" in system:
            return YES if (old, new) in self.same or (new, old) in self.same else NO
        return YES if ((old, new) in self.against) is ("untrue" in system) else NO


@dataclass
class Nights:
    """`kinds` says what a sentence is (`user`, where it does not), and how probably."""

    vault: Vault
    asking: Asking
    judge: Judge = field(default_factory=Judge)
    kinds: dict[str, tuple[Kind, float]] = field(default_factory=dict)
    now: datetime = NOON

    async def classify(self, texts: Sequence[str]) -> list[dict[Kind, float]]:
        found: list[dict[Kind, float]] = []
        for text in texts:
            kind, sure = self.kinds.get(text, ("user", 0.95))
            rest: dict[Kind, float] = dict.fromkeys(("user", "feedback", "context", "none"), (1 - sure) / 3)
            found.append({**rest, kind: sure})
        return found

    async def write(self, text: str, conversation: str | None = None) -> tuple[str, str]:
        """A message that no turn has looked at: its conversation, and how the memory names it."""
        begin = self.asking.engine._state.begin_turn
        conversation, answer = await asyncio.to_thread(begin, conversation, text, self.now)
        return conversation, f"chat:{conversation}#{answer - 1}"

    async def say(self, text: str, kind: MemoryType = "user") -> MemoryEntry:
        """As `zib memory add` does."""
        return (await self.asking.engine.memory.remember(RememberRequest(text=text, type=kind))).entry

    async def infer(
        self, text: str, confidence: float = 0.8, kind: MemoryType = "user", source: str = ""
    ) -> Remembered:
        said = Statement(text, kind, source or f"chat:c#{text}", is_explicit=False, confidence=confidence)
        return await self.asking.engine.memory.keeper.keep(said)

    async def run(self, *, dry: bool = False) -> PatternReport:
        return await self.asking.engine.memory.pattern(PatternRequest(dry_run=dry))

    async def entries(self) -> list[MemoryEntry]:
        """All there ever were."""
        told = await self.asking.engine.memory.tell(MemoryRequest(all=True))
        return [*told.entries, *told.expired]

    async def contents(self) -> list[str]:
        return [one.content for one in await self.entries() if one.state == "active"]

    def files(self) -> dict[str, bytes]:
        """All that we wrote in the vault."""
        folder = self.vault.root / "Zibaldone"
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    async def rows(self, *tables: str) -> list[tuple[Any, ...]]:
        """What the state has of the memory: in these tables, else in all but that of the runs."""
        tables = tables or ("memory", "memory_pages", "forgotten", "memory_doubts", "memory_faded", "memory_promoted",
                  "memory_compared")  # fmt: skip
        db = self.asking.engine._state._db
        found = [(table, await asyncio.to_thread(db.rows, f"SELECT * FROM {table}")) for table in tables]
        return [(table, *row) for table, rows in found for row in rows]

    async def everything(self) -> tuple[dict[str, bytes], list[tuple[Any, ...]], str]:
        return self.files(), await self.rows(), self.vault.git("rev-parse", "HEAD")

    def subjects(self) -> list[str]:
        """Of the commits, the newest first."""
        return self.vault.git("log", "--format=%s").splitlines()


@asynccontextmanager
async def nights(vault: Vault, **flags: object) -> AsyncGenerator[Nights, None]:
    async with vault.open(**flags) as asking:
        made = Nights(vault, asking)
        asking.engine._models._chat = FakeChat(scores=made.judge)
        keeper, runner = asking.engine.memory.keeper, asking.engine.memory.runner
        keeper.sense.classify = made.classify  # type: ignore[method-assign]
        keeper._clock = runner._clock = lambda: made.now
        yield made


def told(report: PatternReport) -> list[str]:
    return [change for step in report.steps for change in step.changes]


def problems(report: PatternReport) -> dict[str, str]:
    return {step.name: step.problem for step in report.steps if step.problem}

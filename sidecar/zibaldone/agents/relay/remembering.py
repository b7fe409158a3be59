"""What a turn has to do with the memory of the person, and the few sentences that it says about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from zibaldone.agents.relay.phrases import say
from zibaldone.profile.classify import Kind
from zibaldone.schemas.memory import MEMORY_TYPES, Memory, Remembered
from zibaldone.schemas.search import Hit, SearchResponse


@dataclass(frozen=True, slots=True)
class Recalled:
    """What of the memory enters the prompt: `text`, with the entries' `ids`; `hits` are entries that may answer the
    question themselves. `left_out` found no room."""

    text: str = ""
    ids: list[str] = field(default_factory=list)
    hits: list[Hit] = field(default_factory=list)
    left_out: int = 0


class TurnMemory(Protocol):
    """The memory, as one message meets it."""

    async def classify(self, texts: Sequence[str]) -> Sequence[Mapping[Kind, float]]:
        """Probabilities of `user`, `feedback`, `context` and `none`."""
        ...

    async def remember(self, order: str) -> Remembered:
        """Raises what `MemoryKeeper.keep` raises."""
        ...

    async def notice(self, statements: Sequence[str]) -> list[Remembered]:
        """Keep those that are worth it."""
        ...

    async def recall(self, question: str) -> Recalled: ...

    async def tell(self) -> Memory: ...


def with_remembered(found: SearchResponse, remembered: Sequence[Hit]) -> SearchResponse:
    """What the person said of themselves is read first."""
    hits = [hit.model_copy(update={"rank": rank}) for rank, hit in enumerate([*remembered, *found.hits], 1)]
    score = max(found.top_score, remembered[0].score)
    return found.model_copy(update={"hits": hits, "top_score": score, "abstain": False})


def acknowledge(kept: Sequence[Remembered], language: str) -> str:
    """What was taken in, one line each."""
    lines = []
    for one in kept:
        line = f"{say('known' if one.already else 'remembered', language)} “{one.entry.content}”"
        if one.retired:
            instead = ", ".join(f"“{old.content}”" for old in one.retired)
            line += f" ({say('instead', language)} {instead})"
        lines.append(f"{line}.")
        if one.conflicts:
            others = ", ".join(f"“{other.content}”" for other in one.conflicts)
            lines.append(f"{say('conflict', language)} {others}.")
        if one.unsure:
            lines.append(say(f"unsure_{one.entry.type}", language))
    return "\n".join(lines)


def describe_memory(memory: Memory, language: str) -> str:
    """All that is known, as a list."""
    lines: list[str] = []
    for kind in MEMORY_TYPES:
        entries = [entry for entry in memory.entries if entry.type == kind]
        if entries:
            lines += [f"**{say(f'kind_{kind}', language)}**", *(f"- {entry.content}" for entry in entries), ""]
    return "\n".join(lines).strip() or say("know_nothing", language)

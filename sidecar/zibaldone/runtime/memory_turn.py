"""What one turn of a conversation asks of the memory, and gives to it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from zibaldone.agents.relay.remembering import Recalled
from zibaldone.domain.locators import line_locator
from zibaldone.errors import ZibaldoneError
from zibaldone.inference.roles import ChatModel, Embedder
from zibaldone.profile.classify import Kind
from zibaldone.profile.page import read_page, shown
from zibaldone.profile.recall import choose_entries, choose_rules, describe_recalled, entry_line, rule_line
from zibaldone.profile.worth import ASKED, SURE, ask_worth, confidence, is_doubtful, is_worth, weigh
from zibaldone.runtime.memory import MemoryKeeper, Statement
from zibaldone.runtime.memory_sense import ask_odds
from zibaldone.schemas.memory import Memory, MemoryEntry, MemoryRequest, Remembered
from zibaldone.schemas.rules import Rule
from zibaldone.schemas.search import Components, Hit
from zibaldone.vault.files import VaultFiles

log = logging.getLogger(__name__)

# From this nearness (in the embedder's range) on, an entry is read as evidence; so many at most.
_ANSWERS, _MOST = 0.65, 3


@dataclass(frozen=True, slots=True)
class MemoryOfTurn:
    """See `agents.relay.remembering.TurnMemory`. `source` says which message it is: `chat:ID#N`; `rules` are the
    person's for conversations."""

    keeper: MemoryKeeper
    files: VaultFiles
    embedder: Embedder | None
    chat: ChatModel | None
    source: str
    budget: int
    rules: Sequence[Rule] = ()

    async def classify(self, texts: Sequence[str]) -> Sequence[Mapping[Kind, float]]:
        return await self.keeper.sense.classify(texts)

    async def remember(self, order: str) -> Remembered:
        return await self.keeper.keep(Statement(order, None, self.source, is_explicit=True))

    async def notice(self, statements: Sequence[str]) -> list[Remembered]:
        """Those that are worth it; what cannot be kept is passed over, and left to the night."""
        kept: list[Remembered] = []
        for statement, kinds in zip(statements, await self.classify(statements), strict=True):
            worth = 1 - kinds["none"]
            if self.embedder is None or worth < ASKED:
                continue
            try:
                sure = await weigh_statement(statement, worth, self.chat)
                if sure is None:
                    continue
                said = Statement(statement, None, self.source, is_explicit=False, confidence=confidence(sure))
                if is_worth(sure) or (is_doubtful(sure) and await self.keeper.takes_back(said)):
                    kept.append(await self.keeper.keep(said))
            except ZibaldoneError as error:
                log.info("A statement is not kept: %s", error)
        return kept

    async def recall(self, question: str) -> Recalled:
        known = (await self.keeper.tell(MemoryRequest())).entries
        rules = choose_rules(self.rules, known)
        if not known and not rules:
            return Recalled()
        near = await self.keeper.sense.nearness(question, known)
        lines = [*map(rule_line, rules), *map(entry_line, known)]
        counts = await self.chat.count_tokens(lines) if self.chat is not None else [0] * len(lines)
        told, left = [], self.budget
        for rule, count in zip(rules, counts, strict=False):
            if count <= left:
                told.append(rule)
                left -= count
        sizes = {entry.id: count for entry, count in zip(known, counts[len(rules) :], strict=True)}
        chosen = choose_entries(known, near, sizes, left)
        best = sorted((one for one in known if near.get(one.id, 0.0) >= _ANSWERS), key=lambda one: -near[one.id])
        hits = await asyncio.to_thread(self._as_hits, best[:_MOST], near)
        left_out = len(known) - len(chosen) + len(rules) - len(told)
        return Recalled(describe_recalled(told, chosen), [entry.id for entry in chosen], hits, left_out)

    async def tell(self) -> Memory:
        return await self.keeper.tell(MemoryRequest())

    def _as_hits(self, entries: Sequence[MemoryEntry], near: Mapping[str, float]) -> list[Hit]:
        """Entries as passages of their pages."""
        hits: list[Hit] = []
        for entry in entries:
            path = self.keeper.path(entry.type)
            try:
                items = read_page(self.files.read_stable(path)).items
            except ZibaldoneError:
                continue
            known = (one for one in items if one.id == entry.id or (one.id is None and one.text == shown(entry)))
            if (item := next(known, None)) is not None:
                line = item.number + 1
                hits.append(
                    Hit(
                        rank=len(hits) + 1,
                        score=round(near[entry.id], 4),
                        chunk_id=f"memory:{entry.id}",
                        source_uri=f"note:{path}",
                        path=path,
                        title="Memory",
                        heading=[],
                        locator=line_locator(line, line),
                        line_start=line,
                        line_end=line,
                        date=entry.updated_at[:10],
                        text=entry.content,
                        components=Components(semantic=round(near[entry.id], 4)),
                    )
                )
        return hits


async def weigh_statement(statement: str, worth: float, chat: ChatModel | None) -> float | None:
    """Log odds that it is worth keeping; None where no model can be asked and the vector is not sure alone."""
    if chat is None:
        return weigh(worth, 0.0) if worth >= SURE else None
    return weigh(worth, await ask_odds(chat, ask_worth(statement)))

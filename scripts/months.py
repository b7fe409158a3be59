"""Replay a scripted month of conversations and print what the memory made of it.

Usage: scripts/months.py MONTH.jsonl FACTS.json

Every message goes through what a turn does to the memory, with a clock that shows the time it was written at, and each
night the nightly run; answers are not generated. The vault is a new one in a temporary folder, the models are those of
the settings.

Precision: of the entries that were stored, those of a message that states a fact and that are about it. Recall: of the
facts that hold at the end, those that an active entry is about (what faded by then does not count). Stale: active
entries at the end of any day that are about a fact which had ended by then. Growth: entries per fact that was stored.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Any

from zibaldone.agents.relay.listen import hear
from zibaldone.config.load import load_settings
from zibaldone.config.places import vault_places
from zibaldone.errors import ZibaldoneError
from zibaldone.runtime.local import LocalEngine
from zibaldone.runtime.memory_turn import MemoryOfTurn
from zibaldone.runtime.prepare import prepare_vault
from zibaldone.schemas.memory import MemoryEntry, MemoryRequest, PatternRequest


@dataclass
class Clock:
    now: datetime

    def __call__(self) -> datetime:
        return self.now


@dataclass
class Outcome:
    stored: dict[str, tuple[str, MemoryEntry]] = field(default_factory=dict)  # by entry: message, entry
    stale: list[str] = field(default_factory=list)
    active: list[MemoryEntry] = field(default_factory=list)
    all: list[MemoryEntry] = field(default_factory=list)


def is_about(fact: dict[str, Any], text: str) -> bool:
    folded = text.casefold()
    return all(any(word.casefold() in folded for word in group) for group in fact["words"])


async def replay(messages: list[dict[str, Any]], facts: list[dict[str, Any]], root: Path) -> Outcome:
    vault = root / "vault"
    vault.mkdir()
    loaded = load_settings(None)
    prepare_vault(vault, loaded.settings, lambda _: True)
    clock = Clock(datetime.fromisoformat(messages[0]["at"]))
    engine = LocalEngine(vault.resolve(), loaded, vault_places(vault.resolve()), clock)
    outcome = Outcome()
    conversations: dict[str, str] = {}
    of_message: dict[int, str] = {}
    try:
        chat, embedder = engine._models.chat(), engine._models.embedder()
        for message in messages:
            at = datetime.fromisoformat(message["at"])
            while (night := datetime.combine(clock.now.date() + timedelta(days=1), time(4), clock.now.tzinfo)) <= at:
                await sleep(engine, clock, night, facts, outcome)
            clock.now = at
            conversation, answer = engine._state.begin_turn(
                conversations.get(message["conversation"]), message["text"], at
            )
            conversations[message["conversation"]] = conversation
            of_message[answer - 1] = message["id"]
            turn = MemoryOfTurn(
                engine.memory.keeper, engine._files, embedder, chat, f"chat:{conversation}#{answer - 1}", 300
            )
            heard = await hear(message["text"], turn.classify)
            for order in heard.orders:
                try:
                    await turn.remember(order)
                except ZibaldoneError as error:
                    print(f"{message['id']}: {error}", file=sys.stderr)
            await turn.notice(heard.statements)
        night = datetime.combine(clock.now.date() + timedelta(days=1), time(4), clock.now.tzinfo)
        await sleep(engine, clock, night, facts, outcome)
        told = await engine.memory.tell(MemoryRequest(all=True))
        outcome.all = [*told.entries, *told.expired]
        outcome.active = (await engine.memory.tell(MemoryRequest())).entries
        for entry in outcome.all:
            number = int(entry.sources[0].rpartition("#")[2])
            outcome.stored[entry.id] = (of_message[number], entry)
    finally:
        await engine.close()
    return outcome


async def sleep(engine: LocalEngine, clock: Clock, night: datetime, facts: list[dict[str, Any]], out: Outcome) -> None:
    clock.now = night
    await engine.memory.pattern(PatternRequest())
    day = (night - timedelta(days=1)).date().isoformat()
    for entry in (await engine.memory.tell(MemoryRequest())).entries:
        over = [one for one in facts if one["until"] and one["until"] < day and is_about(one, entry.content)]
        if over and not any(is_about(one, entry.content) for one in facts if one not in over):
            out.stale.append(f"{day}: {entry.content}")


def score(messages: list[dict[str, Any]], facts: list[dict[str, Any]], outcome: Outcome) -> dict[str, Any]:
    said = defaultdict(list)
    for fact in facts:
        for id_ in fact["said_in"]:
            said[id_].append(fact)
    texts = {message["id"]: message["text"] for message in messages}
    right = {id_ for id_, (of, entry) in outcome.stored.items() if any(is_about(f, entry.content) for f in said[of])}
    wrong = [f"{of}: {entry.content}" for id_, (of, entry) in outcome.stored.items() if id_ not in right]
    last = messages[-1]["at"][:10]
    standing = {entry.id for entry in outcome.active}
    faded = [entry for entry in outcome.all if entry.state != "retired" and entry.id not in standing]
    holding = [fact for fact in facts if not fact["until"] or fact["until"] > last]
    known = [f for f in holding if any(is_about(f, one.content) for one in [*outcome.active, *faded])]
    missing = [f for f in holding if f not in known]
    stored_facts = [f for f in facts if any(is_about(f, entry.content) for _, entry in outcome.stored.values())]
    stale_end = [one for one in outcome.active if _is_over(one.content, facts, last)]
    return {
        "messages": len(messages),
        "facts": len(facts),
        "stored": len(outcome.stored),
        "precision": round(len(right) / max(1, len(outcome.stored)), 3),
        "recall": round(len(known) / len(holding), 3),
        "recall_of_all": round(len(stored_facts) / len(facts), 3),
        "stale_at_the_end": [one.content for one in stale_end],
        "stale_days": len(outcome.stale),
        "stale": sorted({line.partition(": ")[2] for line in outcome.stale}),
        "growth": round(len(right) / max(1, len(stored_facts)), 3),
        "wrong": wrong,
        "missing": [{"fact": f["id"], "said": [texts[id_][:160] for id_ in f["said_in"]]} for f in missing],
        "retired": [f"{one.content} <- {one.why}" for one in outcome.all if one.state == "retired"],
        "active": [f"[{one.type}] {one.content} {one.source_count} {one.confidence}" for one in outcome.active],
    }


def _is_over(text: str, facts: list[dict[str, Any]], day: str) -> bool:
    about = [fact for fact in facts if is_about(fact, text)]
    return bool(about) and all(fact["until"] and fact["until"] <= day for fact in about)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("month", type=Path)
    parser.add_argument("facts", type=Path)
    arguments = parser.parse_args()
    messages = [json.loads(line) for line in arguments.month.read_text("utf-8").splitlines()]
    facts = json.loads(arguments.facts.read_text("utf-8"))["facts"]
    with tempfile.TemporaryDirectory() as folder:
        outcome = asyncio.run(replay(messages, facts, Path(folder)))
    print(json.dumps(score(messages, facts, outcome), ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()

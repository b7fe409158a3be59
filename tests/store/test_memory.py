"""The memory through time: each state of each entry, and what is left of what was forgotten."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from support.memories import NOON, an_entry
from zibaldone.schemas.memory import MemoryEntry
from zibaldone.store.changes import CHANGES_SCHEMA
from zibaldone.store.memory import Recorded, Run
from zibaldone.store.proposals import PROPOSALS_SCHEMA
from zibaldone.store.state_db import StateStore


@pytest.fixture
def state(tmp_path: Path) -> Iterator[StateStore]:
    store = StateStore(tmp_path / "state.db")
    yield store
    store.close()


def test_any_moment_of_the_past_is_as_it_was_then(state: StateStore) -> None:
    chance = random.Random(6)
    now: dict[str, MemoryEntry] = {}
    moments: list[tuple[datetime, list[MemoryEntry]]] = []
    at = NOON
    for number in range(300):
        at += timedelta(microseconds=chance.choice([0, 1, 999, 10**6, 10**10]))
        changed: dict[str, MemoryEntry] = {}
        for _ in range(chance.randint(1, 3)):
            id_ = f"{chance.randint(0, 30):04}"
            if id_ in now and chance.random() < 0.3:
                changed[id_] = now[id_].model_copy(update={"state": "retired", "why": f"replaced at {number}"})
            else:
                changed[id_] = an_entry(f"Statement {number}", id_, confidence=chance.random(), pinned=number % 2 == 0)
        now |= changed
        state.memory.record([("changed", entry) for entry in changed.values()], [], at)
        moments.append((at, list(now.values())))
    later = dict(moments)  # of one moment, what was recorded last
    for at in chance.sample(sorted(later), 100):
        assert state.memory.entries(at) == later[at]
    assert state.memory.entries() == moments[-1][1]
    assert state.memory.entries(NOON - timedelta(days=1)) == []


def test_history_is_told_in_order_of_some_or_of_all(state: StateStore) -> None:
    leo, eight = an_entry("Leo is seven", "0001"), an_entry("Leo is eight", "0002", replaces=["0001"])
    gone = leo.model_copy(update={"state": "retired", "why": "replaced by 0002"})
    state.memory.record([("added", leo), ("added", an_entry("Tea", "0003"))], [("a.md", "aa")], NOON)
    state.memory.record([("replaced", gone), ("added", eight)], [("a.md", "bb")], NOON + timedelta(days=1))
    assert [(one.action, one.entry.id) for one in state.memory.history()] == [
        ("added", "0001"), ("added", "0003"), ("replaced", "0001"), ("added", "0002")
    ]  # fmt: skip
    assert state.memory.history(["0001"]) == [
        Recorded(NOON, "added", leo), Recorded(NOON + timedelta(days=1), "replaced", gone)
    ]  # fmt: skip
    assert state.memory.history(["0009"]) == []
    assert state.memory.page_hashes() == {"a.md": "bb"}


def test_nothing_but_a_hash_is_left_of_what_was_forgotten(state: StateStore, tmp_path: Path) -> None:
    secret = an_entry("The zyxcanary sings", "0001", sources=["note:zyxcanary.md:1"])
    heir = an_entry("It is silent", "0002", replaces=["0001", "0003"], conflicts_with=["0001"])
    state.memory.record([("added", secret), ("added", heir), ("edited", secret)], [], NOON)
    state.memory.forget(["0001"], ["c0ffee"], NOON)
    assert state.memory.history(["0001"]) == []
    [left] = state.memory.entries()
    assert (left.id, left.replaces, left.conflicts_with) == ("0002", ["0003"], [])
    assert state.memory.is_forgotten("c0ffee")
    state.compact()
    assert not [path for path in tmp_path.iterdir() if b"zyxcanary" in path.read_bytes()]
    state.memory.forget([], ["c0ffee"], NOON)
    state.memory.bring_back("c0ffee")
    assert not state.memory.is_forgotten("c0ffee")


VERSION_2 = """
CREATE TABLE conversations(
    id TEXT PRIMARY KEY, title TEXT NOT NULL, started_at TEXT NOT NULL, updated_at TEXT NOT NULL
);
CREATE TABLE messages(
    id INTEGER PRIMARY KEY, conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    role TEXT NOT NULL, text TEXT NOT NULL, at TEXT NOT NULL, state TEXT NOT NULL, citations TEXT NOT NULL
);
CREATE INDEX messages_conversation ON messages(conversation_id);
"""


def test_a_state_of_version_2_gets_a_memory_and_keeps_what_it_has(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    with closing(sqlite3.connect(path)) as old:
        old.executescript(VERSION_2 + CHANGES_SCHEMA + PROPOSALS_SCHEMA)
        old.execute("INSERT INTO conversations VALUES ('c1', 'The zyxcanary', '2026', '2026')")
        old.execute("PRAGMA user_version = 2")
        old.commit()
    state = StateStore(path)
    try:
        assert [one.title for one in state.conversations()] == ["The zyxcanary"]
        state.memory.record([("added", an_entry())], [], NOON)
        assert state.memory.entries() == [an_entry()]
        state.memory.note_run(Run("2026-03-02", NOON.isoformat(), 0, '{"changes": ["merged\\nThe zyxcanary", "tea"]}'))
        assert path.with_name("state.db.v2").exists()
        assert state.erase(lambda gone, text: text.replace("The zyxcanary", gone), "…") == 2
        state.compact()  # the copy of before holds the words too
    finally:
        state.close()
    assert not [one for one in tmp_path.iterdir() if b"zyxcanary" in one.read_bytes()]
    StateStore(path).close()

"""The memory of the vault as it was last built: which sources were read for events, the events, the levels above.

A file of its own beside `index.db`: the events are of several indexes (the vault's and those of folders beside it), and
a new version of the one must not cost the other. All of it can be made again. What cannot (identities, names, cards,
use) is in `state.db`, see `store.identities`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter

from zibaldone.domain.hierarchy import Event
from zibaldone.store.database import Database

VERSION = 1
_SCHEMA = """
CREATE TABLE sources(
    path TEXT PRIMARY KEY, version TEXT NOT NULL, reader TEXT NOT NULL, seconds REAL NOT NULL, problem TEXT
) WITHOUT ROWID;
CREATE TABLE events(
    id TEXT PRIMARY KEY, path TEXT NOT NULL, chunk_id TEXT NOT NULL,
    text TEXT NOT NULL, event TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX events_path ON events(path);
CREATE INDEX events_chunk ON events(chunk_id);
CREATE TABLE documents(name TEXT PRIMARY KEY, content TEXT NOT NULL) WITHOUT ROWID
"""
_EVENT = TypeAdapter(Event)


class ReadSource(NamedTuple):
    """A source as it was read for events: `version` stands for its content, `reader` for how that was done.
    `problem` says why nothing could be read; what an earlier version held is kept then."""

    path: str
    version: str
    reader: str
    seconds: float
    problem: str | None


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """`text` is what is embedded of it: where it stands, and what it says."""

    event: Event
    text: str


class HierarchyStore:
    """See the module. `path` is the database file; it is made on first use."""

    def __init__(self, path: Path) -> None:
        self._db = Database(path, _SCHEMA, VERSION, durable=False)
        self._all_events: tuple[int, Sequence[StoredEvent]] | None = None

    def sources(self) -> dict[str, ReadSource]:
        rows = self._db.rows("SELECT path, version, reader, seconds, problem FROM sources")
        return {row["path"]: ReadSource(*row) for row in rows}

    def put_source(self, source: ReadSource, events: Iterable[StoredEvent]) -> bool:
        """A source with all of its events; whether these differ from those that were known."""
        after = sorted(_row(source.path, one) for one in events)
        with self._db.transaction() as connection:
            before = connection.execute("SELECT * FROM events WHERE path = ? ORDER BY id", (source.path,)).fetchall()
            self._note(connection, source)
            if [tuple(row) for row in before] == after:
                return False
            connection.execute("DELETE FROM events WHERE path = ?", (source.path,))
            # Of a source that was renamed they are still there, under its old path.
            connection.executemany("INSERT OR REPLACE INTO events VALUES (?, ?, ?, ?, ?)", after)
        return True

    def note_source(self, source: ReadSource) -> None:
        """A source whose events stay as they are."""
        with self._db.transaction() as connection:
            self._note(connection, source)

    def drop_sources(self, paths: Iterable[str]) -> int:
        """Forget sources that are gone, with their events; how many events that were."""
        dropped = 0
        with self._db.transaction() as connection:
            for path in paths:
                dropped += connection.execute("DELETE FROM events WHERE path = ?", (path,)).rowcount
                connection.execute("DELETE FROM sources WHERE path = ?", (path,))
        return dropped

    def events(self) -> Sequence[StoredEvent]:
        """All of them, by id."""
        written = self._db.written()
        if self._all_events is None or self._all_events[0] != written:
            rows = self._db.rows("SELECT text, event FROM events ORDER BY id")
            found = [StoredEvent(_EVENT.validate_json(row["event"]), row["text"]) for row in rows]
            self._all_events = written, found
        return self._all_events[1]

    def digest(self) -> str:
        """Stands for all events as they are."""
        rows = self._db.rows("SELECT text, event FROM events ORDER BY id")
        seen = sha256()
        for row in rows:
            seen.update(f"{row['text']}\0{row['event']}\0".encode())
        return seen.hexdigest()

    def events_at(self, chunk_ids: Sequence[str]) -> dict[str, list[str]]:
        """The ids of the events of each passage that has any."""
        found: dict[str, list[str]] = {}
        for chunk_id in chunk_ids:
            rows = self._db.rows("SELECT id FROM events WHERE chunk_id = ? ORDER BY id", (chunk_id,))
            if rows:
                found[chunk_id] = [row["id"] for row in rows]
        return found

    def read_document(self, name: str) -> str | None:
        """What else is remembered of a build, by its name."""
        rows = self._db.rows("SELECT content FROM documents WHERE name = ?", (name,))
        return str(rows[0]["content"]) if rows else None

    def put_document(self, name: str, content: str) -> None:
        with self._db.transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO documents VALUES (?, ?)", (name, content))

    def clear(self) -> None:
        """Forget everything; nothing of it stays in the file."""
        with self._db.transaction() as connection:
            for table in ("sources", "events", "documents"):
                connection.execute(f"DELETE FROM {table}")
        self._db.compact()

    def close(self) -> None:
        self._db.close()

    @staticmethod
    def _note(connection: sqlite3.Connection, source: ReadSource) -> None:
        connection.execute("INSERT OR REPLACE INTO sources VALUES (?, ?, ?, ?, ?)", source)


def _row(path: str, one: StoredEvent) -> tuple[str, str, str, str, str]:
    return one.event.id, path, one.event.chunk_id, one.text, _EVENT.dump_json(one.event).decode()

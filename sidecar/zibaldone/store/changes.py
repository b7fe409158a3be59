"""The journal of what was changed in the vault: written before the first file is, so that a kill leaves no half change.

A change is `begun` with all its paths and hashes, `written` when every file has its new content, `abandoned` when one
could not be written and the others were put back, `undone` when another change took it back. The contents are in the
undo store, by hash.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from zibaldone.errors import NotFound
from zibaldone.store.database import Database

ChangeState = Literal["begun", "written", "abandoned", "undone"]

CHANGES_SCHEMA = """
CREATE TABLE changes(
    id INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, kind TEXT NOT NULL, message TEXT NOT NULL,
    state TEXT NOT NULL, entry TEXT, commit_sha TEXT, undoes INTEGER REFERENCES changes(id)
);
CREATE TABLE changed_paths(
    change_id INTEGER NOT NULL REFERENCES changes(id), path TEXT NOT NULL, before TEXT, after TEXT,
    PRIMARY KEY (change_id, path)
) WITHOUT ROWID;
CREATE INDEX changes_begun ON changes(state) WHERE state = 'begun';
CREATE INDEX changes_entry ON changes(entry);
"""


@dataclass(frozen=True, slots=True)
class ChangedPath:
    """SHA-256 of a file before and after; None where there is no file."""

    path: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Change:
    """`at` is local time with its zone; `undoes` the change that this one takes back."""

    id: int
    at: datetime
    kind: str
    message: str
    state: ChangeState
    commit: str | None
    undoes: int | None
    paths: tuple[ChangedPath, ...]


class ChangeJournal:
    """The changes of one vault, oldest first by id."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def begin(
        self, paths: Sequence[ChangedPath], kind: str, message: str, at: datetime, *, undoes: int | None = None
    ) -> int:
        """Record what is about to be done; its id. Durable when this returns."""
        with self._db.transaction() as connection:
            cursor = connection.execute(
                "INSERT INTO changes(at, kind, message, state, undoes) VALUES (?, ?, ?, 'begun', ?)",
                (at.isoformat(), kind, message, undoes),
            )
            change_id = int(cursor.lastrowid or 0)
            connection.executemany(
                "INSERT INTO changed_paths VALUES (?, ?, ?, ?)",
                [(change_id, path.path, path.before, path.after) for path in paths],
            )
            return change_id

    def end(self, change_id: int, state: ChangeState) -> None:
        """All files are written, or none; with `written`, what it takes back is `undone`."""
        with self._db.transaction() as connection:
            connection.execute("UPDATE changes SET state = ? WHERE id = ?", (state, change_id))
            if state == "written":
                connection.execute(
                    "UPDATE changes SET state = 'undone' WHERE id = (SELECT undoes FROM changes WHERE id = ?)",
                    (change_id,),
                )

    def queued(self, change_id: int, entry: str) -> None:
        """Its commit is this entry of the queue."""
        with self._db.transaction() as connection:
            connection.execute("UPDATE changes SET entry = ? WHERE id = ?", (entry, change_id))

    def committed(self, entry: str, sha: str) -> None:
        """The commit that this entry of the queue became."""
        with self._db.transaction() as connection:
            connection.execute("UPDATE changes SET commit_sha = ? WHERE entry = ?", (sha, entry))

    def get(self, change_id: int) -> Change:
        """Raises `NotFound`."""
        found = self._select("WHERE id = ?", (change_id,))
        if not found:
            raise NotFound(f"There is no change {change_id}.", "`zib changes` lists them.")
        return found[0]

    def begun(self) -> list[Change]:
        """What a kill left half done, oldest first."""
        return self._select("WHERE state = 'begun' ORDER BY id", ())

    def latest(self, limit: int, *, before: int | None = None) -> list[Change]:
        """The newest first; with `before` those older than that change."""
        return self._select("WHERE ? IS NULL OR id < ? ORDER BY id DESC LIMIT ?", (before, before, limit))

    def of_path(self, path: str, limit: int) -> list[Change]:
        """Those that changed a note, the newest first."""
        changed = "id IN (SELECT change_id FROM changed_paths WHERE path = ?)"
        return self._select(f"WHERE {changed} ORDER BY id DESC LIMIT ?", (path, limit))

    def _select(self, where: str, parameters: tuple[object, ...]) -> list[Change]:
        with self._db.transaction() as connection:
            rows = connection.execute(f"SELECT * FROM changes {where}", parameters).fetchall()
            return [self._change(connection, row) for row in rows]

    @staticmethod
    def _change(connection: sqlite3.Connection, row: sqlite3.Row) -> Change:
        paths = connection.execute("SELECT * FROM changed_paths WHERE change_id = ? ORDER BY path", (row["id"],))
        return Change(
            id=row["id"],
            at=datetime.fromisoformat(row["at"]),
            kind=row["kind"],
            message=row["message"],
            state=row["state"],
            commit=row["commit_sha"],
            undoes=row["undoes"],
            paths=tuple(ChangedPath(path["path"], path["before"], path["after"]) for path in paths),
        )

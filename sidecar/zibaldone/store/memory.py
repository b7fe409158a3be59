"""The memory of the person as it was at each moment: every state of every entry, hashes of what is to stay forgotten.

The pages in the vault are what counts; this remembers what they do not say (exact times, each confirmation) and how
they came to be. Both are compared whenever a page has changed (`runtime.memory_pages`).
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from zibaldone.schemas.memory import MemoryEntry
from zibaldone.store.database import Database

MEMORY_SCHEMA = """
CREATE TABLE memory(
    seq INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, entry_id TEXT NOT NULL, action TEXT NOT NULL,
    entry TEXT NOT NULL
);
CREATE INDEX memory_entry ON memory(entry_id);
CREATE INDEX memory_at ON memory(at);
CREATE TABLE memory_pages(path TEXT PRIMARY KEY, sha256 TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE forgotten(hash TEXT PRIMARY KEY, at TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE memory_runs(
    id INTEGER PRIMARY KEY AUTOINCREMENT, slot TEXT NOT NULL, started_at TEXT NOT NULL, reviewed INTEGER NOT NULL,
    report TEXT NOT NULL
);
CREATE TABLE memory_doubts(
    hash TEXT NOT NULL, conversation TEXT NOT NULL, log_odds REAL NOT NULL, PRIMARY KEY (hash, conversation)
) WITHOUT ROWID;
CREATE TABLE memory_faded(entry_id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE memory_compared(pair TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE memory_promoted(entry_id TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE migration_sources(sha256 TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE migration_proposals(key TEXT PRIMARY KEY, rejected INTEGER NOT NULL) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class Recorded:
    """An entry as it was from `at` on; `action` is what made it so."""

    at: datetime
    action: str
    entry: MemoryEntry


@dataclass(frozen=True, slots=True)
class Run:
    """One nightly run: for which night (`slot`, a date), up to which message, and its report as JSON."""

    slot: str
    started_at: str
    reviewed: int
    report: str


class MemoryStore:
    """Times are given with their zone and kept in UTC, so that they sort."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def record(
        self, changes: Iterable[tuple[str, MemoryEntry]], pages: Iterable[tuple[str, str]], at: datetime
    ) -> None:
        """Entries as they are from now on, each with the action that made it so, and the pages' SHA-256."""
        with self._db.transaction() as connection:
            connection.executemany(
                "INSERT INTO memory(at, entry_id, action, entry) VALUES (?, ?, ?, ?)",
                [(_utc(at), entry.id, action, entry.model_dump_json()) for action, entry in changes],
            )
            self.note_pages(pages)

    def note_pages(self, pages: Iterable[tuple[str, str]]) -> None:
        """The SHA-256 of pages whose words are known."""
        with self._db.transaction() as connection:
            connection.executemany("INSERT OR REPLACE INTO memory_pages VALUES (?, ?)", list(pages))

    def entries(self, at: datetime | None = None) -> list[MemoryEntry]:
        """All entries, whatever their state, as they are or were at a moment; the oldest first."""
        rows = self._db.rows(
            "SELECT entry FROM memory WHERE seq IN"
            " (SELECT max(seq) FROM memory WHERE ? IS NULL OR at <= ? GROUP BY entry_id)"
            " ORDER BY (SELECT min(seq) FROM memory first WHERE first.entry_id = memory.entry_id)",
            (_utc(at), _utc(at)) if at else (None, None),
        )
        return [MemoryEntry.model_validate_json(row["entry"]) for row in rows]

    def history(self, entry_ids: Sequence[str] = ()) -> list[Recorded]:
        """What happened to some entries, or to all; the oldest first."""
        marks = ", ".join("?" for _ in entry_ids)
        where = f"WHERE entry_id IN ({marks})" if entry_ids else ""
        rows = self._db.rows(f"SELECT at, action, entry FROM memory {where} ORDER BY seq", tuple(entry_ids))
        return [
            Recorded(datetime.fromisoformat(row["at"]), row["action"], MemoryEntry.model_validate_json(row["entry"]))
            for row in rows
        ]

    def page_hashes(self) -> dict[str, str]:
        """The SHA-256 of each page as it was last read or written."""
        return {row["path"]: row["sha256"] for row in self._db.rows("SELECT path, sha256 FROM memory_pages")}

    def forget(self, entry_ids: Sequence[str], hashes: Sequence[str], at: datetime) -> None:
        """Nothing of these entries is left but hashes, by which they are not taken in again."""
        with self._db.transaction() as connection:
            connection.executemany("DELETE FROM memory WHERE entry_id = ?", [(id_,) for id_ in entry_ids])
            connection.executemany("DELETE FROM memory_promoted WHERE entry_id = ?", [(id_,) for id_ in entry_ids])
            connection.executemany("INSERT OR IGNORE INTO forgotten VALUES (?, ?)", [(h, _utc(at)) for h in hashes])
            _drop_mentions(connection, frozenset(entry_ids))

    # -- the nightly run ---------------------------------------------------------------------------

    def last_run(self) -> Run | None:
        rows = self._db.rows("SELECT * FROM memory_runs ORDER BY id DESC LIMIT 1")
        return Run(rows[0]["slot"], rows[0]["started_at"], rows[0]["reviewed"], rows[0]["report"]) if rows else None

    def last_night(self, today: date) -> date | None:
        """The latest night that was run, of those that do not lie ahead."""
        [row] = self._db.rows("SELECT max(slot) AS slot FROM memory_runs WHERE slot <= ?", (today.isoformat(),))
        return date.fromisoformat(row["slot"]) if row["slot"] else None

    def note_run(self, run: Run) -> None:
        with self._db.transaction() as connection:
            connection.execute(
                "INSERT INTO memory_runs(slot, started_at, reviewed, report) VALUES (?, ?, ?, ?)",
                (run.slot, run.started_at, run.reviewed, run.report),
            )

    def doubt(self, hash_: str, conversation: str, log_odds: float) -> list[float]:
        """Remember that a statement was doubtful there; how doubtful it was in every conversation so far."""
        with self._db.transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO memory_doubts VALUES (?, ?, ?)", (hash_, conversation, log_odds))
            found = connection.execute("SELECT log_odds FROM memory_doubts WHERE hash = ?", (hash_,)).fetchall()
        return [row["log_odds"] for row in found]

    def faded_before(self) -> frozenset[str]:
        """Entries that had faded at the last run."""
        return frozenset(row["entry_id"] for row in self._db.rows("SELECT entry_id FROM memory_faded"))

    def note_faded(self, entry_ids: Iterable[str]) -> None:
        with self._db.transaction() as connection:
            connection.execute("DELETE FROM memory_faded")
            connection.executemany("INSERT INTO memory_faded VALUES (?)", [(id_,) for id_ in entry_ids])

    def was_compared(self, pair: str) -> bool:
        return bool(self._db.value("SELECT count(*) FROM memory_compared WHERE pair = ?", (pair,)))

    def note_compared(self, pair: str) -> None:
        with self._db.transaction() as connection:
            connection.execute("INSERT OR IGNORE INTO memory_compared VALUES (?)", (pair,))

    def promoted(self) -> dict[str, str]:
        """The words with which each entry has become a rule, by its id."""
        return {row["entry_id"]: row["text"] for row in self._db.rows("SELECT entry_id, text FROM memory_promoted")}

    def note_promoted(self, rules: Iterable[tuple[str, str]]) -> None:
        with self._db.transaction() as connection:
            connection.executemany("INSERT OR REPLACE INTO memory_promoted VALUES (?, ?)", list(rules))

    def is_forgotten(self, hash_: str) -> bool:
        return bool(self._db.value("SELECT count(*) FROM forgotten WHERE hash = ?", (hash_,)))

    def bring_back(self, hash_: str) -> None:
        """The person said it once more themselves."""
        with self._db.transaction() as connection:
            connection.execute("DELETE FROM forgotten WHERE hash = ?", (hash_,))

    # -- migration ---------------------------------------------------------------------------------

    def migrated(self) -> frozenset[str]:
        """The SHA-256 of each file whose statements were all proposed."""
        return frozenset(row["sha256"] for row in self._db.rows("SELECT sha256 FROM migration_sources"))

    def proposed(self, *, rejected: bool = False) -> frozenset[str]:
        """Keys of the statements that were proposed, or only of those that were rejected."""
        rows = self._db.rows("SELECT key FROM migration_proposals WHERE rejected >= ?", (int(rejected),))
        return frozenset(row["key"] for row in rows)

    def note_proposed(self, keys: Iterable[str], sources: Iterable[str]) -> None:
        """Of statements that were proposed, and of files (SHA-256) that hold no others."""
        with self._db.transaction() as connection:
            connection.executemany("INSERT OR IGNORE INTO migration_proposals VALUES (?, 0)", [(k,) for k in keys])
            connection.executemany("INSERT OR IGNORE INTO migration_sources VALUES (?)", [(s,) for s in sources])

    def note_rejected(self, keys: Iterable[str]) -> None:
        with self._db.transaction() as connection:
            connection.executemany("INSERT OR REPLACE INTO migration_proposals VALUES (?, 1)", [(k,) for k in keys])

    def forget_proposed(self) -> None:
        """As if nothing had been proposed but what was rejected."""
        with self._db.transaction() as connection:
            connection.execute("DELETE FROM migration_proposals WHERE rejected = 0")
            connection.execute("DELETE FROM migration_sources")


def _drop_mentions(connection: sqlite3.Connection, gone: frozenset[str]) -> None:
    """Without the ids of what is gone in the others' chains."""
    for row in connection.execute("SELECT seq, entry FROM memory").fetchall():
        entry = json.loads(row["entry"])
        chains = {key: [id_ for id_ in entry[key] if id_ not in gone] for key in ("replaces", "conflicts_with")}
        if any(entry[key] != chain for key, chain in chains.items()):
            connection.execute(
                "UPDATE memory SET entry = ? WHERE seq = ?", (json.dumps({**entry, **chains}), row["seq"])
            )


def _utc(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")

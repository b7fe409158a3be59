"""Opening a SQLite file the one way that all stores use."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

from zibaldone.errors import StoreClosed, StoreDamaged, StoreNewer

log = logging.getLogger(__name__)

S = TypeVar("S")


class Database:
    """One connection behind one lock, in WAL mode, with its schema version in `user_version`.

    Args:
        schema: statements that make an empty database of `version`.
        durable: wait for the disk at each commit. Derived data does without: it can be made again.
        migrations: statements that bring version N to N + 1, by N. The file is copied to `NAME.vN` first.

    Raises:
        StoreDamaged: the file is not a database, or of an old version without a migration.
        StoreNewer: it was written by a newer version.
    """

    def __init__(
        self, path: Path, schema: str, version: int, *, durable: bool, migrations: Mapping[int, str] | None = None
    ) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._closed = False
        try:
            self._connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=30)
            self._connection.row_factory = sqlite3.Row
            path.chmod(0o600)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            self._connection.execute("PRAGMA foreign_keys = ON")
            found = self._connection.execute("PRAGMA user_version").fetchone()[0]
            if found == 0:
                self._connection.executescript(f"BEGIN IMMEDIATE; {schema}; PRAGMA user_version = {version}; COMMIT;")
            elif found > version:
                raise StoreNewer(
                    f"{path} has schema version {found}, this program reads version {version}.", "Update Zibaldone."
                )
            elif found < version:
                self._migrate(found, version, migrations or {})
        except sqlite3.DatabaseError as error:
            raise StoreDamaged(f"{path} cannot be read: {error}.", "Run `zib doctor`.") from error

    def _migrate(self, found: int, version: int, migrations: Mapping[int, str]) -> None:
        missing = [step for step in range(found, version) if step not in migrations]
        if missing:
            raise StoreDamaged(f"{self.path} has the old schema version {found}.", "It is made anew.")
        with closing(sqlite3.connect(self.path.with_name(f"{self.path.name}.v{found}"))) as copy:
            self._connection.backup(copy)
        steps = " ".join(migrations[step] for step in range(found, version))
        self._connection.executescript(f"BEGIN IMMEDIATE; {steps}; PRAGMA user_version = {version}; COMMIT;")

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing; nested use joins the outer transaction."""
        with self._lock:
            self._check_open()
            if self._connection.in_transaction:
                yield self._connection
                return
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def rows(self, sql: str, parameters: tuple[object, ...] = ()) -> list[sqlite3.Row]:
        with self._lock:
            self._check_open()
            return self._connection.execute(sql, parameters).fetchall()

    def value(self, sql: str, parameters: tuple[object, ...] = ()) -> int:
        """The single number that a counting query gives."""
        with self._lock:
            self._check_open()
            return int(self._connection.execute(sql, parameters).fetchone()[0] or 0)

    def written(self) -> int:
        """A number that grows with every row that is written; what was read at the same number still holds, as long
        as nobody else opens the file. Not to be asked for inside a transaction, which may still be undone."""
        with self._lock:
            self._check_open()
            return self._connection.total_changes

    def compact(self) -> None:
        """Write the file anew, so that nothing of what was deleted stays in it."""
        with self._lock:
            self._check_open()
            self._connection.execute("VACUUM")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._connection.close()

    def _check_open(self) -> None:
        if self._closed:
            raise StoreClosed("Zibaldone is stopping.", "What was not done is done at the next start.")


def open_or_replace(store: Callable[[Path], S], path: Path) -> S:
    """Open a store; a damaged file is set aside as `.damaged` and a new one made.

    Raises:
        StoreNewer: the file is fine, this program is too old for it.
    """
    try:
        return store(path)
    except StoreNewer:
        raise
    except StoreDamaged as error:
        log.warning("%s It is set aside and made anew.", error.message)
        for suffix in ("", "-wal", "-shm"):
            file = path.with_name(path.name + suffix)
            if file.exists():
                file.replace(path.with_name(f"{path.name}{suffix}.damaged"))
        return store(path)

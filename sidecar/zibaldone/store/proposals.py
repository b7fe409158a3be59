"""Proposals: what the person's notes are and would be. A decision narrows the two until they are the same."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from zibaldone.errors import NotFound, VaultChanged
from zibaldone.schemas.proposals import ProposalState
from zibaldone.store.database import Database

PROPOSALS_SCHEMA = """
CREATE TABLE proposals(
    id INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, title TEXT NOT NULL, reason TEXT NOT NULL,
    state TEXT NOT NULL, revision INTEGER NOT NULL DEFAULT 1
);
CREATE TABLE proposed_files(
    proposal_id INTEGER NOT NULL REFERENCES proposals(id) ON DELETE CASCADE, path TEXT NOT NULL,
    base BLOB, wanted BLOB, PRIMARY KEY (proposal_id, path)
) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class ProposedContent:
    """A note as it was and as it would be; None where there is no file."""

    base: bytes | None
    wanted: bytes | None


@dataclass(frozen=True, slots=True)
class StoredProposal:
    """`files` by path; those that are decided are gone."""

    id: int
    at: str
    title: str
    reason: str
    state: ProposalState
    revision: int
    files: Mapping[str, ProposedContent]


class ProposalStore:
    """The proposals of one vault."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def add(self, title: str, reason: str, files: Mapping[str, ProposedContent], at: datetime) -> int:
        with self._db.transaction() as connection:
            cursor = connection.execute(
                "INSERT INTO proposals(at, title, reason, state) VALUES (?, ?, ?, 'open')",
                (at.isoformat(), title, reason),
            )
            number = int(cursor.lastrowid or 0)
            self._put_files(connection, number, files)
            return number

    def update(
        self, number: int, revision: int, files: Mapping[str, ProposedContent], state: ProposalState
    ) -> StoredProposal:
        """What is left after a decision.

        Raises:
            VaultChanged: another decision was made meanwhile.
        """
        with self._db.transaction() as connection:
            cursor = connection.execute(
                "UPDATE proposals SET revision = revision + 1, state = ? WHERE id = ? AND revision = ?",
                (state, number, revision),
            )
            if cursor.rowcount != 1:
                raise VaultChanged(f"Proposal {number} was decided on meanwhile.", "Look at it again.")
            connection.execute("DELETE FROM proposed_files WHERE proposal_id = ?", (number,))
            self._put_files(connection, number, files)
        return self.get(number)

    def withdraw(self, holds: Callable[[bytes], bool]) -> int:
        """Let go of each proposed note of which one of the two versions `holds` something that is to be forgotten; a
        proposal of which nothing is left is rejected. In how many of them that was."""
        with self._db.transaction() as connection:
            files = connection.execute("SELECT * FROM proposed_files").fetchall()
            found = [row for row in files if any(holds(row[one]) for one in ("base", "wanted") if row[one] is not None)]
            connection.executemany(
                "DELETE FROM proposed_files WHERE proposal_id = ? AND path = ?",
                [(row["proposal_id"], row["path"]) for row in found],
            )
            touched = {row["proposal_id"] for row in found}
            connection.executemany(
                "UPDATE proposals SET revision = revision + 1 WHERE id = ?", [(one,) for one in touched]
            )
            connection.execute(
                "UPDATE proposals SET state = 'rejected' WHERE state = 'open'"
                " AND id NOT IN (SELECT proposal_id FROM proposed_files)"
            )
        return len(touched)

    def get(self, number: int) -> StoredProposal:
        """Raises `NotFound`."""
        found = self._select("WHERE id = ?", (number,))
        if not found:
            raise NotFound(f"There is no proposal {number}.", "`zib proposals` lists them.")
        return found[0]

    def all(self, *, only_open: bool) -> list[StoredProposal]:
        """The newest first."""
        return self._select("WHERE state = 'open' OR NOT ? ORDER BY id DESC", (only_open,))

    def _select(self, where: str, parameters: tuple[object, ...]) -> list[StoredProposal]:
        with self._db.transaction() as connection:
            rows = connection.execute(f"SELECT * FROM proposals {where}", parameters).fetchall()
            return [self._proposal(connection, row) for row in rows]

    @staticmethod
    def _put_files(connection: sqlite3.Connection, number: int, files: Mapping[str, ProposedContent]) -> None:
        connection.executemany(
            "INSERT INTO proposed_files VALUES (?, ?, ?, ?)",
            [(number, path, content.base, content.wanted) for path, content in files.items()],
        )

    @staticmethod
    def _proposal(connection: sqlite3.Connection, row: sqlite3.Row) -> StoredProposal:
        files = connection.execute("SELECT * FROM proposed_files WHERE proposal_id = ? ORDER BY path", (row["id"],))
        return StoredProposal(
            id=row["id"],
            at=row["at"],
            title=row["title"],
            reason=row["reason"],
            state=cast("ProposalState", row["state"]),
            revision=row["revision"],
            files={file["path"]: ProposedContent(file["base"], file["wanted"]) for file in files},
        )

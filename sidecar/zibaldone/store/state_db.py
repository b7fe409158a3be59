"""What a rebuild must never touch: conversations, changes, proposals, the memory. Durable, part of every backup."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal
from uuid import uuid4

from zibaldone.errors import NotFound
from zibaldone.schemas.ask import Citation
from zibaldone.schemas.history import Conversation, ConversationSummary, Message
from zibaldone.store.changes import CHANGES_SCHEMA, ChangeJournal
from zibaldone.store.database import Database
from zibaldone.store.memory import MEMORY_SCHEMA, MemoryStore
from zibaldone.store.proposals import PROPOSALS_SCHEMA, ProposalStore

VERSION = 3
_SCHEMA = """
CREATE TABLE conversations(
    id TEXT PRIMARY KEY, title TEXT NOT NULL, started_at TEXT NOT NULL, updated_at TEXT NOT NULL
);
CREATE TABLE messages(
    id INTEGER PRIMARY KEY, conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    role TEXT NOT NULL, text TEXT NOT NULL, at TEXT NOT NULL, state TEXT NOT NULL, citations TEXT NOT NULL
);
CREATE INDEX messages_conversation ON messages(conversation_id);
"""
_MIGRATIONS = {1: CHANGES_SCHEMA + PROPOSALS_SCHEMA, 2: MEMORY_SCHEMA}
_TITLE_CHARS = 60


@dataclass(frozen=True, slots=True)
class Said:
    """A message of the person; `at` is ISO 8601."""

    id: int
    conversation_id: str
    text: str
    at: str


class StateStore:
    """Conversations and their messages; `changes` is the journal of the vault, `proposals` what waits for approval,
    `memory` what is remembered of the person."""

    def __init__(self, path: Path) -> None:
        self._db = Database(
            path,
            _SCHEMA + CHANGES_SCHEMA + PROPOSALS_SCHEMA + MEMORY_SCHEMA,
            VERSION,
            durable=True,
            migrations=_MIGRATIONS,
        )
        self.changes = ChangeJournal(self._db)
        self.proposals = ProposalStore(self._db)
        self.memory = MemoryStore(self._db)

    def close(self) -> None:
        self._db.close()

    def begin_turn(self, conversation_id: str | None, question: str, at: datetime | None = None) -> tuple[str, int]:
        """Record a question (of now, or of `at`), and an empty partial answer that a kill leaves visible as such.

        Returns the conversation's id (a new one for None) and the id of the answer's message.

        Raises:
            NotFound: no such conversation.
        """
        now = (at or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="seconds")
        with self._db.transaction() as connection:
            if conversation_id is None:
                conversation_id = uuid4().hex
                title = " ".join(question.split())[:_TITLE_CHARS]
                connection.execute("INSERT INTO conversations VALUES (?, ?, ?, ?)", (conversation_id, title, now, now))
            else:
                self._require(connection, conversation_id)
                connection.execute("UPDATE conversations SET updated_at = ? WHERE id = ?", (now, conversation_id))
            insert = (
                "INSERT INTO messages(conversation_id, role, text, at, state, citations) VALUES (?, ?, ?, ?, ?, '[]')"
            )
            connection.execute(insert, (conversation_id, "user", question, now, "complete"))
            cursor = connection.execute(insert, (conversation_id, "assistant", "", now, "partial"))
            return conversation_id, int(cursor.lastrowid or 0)

    def end_turn(
        self,
        message_id: int,
        text: str,
        state: Literal["complete", "partial", "failed"],
        citations: list[Citation],
    ) -> None:
        packed = json.dumps([c.model_dump() for c in citations])
        with self._db.transaction() as connection:
            connection.execute(
                "UPDATE messages SET text = ?, state = ?, citations = ? WHERE id = ?",
                (text, state, packed, message_id),
            )

    def conversations(self) -> list[ConversationSummary]:
        rows = self._db.rows(
            "SELECT c.*, (SELECT count(*) FROM messages m WHERE m.conversation_id = c.id AND m.role = 'user') AS turns"
            " FROM conversations c ORDER BY c.updated_at DESC, c.rowid DESC"
        )
        return [ConversationSummary(**dict(row)) for row in rows]

    def conversation(self, conversation_id: str) -> Conversation:
        with self._db.transaction() as connection:
            row = self._require(connection, conversation_id)
            messages = connection.execute(
                "SELECT * FROM messages WHERE conversation_id = ? ORDER BY id", (conversation_id,)
            ).fetchall()
        return Conversation(
            **dict(row),
            messages=[
                Message(
                    role=m["role"],
                    text=m["text"],
                    at=m["at"],
                    state=m["state"],
                    citations=[Citation(**c) for c in json.loads(m["citations"])],
                )
                for m in messages
            ],
        )

    def said_since(self, message_id: int, limit: int) -> list[Said]:
        """The person's messages after one, the oldest first."""
        rows = self._db.rows(
            "SELECT id, conversation_id, text, at FROM messages WHERE role = 'user' AND id > ? ORDER BY id LIMIT ?",
            (message_id, limit),
        )
        return [Said(row["id"], row["conversation_id"], row["text"], row["at"]) for row in rows]

    def delete_conversation(self, conversation_id: str) -> None:
        with self._db.transaction() as connection:
            self._require(connection, conversation_id)
            connection.execute("DELETE FROM conversations WHERE id = ?", (conversation_id,))
            # The numbers of the last messages are given again.
            connection.execute(
                "UPDATE memory_runs SET reviewed = min(reviewed, (SELECT coalesce(max(id), 0) FROM messages))"
            )

    def erase(self, sub: Callable[[str, str], str], gone: str) -> int:
        """Put `gone` in the place of some words (`sub` of a pattern) in conversations, in what changes are called and
        in what nightly runs reported; how many texts that were."""
        erased = 0
        with self._db.transaction() as connection:
            for table, column in (("messages", "text"), ("messages", "citations"), ("conversations", "title"),
                                  ("changes", "message"), ("memory_runs", "report")):  # fmt: skip
                is_json = column in ("citations", "report")
                for row in connection.execute(f"SELECT id, {column} AS text FROM {table}").fetchall():
                    before = json.loads(row["text"]) if is_json else row["text"]
                    after = _erase(before, sub, gone)
                    if after != before:
                        text = json.dumps(after) if is_json else after
                        connection.execute(f"UPDATE {table} SET {column} = ? WHERE id = ?", (text, row["id"]))
                        erased += 1
        return erased

    def compact(self) -> None:
        """See `Database.compact`; the copy that a migration made goes too."""
        self._db.compact()
        for version in range(1, VERSION):
            self._db.path.with_name(f"{self._db.path.name}.v{version}").unlink(missing_ok=True)

    @staticmethod
    def _require(connection: sqlite3.Connection, conversation_id: str) -> sqlite3.Row:
        row = connection.execute("SELECT * FROM conversations WHERE id = ?", (conversation_id,)).fetchone()
        if row is None:
            raise NotFound(f"There is no conversation {conversation_id}.", "`zib history` lists the saved ones.")
        assert isinstance(row, sqlite3.Row)
        return row


def _erase(value: object, sub: Callable[[str, str], str], gone: str) -> object:
    """In all strings of a JSON value: escaped, a word may follow on a letter (`\\nMy`)."""
    match value:
        case str():
            return sub(gone, value)
        case list():
            return [_erase(one, sub, gone) for one in value]
        case dict():
            return {key: _erase(one, sub, gone) for key, one in value.items()}
    return value

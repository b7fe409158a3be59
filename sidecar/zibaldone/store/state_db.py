"""What a rebuild must never touch: conversations, changes, proposals. Durable at each commit, part of every backup."""

from __future__ import annotations

import json
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal
from uuid import uuid4

from zibaldone.errors import NotFound
from zibaldone.schemas.ask import Citation
from zibaldone.schemas.history import Conversation, ConversationSummary, Message
from zibaldone.store.changes import CHANGES_SCHEMA, ChangeJournal
from zibaldone.store.database import Database
from zibaldone.store.proposals import PROPOSALS_SCHEMA, ProposalStore

VERSION = 2
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
_MIGRATIONS = {1: CHANGES_SCHEMA + PROPOSALS_SCHEMA}
_TITLE_CHARS = 60


class StateStore:
    """Conversations and their messages; `changes` is the journal of the vault, `proposals` what waits for approval."""

    def __init__(self, path: Path) -> None:
        self._db = Database(
            path, _SCHEMA + CHANGES_SCHEMA + PROPOSALS_SCHEMA, VERSION, durable=True, migrations=_MIGRATIONS
        )
        self.changes = ChangeJournal(self._db)
        self.proposals = ProposalStore(self._db)

    def close(self) -> None:
        self._db.close()

    def begin_turn(self, conversation_id: str | None, question: str) -> tuple[str, int]:
        """Record a question, and an empty partial answer that a kill leaves visible as such.

        Returns the conversation's id (a new one for None) and the id of the answer's message.

        Raises:
            NotFound: no such conversation.
        """
        now = datetime.now(UTC).isoformat(timespec="seconds")
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

    def delete_conversation(self, conversation_id: str) -> None:
        with self._db.transaction() as connection:
            self._require(connection, conversation_id)
            connection.execute("DELETE FROM conversations WHERE id = ?", (conversation_id,))

    @staticmethod
    def _require(connection: sqlite3.Connection, conversation_id: str) -> sqlite3.Row:
        row = connection.execute("SELECT * FROM conversations WHERE id = ?", (conversation_id,)).fetchone()
        if row is None:
            raise NotFound(f"There is no conversation {conversation_id}.", "`zib history` lists the saved ones.")
        assert isinstance(row, sqlite3.Row)
        return row

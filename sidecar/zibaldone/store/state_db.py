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

from zibaldone.domain.words import fold
from zibaldone.errors import NotFound
from zibaldone.schemas.ask import Answer, Citation
from zibaldone.schemas.history import Conversation, ConversationSummary, Message
from zibaldone.store.changes import CHANGES_SCHEMA, ChangeJournal
from zibaldone.store.database import Database
from zibaldone.store.identities import IDENTITIES_SCHEMA, IdentityStore
from zibaldone.store.memory import MEMORY_SCHEMA, MemoryStore
from zibaldone.store.proposals import PROPOSALS_SCHEMA, ProposalStore

VERSION = 5
_SCHEMA = """
CREATE TABLE conversations(
    id TEXT PRIMARY KEY, title TEXT NOT NULL, started_at TEXT NOT NULL, updated_at TEXT NOT NULL
);
CREATE TABLE messages(
    id INTEGER PRIMARY KEY, conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    role TEXT NOT NULL, text TEXT NOT NULL, at TEXT NOT NULL, state TEXT NOT NULL, citations TEXT NOT NULL, answer TEXT
);
CREATE INDEX messages_conversation ON messages(conversation_id);
"""
_MIGRATIONS = {
    1: CHANGES_SCHEMA + PROPOSALS_SCHEMA,
    2: MEMORY_SCHEMA,
    3: "ALTER TABLE messages ADD COLUMN answer TEXT;",
    4: IDENTITIES_SCHEMA,
}
_TITLE_CHARS = 60
# What is kept of a passage that was found, and shown around words that were searched for.
_PASSAGE_CHARS = 300
_FOUND_CHARS = 120


@dataclass(frozen=True, slots=True)
class Said:
    """A message of the person; `at` is ISO 8601."""

    id: int
    conversation_id: str
    text: str
    at: str


class StateStore:
    """Conversations and their messages; `changes` is the journal of the vault, `proposals` what waits for approval,
    `memory` what is remembered of the person, `identities` what of the vault's memory has to stay."""

    def __init__(self, path: Path) -> None:
        self._db = Database(
            path,
            _SCHEMA + CHANGES_SCHEMA + PROPOSALS_SCHEMA + MEMORY_SCHEMA + IDENTITIES_SCHEMA,
            VERSION,
            durable=True,
            migrations=_MIGRATIONS,
        )
        self.changes = ChangeJournal(self._db)
        self.proposals = ProposalStore(self._db)
        self.memory = MemoryStore(self._db)
        self.identities = IdentityStore(self._db)

    def close(self) -> None:
        self._db.close()

    def begin_turn(
        self, conversation_id: str | None, question: str, at: datetime | None = None, *, after: int | None = None
    ) -> tuple[str, int]:
        """Record a question (of now, or of `at`), and an empty partial answer that a kill leaves visible as such.

        It follows the first `after` turns (None: all) of the conversation. A last turn that this leaves out is
        replaced; where it leaves out several, they stay, and the others are copied to a conversation of its own.

        Returns the conversation's id (a new one for None) and the id of the answer's message.

        Raises:
            NotFound: no such conversation.
        """
        now = (at or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="seconds")
        with self._db.transaction() as connection:
            if conversation_id is None:
                conversation_id = uuid4().hex
                title = _title(question)
                connection.execute("INSERT INTO conversations VALUES (?, ?, ?, ?)", (conversation_id, title, now, now))
            else:
                self._require(connection, conversation_id)
                conversation_id = self._leave_out(connection, conversation_id, after, now)
                if after == 0:
                    connection.execute(
                        "UPDATE conversations SET title = ? WHERE id = ?", (_title(question), conversation_id)
                    )
                connection.execute("UPDATE conversations SET updated_at = ? WHERE id = ?", (now, conversation_id))
            insert = (
                "INSERT INTO messages(conversation_id, role, text, at, state, citations) VALUES (?, ?, ?, ?, ?, '[]')"
            )
            connection.execute(insert, (conversation_id, "user", question, now, "complete"))
            cursor = connection.execute(insert, (conversation_id, "assistant", "", now, "partial"))
            return conversation_id, int(cursor.lastrowid or 0)

    def _leave_out(self, connection: sqlite3.Connection, conversation_id: str, after: int | None, now: str) -> str:
        """The conversation with its first `after` turns: itself, or a copy."""
        asked = connection.execute(
            "SELECT id FROM messages WHERE conversation_id = ? AND role = 'user' ORDER BY id", (conversation_id,)
        ).fetchall()
        left_out = [row["id"] for row in asked[after:]] if after is not None else []
        if not left_out:
            return conversation_id
        if len(left_out) == 1:
            connection.execute(
                "DELETE FROM messages WHERE conversation_id = ? AND id >= ?", (conversation_id, left_out[0])
            )
            self._give_numbers_again(connection)
            return conversation_id
        copy = uuid4().hex
        connection.execute(
            "INSERT INTO conversations SELECT ?, title, ?, ? FROM conversations WHERE id = ?",
            (copy, now, now, conversation_id),
        )
        columns = "role, text, at, state, citations, answer"
        connection.execute(
            f"INSERT INTO messages(conversation_id, {columns})"
            f" SELECT ?, {columns} FROM messages WHERE conversation_id = ? AND id < ? ORDER BY id",
            (copy, conversation_id, left_out[0]),
        )
        return copy

    def end_turn(
        self,
        message_id: int,
        text: str,
        state: Literal["complete", "partial", "failed"],
        answer: Answer | None = None,
    ) -> None:
        """Keep what was answered; also what is written of it so far, as `partial`."""
        citations = json.dumps([c.model_dump() for c in answer.citations]) if answer else "[]"
        with self._db.transaction() as connection:
            connection.execute(
                "UPDATE messages SET text = ?, state = ?, citations = ?, answer = ? WHERE id = ?",
                (text, state, citations, _pack(answer) if answer else None, message_id),
            )

    def conversations(self, words: str = "") -> list[ConversationSummary]:
        """The latest first; with `words` those that hold all of them, in the title or in messages."""
        rows = self._db.rows(
            "SELECT c.*, (SELECT count(*) FROM messages m WHERE m.conversation_id = c.id AND m.role = 'user') AS turns"
            " FROM conversations c ORDER BY c.updated_at DESC, c.rowid DESC"
        )
        every = [ConversationSummary(**dict(row)) for row in rows]
        wanted = fold(words).split()
        if not wanted:
            return every
        said: dict[str, list[str]] = {}
        for row in self._db.rows("SELECT conversation_id, text FROM messages ORDER BY id"):
            said.setdefault(row["conversation_id"], []).append(row["text"])
        found = [_find(one, said.get(one.id, []), wanted) for one in every]
        return [one for one in found if one is not None]

    def rename_conversation(self, conversation_id: str, title: str) -> None:
        with self._db.transaction() as connection:
            self._require(connection, conversation_id)
            connection.execute(
                "UPDATE conversations SET title = ? WHERE id = ?", (" ".join(title.split()), conversation_id)
            )

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
                    answer=Answer.model_validate_json(m["answer"]) if m["answer"] else None,
                )
                for m in messages
            ],
        )

    def said_since(self, message_id: int, limit: int | None = None) -> list[Said]:
        """The person's messages after one, the oldest first; at most `limit`."""
        rows = self._db.rows(
            "SELECT id, conversation_id, text, at FROM messages WHERE role = 'user' AND id > ? ORDER BY id LIMIT ?",
            (message_id, -1 if limit is None else limit),
        )
        return [Said(row["id"], row["conversation_id"], row["text"], row["at"]) for row in rows]

    def delete_conversation(self, conversation_id: str) -> None:
        with self._db.transaction() as connection:
            self._require(connection, conversation_id)
            connection.execute("DELETE FROM conversations WHERE id = ?", (conversation_id,))
            self._give_numbers_again(connection)

    @staticmethod
    def _give_numbers_again(connection: sqlite3.Connection) -> None:
        """The numbers of messages that were deleted, if they were the last, are those of the next ones."""
        connection.execute(
            "UPDATE memory_runs SET reviewed = min(reviewed, (SELECT coalesce(max(id), 0) FROM messages))"
        )

    def erase(self, sub: Callable[[str, str], str], gone: str) -> int:
        """Put `gone` in the place of some words (`sub` of a pattern) in conversations, in what changes are called and
        in what nightly runs reported; how many texts that were."""
        erased = 0
        with self._db.transaction() as connection:
            for table, column in (("messages", "text"), ("messages", "citations"), ("messages", "answer"),
                                  ("conversations", "title"), ("changes", "message"),
                                  ("proposals", "title"), ("proposals", "reason"),
                                  ("memory_runs", "report"), ("vault_groups", "title"),
                                  ("recall_cards", "question"), ("recall_cards", "answer")):  # fmt: skip
                is_json = column in ("citations", "answer", "report")
                every = f"SELECT id, {column} AS text FROM {table} WHERE {column} IS NOT NULL"
                for row in connection.execute(every).fetchall():
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


def _title(question: str) -> str:
    return " ".join(question.split())[:_TITLE_CHARS]


def _pack(answer: Answer) -> str:
    """An answer as it is kept: passages by their beginning, and without what only looks into the program."""
    hits = [hit.model_copy(update={"text": hit.text[:_PASSAGE_CHARS]}) for hit in answer.hits]
    return answer.model_copy(update={"hits": hits, "debug": None}).model_dump_json()


def _holds(text: str, words: list[str]) -> bool:
    folded = fold(text)
    return all(word in folded for word in words)


def _around(text: str, word: str) -> str:
    """Some words of a text, as one line, from a little before the one that was looked for."""
    line = " ".join(text.split())
    start = max(0, fold(line).find(word) - _FOUND_CHARS // 4)
    start = line.find(" ", start - 1) + 1 if start else 0
    end = start + _FOUND_CHARS
    return f"{'…' if start else ''}{line[start:end]}{'…' if end < len(line) else ''}"


def _find(one: ConversationSummary, said: list[str], words: list[str]) -> ConversationSummary | None:
    """The conversation, with the message that holds most of the words unless the title holds them all."""
    if _holds(one.title, words):
        return one
    if not _holds("\n".join([one.title, *said]), words):
        return None
    folded = [fold(text) for text in said]
    best = max(range(len(said)), key=lambda at: sum(word in folded[at] for word in words))
    word = next((word for word in words if word in folded[best]), "")
    return one.model_copy(update={"found": _around(said[best], word)})


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

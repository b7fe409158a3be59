"""What of the vault's memory no rebuild may lose: who is who, names, recall cards, and what was used. In `state.db`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from zibaldone.domain.hierarchy import Card, Touch, TouchKind
from zibaldone.store.database import Database

IDENTITIES_SCHEMA = """
CREATE TABLE vault_groups(
    id TEXT PRIMARY KEY, level TEXT NOT NULL, live INTEGER NOT NULL, members TEXT NOT NULL, title TEXT NOT NULL,
    named_for TEXT NOT NULL, named_by TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE successions(
    id INTEGER PRIMARY KEY, at TEXT NOT NULL, what TEXT NOT NULL, source TEXT NOT NULL, target TEXT NOT NULL
);
CREATE TABLE recall_cards(
    id TEXT PRIMARY KEY, node_id TEXT NOT NULL, evidence TEXT NOT NULL, question TEXT NOT NULL, answer TEXT NOT NULL,
    generated_by TEXT NOT NULL, schedule TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE touches(target TEXT NOT NULL, kind TEXT NOT NULL, at TEXT NOT NULL);
CREATE INDEX touches_target ON touches(target);
"""


@dataclass(frozen=True, slots=True)
class Group:
    """An episode or concept (`level`) as the last build left it: its events, and its name, with the events that it was
    named for and by whom (empty: by its words)."""

    id: str
    level: str
    is_live: bool
    members: tuple[str, ...]
    title: str
    named_for: tuple[str, ...]
    named_by: str = ""


@dataclass(frozen=True, slots=True)
class Succeeded:
    """That `source` became (for the greater part) `target`, by being `merged` or `split`."""

    at: datetime
    what: str
    source: str
    target: str


class IdentityStore:
    """Times are given with their zone and kept in UTC, so that they sort."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def groups(self, level: str) -> list[Group]:
        rows = self._db.rows("SELECT * FROM vault_groups WHERE level = ? ORDER BY id", (level,))
        return [
            Group(
                row["id"],
                row["level"],
                bool(row["live"]),
                tuple(json.loads(row["members"])),
                row["title"],
                tuple(json.loads(row["named_for"])),
                row["named_by"],
            )
            for row in rows
        ]

    def put_groups(
        self,
        groups: Sequence[Group],
        successions: Iterable[tuple[str, str, str]],
        heirs: Mapping[str, str],
        at: datetime,
    ) -> None:
        """All groups after a build, and what became of others: (what, source, target). Cards and uses go to the heirs
        in the same transaction, so that a kill leaves none behind."""
        with self._db.transaction() as connection:
            before = {row["id"]: tuple(row) for row in connection.execute("SELECT * FROM vault_groups")}
            after = {group.id: _row(group) for group in groups}
            connection.executemany(
                "DELETE FROM vault_groups WHERE id = ?", [(id_,) for id_ in before.keys() - after.keys()]
            )
            changed = [row for id_, row in after.items() if before.get(id_) != row]
            connection.executemany("INSERT OR REPLACE INTO vault_groups VALUES (?, ?, ?, ?, ?, ?, ?)", changed)
            connection.executemany(
                "INSERT INTO successions(at, what, source, target) VALUES (?, ?, ?, ?)",
                [(_utc(at), *one) for one in successions],
            )
            moved = [(heir, gone) for gone, heir in heirs.items()]
            connection.executemany("UPDATE touches SET target = ? WHERE target = ?", moved)
            connection.executemany("UPDATE recall_cards SET node_id = ? WHERE node_id = ?", moved)

    def name_group(self, id_: str, title: str, named_by: str) -> None:
        with self._db.transaction() as connection:
            connection.execute("UPDATE vault_groups SET title = ?, named_by = ? WHERE id = ?", (title, named_by, id_))

    def successions(self) -> list[Succeeded]:
        """The oldest first."""
        rows = self._db.rows("SELECT at, what, source, target FROM successions ORDER BY id")
        return [Succeeded(datetime.fromisoformat(row["at"]), *tuple(row)[1:]) for row in rows]

    # -- cards -------------------------------------------------------------------------------------

    def cards(self) -> list[Card]:
        rows = self._db.rows("SELECT * FROM recall_cards ORDER BY id")
        return [Card(row["id"], row["node_id"], tuple(json.loads(row["evidence"])), *tuple(row)[3:]) for row in rows]

    def put_cards(self, cards: Iterable[Card]) -> None:
        with self._db.transaction() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO recall_cards VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        card.id,
                        card.node_id,
                        json.dumps(card.evidence),
                        card.question,
                        card.answer,
                        card.generated_by,
                        card.schedule,
                    )
                    for card in cards
                ],
            )

    def drop_cards(self, ids: Iterable[str]) -> None:
        with self._db.transaction() as connection:
            connection.executemany("DELETE FROM recall_cards WHERE id = ?", [(id_,) for id_ in ids])

    # -- use ---------------------------------------------------------------------------------------

    def touch(self, touches: Iterable[Touch]) -> None:
        with self._db.transaction() as connection:
            connection.executemany(
                "INSERT INTO touches VALUES (?, ?, ?)", [(one.target, one.kind.value, _utc(one.at)) for one in touches]
            )

    def touches(self) -> list[Touch]:
        """The oldest first."""
        rows = self._db.rows("SELECT target, kind, at FROM touches ORDER BY at, target")
        return [Touch(row["target"], TouchKind(row["kind"]), datetime.fromisoformat(row["at"])) for row in rows]

    def clear_touches(self) -> int:
        """Forget all; how many there were."""
        with self._db.transaction() as connection:
            return connection.execute("DELETE FROM touches").rowcount


def _row(group: Group) -> tuple[object, ...]:
    return (
        group.id,
        group.level,
        int(group.is_live),
        json.dumps(group.members),
        group.title,
        json.dumps(group.named_for),
        group.named_by,
    )


def _utc(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")

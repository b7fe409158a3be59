"""Entries of the memory for tests."""

from __future__ import annotations

from datetime import UTC, datetime

from zibaldone.schemas.memory import MemoryEntry

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def an_entry(content: str = "Leo is eight", id_: str = "3f9a1c20", **fields: object) -> MemoryEntry:
    """Explicit and of type `user`, unless `fields` say otherwise."""
    usual = {"type": "user", "is_explicit": True, "created_at": NOON.isoformat(), "updated_at": NOON.isoformat()}
    return MemoryEntry.model_validate({"id": id_, "content": content, **usual, **fields})

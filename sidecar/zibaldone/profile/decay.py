"""Fading: what the person is at is forgotten when they do not speak of it any more. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta

from zibaldone.schemas.memory import MemoryEntry

# Days after the last confirmation, outheis'; explicit ones too, unless pinned.
CONTEXT_DAYS = 14


def expires_at(entry: MemoryEntry) -> datetime | None:
    """None for what stays. An entry whose time lies ahead (the clock was wrong) counts from then."""
    if entry.decay_days is None or entry.pinned:
        return None
    return datetime.fromisoformat(entry.updated_at) + timedelta(days=entry.decay_days)


def has_expired(entry: MemoryEntry, now: datetime) -> bool:
    end = expires_at(entry)
    return end is not None and now > end


def with_expiry(entry: MemoryEntry) -> MemoryEntry:
    end = expires_at(entry)
    return entry.model_copy(update={"expires_at": end.isoformat() if end else None})

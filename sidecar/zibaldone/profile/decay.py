"""Fading: what the person is at is forgotten when they do not speak of it any more. Pure."""

from __future__ import annotations

from datetime import datetime, time, timedelta

from zibaldone.profile.until import last_day
from zibaldone.schemas.memory import MemoryEntry

# Days after the last confirmation, outheis'; explicit ones too, unless pinned.
CONTEXT_DAYS = 14


def expires_at(entry: MemoryEntry) -> datetime | None:
    """None for what stays. An entry whose time lies ahead (the clock was wrong) counts from then. A plan that names its
    last day is over with it, however often it was confirmed."""
    if entry.decay_days is None or entry.pinned:
        return None
    faded = datetime.fromisoformat(entry.updated_at) + timedelta(days=entry.decay_days)
    if entry.decay_days != CONTEXT_DAYS:  # as the person wants it
        return faded
    said = datetime.fromisoformat(entry.created_at)
    last = last_day(entry.content, said.date())
    return min(faded, datetime.combine(last, time.max, said.tzinfo)) if last else faded


def has_expired(entry: MemoryEntry, now: datetime) -> bool:
    end = expires_at(entry)
    return end is not None and now > end


def with_expiry(entry: MemoryEntry) -> MemoryEntry:
    end = expires_at(entry)
    return entry.model_copy(update={"expires_at": end.isoformat() if end else None})

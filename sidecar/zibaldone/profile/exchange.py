"""The memory in and out as JSON, in the shape that outheis has. Pure.

{"type": "user", "updated_at": "...", "entries": [{"content", "type", "created_at", "updated_at", "confidence",
 "source_count", "decay_days", "is_explicit"}]}
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from zibaldone.profile.migration import Found
from zibaldone.profile.relate import gist
from zibaldone.profile.takeover import Change, default_decay, new_id
from zibaldone.schemas.memory import MemoryEntry, MemoryType

# Of a statement whose source does not say how sure it is: an assistant's word about somebody.
_CONFIDENCE = 0.8

_FIELDS = (
    "content",
    "type",
    "created_at",
    "updated_at",
    "confidence",
    "source_count",
    "decay_days",
    "is_explicit",
)


def export_entries(kind: str, entries: Sequence[MemoryEntry]) -> dict[str, Any]:
    """The document of one type; what ours has beside theirs (id, sources, pinned) is there as well."""
    own = [entry for entry in entries if entry.type == kind]
    return {
        "type": kind,
        "updated_at": max((entry.updated_at for entry in own), default=None),
        "entries": [
            {
                **{field: getattr(entry, field) for field in _FIELDS},
                "id": entry.id,
                "pinned": entry.pinned,
                "sources": entry.sources,
            }
            for entry in own
        ],
    }


class Chosen(NamedTuple):
    """A statement that is to be kept, as what, and the name of the file that has it."""

    found: Found
    type: MemoryType
    name: str


def add_entries(chosen: Sequence[Chosen], known: Sequence[MemoryEntry], now: datetime) -> list[Change]:
    """The entries that the statements are, with the dates, flags and ids (where they are free) that the files give
    them. What is known stays as it is, so that taking an import back is taking back its lines.

    Args:
        known: all entries there ever were.
    """
    there = {(entry.type, gist(entry.content)) for entry in known if entry.state == "active"}
    taken = {entry.id for entry in known}
    changes: list[Change] = []
    for found, kind, name in chosen:
        if (said := (kind, gist(found.text))) in there:
            continue
        entry = _new_entry(found, kind, name, taken, now)
        there.add(said)
        taken.add(entry.id)
        changes.append(Change(imported_from(name), entry))
    return changes


def imported_from(name: str) -> str:
    """The action by which the history tells where an entry came from."""
    return f"imported from {name}"


def _new_entry(found: Found, kind: MemoryType, name: str, taken: set[str], now: datetime) -> MemoryEntry:
    created = found.created or now
    return MemoryEntry(
        id=found.id if found.id and found.id not in taken else new_id(kind, found.text, created, taken),
        type=kind,
        content=found.text,
        created_at=created.isoformat(),
        updated_at=(found.updated or created).isoformat(),
        confidence=1.0 if found.is_explicit else _CONFIDENCE if found.confidence is None else found.confidence,
        source_count=found.source_count,
        decay_days=found.decay_days or default_decay(kind),
        is_explicit=found.is_explicit,
        pinned=found.pinned,
        sources=list(found.sources) or [f"import:{name}"],
    )

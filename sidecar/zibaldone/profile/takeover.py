"""What a person changed on a page of their memory, by hand. Pure.

A line is known by its id, or where it has none by its words. A new line without an id is the person's own statement, a
changed one too; a line that is gone or struck out is no longer so. That a statement is explicit is never taken back:
the comment of a line that a person changed stays as it was until the line is written again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, time
from hashlib import sha256
from typing import NamedTuple

from zibaldone.profile.decay import CONTEXT_DAYS
from zibaldone.profile.page import Item, Page, shown
from zibaldone.schemas.memory import MemoryEntry, MemoryType

DELETED, STRUCK, CLEARED = "deleted by hand", "struck out by hand", "cleared"


class Change(NamedTuple):
    """An entry as it is now, and what made it so."""

    action: str
    entry: MemoryEntry


def take_over(
    kind: MemoryType, page: Page, known: Sequence[MemoryEntry], now: datetime, elsewhere: Collection[str] = ()
) -> list[Change]:
    """What the page of `kind` says that is not known yet, `known` being all entries there ever were. Nothing for a page
    that a merge left torn.

    Args:
        elsewhere: the ids on the other pages.
    """
    if page.is_torn:
        return []
    everywhere = {entry.id: entry for entry in known}
    here = {entry.id: entry for entry in known if entry.type == kind and entry.state == "active"}
    with_id = {item.id for item in page.items}
    by_text = {shown(entry): entry for entry in here.values() if entry.id not in with_id}
    taken = set(everywhere)
    met = set(page.unread)
    changes: list[Change] = []
    for item in page.items:
        if item.is_copy:
            continue
        entry = everywhere.get(item.id) if item.id else by_text.get(item.text)
        if entry is not None and entry.id in elsewhere and entry.id not in here and entry.state == "active":
            item = Item(item.number, item.text, is_struck=item.is_struck)  # copied from its own page
            entry = by_text.get(item.text)
        if entry is not None:
            met.add(entry.id)
            changes.extend(_changed(kind, item, entry, now))
        elif not item.is_struck:
            entry = _new(kind, item, now, taken)
            taken.add(entry.id)
            changes.append(Change("added by hand", entry))
    gone = (entry for id_, entry in here.items() if id_ not in met and id_ not in elsewhere)
    return [*changes, *(Change(DELETED, retire(entry, DELETED, now)) for entry in gone)]


def _changed(kind: MemoryType, item: Item, entry: MemoryEntry, now: datetime) -> Iterator[Change]:
    if item.is_struck:
        if entry.state == "active":
            yield Change(STRUCK, retire(entry, STRUCK, now))
        return
    update: dict[str, object] = {"state": "active", "why": None}  # it may have been put back
    if item.text != shown(entry):
        update |= {"content": item.text, "sources": [*entry.sources, "hand"]}
    if item.text != shown(entry) or item.is_explicit:
        update |= {"is_explicit": True, "confidence": 1.0}
    if item.id is not None or item.pinned:  # else the comment was taken away, which says nothing
        update["pinned"] = item.pinned
    if entry.type != kind:
        update |= {"type": kind, "decay_days": default_decay(kind)}
    if (decay := _decay(kind, item)) is not None:
        update["decay_days"] = decay
    after = entry.model_copy(update=update)
    if after != entry:
        yield Change("edited by hand", after.model_copy(update={"updated_at": now.isoformat()}))


def _decay(kind: MemoryType, item: Item) -> int | None:
    """On another page, a focus's days are what was left in the comment when the line was moved."""
    return None if kind != "context" and item.decay_days == CONTEXT_DAYS else item.decay_days


def _new(kind: MemoryType, item: Item, now: datetime, taken: Collection[str]) -> MemoryEntry:
    added = _at(item, now, confirmed=False)
    return MemoryEntry(
        id=item.id if item.id and item.id not in taken else new_id(kind, item.text, added, taken),
        type=kind,
        content=item.text,
        created_at=added.isoformat(),
        updated_at=_at(item, now, confirmed=True).isoformat(),
        confidence=1.0 if item.confidence is None else item.confidence,
        source_count=item.source_count or 1,
        decay_days=_decay(kind, item) or default_decay(kind),
        is_explicit=item.is_explicit or item.id is None,
        pinned=item.pinned,
        sources=list(item.sources) or ["hand"],
        replaces=list(item.replaces),
        conflicts_with=list(item.conflicts_with),
    )


def _at(item: Item, now: datetime, *, confirmed: bool) -> datetime:
    """The page says days only: a day that is not today is its noon."""
    day = (item.confirmed if confirmed else None) or item.added
    return now if day is None or day >= now.date() else datetime.combine(day, time(12), now.tzinfo)


def retire(entry: MemoryEntry, why: str, now: datetime) -> MemoryEntry:
    return entry.model_copy(update={"state": "retired", "why": why, "updated_at": now.isoformat()})


def default_decay(kind: MemoryType) -> int | None:
    return CONTEXT_DAYS if kind == "context" else None


def new_id(kind: MemoryType, text: str, at: datetime, taken: Collection[str]) -> str:
    """Eight hexadecimal digits that no other entry has."""
    number = 0
    while (id_ := sha256(f"{kind}\n{text}\n{at.isoformat()}\n{number}".encode()).hexdigest()[:8]) in taken:
        number += 1
    return id_

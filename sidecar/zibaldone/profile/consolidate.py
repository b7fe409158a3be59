"""Operations that tidy the memory. Pure: each is checked here, whoever proposed it.

No entry goes without a named successor or a reason, and none that the person stated is changed by what was inferred.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from zibaldone.profile.decay import has_expired
from zibaldone.profile.decide import Relation, confirm, decide
from zibaldone.profile.takeover import Change, retire
from zibaldone.schemas.memory import MemoryEntry

FADED = "faded"


def settle(relation: Relation, newer: MemoryEntry, now: datetime) -> list[Change]:
    """What becomes of two entries that say the same, or take each other back. Explicit beats inferred."""
    older = relation.entry
    if older.state != "active" or newer.state != "active" or older.type != newer.type:
        return []
    if relation.verdict == "contradicts":
        if older.id in newer.conflicts_with:
            return []
        return decide(newer, [relation], now)[:-1] + _pointing(newer, older, now)
    kept, gone = (older, newer) if older.is_explicit or not newer.is_explicit else (newer, older)
    merged = confirm(kept, gone, datetime.fromisoformat(max(older.updated_at, newer.updated_at)))
    merged = merged.model_copy(
        update={
            "source_count": older.source_count + newer.source_count,
            "replaces": list(dict.fromkeys([*kept.replaces, gone.id, *gone.replaces])),
            "created_at": min(older.created_at, newer.created_at),
        }
    )
    return [Change("merged", retire(gone, f"merged into {kept.id}", now)), Change("merged", merged)]


def archive(entries: Sequence[MemoryEntry], now: datetime, seen_before: frozenset[str]) -> list[Change]:
    """Faded entries that had faded at the run before, too: a clock that is wrong for a day takes nothing away."""
    return [
        Change("archived", one.model_copy(update={"state": "archived", "why": FADED}))
        for one in entries
        if one.state == "active" and one.id in seen_before and has_expired(one, now)
    ]


def is_allowed(changes: Sequence[Change], before: Sequence[MemoryEntry]) -> bool:
    """Whether nothing is lost: every entry that ends says why, and none that is explicit ends by an inferred one."""
    known = {one.id: one for one in before}
    after = {change.entry.id: change.entry for change in changes}
    for id_, entry in after.items():
        old = known.get(id_)
        if old is None:
            continue
        if entry.state != "active" and not entry.why:
            return False
        if old.is_explicit and entry.state == "retired":
            successors = [one for one in after.values() if id_ in one.replaces and one.state == "active"]
            if not any(one.is_explicit for one in successors):
                return False
        if old.is_explicit and (entry.content, entry.is_explicit) != (old.content, True):
            return False
    return True


def _pointing(newer: MemoryEntry, older: MemoryEntry, now: datetime) -> list[Change]:
    last = decide(newer, [Relation(older, "contradicts")], now)[-1].entry
    return [Change("settled", last)]

"""What becomes of a new statement beside what is remembered already. Pure.

A repeat confirms. A contradiction retires the old entry, with a pointer, where the new one is explicit or as well
founded; else both stay and are shown as a conflict. What was said explicitly is changed by explicit words alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from zibaldone.profile.relate import Verdict
from zibaldone.profile.takeover import Change, retire
from zibaldone.schemas.memory import MemoryEntry

# Where the statement stands in the person's own words its confidence seldom differs by more for the same thing.
_AS_SURE = 0.15
_MOST_SOURCES = 20
# They name no place, so once more from there is said once more.
_ANYWHERE = {"cli", "hand"}


class Relation(NamedTuple):
    """How a new statement stands to an entry that is there, or to one `clause` of it (None: to all that it says)."""

    entry: MemoryEntry
    verdict: Verdict
    clause: str | None = None


def decide(new: MemoryEntry, relations: Sequence[Relation], now: datetime) -> list[Change]:
    """The changes; the last is of the entry that now says what `new` says."""
    same = [one.entry for one in relations if one.verdict == "same"]
    against = [one.entry for one in relations if one.verdict == "contradicts"]
    kept = confirm(same[0], new, now) if same else new
    beaten = [old for old in against if is_beaten(old, kept) and (new.is_explicit or not old.is_explicit)]
    conflicts = [old for old in against if old not in beaten]
    changes = [Change("replaced", retire(old, f"replaced by {kept.id}", now)) for old in beaten]
    changes += [
        Change("in conflict", old.model_copy(update={"conflicts_with": _joined(old.conflicts_with, [kept.id])}))
        for old in conflicts
        if kept.id not in old.conflicts_with
    ]
    kept = kept.model_copy(
        update={
            "replaces": _joined(kept.replaces, [old.id for old in beaten]),
            "conflicts_with": _joined(
                [c for c in kept.conflicts_with if c not in {b.id for b in beaten}], [old.id for old in conflicts]
            ),
        }
    )
    return [*changes, Change("confirmed" if same else "added", kept)]


def confirm(old: MemoryEntry, new: MemoryEntry, now: datetime) -> MemoryEntry:
    """Said once more. The old words stay, unless they were inferred and the new ones are explicit."""
    sources = _joined(old.sources, new.sources)[-_MOST_SOURCES:]
    update: dict[str, object] = {
        "updated_at": now.isoformat(),
        "source_count": old.source_count + (not {*new.sources} <= {*old.sources} - _ANYWHERE),
        "sources": sources,
        "confidence": max(old.confidence, new.confidence, min(0.99, 1 - (1 - old.confidence) * (1 - new.confidence))),
    }
    if new.is_explicit and not old.is_explicit:
        update |= {"content": new.content, "is_explicit": True, "confidence": 1.0}
    return old.model_copy(update=update)


def is_beaten(old: MemoryEntry, new: MemoryEntry) -> bool:
    return new.is_explicit or (not old.is_explicit and new.confidence >= old.confidence - _AS_SURE)


def _joined(before: Sequence[str], more: Sequence[str]) -> list[str]:
    return list(dict.fromkeys([*before, *more]))

"""Three versions of a note into one. Pure; bytes in, bytes out."""

from __future__ import annotations

from zibaldone.vault.edit.hunks import Hunk, apply_hunks, diff


def merge(base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """`base` with what `ours` changed and what `theirs` changed; None where both changed the same lines.

    Changes that only touch are both made: an entry added behind another one stays when that one is taken out.
    Two insertions at the same place count as the same lines, but for the same text.
    """
    hunks = list(diff(base, ours))
    for hunk in diff(base, theirs):
        if hunk[:3] not in [known[:3] for known in hunks]:
            if any(_collide(hunk, other) for other in hunks):
                return None
            hunks.append(hunk)
    return apply_hunks(base, hunks)


def _collide(one: Hunk, other: Hunk) -> bool:
    if not one.old and not other.old:
        return one.start == other.start
    return one.start < other.start + len(other.old) and other.start < one.start + len(one.old)

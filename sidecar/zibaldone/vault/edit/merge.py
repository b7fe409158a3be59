"""Three versions of a note into one. Pure; bytes in, bytes out."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher


@dataclass(frozen=True, slots=True)
class _Hunk:
    """Lines `start` to `end` of the base (end exclusive) become `lines`."""

    start: int
    end: int
    lines: list[bytes]


def merge(base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """`base` with what `ours` changed and what `theirs` changed; None where both changed the same lines.

    Changes that only touch are both made: an entry added behind another one stays when that one is taken out.
    Two insertions at the same place count as the same lines.
    """
    lines = base.splitlines(keepends=True)
    hunks = _hunks(lines, ours)
    for hunk in _hunks(lines, theirs):
        if hunk in hunks:
            continue
        if any(_collide(hunk, other) for other in hunks):
            return None
        hunks.append(hunk)
    merged = list(lines)
    # From the end, so that the numbers hold; at one place an insertion stands behind what was there.
    for hunk in sorted(hunks, key=lambda hunk: (hunk.start, hunk.end), reverse=True):
        merged[hunk.start : hunk.end] = hunk.lines
    return b"".join(merged)


def _hunks(base: list[bytes], changed: bytes) -> list[_Hunk]:
    lines = changed.splitlines(keepends=True)
    codes = SequenceMatcher(None, base, lines, autojunk=False).get_opcodes()
    return [_Hunk(a, b, lines[c:d]) for tag, a, b, c, d in codes if tag != "equal"]


def _collide(one: _Hunk, other: _Hunk) -> bool:
    if one.start == one.end and other.start == other.end:
        return one.start == other.start
    return one.start < other.end and other.start < one.end

"""The difference of two versions as hunks, each of which can be taken or left. Pure; exact to the byte.

Lines that stand once in each version are anchors (patience); what is between them is compared by Myers' algorithm up
to a bound, beyond which it is one hunk. So a large file costs about as much as it has lines, whatever it holds.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from zibaldone.errors import InvalidRequest, NotEditable, VaultChanged
from zibaldone.vault.edit.lines import read_note

MOST_EDITS = 128  # single-line edits between two anchors; Myers' cost is the square of it


class Hunk(NamedTuple):
    """`old`, at byte `start` of the base, becomes `new`. Lines are 1-based: where `old` begins in the base and `new`
    in the new version."""

    start: int
    old: bytes
    new: bytes
    old_line: int
    new_line: int


class _Match(NamedTuple):
    """Lines `old` and `new` (indexes) and the following are the same, `size` of them."""

    old: int
    new: int
    size: int


def diff(base: bytes, new: bytes) -> tuple[Hunk, ...]:
    """The hunks that lead from `base` to `new`, in order; none touches another."""
    old_lines, new_lines = _split(base), _split(new)
    offsets = [0]
    for line in old_lines:
        offsets.append(offsets[-1] + len(line))
    hunks: list[Hunk] = []
    i = j = 0
    for match in (*_matches(old_lines, new_lines), _Match(len(old_lines), len(new_lines), 0)):
        if (i, j) != (match.old, match.new):
            old, changed = b"".join(old_lines[i : match.old]), b"".join(new_lines[j : match.new])
            hunks.append(Hunk(offsets[i], old, changed, i + 1, j + 1))
        i, j = match.old + match.size, match.new + match.size
    return tuple(hunks)


def apply_hunks(base: bytes, hunks: Iterable[Hunk]) -> bytes:
    """The base with these hunks, all or any of those that `diff` gave, in any order.

    Raises:
        VaultChanged: the base is not the one that they were made from.
        InvalidRequest: two of them overlap.
    """
    pieces: list[bytes] = []
    at = 0
    for hunk in sorted(set(hunks)):
        if hunk.start < at:
            raise InvalidRequest(f"two changes overlap at line {hunk.old_line}", "apply changes of one diff only")
        end = hunk.start + len(hunk.old)
        if base[hunk.start : end] != hunk.old:
            raise VaultChanged(f"line {hunk.old_line} is not what the change was made for", "compare again")
        pieces += (base[at : hunk.start], hunk.new)
        at = end
    return b"".join((*pieces, base[at:]))


def _split(data: bytes) -> list[bytes]:
    """Lines with their endings. UTF-16 is split between characters; what cannot be read, between bytes."""
    try:
        note = read_note(data)
    except NotEditable:
        return data.splitlines(keepends=True)
    lines = [note.encode(note.text[line.start : line.stop]) for line in note.lines]
    return [note.mark + lines[0], *lines[1:]] if lines and note.mark else lines or ([note.mark] if note.mark else [])


def _matches(old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[_Match]:
    """Runs of equal lines, in order, not overlapping in either version."""
    i = j = 0
    for anchor in (*_anchors(old, new), _Match(len(old), len(new), 0)):
        if anchor.old < i or anchor.new < j:
            continue  # taken with the run before it
        head = _run(old, new, i, j, anchor.old, anchor.new)
        tail = _run_back(old, new, i + head, j + head, anchor.old, anchor.new)
        if head:
            yield _Match(i, j, head)
        yield from _myers(old, new, (i + head, j + head), (anchor.old - tail, anchor.new - tail))
        size = tail + _run(old, new, anchor.old, anchor.new, len(old), len(new))
        if size:
            yield _Match(anchor.old - tail, anchor.new - tail, size)
        i, j = anchor.old - tail + size, anchor.new - tail + size


def _anchors(old: Sequence[bytes], new: Sequence[bytes]) -> list[_Match]:
    """Lines that are unique in both versions, as many as stand in the same order in both."""
    counts_old, counts_new = Counter(old), Counter(new)
    where = {line: j for j, line in enumerate(new) if counts_new[line] == 1}
    pairs = [(i, where[line]) for i, line in enumerate(old) if counts_old[line] == 1 and line in where]
    ends: list[int] = []  # the least last position of an increasing run, by its length
    owners: list[int] = []
    before: list[int] = []
    for number, (_, j) in enumerate(pairs):
        length = bisect_left(ends, j)
        ends[length : length + 1] = [j]
        owners[length : length + 1] = [number]
        before.append(owners[length - 1] if length else -1)
    chain: list[_Match] = []
    at = owners[-1] if owners else -1
    while at >= 0:
        chain.append(_Match(*pairs[at], 0))
        at = before[at]
    return chain[::-1]


def _run(old: Sequence[bytes], new: Sequence[bytes], i: int, j: int, end_old: int, end_new: int) -> int:
    size = 0
    while i + size < end_old and j + size < end_new and old[i + size] == new[j + size]:
        size += 1
    return size


def _run_back(old: Sequence[bytes], new: Sequence[bytes], i: int, j: int, end_old: int, end_new: int) -> int:
    size = 0
    while end_old - size > i and end_new - size > j and old[end_old - size - 1] == new[end_new - size - 1]:
        size += 1
    return size


def _myers(
    old: Sequence[bytes], new: Sequence[bytes], start: tuple[int, int], end: tuple[int, int]
) -> Iterator[_Match]:
    """Equal runs of a shortest edit between two places; none if it takes more than MOST_EDITS.

    Myers, "An O(ND) difference algorithm and its variations" (1986), forward, keeping each round's furthest points.
    """
    (i0, j0), (i1, j1) = start, end
    height, width = i1 - i0, j1 - j0
    if not height or not width or abs(height - width) > MOST_EDITS:
        return
    reach = {1: 0}
    rounds: list[dict[int, int]] = []
    for edits in range(MOST_EDITS + 1):
        rounds.append(dict(reach))
        for k in range(-edits, edits + 1, 2):
            down = k == -edits or (k != edits and reach[k - 1] < reach[k + 1])
            x = reach[k + 1] if down else reach[k - 1] + 1
            if 0 <= x <= height and 0 <= x - k <= width:
                x += _run(old, new, i0 + x, j0 + x - k, i1, j1)
            reach[k] = x
            if x >= height and x - k >= width:
                yield from _walk_back(rounds, height, width, i0, j0)
                return


def _walk_back(rounds: Sequence[dict[int, int]], height: int, width: int, i0: int, j0: int) -> list[_Match]:
    """The equal runs of the path that Myers' rounds found, in order."""
    runs: list[_Match] = []
    x, y = height, width
    for edits in range(len(rounds) - 1, -1, -1):
        reach, k = rounds[edits], x - y
        down = k == -edits or (k != edits and reach[k - 1] < reach[k + 1])
        before = reach[k + 1] if down else reach[k - 1]
        begin = before if down else before + 1
        if edits == 0:
            begin = 0
        if x > begin:
            runs.append(_Match(i0 + begin, j0 + begin - k, x - begin))
        x, y = before, before - (k + 1 if down else k - 1)
    return runs[::-1]

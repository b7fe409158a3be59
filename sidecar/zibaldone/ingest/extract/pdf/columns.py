"""The order in which the lines of a page are read. Pure.

The file's own order is kept where it can be one: down a column, then to a column further right, or down to what lies
below. Else the page is cut: at an alley between columns of text, and across at the lines that bridge it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import fmean, median

from zibaldone.ingest.extract.pdf.line import Line

Flow = list[Line]
"""Lines under each other, in reading order."""

_SIGN = 4  # letters of an item's sign or number, at most
_SIGN_GAP = 4.0  # line heights from its left edge to that of the item's text, at most
_BESIDE = 3  # flows beside the last line of another, from which on the file may be jumping between columns
_EDGE = 4.0  # points; left edges of a column differ by less
_MIN_LINES = 3  # of a column
_MIN_SHARE = 0.08  # of a page's lines start at the left edge of a column
_MAX_BRIDGES = 0.1  # of a column's lines have a bridge of the alley beside them, by mistake
_FULL = 0.6  # of a column's width is what its lines fill
_LETTERS = 16  # has such a line on average; a cell of a table has fewer
_APART = 2.2  # line heights from line to line, from which on it may be another block


def in_reading_order(lines: Sequence[Line]) -> list[Flow]:
    """The flows of a page; a new one begins where the eye leaves the line below."""
    lines = _with_signs(lines)
    flows = _flows(lines)
    if _count_beside(flows) < _BESIDE and _is_downwards(flows):
        return flows
    if columns := _cut_at_alley(lines):
        return columns
    return flows if _is_downwards(flows) else _flows(_by_blocks(flows))


def _with_signs(lines: Iterable[Line]) -> list[Line]:
    """An item's sign or number that is a line by itself, put before the line beside it."""
    joined: list[Line] = []
    for line in lines:
        last = joined[-1] if joined else None
        if (
            last
            and len(last.text) <= _SIGN
            and _is_beside(last, line)
            and 0 < line.left - last.left < _SIGN_GAP * line.height
        ):
            joined[-1] = line._replace(text=f"{last.text} {line.text}", left=last.left)
        else:
            joined.append(line)
    return joined


def _flows(lines: Iterable[Line]) -> list[Flow]:
    flows: list[Flow] = []
    last: Line | None = None
    for line in lines:
        if last is None or not _continues(last, line):
            flows.append([line])
        else:
            flows[-1].append(line)
        last = line
    return flows


def _continues(last: Line, line: Line) -> bool:
    """Whether `line` lies below `last` and not beyond its sides."""
    return (
        last.bottom - line.bottom > 0.3 * (line.top - line.bottom) and line.left < last.right and line.right > last.left
    )


def is_interleaved(lines: Sequence[Line]) -> bool:
    """Whether the file goes to and fro between what stands side by side, as where it has columns row by row."""
    not_down = sum([line.bottom > last.bottom - 1.0 for last, line in pairwise(lines)])
    return not_down >= _BESIDE and _count_beside(_flows(lines)) >= _BESIDE


def _count_beside(flows: Sequence[Flow]) -> int:
    return sum(_is_beside(last[-1], flow[0]) for last, flow in pairwise(flows))


def _is_downwards(flows: Sequence[Flow]) -> bool:
    """Whether each flow that begins higher than the last one ended begins right of all that it goes back over."""
    for last, flow in pairwise(flows):
        first = flow[0]
        middle = (first.top + first.bottom) / 2
        if middle > last[-1].bottom and any(line.bottom < middle and line.right > first.left + _EDGE for line in last):
            return False
    return True


def _is_beside(last: Line, line: Line) -> bool:
    return min(last.top, line.top) - max(last.bottom, line.bottom) > 0.3 * (line.top - line.bottom)


def _cut_at_alley(lines: Sequence[Line]) -> list[Flow]:
    """The flows of a page with columns of text; empty where there is none."""
    alley = find_alley(lines)
    if alley is None:
        return []
    flows: list[Flow] = []
    slab: list[Line] = []
    bridges: list[Line] = []
    for line in sorted(lines, key=lambda line: -line.top):
        if line.left < alley - _EDGE and line.right > alley:
            flows += _sides(slab, alley)
            slab = []
            bridges.append(line)
        else:
            flows += _flows(bridges)
            bridges = []
            slab.append(line)
    return flows + _sides(slab, alley) + _flows(bridges)


def _sides(slab: Sequence[Line], alley: float) -> list[Flow]:
    left = [line for line in slab if line.left < alley - _EDGE]
    right = [line for line in slab if line.left >= alley - _EDGE]
    return [flow for side in (left, right) for flow in _cut_at_alley(side) or _flows(_by_blocks(_flows(side)))]


def find_alley(lines: Sequence[Line]) -> float | None:
    """The left edge of the second column of text, None where there is no second."""
    edges = Counter(line.left // _EDGE for line in lines)
    enough = max(_MIN_LINES, _MIN_SHARE * len(lines))
    for edge in sorted(edges):
        if edges[edge] + edges[edge + 1] >= enough:
            alley = min(line.left for line in lines if line.left // _EDGE in (edge, edge + 1))
            if _divides(alley, lines):
                return alley
    return None


def _divides(alley: float, lines: Sequence[Line]) -> bool:
    left = [line for line in lines if line.right <= alley]
    right = [line for line in lines if line.left >= alley - _EDGE and line.right > alley]
    column = [line for line in right if line.left < alley + 3 * line.height]
    if not (_is_text(left) and _is_text(column)):
        return False
    rows = {row for line in column for row in range(int(line.bottom), int(line.top) + 1)}
    beside = sum(int(line.bottom + line.height / 2) in rows for line in left)
    bridges = sum(
        int(line.bottom + line.height / 2) in rows for line in lines if line.left < alley - _EDGE and line.right > alley
    )
    return beside >= min(len(left), len(column)) / 2 and bridges <= _MAX_BRIDGES * len(column)


def _is_text(column: Sequence[Line]) -> bool:
    """Whether the lines are running text: most of them as long as the column is wide, and of several words."""
    if len(column) < _MIN_LINES:
        return False
    widths = sorted(line.width for line in column)
    full = widths[int(0.9 * (len(widths) - 1))]
    return fmean(min(width, full) for width in widths) >= _FULL * full and (
        fmean(len(line.text) for line in column) >= _LETTERS
    )


def _by_blocks(flows: Iterable[Flow]) -> list[Line]:
    """The lines of all flows, block by block, by rows of blocks from the top, each row from the left."""
    blocks = [block for flow in flows for block in _blocks(flow)]
    if not blocks:
        return []
    tolerance = median(block[0].height for block in blocks) / 2
    rows: list[list[Flow]] = []
    for block in sorted(blocks, key=lambda block: -block[0].top):
        if rows and rows[-1][0][0].top - block[0].top < tolerance:
            rows[-1].append(block)
        else:
            rows.append([block])
    return [line for row in rows for block in sorted(row, key=lambda block: block[0].left) for line in block]


def _blocks(flow: Flow) -> list[Flow]:
    blocks: list[Flow] = []
    last: Line | None = None
    for line in flow:
        if last is None or last.bottom - line.bottom > _APART * last.height:
            blocks.append([])
        blocks[-1].append(line)
        last = line
    return blocks

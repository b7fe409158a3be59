"""Lines of print to paragraphs: which lines belong together, in what order they are read, and how they are joined.

Pure geometry and text; who found the lines is no matter here. Sizes are in pixels, y grows downward.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, cos, floor, radians, sin

from zibaldone.ingest.extract.boxes import Corners, turned

# In heights of a line, where nothing else is said.
_SAME_ROW = 0.5  # shared by two pieces of one row
_WORD_GAP = 1.2  # at most, between two pieces of a sentence
_CELL_GAP = 25.0  # at most, between two cells of a table
_CELL_CHARS = 24  # characters at most, in each row of a cell; a column of prose is wider
_SAME_EDGE = 0.5  # between the edges of two cells of a column
_SAME_SIZE = 1.5  # ratio of two lines' heights within a paragraph; boxes differ by what ascends and descends
_NEXT_LINE = 2.2  # at most, from the middle of a line to that of the next one
_NEW_PARAGRAPH = 1.25  # ratio of that distance to the one between most lines, at least

_BROKEN = re.compile(r"[^\W\d_][-\u2010\u00ac]$")
# After these the hyphen stands for what both words share: "Nord- und Südseite", "pre- and post-war".
_SHARED = re.compile(r"(?:und|oder|bzw|bis|sowie|and|or|to)\b")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of print, the box around it, and how sure its reading is (0..1)."""

    text: str
    corners: Corners
    confidence: float


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, or several short ones: its text and the lines that it was joined from, in reading order."""

    text: str
    lines: tuple[Line, ...]

    @property
    def box(self) -> tuple[int, int, int, int]:
        """x, y, width and height, in whole pixels of the picture, of all its lines."""
        xs, ys = zip(*(corner for line in self.lines for corner in line.corners), strict=True)
        left, top = max(0, floor(min(xs))), max(0, floor(min(ys)))
        return left, top, ceil(max(xs)) - left, ceil(max(ys)) - top

    @property
    def confidence(self) -> float:
        """The mean of its lines', weighted by their length."""
        weights = [len(line.text) for line in self.lines]
        return sum(line.confidence * weight for line, weight in zip(self.lines, weights, strict=True)) / sum(weights)


@dataclass(frozen=True, slots=True)
class Reading:
    """What stands on a picture: paragraphs in reading order."""

    blocks: tuple[Block, ...]

    @property
    def lines(self) -> tuple[Line, ...]:
        return tuple(line for block in self.blocks for line in block.lines)


@dataclass(frozen=True, slots=True)
class _Area:
    """Rows of lines, top down, and their bounds in the frame in which the text is upright."""

    rows: tuple[tuple[Line, ...], ...]
    left: float
    top: float
    right: float
    bottom: float
    height: float  # of a line

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2

    @property
    def text(self) -> str:
        return join_lines([" ".join(line.text for line in row) for row in self.rows])


def join_lines(lines: Sequence[str]) -> str:
    """The text of a paragraph out of its lines; words that were broken at the end of a line are put together again."""
    text = ""
    for line in (line.strip() for line in lines):
        if text.endswith("\u00ad") or (_BROKEN.search(text) and line[:1].islower() and not _SHARED.match(line)):
            text = text[:-1] + line
        else:
            text = f"{text} {line}".strip()
    return text


def group_lines(lines: Sequence[Line], short: int = 80) -> list[Block]:
    """Paragraphs in reading order, columns one after the other. One of less than `short` characters, a heading or an
    item of a list, is kept together with what follows it closely."""
    rows = _join_cells(_join_rows(_stand_upright(lines), _WORD_GAP))
    paragraphs = _in_reading_order(_join_paragraphs(rows))
    return [
        Block(
            "\n\n".join(area.text for area in group), tuple(line for area in group for row in area.rows for line in row)
        )
        for group in _keep_together(paragraphs, short)
    ]


def _stand_upright(lines: Sequence[Line]) -> list[_Area]:
    angle = radians(-turned([line.corners for line in lines]))
    areas = []
    for line in lines:
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = (
            (x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle)) for x, y in line.corners
        )
        # The middle of each side, so that what is left of a slant makes no line higher.
        left, right, top, bottom = (ax + dx) / 2, (bx + cx) / 2, (ay + by) / 2, (cy + dy) / 2
        areas.append(_Area(((line,),), left, top, right, bottom, bottom - top))
    return areas


def _join_rows(areas: Sequence[_Area], widest_gap: float) -> list[_Area]:
    """Pieces side by side that are one row: parts of a sentence, or cells of a table."""
    rows: list[_Area] = []
    for area in sorted(areas, key=lambda area: area.left):
        near = [row for row in rows if _is_one_row(row, area, widest_gap)]
        if not near:
            rows.append(area)
            continue
        row = max(near, key=lambda row: row.right)
        rows[rows.index(row)] = _bounds((row, area), ((*row.rows[0], *area.rows[0]),))
    return rows


def _is_one_row(row: _Area, right: _Area, widest_gap: float) -> bool:
    height = min(row.height, right.height)
    shared = min(row.bottom, right.bottom) - max(row.top, right.top)
    return shared >= _SAME_ROW * height and -_WORD_GAP <= (right.left - row.right) / height <= widest_gap


def _join_cells(rows: Sequence[_Area]) -> list[_Area]:
    """The rows, those of a table joined across its columns: short ones that stand in line with others, left or right.
    A paragraph that has a long row is prose."""
    brief = [row for area in _join_paragraphs(rows) if not _is_prose(area) for row in rows if row.rows[0] in area.rows]
    cells = [row for row in brief if any(_is_in_line(row, other) for other in brief if other is not row)]
    return [row for row in rows if row not in cells] + _join_rows(cells, _CELL_GAP)


def _is_prose(area: _Area) -> bool:
    return max(sum(len(line.text) for line in row) for row in area.rows) > _CELL_CHARS


def _is_in_line(one: _Area, other: _Area) -> bool:
    return min(abs(one.left - other.left), abs(one.right - other.right)) < _SAME_EDGE * one.height


def _join_paragraphs(rows: Sequence[_Area]) -> list[_Area]:
    """A row goes on in the one below it if each is the only neighbour of the other: a heading over two columns
    belongs to neither."""
    below = {upper: [lower for lower in rows if _is_next_row(upper, lower)] for upper in rows}
    above = {lower: [upper for upper in rows if lower in below[upper]] for lower in rows}
    follows = {upper: found[0] for upper, found in below.items() if len(found) == 1 and len(above[found[0]]) == 1}
    paragraphs = []
    for first in set(rows) - set(follows.values()):
        chain = [first]
        while chain[-1] in follows:
            chain.append(follows[chain[-1]])
        paragraphs += _split_at_gaps(chain)
    return paragraphs


def _is_next_row(upper: _Area, lower: _Area) -> bool:
    height = min(upper.height, lower.height)
    return (
        max(upper.height, lower.height) <= _SAME_SIZE * height
        and 0.5 * height < lower.middle - upper.middle <= _NEXT_LINE * height
        and _share_columns(upper, lower)
    )


def _share_columns(one: _Area, other: _Area) -> bool:
    return min(one.right, other.right) > max(one.left, other.left)


def _split_at_gaps(chain: Sequence[_Area]) -> list[_Area]:
    steps = [lower.middle - upper.middle for upper, lower in pairwise(chain)]
    usual = sorted(steps)[len(steps) // 4] if steps else 0.0
    paragraphs, rows = [], [chain[0]]
    for step, row in zip(steps, chain[1:], strict=True):
        if step > _NEW_PARAGRAPH * usual:
            paragraphs.append(rows)
            rows = []
        rows.append(row)
    return [_bounds(rows, tuple(area.rows[0] for area in rows)) for rows in (*paragraphs, rows)]


def _bounds(areas: Sequence[_Area], rows: tuple[tuple[Line, ...], ...]) -> _Area:
    return _Area(
        rows,
        min(area.left for area in areas),
        min(area.top for area in areas),
        max(area.right for area in areas),
        max(area.bottom for area in areas),
        sum(area.height for area in areas) / len(areas),
    )


def _in_reading_order(areas: Sequence[_Area]) -> list[_Area]:
    """What stands above comes first within a column, and a column before the one to its right, unless something that
    spans both lies between them (Breuel, High Performance Document Layout Analysis, 2003)."""
    left = sorted(areas, key=lambda area: (area.top, area.left))
    before = {area: {other for other in left if _is_before(other, area, left)} for area in left}
    ordered: list[_Area] = []
    while left:
        free = [area for area in left if not before[area].intersection(left)]
        # After a paragraph its own column goes on before another one begins.
        following = [area for area in free if ordered and _share_columns(ordered[-1], area)]
        ordered.append((following or free or left)[0])
        left.remove(ordered[-1])
    return ordered


def _is_before(one: _Area, other: _Area, areas: Sequence[_Area]) -> bool:
    if one is other:
        return False
    if _share_columns(one, other):
        return one.middle < other.middle
    return one.right <= other.left and not any(
        _share_columns(one, area) and _share_columns(area, other) and _is_between(one, area, other) for area in areas
    )


def _is_between(one: _Area, area: _Area, other: _Area) -> bool:
    first, second = sorted((one.middle, other.middle))
    return first < area.middle < second


def _keep_together(areas: Sequence[_Area], short: int) -> list[list[_Area]]:
    groups: list[list[_Area]] = []
    for area in areas:
        if groups and _is_kept(groups[-1], area, short):
            groups[-1].append(area)
        else:
            groups.append([area])
    return groups


def _is_kept(group: Sequence[_Area], area: _Area, short: int) -> bool:
    last = group[-1]
    brief = sum(len(part.text) for part in group) < short or len(area.text) < short // 2
    gap = max(area.top - last.bottom, area.left - last.right, last.left - area.right)
    return brief and gap <= 3 * max(last.height, area.height)

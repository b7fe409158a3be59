"""Blocks under their headings, gathered in reading order into parts: what formatted documents have in common."""

from __future__ import annotations

from collections.abc import Sequence

from zibaldone.domain.documents import Part
from zibaldone.ingest.parse import MAX_HEADING_CHARS

MAX_CHARS = 4_000_000  # of text out of one file: a book of two thousand pages
MAX_CELL_CHARS = 300  # a longer cell is a column of a page, not a value
PART_CHARS = 20  # what a part counts for beside its text, so that a million empty ones do not fit either


class Outline:
    """Filled from the top of a document to its end. What is more than `MAX_CHARS` is not taken; `full` then says so."""

    def __init__(self, room: int = MAX_CHARS) -> None:
        self.full = False
        self._room = room
        self._parts: list[Part] = []
        self._levels: list[tuple[int, str]] = []
        self._text: list[str] = []

    def open(self, level: int, title: str) -> None:
        """Begin the section of a heading; `level` counts from 1. A heading as long as a paragraph is one."""
        if not title:
            return
        if len(title) > MAX_HEADING_CHARS:
            self.add(title)
            return
        self._room -= PART_CHARS + len(title)
        if self._room < 0:
            self.full = True
            return
        self._close(level)
        self._levels = [*(kept for kept in self._levels if kept[0] < level), (level, title)]

    def add(self, text: str, joint: str = "\n\n") -> None:
        """Add a block; `joint` stands between it and the one before."""
        self.full = self.full or len(text) > self._room
        text = text[: max(self._room, 0)]
        self._room -= len(text)
        if text:
            self._text += [joint, text] if self._text else [text]

    def add_row(self, cells: Sequence[str], joint: str = "\n") -> None:
        """Add the row of a table as a line, `a | b`; where a cell is long the table only arranges the page."""
        if any(len(cell) > MAX_CELL_CHARS for cell in cells):
            for cell in cells:
                self.add(cell)
        elif any(cells):
            self.add(" | ".join(cell.replace("\n", " ") for cell in cells), joint)

    def parts(self) -> tuple[Part, ...]:
        """All sections with text. The last words of a document may be a heading, which then is its own text."""
        self._close(0)
        return tuple(self._parts)

    def _close(self, next_level: int) -> None:
        heading = tuple(title for _, title in self._levels)
        if not self._text and self._levels and self._levels[-1][0] >= next_level:
            self._text = [heading[-1]]
        if self._text:
            self._parts.append(Part("".join(self._text), heading))
        self._text = []
        if not next_level:
            self._levels = []

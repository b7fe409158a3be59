"""A note as text that turns back into its exact bytes, with the span of every line. Pure.

Edits are made on text, since headings, links and properties are text; `encoding` sees to it that nothing is lost.
Lines are those of editors (and of `ingest`): LF, CRLF and CR end one; form feeds and Unicode separators do not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from zibaldone.vault.edit.encoding import check_new_text, decode, encode

_LINE = re.compile(r"([^\r\n]*)(\r\n|\n|\r|\Z)")
_LINE_END = re.compile(r"\r\n?|\n")
_KEY = re.compile(r"[^\s:#\-\[\]{}][^:\n]{0,80}:(?:\s|$)")


class Line(NamedTuple):
    """Character offsets: content is `start` to `end`, its line ending `end` to `stop` (empty at most in the last)."""

    start: int
    end: int
    stop: int


class Splice(NamedTuple):
    """`text` instead of the characters from `start` to `end`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """`body` is the index of the first line after the properties (0 without any); `mark` the byte order mark."""

    text: str
    lines: tuple[Line, ...]
    body: int
    mark: bytes
    encoding: str
    foreign: bool

    def content(self, index: int) -> str:
        """A line without its ending."""
        return self.text[self.lines[index].start : self.lines[index].end]

    def contents(self, first: int = 0, last: int | None = None) -> list[str]:
        return [self.text[line.start : line.end] for line in self.lines[first:last]]

    def offset(self, index: int) -> int:
        """Where line `index` begins; the end of the text for the line after the last."""
        return self.lines[index].start if index < len(self.lines) else len(self.text)

    def line_at(self, offset: int) -> int:
        """The index of the line that holds a character; the end of the text counts to the last line."""
        low, high = 0, max(len(self.lines) - 1, 0)
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if offset < self.lines[middle].stop else (middle + 1, high)
        return low

    def ending_near(self, index: int) -> str:
        """The line ending for text that is inserted at `index`: of the line before it, or else the commonest."""
        for near in (index - 1, index):
            if 0 <= near < len(self.lines) and self.lines[near].stop > self.lines[near].end:
                return self.text[self.lines[near].end : self.lines[near].stop]
        return self.commonest_ending

    @property
    def commonest_ending(self) -> str:
        found = Counter(_LINE_END.findall(self.text)).most_common(1)
        return found[0][0] if found else "\n"

    def encode(self, text: str) -> bytes:
        """Back to bytes; what came from the note comes out as it was."""
        return encode(text, self.encoding)


def read_note(data: bytes) -> Note:
    """The note's text and lines.

    Raises:
        NotEditable: its bytes are in no encoding in which an edit would be safe.
    """
    text, mark, encoding, foreign = decode(data)
    lines = tuple(_find_lines(text))
    return Note(text, lines, _find_body(text, lines), mark, encoding, foreign)


def apply_splices(note: Note, splices: Iterable[Splice]) -> bytes:
    """The note's bytes with each splice made; they must not overlap. All other bytes are the note's own.

    Raises:
        NotEditable: the text cannot be written in the note's encoding.
        InvalidRequest: the text holds what no note may hold (NUL, half a character).
    """
    pieces: list[str] = []
    at = 0
    for splice in sorted(splices):
        if splice.start < at:
            raise ValueError("splices overlap")
        check_new_text(splice.text, note.text, foreign=note.foreign)
        pieces += (note.text[at : splice.start], splice.text)
        at = splice.end
    return note.mark + note.encode("".join((*pieces, note.text[at:])))


def splice_lines(note: Note, first: int, last: int, new: Sequence[str]) -> Splice:
    """`new` lines (without endings) instead of the lines from index `first` up to `last`.

    Lines that stay the same at either end are left alone, with their own endings. The last line gets an ending
    if the one that it replaces, or is inserted behind, has one.
    """
    old = note.contents(first, last)
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    first, last, new = first + head, last - tail, new[head : len(new) - tail]
    start, end = note.offset(first), note.offset(last)
    if not new:
        return Splice(start, end, "")
    ending = note.ending_near(first)
    text = ending.join(new)
    if end < len(note.text) or end == 0 or _ends_line(note, last - 1):
        text += ending
    if start == end == len(note.text) and start > 0 and not _ends_line(note, first - 1):
        text = ending + text
    return Splice(start, end, text)


def split_text(text: str) -> list[str]:
    """New text as lines, without the blank ones around it."""
    lines = _LINE_END.split(text)
    filled = [index for index, line in enumerate(lines) if line.strip()]
    return lines[filled[0] : filled[-1] + 1] if filled else []


def has_front(note: Note) -> bool:
    """Whether there are properties between two `---`, even if none is set."""
    return note.body > 0


def _find_lines(text: str) -> Iterable[Line]:
    at = 0
    while at < len(text):
        match = _LINE.match(text, at)
        assert match is not None
        yield Line(at, match.end(1), match.end())
        at = match.end()


def _find_body(text: str, lines: Sequence[Line]) -> int:
    """As `ingest.frontmatter` reads it: `---` in the first line, a closing `---`, and a key (or nothing) between."""
    if not lines or text[: lines[0].end].rstrip() != "---":
        return 0
    inner: list[str] = []
    for index, line in enumerate(lines[1:], 1):
        content = text[line.start : line.end]
        if content.rstrip() == "---":
            keyed = any(_KEY.match(entry.lstrip("\"' ")) for entry in inner)
            return index + 1 if keyed or not any(entry.strip() for entry in inner) else 0
        inner.append(content)
    return 0


def _ends_line(note: Note, index: int) -> bool:
    return note.lines[index].stop > note.lines[index].end


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count

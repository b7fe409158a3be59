"""The headings of a note, each with its lines and the names it can be called by. Pure.

A heading is what `ingest.parse` takes for one, so that the heading path of a citation leads an edit to its place.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from zibaldone.vault.edit.lines import Note
from zibaldone.vault.edit.prose import HIDDEN, Masked, Prose, mask_prose

MAX_HEADING_CHARS = 300  # a longer one is a paragraph with a hash before it

_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)(.*)")
_BLOCK_ID = re.compile(r"(?:^|[ \t]+)\^[A-Za-z0-9-]+[ \t]*$")
_NOT_A_PARAGRAPH = re.compile(r"[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]|\|)| {4}| {0,3}\t")
_WIKILINK = re.compile(r"(!?)\[\[([^\[\]]+)\]\]")
_MD_LINK = re.compile(
    r"(!?)\[([^\[\]]*)\]\([ \t]?(<[^<>\[\]]*>|[^\s()<>\[\]]*(?:\([^\s()<>\[\]]*\)[^\s()<>\[\]]*)*)"
    r"""(?:[ \t](?:"[^"\[\]]*"|'[^'\[\]]*'))?[ \t]?\)"""
)
_BREAK = re.compile(r"<br(?:\s[^<>]{0,100})?/?>", re.IGNORECASE)
_EMPHASIS = re.compile(r"(?:\*{1,3}|~~|==)(?=\S)|(?<=\S)(?:\*{1,3}|~~|==)|</?[A-Za-z][^<>]{0,100}>")


@dataclass(frozen=True, slots=True)
class Heading:
    """`path` is the shown text of the headings above it and its own; `names` are, per step of the path, all that it
    can be called by. Line indexes: heading `first`, its section's body from `body` up to `end` (subsections too)."""

    level: int
    path: tuple[str, ...]
    names: tuple[frozenset[str], ...]
    first: int
    body: int
    end: int


class Outline(NamedTuple):
    headings: tuple[Heading, ...]
    prose: Prose


class _Found(NamedTuple):
    level: int
    title: str
    names: frozenset[str]
    first: int
    body: int


def read_outline(note: Note) -> Outline:
    """All headings in order. One without text has no name and ends no section, as in `ingest`."""
    lines = note.contents()
    prose = mask_prose(lines, note.body)
    found = list(_find_headings(lines, prose.lines, note.body))
    headings: list[Heading] = []
    above: list[_Found] = []
    ends = _find_ends(found, len(lines))
    for heading, end in zip(found, ends, strict=True):
        above = [*(kept for kept in above if kept.level < heading.level), heading]
        path = tuple(step.title for step in above)
        names = tuple(step.names for step in above)
        headings.append(Heading(heading.level, path, names, heading.first, heading.body, end))
    return Outline(tuple(headings), prose)


def normalise(name: str) -> str:
    """Composed, and one space where several are: what nobody sees is no difference between two headings."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def shown_text(written: str) -> str:
    """A heading without its markup: links become what they show, emphasis and tags of HTML go."""
    text = _WIKILINK.sub(lambda link: link[2].replace("\\|", "|").rsplit("|", 1)[-1], written)
    text = _EMPHASIS.sub("", _BREAK.sub(" ", _MD_LINK.sub(r"\2", text))).replace("`", "")
    return " ".join(text.split())


def is_rule(text: str) -> bool:
    marks = text.replace(" ", "").replace("\t", "")
    return len(marks) > 2 and marks[0] in "-*_" and not marks.strip(marks[0])


def is_underline(text: str) -> bool:
    stripped = text.strip()
    return len(stripped) > 1 and not text.startswith("    ") and (not stripped.strip("=") or not stripped.strip("-"))


def _find_ends(found: Sequence[_Found], total: int) -> list[int]:
    """For each heading the line of the next one of its level or higher; one pass from the end."""
    ends: list[int] = []
    next_at = [total] * 8  # by level: where the next heading of that level or a higher one begins
    for heading in reversed(found):
        ends.append(next_at[heading.level])
        next_at[heading.level :] = [heading.first] * (8 - heading.level)
    return ends[::-1]


def _find_headings(lines: Sequence[str], masked: Sequence[Masked], start: int) -> Iterator[_Found]:
    """Underlined headings are read only for a paragraph of one line: under a longer one `---` is nearly always a
    rule that lacks its blank line."""
    run, table, unit = 0, False, 0
    for index in range(start, len(masked)):
        line = masked[index]
        text = line.text.replace(HIDDEN, "")
        if not line.unit and not line.html and (match := _HEADING.match(text)):
            title = shown_text(_BLOCK_ID.sub("", _unclosed(match[2])))
            if len(title) <= MAX_HEADING_CHARS:
                run, table, unit = 0, False, 0
                if title:
                    yield _Found(len(match[1]), title, _names(title, text, lines[index]), index, index + 1)
                continue
        if run == 1 and not table and not line.unit and is_underline(text) and not masked[index - 1].unit:
            above = masked[index - 1].text.replace(HIDDEN, "")
            title = shown_text(_BLOCK_ID.sub("", above))
            if 0 < len(title) <= MAX_HEADING_CHARS and not _NOT_A_PARAGRAPH.match(above):
                run = 0
                level = 1 if text.strip()[0] == "=" else 2
                yield _Found(level, title, _names(title, above, lines[index - 1]), index - 1, index + 1)
                continue
        plain = bool(text.strip()) and not is_rule(text) and not line.html
        opens_table = plain and not (run and table) and _opens_table(masked, index)
        if line.unit != unit or opens_table or not plain or (table and "|" not in text):
            run, table = 0, bool(line.unit) or opens_table
        run, unit = run + plain, line.unit


def _opens_table(masked: Sequence[Masked], index: int) -> bool:
    if index + 1 >= len(masked) or "|" not in masked[index].text:
        return False
    below = masked[index + 1].text
    return "|" in below and "-" in below and not below.strip("|:->\t ")


def _unclosed(written: str) -> str:
    """The text of an ATX heading without closing hashes."""
    written = written.strip()
    closed = written.rstrip("#")
    return closed if closed != written and closed[-1:] in ("", " ", "\t") else written


def _names(title: str, visible: str, raw: str) -> frozenset[str]:
    """By what is shown, with or without a block id, or by the raw text as it stands in the note."""
    written = [_written(visible), _written(raw)]
    return frozenset(
        normalise(name) for text in written for name in (title, text, shown_text(text), _BLOCK_ID.sub("", text)) if name
    )


def _written(text: str) -> str:
    match = _HEADING.match(text)
    return _unclosed(match[2]) if match else text

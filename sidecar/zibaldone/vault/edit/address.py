"""What an edit aims at, and finding it: one place, or an error that lists the candidates. Never a guess. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from zibaldone.errors import InvalidRequest, TargetAmbiguous, TargetMissing
from zibaldone.vault.edit.entries import find_entry, last_line, read_entries
from zibaldone.vault.edit.lines import Note, read_note
from zibaldone.vault.edit.outline import Heading, Outline, normalise, read_outline

_MOST_LISTED = 20
_LINE_END = re.compile(r"\r\n?|\n")
_ANY_LINE_END = r"(?:\r\n?|(?<!\r)\n)"


@dataclass(frozen=True, slots=True)
class Section:
    """The section under a heading.

    Args:
        heading_path: headings from the top level down, as shown or as written. Its end is enough (`("Tasks",)`)
            while no heading has exactly this path. Empty: what stands before the first heading.
        ordinal: which one of several that match, 1-based in the order of the note; needed only where there are several.
    """

    heading_path: tuple[str, ...]
    ordinal: int | None = None


@dataclass(frozen=True, slots=True)
class ExactText:
    """Characters that stand in the note exactly once. Any line ending in them matches any in the note."""

    text: str


@dataclass(frozen=True, slots=True)
class WholeNote:
    """All of the note's body."""


@dataclass(frozen=True, slots=True)
class Property:
    """One property in the frontmatter, with its value."""

    name: str


Address = Section | ExactText | WholeNote | Property


class Span(NamedTuple):
    """What an address means in a note: bytes from `start` up to `end`, and its lines, 1-based and inclusive.

    An empty span (nothing before the first heading, say) has `line_end` = `line_start` - 1.
    """

    start: int
    end: int
    line_start: int
    line_end: int


class Lines(NamedTuple):
    """A section as line indexes: its heading from `first`, its body from `body` up to `end`."""

    first: int
    body: int
    end: int


def locate(data: bytes, address: Address) -> Span:
    """Where an address leads, without changing anything.

    Raises:
        TargetMissing: nothing matches. The hint lists what is there.
        TargetAmbiguous: several places match. The hint lists them.
        NotEditable: the note's bytes cannot be read safely.
    """
    note = read_note(data)
    match address:
        case WholeNote():
            first, end = note.body, len(note.lines)
        case Section():
            first, _, end = find_section(note, read_outline(note), address)
        case ExactText():
            return _span(note, *find_text(note, address))
        case Property():
            entry = find_entry(read_entries(note), address.name)
            if entry is None:
                raise TargetMissing(f"the note has no property {address.name!r}", list_properties(note))
            first, end = note.line_at(entry.start_of_key), last_line(note, entry) + 1
    return _span(note, note.offset(first), note.offset(end))


def find_section(note: Note, outline: Outline, address: Section) -> Lines:
    """The lines of a section. Raises TargetMissing or TargetAmbiguous."""
    if not address.heading_path:
        first = outline.headings[0].first if outline.headings else len(note.lines)
        return Lines(note.body, note.body, first)
    wanted = [normalise(name) for name in address.heading_path]
    named = [heading for heading in outline.headings if _ends_with(heading, wanted)]
    exact = [heading for heading in named if len(heading.path) == len(wanted)]
    found = _choose(exact or named, outline.headings, address)
    return Lines(found.first, found.body, found.end)


def find_text(note: Note, address: ExactText) -> tuple[int, int]:
    """The characters from, up to. Raises TargetMissing or TargetAmbiguous."""
    if not address.text:
        raise InvalidRequest("an empty text is everywhere", "name the words that are to be changed")
    pattern = _ANY_LINE_END.join(re.escape(part) for part in _LINE_END.split(address.text))
    spans = [match.span(1) for match in re.finditer(f"(?=({pattern}))", note.text)]
    if not spans:
        raise TargetMissing(f"the note does not hold {_quote(address.text)}", "quote it exactly as it stands there")
    if len(spans) > 1:
        lines = [f"line {note.line_at(start) + 1}" for start, _ in spans]
        raise TargetAmbiguous(
            f"{_quote(address.text)} stands in the note {len(spans)} times",
            f"quote more of it, so that one place is meant: {_list(lines)}",
        )
    return spans[0]


def list_properties(note: Note) -> str:
    """The properties that there are, for a hint."""
    entries = read_entries(note).entries
    return f"it has: {_list([f'{entry.name} (line {entry.line})' for entry in entries])}" if entries else "it has none"


def _ends_with(heading: Heading, wanted: Sequence[str]) -> bool:
    names = heading.names[-len(wanted) :]
    return len(names) == len(wanted) and all(name in known for name, known in zip(wanted, names, strict=True))


def _choose(matching: Sequence[Heading], all_headings: Sequence[Heading], address: Section) -> Heading:
    shown = " > ".join(address.heading_path)
    if not matching:
        known = _list([_describe(heading) for heading in all_headings])
        raise TargetMissing(
            f"the note has no section {shown!r}", f"its sections: {known}" if known else "it has no headings"
        )
    if address.ordinal is None and len(matching) > 1:
        known = _list([f"{number}: {_describe(heading)}" for number, heading in enumerate(matching, 1)])
        raise TargetAmbiguous(
            f"the note has {len(matching)} sections {shown!r}", f"say which one with --number: {known}"
        )
    number = 1 if address.ordinal is None else address.ordinal
    if not 1 <= number <= len(matching):
        known = _list([_describe(heading) for heading in matching])
        raise TargetMissing(f"the note has {len(matching)} sections {shown!r}, so none is number {number}", known)
    return matching[number - 1]


def _describe(heading: Heading) -> str:
    return f"{' > '.join(heading.path)} (line {heading.first + 1})"


def _list(items: Sequence[str]) -> str:
    more = len(items) - _MOST_LISTED
    return ", ".join(items[:_MOST_LISTED]) + (f", and {more} more" if more > 0 else "")


def _quote(text: str) -> str:
    line = " ".join(text.split())
    return repr(line if len(line) <= 60 else line[:59] + "…")


def _span(note: Note, start: int, end: int) -> Span:
    first = len(note.mark) + len(note.encode(note.text[:start]))
    line = note.line_at(start) if start < len(note.text) else len(note.lines)
    last = note.line_at(max(start, end - 1)) + 1 if end > start else line
    return Span(first, first + len(note.encode(note.text[start:end])), line + 1, last)

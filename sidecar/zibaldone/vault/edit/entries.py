"""The properties of a note as entries: for each its key, its value and where the characters of both stand. Pure.

What is an entry is what YAML says. Where the block as a whole
is not YAML, entries are lines that begin with a key at the left edge, each with the indented lines below it: enough to
change one of them and leave the rest as it is.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from zibaldone.errors import TargetAmbiguous, TargetMissing
from zibaldone.vault.edit.lines import Note
from zibaldone.vault.edit.yaml_entries import Entry, Unreadable, parse_entries

_KEY = re.compile(
    r"""("(?:[^"\\\r\n]|\\[^\r\n])*"|'(?:[^'\r\n]|'')*'|[^\s#\-?:,\[\]{}"'&*!|>%@`][^:\r\n]{0,200}?)[ \t]*:(?=\s|$)"""
)


class Entries(NamedTuple):
    """In the order of the note. `problem` says why the block as a whole is not a list of names and values."""

    entries: tuple[Entry, ...]
    problem: str | None = None


def read_entries(note: Note) -> Entries:
    """The entries of the note's frontmatter; none where it has no frontmatter."""
    if note.body < 2:
        return Entries(())
    start, end = note.offset(1), note.offset(note.body - 1)
    try:
        return Entries(tuple(parse_entries(note, start, end)))
    except Unreadable as error:
        return Entries(tuple(_by_line(note)), str(error))


def find_entry(entries: Entries, name: str) -> Entry | None:
    """The entry of that name.

    Raises:
        TargetAmbiguous: the note has several.
        TargetMissing: it has one that differs in case only. Obsidian takes them for the same, YAML does not.
    """
    found = [entry for entry in entries.entries if entry.name == name]
    if len(found) > 1:
        lines = ", ".join(f"line {entry.line}" for entry in found)
        raise TargetAmbiguous(
            f"the note has the property {name!r} {len(found)} times", f"take all but one out: {lines}"
        )
    if found:
        return found[0]
    like = next((entry for entry in entries.entries if entry.name.casefold() == name.casefold()), None)
    if like:
        raise TargetMissing(
            f"the note has no property {name!r}", f"it has {like.name!r} in line {like.line}: name it as it is written"
        )
    return None


def last_line(note: Note, entry: Entry) -> int:
    """The index of the last line that an entry takes up."""
    return note.line_at(max(entry.end - 1, entry.start_of_key))


def _by_line(note: Note) -> list[Entry]:
    stop = next((index for index in range(1, note.body) if note.content(index).rstrip() in ("...", "---")), 1)
    keys = [index for index in range(1, stop) if _KEY.match(note.content(index))]
    return [_line_entry(note, first, following) for first, following in pairwise([*keys, stop])]


def _line_entry(note: Note, first: int, following: int) -> Entry:
    """A key with what stands indented, or as list items, below it, if that is YAML by itself; else the key's line
    alone, so that nothing of what is broken is taken along with it."""
    last = first
    for index in range(first + 1, following):
        content = note.content(index)
        if content.strip() and not content.startswith((" ", "\t", "- ", "-\t")) and content != "-":
            break
        last = index if content.strip() and not content.lstrip().startswith("#") else last
    start = note.lines[first].start
    for end in dict.fromkeys((note.lines[last].end, note.lines[first].end)):
        try:
            alone = parse_entries(note, start, end)
        except Unreadable:
            continue
        if len(alone) == 1:
            return alone[0]
    end = note.lines[first].end
    match = _KEY.match(note.text, start)
    assert match is not None
    value = note.text[match.end() : end]
    at = match.end() + len(value) - len(value.lstrip()) if value.strip() else match.end()
    entry = Entry(_unquote(match[1]), first + 1, start, match.end(), at, end)
    return entry if value.strip() else replace(entry, end=at)


def _unquote(key: str) -> str:
    return key[1:-1].replace("''", "'") if key[0] == "'" else key[1:-1] if key[0] == '"' else key

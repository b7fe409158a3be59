"""Other words for a section, or for an exact text. Pure; bytes in, bytes out."""

from __future__ import annotations

import re

from zibaldone.vault.edit.address import ExactText, Lines, Section, find_section, find_text
from zibaldone.vault.edit.append import append_lines
from zibaldone.vault.edit.lines import Splice, apply_splices, read_note, splice_lines, split_text
from zibaldone.vault.edit.outline import read_outline
from zibaldone.vault.edit.unchanged import check_unchanged

_LINE_END = re.compile(r"\r\n?|\n")


def replace_section(data: bytes, section: Section, text: str, *, with_heading: bool = False) -> bytes:
    """The note with `text` as the section's body (subsections included), or as heading and body.

    Blank lines around the old words stay around the new ones, and lines that are the same at either end stay as they
    are. Empty text empties the section; with its heading, the section goes, with the blank lines behind it.

    Raises:
        TargetMissing, TargetAmbiguous: the section is not there, or more than once.
        NotEditable: the text would open a code block or comment around what follows.
    """
    note = read_note(data)
    outline = read_outline(note)
    place = find_section(note, outline, section)
    new = split_text(text)
    start = place.first if with_heading else place.body
    filled = [index for index in range(start, place.end) if note.content(index).strip()]
    if not filled:
        return append_lines(note, outline, place, new) if new else data
    first, last = filled[0], filled[-1] + 1
    if not new:  # two gaps become one
        first, last = (first, place.end) if with_heading or first > start else (first, last)
    result = apply_splices(note, [splice_lines(note, first, last, new)])
    check_unchanged(note, outline, result, first, last)
    return result


def replace_body(data: bytes, text: str) -> bytes:
    """The note with `text` instead of all that stands below its properties, which stay as they are."""
    note = read_note(data)
    new = split_text(text)
    filled = [index for index in range(note.body, len(note.lines)) if note.content(index).strip()]
    if not filled:
        return append_lines(note, read_outline(note), Lines(note.body, note.body, len(note.lines)), new)
    return apply_splices(note, [splice_lines(note, filled[0], filled[-1] + 1, new)])


def replace_text(data: bytes, target: ExactText, text: str) -> bytes:
    """The note with `text` instead of the target. Line endings in it become the note's.

    Raises:
        TargetMissing, TargetAmbiguous: the target is not there, or more than once.
    """
    note = read_note(data)
    start, end = find_text(note, target)
    index = note.line_at(start)
    new = note.ending_near(index + 1).join(_LINE_END.split(text))
    old = note.text[start:end]
    if _LINE_END.split(old) == _LINE_END.split(text):
        return data
    return apply_splices(note, [Splice(start, end, new)])

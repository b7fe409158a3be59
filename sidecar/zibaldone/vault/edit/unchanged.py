"""Whether an edit left the rest of the note meaning what it meant. Pure.

Bytes alone do not tell: text that opens a fence or a comment swallows what stands below it, and one `%%` gives a
stray one far above a partner.
"""

from __future__ import annotations

from zibaldone.errors import NotEditable
from zibaldone.vault.edit.lines import Note, read_note
from zibaldone.vault.edit.outline import Outline, read_outline


def check_unchanged(note: Note, before: Outline, result: bytes, first: int, last: int) -> None:
    """Raise NotEditable unless all lines of `note` but those from index `first` up to `last` are what they were:
    prose where they were prose, code where they were code, and the same headings."""
    changed = read_note(result)
    after = read_outline(changed)
    tail = len(note.lines) - last
    begin = len(changed.lines) - tail
    if not (
        _kinds(before, 0, first) == _kinds(after, 0, first)
        and _kinds(before, last, len(note.lines)) == _kinds(after, begin, len(changed.lines))
        and _headings(before, 0, first, 0) == _headings(after, 0, first, 0)
        and _headings(before, last, len(note.lines), last) == _headings(after, begin, len(changed.lines), begin)
    ):
        raise NotEditable(
            "the new text would turn other parts of the note into code, a comment or a heading, or back",
            "close each code block and comment in it, and try again",
        )


def _kinds(outline: Outline, first: int, last: int) -> list[tuple[str, bool, bool]]:
    return [(line.text, bool(line.unit), line.html) for line in outline.prose.lines[first:last]]


def _headings(outline: Outline, first: int, last: int, origin: int) -> list[tuple[int, str, int]]:
    inside = [heading for heading in outline.headings if first <= heading.first < last]
    return [(heading.level, heading.path[-1], heading.first - origin) for heading in inside]

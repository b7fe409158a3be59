"""Adding Markdown at the end of a note or of a section. Pure; bytes in, bytes out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from zibaldone.errors import NotEditable
from zibaldone.vault.edit.address import Lines, Section, WholeNote, find_section
from zibaldone.vault.edit.lines import Note, apply_splices, has_front, read_note, splice_lines, split_text
from zibaldone.vault.edit.outline import Outline, read_outline
from zibaldone.vault.edit.unchanged import check_unchanged

_ITEM = re.compile(r"([ \t]*)(?:([-*+])|\d{1,9}[.)])[ \t]+")
_ROW = re.compile(r"[ \t]*\|")
_DELIMITER_ROW = re.compile(r"[ \t]*\|[|:\- \t]+$")


def append(data: bytes, where: WholeNote | Section, text: str) -> bytes:
    """The note with `text` as the last thing of its body, or of the section (subsections included).

    A blank line stands before and after it where the neighbourhood has them so: an item joins a list, a row a table,
    anything else is set off. Blank lines that were there stay; a note without a final newline stays without.
    Empty text changes nothing.

    Raises:
        TargetMissing, TargetAmbiguous: the section is not there, or more than once.
        NotEditable: the text would land in a code block that nothing closes, or open one around what follows.
    """
    note = read_note(data)
    outline = read_outline(note)
    new = split_text(text)
    place = _whole(note) if isinstance(where, WholeNote) else find_section(note, outline, where)
    if not new:
        return data
    return append_lines(note, outline, place, new)


def append_lines(note: Note, outline: Outline, place: Lines, new: Sequence[str]) -> bytes:
    """The note with `new` lines behind the last filled line of `place`."""
    unclosed = outline.prose.unclosed
    if place.end == len(note.lines) and unclosed is not None:
        raise NotEditable(
            f"the code block that begins in line {unclosed + 1} is never closed, so the text would become code",
            "close it in the note, then try again",
        )
    at = next((i + 1 for i in range(place.end - 1, place.first - 1, -1) if note.content(i).strip()), place.first)
    before = [""] if _wants_blank_before(note, outline, place, at, new) else []
    after = [""] if _wants_blank_after(note, outline, place, at) else []
    result = apply_splices(note, [splice_lines(note, at, at, [*before, *new, *after])])
    check_unchanged(note, outline, result, at, at)
    return result


def _whole(note: Note) -> Lines:
    return Lines(note.body, note.body, len(note.lines))


def _wants_blank_before(note: Note, outline: Outline, place: Lines, at: int, new: Sequence[str]) -> bool:
    if at <= place.first:  # nothing but blank lines, of which one stays between the properties and the text
        return has_front(note) and at < len(note.lines) and not note.content(at).strip()
    if at == place.body:
        firsts = {heading.first for heading in outline.headings}
        return _usual(note, [heading.body for heading in outline.headings if heading.body not in {*firsts, at}])
    above = note.content(at - 1)
    if _ROW.match(above) and _ROW.match(new[0]):
        return len(new) > 1 and bool(_DELIMITER_ROW.match(new[1]))
    if (item := _ITEM.match(new[0])) and (first := _item_above(note, place, at)) is not None:
        same_kind = bool(item[2]) == bool(_ITEM.match(note.content(first))[2])  # type: ignore[index]
        return not same_kind or _is_loose(note, place, first)
    return True


def _wants_blank_after(note: Note, outline: Outline, place: Lines, at: int) -> bool:
    """Only where a heading follows at once: where it has to be set off, or nothing stood before it and others are."""
    if at >= len(note.lines) or not note.content(at).strip():
        return False
    following = next((heading for heading in outline.headings if heading.first == at), None)
    if following and following.body - following.first == 2:
        return True  # underlined: it would take the new text for its own
    starts = [heading.first for heading in outline.headings if heading.first > note.body and heading.first != at]
    return at <= place.body and _usual(note, [first - 1 for first in starts])


def _usual(note: Note, indexes: Sequence[int]) -> bool:
    """Whether most of these lines are blank; true where there are none to go by."""
    inside = [index for index in indexes if index < len(note.lines)]
    blank = sum(not note.content(index).strip() for index in inside)
    return blank * 2 >= len(inside)


def _item_above(note: Note, place: Lines, at: int) -> int | None:
    """The line of the list item that line `at` would follow; None where no list ends there."""
    for index in range(at - 1, place.body - 1, -1):
        content = note.content(index)
        if _ITEM.match(content):
            return index
        if not content.startswith((" ", "\t")):
            return None
    return None


def _is_loose(note: Note, place: Lines, item: int) -> bool:
    """Whether the list has a blank line between its last item and the one before."""
    if item - 1 <= place.body or note.content(item - 1).strip():
        return False
    above = next((i for i in range(item - 1, place.body - 1, -1) if note.content(i).strip()), None)
    return above is not None and _item_above(note, place, above + 1) is not None

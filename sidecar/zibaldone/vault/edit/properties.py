"""Setting, adding to and removing one property; every other line stays as it is. Pure; bytes in, bytes out.

After each edit the properties are read again: the one that was set has to read as exactly the value given, and every
other as before. Where that fails (an anchor that others use, a block that ends early) nothing is changed.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from zibaldone.errors import InvalidRequest, NotEditable, TargetAmbiguous, TargetMissing
from zibaldone.vault.edit.address import list_properties
from zibaldone.vault.edit.entries import Entries, find_entry, last_line, read_entries
from zibaldone.vault.edit.lines import Note, Splice, apply_splices, has_front, read_note
from zibaldone.vault.edit.property_text import append_item, column_of, cut_item, render_entry, replace_value
from zibaldone.vault.edit.scalars import PropertyValue, Value, check_value, reads_as
from zibaldone.vault.edit.yaml_entries import Entry, Scalar

_MOST_NAME_CHARS = 80  # a longer one is not taken for a property by readers of notes


def set_property(data: bytes, name: str, value: PropertyValue) -> bytes:
    """The note with the property set: in its place if it is there, else after the last one.

    A comment behind the value stays. A list keeps its style, `[a, b]` or a line for each item, and the lines of the
    items that it keeps. A note without frontmatter gets one.

    Raises:
        TargetAmbiguous: the note has the property twice.
        TargetMissing: it has one whose name differs in case only.
        NotEditable: the frontmatter cannot be changed without changing more than this property.
        InvalidRequest: no property can hold the value, or have the name.
    """
    _check_name(name)
    check_value(value)
    note = read_note(data)
    if not has_front(note):
        return _create(note, name, value)
    entries = read_entries(note)
    entry = find_entry(entries, name)
    if entry is None:
        _refuse_unreadable(entries, name)
        at = note.offset(note.body - 1)
        column = " " * column_of(note, entries.entries[-1]) if entries.entries else ""
        splices = [Splice(at, at, render_entry(name, value, column, note.ending_near(note.body - 1)))]
    elif _reads_as(entry, value):
        return data
    else:
        splices = replace_value(note, entry, value)
    return _checked(note, entries, apply_splices(note, splices), name, value)


def set_property_lines(data: bytes, name: str, lines: Sequence[str]) -> bytes:
    """The note with the property as these lines of YAML, key included: for values that are no scalars or flat lists.

    Raises as `set_property`; InvalidRequest also where the lines hold anything else than this property.
    """
    _check_name(name)
    note = read_note(data)
    if not has_front(note):
        return set_property_lines(_create(note, name, ""), name, lines)
    entries = read_entries(note)
    entry = find_entry(entries, name)
    if entry is None:
        _refuse_unreadable(entries, name)
        start = end = note.offset(note.body - 1)
    else:
        start, end = note.offset(note.line_at(entry.start_of_key)), note.offset(last_line(note, entry) + 1)
    ending = note.ending_near(note.body - 1)
    after = apply_splices(note, [Splice(start, end, "".join(line + ending for line in lines))])
    if _entry_after(after, name) is None:
        raise InvalidRequest(f"{lines[:1]} is not the property {name!r}", "give its key and value as YAML")
    _check_others(note, entries, after, name)
    return after


def add_to_property(data: bytes, name: str, item: Value) -> bytes:
    """The note with `item` at the end of a list, which is made if there is none; as it was if it is in it already.

    Raises as `set_property`; NotEditable also where the property is something else than a list of plain values.
    """
    check_value(item)
    note = read_note(data)
    entry = find_entry(read_entries(note), name)
    if entry is None or (entry.scalar and reads_as(entry.scalar, None)):
        return set_property(data, name, [item])
    items = _items(entry)
    if any(reads_as(known, item) for known in items):
        return data
    if not items:
        return set_property(data, name, [item])
    after = apply_splices(note, [append_item(note, entry, items[-1], item)])
    _check_others(note, read_entries(note), after, name)
    added = _entry_after(after, name)
    if added is None or added.items is None or not reads_as(added.items[-1], item):
        raise _unsafe(name)
    return after


def remove_from_property(data: bytes, name: str, item: Value) -> bytes:
    """The note without `item` in a list; `[]` where it was the only one.

    Raises:
        TargetMissing: no such property, or item. The hint lists what is there.
        TargetAmbiguous: the list holds the item twice, or the note the property.
        NotEditable: as for `add_to_property`.
    """
    note = read_note(data)
    entries = read_entries(note)
    entry = _require_entry(note, entries, name)
    items = _items(entry)
    found = [index for index, known in enumerate(items) if reads_as(known, item)]
    if not found:
        known = ", ".join(repr(each.text) for each in items[:20])
        raise TargetMissing(f"{name!r} does not hold {item!r}", f"it holds: {known}" if known else "it is empty")
    if len(found) > 1:
        raise TargetAmbiguous(f"{name!r} holds {item!r} {len(found)} times", "set the whole list instead")
    if len(items) == 1:
        return set_property(data, name, [])
    after = apply_splices(note, [cut_item(note, items, found[0], flow=entry.flow)])
    _check_others(note, entries, after, name)
    left = _entry_after(after, name)
    wanted = [each.text for index, each in enumerate(items) if index != found[0]]
    if left is None or left.items is None or [each.text for each in left.items] != wanted:
        raise _unsafe(name)
    return after


def remove_property(data: bytes, name: str) -> bytes:
    """The note without the property's lines. Comments above them stay, and so does a frontmatter without properties.

    Raises:
        TargetMissing, TargetAmbiguous: not there, or there twice.
        NotEditable: others would read differently without it.
    """
    note = read_note(data)
    entries = read_entries(note)
    entry = _require_entry(note, entries, name)
    start = note.offset(note.line_at(entry.start_of_key))
    after = apply_splices(note, [Splice(start, note.offset(last_line(note, entry) + 1), "")])
    _check_others(note, entries, after, name)
    if _entry_after(after, name) is not None:
        raise _unsafe(name)
    return after


def _create(note: Note, name: str, value: PropertyValue) -> bytes:
    """A block of properties above everything. Refused where one was begun and never closed: it would become text."""
    first = next((line for line in note.contents(1) if line.strip()), "") if note.lines else ""
    if note.lines and note.content(0).rstrip() == "---" and ":" in first and not first.startswith((" ", "#")):
        raise NotEditable(
            "the properties that begin in line 1 have no closing ---, so Obsidian shows them as text",
            "close them with a line --- (a line ... does not count), then try again",
        )
    ending = note.commonest_ending
    block = f"---{ending}{render_entry(name, value, '', ending)}---{ending}"
    return _checked(note, Entries(()), apply_splices(note, [Splice(0, 0, block)]), name, value)


def _check_name(name: str) -> None:
    control = any(unicodedata.category(char) in ("Cc", "Zl", "Zp") for char in name)
    if not name or name != name.strip() or len(name) > _MOST_NAME_CHARS or control:
        raise InvalidRequest(f"{name!r} cannot be the name of a property", "give a short name on one line")


def _refuse_unreadable(entries: Entries, name: str) -> None:
    if entries.problem:
        raise NotEditable(
            f"the note's properties are not valid YAML ({entries.problem}), so {name!r} cannot be added to them",
            "mend them in the note, then try again",
        )


def _require_entry(note: Note, entries: Entries, name: str) -> Entry:
    entry = find_entry(entries, name)
    if entry is None:
        raise TargetMissing(f"the note has no property {name!r}", list_properties(note))
    return entry


def _items(entry: Entry) -> tuple[Scalar, ...]:
    if entry.items is None:
        raise NotEditable(
            f"the property {entry.name!r} in line {entry.line} is not a list of plain values",
            "set the whole property instead",
        )
    return entry.items


def _reads_as(entry: Entry, value: PropertyValue) -> bool:
    if not isinstance(value, list):
        return reads_as(entry.scalar, value)
    items = entry.items
    return items is not None and len(items) == len(value) and all(map(reads_as, items, value))


def _checked(note: Note, before: Entries, after: bytes, name: str, value: PropertyValue) -> bytes:
    _check_others(note, before, after, name)
    entry = _entry_after(after, name)
    if entry is None or not _reads_as(entry, value):
        raise _unsafe(name)
    return after


def _entry_after(after: bytes, name: str) -> Entry | None:
    return next((entry for entry in read_entries(read_note(after)).entries if entry.name == name), None)


def _check_others(note: Note, before: Entries, after: bytes, name: str) -> None:
    """Every other property reads as it did, in the same order, and the body is untouched."""
    changed = read_note(after)
    now = read_entries(changed)
    same = [(e.name, e.reads) for e in before.entries if e.name != name] == [
        (e.name, e.reads) for e in now.entries if e.name != name
    ]
    body = note.text[note.offset(note.body) :] == changed.text[changed.offset(changed.body) :]
    if not body or not ((same and now.problem is None) or before.problem):
        raise _unsafe(name)


def _unsafe(name: str) -> NotEditable:
    return NotEditable(
        f"the property {name!r} cannot be changed without changing what others read as",
        "change it in the note, in an editor",
    )

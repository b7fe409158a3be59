"""The text of one property: where a new value goes, and how much of what stands there it replaces. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from zibaldone.vault.edit.entries import last_line
from zibaldone.vault.edit.lines import Note, Splice
from zibaldone.vault.edit.scalars import PropertyValue, Value, reads_as, render_text, render_value
from zibaldone.vault.edit.yaml_entries import Entry, Scalar

_INDENT = "  "  # of the items of a new list, as Obsidian writes them


def replace_value(note: Note, entry: Entry, value: PropertyValue) -> list[Splice]:
    if isinstance(value, list) and value:
        if entry.items and not entry.flow:
            return [_replace_items(note, entry, entry.items, value)]
        if not (entry.flow and entry.items is not None):
            return _replace_by_block(note, entry, value)
    inline = _render_inline(value)
    gap = note.text[entry.colon : entry.start]
    if "\n" in gap or "\r" in gap:  # the value stands below its key: a comment beside the key stays there
        line = note.lines[note.line_at(entry.colon)]
        lead = [Splice(entry.colon, entry.colon, f" {inline}")] if inline else []
        return [*lead, Splice(line.end, entry.end, "")]
    if entry.start == entry.end or not gap or not inline:
        return [Splice(entry.colon, entry.end, f" {inline}" if inline else "")]
    return [Splice(entry.start, entry.end, inline)]


def _replace_items(note: Note, entry: Entry, items: Sequence[Scalar], value: Sequence[Value]) -> Splice:
    """A line for each item; an item that stays keeps its line, with the comment on it and those above it."""
    first = note.line_at(entry.start)
    begin = note.offset(first)
    lead = note.text[begin : entry.start]
    chunks: list[tuple[Scalar, str]] = []
    at = begin
    for item in items:
        stop = note.lines[note.line_at(max(item.end - 1, item.start))].stop
        chunks.append((item, note.text[at:stop]))
        at = stop
    ending = note.ending_near(first + 1)
    lines: list[str] = []
    for wanted in value:
        kept = next((chunk for chunk in chunks if reads_as(chunk[0], wanted)), None)
        lines.append(kept[1] if kept else f"{lead}- {render_item(wanted)}{ending}")
        if kept:
            chunks.remove(kept)
    return Splice(begin, at, "".join(lines))


def _replace_by_block(note: Note, entry: Entry, value: Sequence[Value]) -> list[Splice]:
    """A line for each item below the key, instead of a value of another kind."""
    last = last_line(note, entry)
    key_line = note.line_at(entry.colon)
    cut = note.lines[key_line].end if note.line_at(entry.start) > key_line else entry.colon
    stop = note.lines[last].stop
    ending = note.ending_near(key_line + 1)
    indent = " " * column_of(note, entry) + _INDENT
    items = "".join(f"{indent}- {render_item(item)}{ending}" for item in value)
    return [Splice(cut, entry.end, ""), Splice(stop, stop, items)] if cut < entry.end else [Splice(stop, stop, items)]


def cut_item(note: Note, items: Sequence[Scalar], index: int, *, flow: bool) -> Splice:
    item = items[index]
    if not flow:
        first, last = note.line_at(item.start), note.line_at(max(item.end - 1, item.start))
        return Splice(note.offset(first), note.offset(last + 1), "")
    if index + 1 < len(items):
        return Splice(item.start, items[index + 1].start, "")
    return Splice(items[index - 1].end, item.end, "")


def render_entry(name: str, value: PropertyValue, column: str, ending: str) -> str:
    key = f"{column}{render_text(name, flow=True)}:"
    if isinstance(value, list) and value:
        items = "".join(f"{column}{_INDENT}- {render_item(item)}{ending}" for item in value)
        return f"{key}{ending}{items}"
    inline = _render_inline(value)
    return f"{key} {inline}{ending}" if inline else f"{key}{ending}"


def _render_inline(value: PropertyValue) -> str:
    if isinstance(value, list):
        return f"[{', '.join(render_value(item, flow=True) for item in value)}]"
    return render_value(value)


def render_item(item: Value) -> str:
    return render_value(item) or "null"


def column_of(note: Note, entry: Entry) -> int:
    return entry.start_of_key - note.offset(note.line_at(entry.start_of_key))


def append_item(note: Note, entry: Entry, last: Scalar, item: Value) -> Splice:
    """One more item behind the last of a list, written as that one is."""
    if entry.flow:
        return Splice(last.end, last.end, f", {render_value(item, flow=True)}")
    line = note.line_at(max(last.end - 1, last.start))
    lead = note.text[note.offset(note.line_at(last.start)) : last.start].rstrip()
    stop = note.lines[line].stop
    return Splice(stop, stop, f"{lead} {render_item(item)}{note.ending_near(line + 1)}")

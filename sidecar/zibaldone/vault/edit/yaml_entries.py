"""Properties by YAML: the entries of a block, their places taken from the marks of PyYAML's parser events. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import yaml

from zibaldone.vault.edit.lines import Note

MAX_CHARS = 64_000  # as in `ingest.frontmatter`

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_COLON = re.compile(r"[ \t]*:")


class Unreadable(Exception):
    """Why it is not YAML, or not a block of names and values."""


class Scalar(NamedTuple):
    """One value as written: what YAML reads, and whether it stands there plain (None: under a tag of its own)."""

    text: str
    plain: bool | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One property. Offsets are characters of the note: `colon` is right after the key's colon, the value stands from
    `start` up to `end` (both `colon` where there is none).

    Attributes:
        scalar: the value, if it is one.
        items: its items, if it is a list of scalars; `flow` says that it is written `[a, b]`.
        reads: the value as YAML events, for comparing; empty where YAML could not read it.
        pieces: the spans of all scalars in the value, and of the flow lists and maps around them.
    """

    name: str
    line: int
    start_of_key: int
    colon: int
    start: int
    end: int
    scalar: Scalar | None = None
    items: tuple[Scalar, ...] | None = None
    flow: bool = False
    reads: tuple[object, ...] = ()
    pieces: tuple[Scalar, ...] = ()


def parse_entries(note: Note, start: int, end: int) -> list[Entry]:
    """Entries of the YAML between two offsets. Raises Unreadable where it is none, or no block of names and values."""
    events = _read_events(note.text[start:end], note.line_at(start) + 1)
    root = events[0]
    if isinstance(root, yaml.StreamEndEvent) or (isinstance(root, yaml.ScalarEvent) and not root.value):
        return []
    if not isinstance(root, yaml.MappingStartEvent) or root.flow_style:
        raise Unreadable("it is not a list of names and values, one per line")
    found: list[Entry] = []
    at = 1
    while not isinstance(events[at], yaml.MappingEndEvent):
        after_key = _skip(events, at)
        after_value = _skip(events, after_key)
        found.append(_read_entry(note, start, events[at:after_key], events[after_key:after_value]))
        at = after_value
    return found


def _read_events(source: str, line: int) -> list[yaml.Event]:
    """The events from the root on. `line` is the 1-based number of the first line, for what is said."""
    if len(source) > MAX_CHARS:
        raise Unreadable(f"it has more than {MAX_CHARS} characters")
    try:
        events = list(yaml.parse(source, Loader=_LOADER))
    except yaml.MarkedYAMLError as error:
        where = f" in line {error.problem_mark.line + line}" if error.problem_mark else ""
        raise Unreadable(f"{error.problem}{where}") from error
    except (yaml.YAMLError, ValueError) as error:  # ValueError: half a character, a number that is no character
        raise Unreadable("it holds characters that YAML does not allow") from error
    _check_aliases(events)
    return [event for event in events if not isinstance(event, yaml.StreamStartEvent | yaml.DocumentStartEvent)]


def _check_aliases(events: Sequence[yaml.Event]) -> None:
    """The parser leaves this to the composer; an edit must notice when it takes an anchor away."""
    known: set[str | None] = set()
    for event in events:
        if isinstance(event, yaml.AliasEvent) and event.anchor not in known:
            raise Unreadable(f"the alias *{event.anchor} has no value")
        known.add(getattr(event, "anchor", None))


def _skip(events: Sequence[yaml.Event], at: int) -> int:
    """The index after the node that begins at `at`."""
    depth = 0
    while True:
        depth += isinstance(events[at], yaml.CollectionStartEvent) - isinstance(events[at], yaml.CollectionEndEvent)
        at += 1
        if not depth:
            return at


def _read_entry(note: Note, offset: int, keys: Sequence[yaml.Event], value: Sequence[yaml.Event]) -> Entry:
    key = keys[0]
    key_start, key_end = _place(key, offset)
    colon = _COLON.match(note.text, key_end)
    line = note.line_at(key_start)
    if not isinstance(key, yaml.ScalarEvent) or colon is None or note.text[note.offset(line) : key_start].strip():
        raise Unreadable(f"line {line + 1} does not begin with a name and a colon")
    pieces = tuple(_pieces(note, offset, value))
    end = max((piece.end for piece in pieces), default=colon.end())
    start = min(_place(value[0], offset)[0], end)
    if not note.text[start:end].strip() or end <= colon.end():
        start = end = colon.end()
    simple = isinstance(value[0], yaml.SequenceStartEvent) and not value[0].anchor and value[0].tag is None
    inner = value[1:-1]
    listed = simple and all(isinstance(event, yaml.ScalarEvent) for event in inner)
    flow = isinstance(value[0], yaml.CollectionStartEvent) and bool(value[0].flow_style)
    return Entry(
        name=key.value,
        line=line + 1,
        start_of_key=key_start,
        colon=colon.end(),
        start=start,
        end=end,
        scalar=_scalar(note, offset, value[0]) if isinstance(value[0], yaml.ScalarEvent) else None,
        items=tuple(_scalar(note, offset, event) for event in inner) if listed else None,
        flow=flow,
        reads=tuple(_signature(event) for event in value),
        pieces=pieces,
    )


def _pieces(note: Note, offset: int, value: Sequence[yaml.Event]) -> list[Scalar]:
    """What the value is made of. The end of a block list or map lies beyond comments that are not its own; so a
    value ends where the last of its pieces does."""
    pieces: list[Scalar] = []
    open_flow: list[int] = []
    for event in value:
        if isinstance(event, yaml.ScalarEvent):
            pieces.append(_scalar(note, offset, event))
        elif isinstance(event, yaml.AliasEvent):
            pieces.append(Scalar(event.anchor or "", None, *_place(event, offset)))
        elif isinstance(event, yaml.CollectionStartEvent):
            open_flow.append(_place(event, offset)[0] if event.flow_style else -1)
        elif isinstance(event, yaml.CollectionEndEvent) and (start := open_flow.pop()) >= 0:
            pieces.append(Scalar("", True, start, _place(event, offset)[1]))
    return pieces


def _scalar(note: Note, offset: int, event: yaml.Event) -> Scalar:
    assert isinstance(event, yaml.ScalarEvent)
    start, end = _place(event, offset)
    while end > start and note.text[end - 1] in " \t\r\n":  # a block scalar ends where the next line begins
        end -= 1
    plain = True if event.implicit[0] else False if event.implicit[1] else None
    return Scalar(event.value, plain if event.tag is None else None, start, end)


def _place(event: yaml.Event, offset: int) -> tuple[int, int]:
    if event.start_mark is None or event.end_mark is None:
        raise Unreadable("its places are unknown")
    return event.start_mark.index + offset, event.end_mark.index + offset


def _signature(event: yaml.Event) -> object:
    """An event without its place and its style of writing: what a reader gets."""
    implicit = event.implicit[0] if isinstance(event, yaml.ScalarEvent) else None
    value = event.value if isinstance(event, yaml.ScalarEvent) else None
    return type(event).__name__, getattr(event, "anchor", None), getattr(event, "tag", None), implicit, value

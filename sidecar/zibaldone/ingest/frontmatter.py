"""The properties at the top of a note, read so that no note is lost over them.

Values come out as the person wrote them. YAML 1.1, which PyYAML implements, turns `12:30:45` into 45045,
`00123` into 83 and `no` into False; here a plain scalar is a string unless it is null, true/false, a number
that prints back the same, or a calendar date. The document is built from parser events, never through a YAML
constructor: no tags, no objects, a bound on depth and on aliases, and the written text of `[[Home]]` and
`{{date}}` (which are nested lists and maps to YAML) can be had back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

import yaml

from zibaldone.domain.documents import Unreadable

MAX_CHARS = 64_000
MAX_DEPTH = 20
MAX_ALIASES = 10  # each may double what is written: ten cannot become a bomb, and nobody's properties have more

_LINE_END = re.compile(r"\r\n?|\n")
_KEY = re.compile(r"[^\s:#\-\[\]{}][^:\n]{0,80}:(?:\s|$)")
_SALVAGED = re.compile(r"(tags?|alias(?:es)?|title|date|created)[ \t]{0,8}:(?:[ \t]+(.*))?$", re.IGNORECASE)
_ITEM = re.compile(r"[ \t]{0,16}-[ \t]+(.*)$")
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})")
_FLOAT = re.compile(r"-?[0-9]{1,18}\.[0-9]{1,18}")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_WORDS: dict[str, object] = {"": None, "~": None, "null": None, "true": True, "false": False}
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Frontmatter:
    """`body_line` is the 1-based line where the body begins: 1 where there are no properties.

    `problem` is a sentence about why the YAML could not be read; `properties` then holds what could be saved.
    """

    properties: dict[str, object]
    body_line: int
    problem: str | None = None


class _Refused(Exception):
    """YAML that may be valid but that we do not build."""


def split_lines(text: str) -> list[str]:
    """Lines as editors count them: LF, CRLF and CR end a line, form feeds and Unicode separators do not."""
    return _LINE_END.split(text.removeprefix("\ufeff"))


def read_frontmatter(text: str) -> Frontmatter:
    """Read the properties of a note. Never raises for what the note holds.

    Without a closing `---`, or where nothing between the two rules looks like a property (a note that begins
    with a horizontal rule), all of it is body.
    """
    lines = split_lines(text)
    if lines[0].rstrip() != "---":
        return Frontmatter({}, 1)
    end = next((i for i, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), None)
    if end is None:
        return Frontmatter({}, 1)
    inner = lines[1:end]
    if any(line.strip() for line in inner) and not any(_KEY.match(line.lstrip("\"' ")) for line in inner):
        return Frontmatter({}, 1)
    source = "\n".join(inner)
    properties = load_mapping(source, first_line=2)
    if isinstance(properties, Unreadable):
        problem = f"The properties in lines 1–{end + 1} could not be read: {properties.reason}."
        return Frontmatter(_salvage(source[:MAX_CHARS].split("\n")), end + 2, problem)
    return Frontmatter(properties, end + 2)


def load_mapping(source: str, first_line: int = 1) -> dict[str, object] | Unreadable:
    """The names and values that YAML states; `first_line` is the number of its first line where it stands."""
    if len(source) > MAX_CHARS:
        return Unreadable(f"{len(source)} characters, more than {MAX_CHARS}")
    try:
        return _load(source)
    except (yaml.YAMLError, _Refused, RecursionError) as error:
        return Unreadable(_reason(error, first_line))


def _load(source: str) -> dict[str, object]:
    events = yaml.parse(source, Loader=_LOADER)
    builder = _Builder(source, events)
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            value = builder.build(next(events), 0)
            if value is None:
                break
            if not isinstance(value, dict):
                raise _Refused("it is not a list of names and values")
            next(events)  # the document's end: reading up to it finds what is wrong after the last value
            return value
    return {}


class _Builder:
    """Values from events, with the bounds that keep a hostile note harmless."""

    def __init__(self, source: str, events: Iterator[yaml.Event]) -> None:
        self._source = source
        self._events = events
        self._anchors: dict[str, object] = {}
        self._aliases = 0

    def build(self, event: yaml.Event, depth: int) -> object:
        if depth > MAX_DEPTH:
            raise _Refused(f"nested deeper than {MAX_DEPTH} levels")
        if isinstance(event, yaml.AliasEvent):
            return self._resolve_alias(event.anchor)
        value: object
        if isinstance(event, yaml.ScalarEvent):
            value = _read_scalar(event.value) if event.implicit[0] else event.value
        elif isinstance(event, yaml.SequenceStartEvent):
            value = self._build_list(event, depth)
        elif isinstance(event, yaml.MappingStartEvent):
            value = self._build_map(event, depth)
        else:
            raise _Refused(f"unexpected {type(event).__name__}")
        if event.anchor:
            self._anchors[event.anchor] = value  # only now: an alias inside its own anchor has no value
        return value

    def _resolve_alias(self, anchor: str | None) -> object:
        self._aliases += 1
        if self._aliases > MAX_ALIASES:
            raise _Refused(f"more than {MAX_ALIASES} aliases")
        if anchor is None or anchor not in self._anchors:
            raise _Refused(f"the alias *{anchor} has no value")
        return self._anchors[anchor]

    def _build_list(self, start: yaml.SequenceStartEvent, depth: int) -> object:
        values: list[object] = []
        inner_flows = 0
        for event in self._events:
            if isinstance(event, yaml.SequenceEndEvent):
                if start.flow_style and len(values) == inner_flows == 1:
                    return self._written(start, event)
                return values
            inner_flows += isinstance(event, yaml.SequenceStartEvent) and bool(event.flow_style)
            values.append(self.build(event, depth + 1))
        raise _Refused("a list does not end")

    def _build_map(self, start: yaml.MappingStartEvent, depth: int) -> object:
        values: dict[str, object] = {}
        placeholder = False
        for event in self._events:
            if isinstance(event, yaml.MappingEndEvent):
                return self._written(start, event) if placeholder else values
            placeholder |= bool(start.flow_style) and isinstance(event, yaml.MappingStartEvent)
            key = self.build(event, depth + 1)
            values[key if isinstance(key, str) else str(key)] = self.build(next(self._events), depth + 1)
        raise _Refused("a map does not end")

    def _written(self, start: yaml.Event, end: yaml.Event) -> str:
        """The characters that stand in the note, on one line: `[[Home]]`, `{{date}}`."""
        first, last = start.start_mark, end.end_mark
        return " ".join(self._source[first.index : last.index].split()) if first and last else ""


def _read_scalar(text: str) -> object:
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if _INT.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text) and repr(float(text)) == text:  # `1.10` is a version, not 1.1
        return float(text)
    if _DATE.fullmatch(text):
        try:
            return date.fromisoformat(text)
        except ValueError:
            return text
    return text


def _reason(error: Exception, first_line: int) -> str:
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        return f"{error.problem} in line {error.problem_mark.line + first_line}"
    return "nested too deeply" if isinstance(error, RecursionError) else str(error).replace("\n", " ")


def _salvage(lines: list[str]) -> dict[str, object]:
    """The few properties that matter for finding a note, from lines that YAML as a whole cannot read."""
    found: dict[str, object] = {}
    items: list[object] | None = None
    for line in lines:
        if (match := _SALVAGED.match(line)) and match[1].lower() not in found:
            value = (match[2] or "").strip()
            items = [] if not value else None
            found[match[1].lower()] = items if items is not None else _salvage_value(value)
        elif items is not None and (item := _ITEM.match(line)):
            items.append(_unquote(item[1]))
        elif line.strip():
            items = None
    return {key: value for key, value in found.items() if value not in ([], "")}


def _salvage_value(value: str) -> object:
    if value[0] == "[" and value[-1] == "]" and value[:2] != "[[":
        return [_unquote(part) for part in value[1:-1].split(",") if part.strip()]
    return _unquote(value)


def _unquote(value: str) -> str:
    value = value.strip()
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value

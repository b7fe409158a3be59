"""What a note says about days, in the notations that people use: Tasks, Dataview, properties, a time before a line.

Only notation is read, never prose: "the report is due on Friday" is a sentence. What a checkbox says is done or
cancelled is left out. Pure, and nothing here depends on the day on which it is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice
from typing import cast

from zibaldone.domain.agenda import AgendaEntry, AgendaKind, Priority
from zibaldone.domain.notes import ParsedNote
from zibaldone.ingest.dates import read_date
from zibaldone.ingest.parse import plain_text

AGENDA_VERSION = 1

_MOST_TIMES = 50  # lines of one note that begin with a time: more are a log
_FIRST_YEAR, _LAST_YEAR = 1900, 2100
_MOST_CHARS = 500

_CLOSED = frozenset("xX->")
_OPEN = frozenset(" /!")  # other marks are icons of a theme: a task only where they have a date

_DATE = r"(\d{4}-\d{2}-\d{2})(?:[T ](\d{1,2}:\d{2})(?!\d))?"
_SIGNS = {"📅": "day", "🗓": "day", "📆": "day", "⏳": "planned", "⌛": "planned", "🛫": "start"}
_SIGNS |= {"✅": "closed", "❌": "closed", "➕": "made"}
_PRIORITY_SIGNS = {"🔺": "highest", "⏫": "high", "🔼": "medium", "🔽": "low", "⏬": "lowest"}
_DATED_SIGN = re.compile(rf"({'|'.join(_SIGNS)})\ufe0f?\s{{0,3}}{_DATE}")
_PRIORITY_SIGN = re.compile(rf"({'|'.join(_PRIORITY_SIGNS)})\ufe0f?")
# These have no date. An id or a word of a rule belongs to its sign only where nothing but signs follows it.
_OTHER_SIGN = re.compile(
    r"🔁\ufe0f?(?:\s{0,3}every [A-Za-z0-9, !]+)?"
    r"|(?:🏁\ufe0f?\s{0,3}(?:delete|keep)|(?:🆔|⛔)\ufe0f?\s{0,3}[\w-]+(?:,\s?[\w-]+)*)(?=\s*(?:$|[^\w\s]))",
    re.IGNORECASE,
)
_FIELDS = {
    **dict.fromkeys(("due", "deadline", "fällig", "faellig", "frist", "termin"), "day"),
    **dict.fromkeys(("scheduled", "planned", "geplant"), "planned"),
    "start": "start",
    **dict.fromkeys(("completion", "completed", "done", "erledigt", "cancelled", "canceled"), "closed"),
    "priority": "priority",
    **dict.fromkeys(("created", "repeat", "recurrence", "id", "dependson", "oncompletion"), "made"),
}
_FIELD = re.compile(r"(?:\[|(?<!\])\()([^\[\]():]{1,30})::\s?(\[\[[^\[\]]{1,100}\]\]|[^\[\]()]{0,100})[\])]")
_BARE_FIELD = re.compile(rf"(?<!\w)({'|'.join(_FIELDS)})::\s{{0,3}}(?:\[\[)?{_DATE}(?:\]\])?", re.IGNORECASE)
_DATE_LINK = re.compile(
    r"!?\[\[(?:[^\[\]|#]{1,200}/)?(\d{4}-\d{2}-\d{2})(?:#[^\[\]|]{0,200})?(?:\|([^\[\]]{0,200}))?\]\]"
)
_CODE_SPAN = re.compile(r"`[^`]{1,300}`")
_FILTER_TAG = re.compile(r"(?<!\S)#(?:task|todo)(?!\S)", re.IGNORECASE)

_MARKER = re.compile(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?")
_CHECKBOX = re.compile(r"\[.\][ \t]")
_CLOCK = r"(?:[:.][0-5]\d)(?!\d)"
_HOURS = r"\s?(?:[ap]m|uhr|h)\b"
_TIME = re.compile(
    rf"[*_]{{0,2}}(?P<hour>\d{{1,2}})(?P<minute>{_CLOCK})?(?!\d)(?P<suffix>{_HOURS})?[*_]{{0,2}}"
    rf"(?:\s?(?:[-–—]|bis|to)\s?[*_]{{0,2}}\d{{1,2}}(?:{_CLOCK}(?:{_HOURS})?|(?P<until>{_HOURS}))[*_]{{0,2}})?"
    r"(?:\s?[:|–—-])?\s+(?=\S)",
    re.IGNORECASE,
)
_TIME_OF_DAY = re.compile(r"(\d{1,2}):([0-5]\d)(?::[0-5]\d)?")
_TIME_OF_DATE = re.compile(r"\d[T ](\d{1,2}:[0-5]\d)(?!\d)")

_DEADLINES = frozenset(
    "due due_date duedate deadline fällig fällig_am fälligkeit fälligkeitsdatum frist abgabe".split()
)
_PLANS = frozenset("scheduled geplant planned".split())
_APPOINTMENTS = frozenset("termin appointment".split())
_EVENT_DATES = frozenset("date datum start start_date startdate beginn".split())
_EVENT_TIMES = ("time", "start_time", "starttime", "uhrzeit", "zeit", "beginn")
_EVENT_MARKS = ("type", "tags", "tag", "category", "categories", "kind", "typ", "kategorie", "kategorien", "art")
_EVENTS = frozenset(
    "event events meeting meetings appointment appointments termin termine treffen besprechung besprechungen"
    " veranstaltung veranstaltungen sitzung ereignis ereignisse".split()
)
_STATES = ("status", "state", "stand", "zustand")
_DONE = frozenset(
    "done completed complete finished closed cancelled canceled archived erledigt fertig abgeschlossen abgesagt"
    " beendet geschlossen archiviert".split()
)
_TICKS = ("done", "completed", "complete", "finished", "cancelled", "archived", "erledigt", "abgeschlossen", "abgesagt")


def read_entries(note: ParsedNote, lines: Sequence[str]) -> tuple[AgendaEntry, ...]:
    """What a note says about days, in the order of its lines.

    Args:
        lines: the whole note, properties included.
    """
    found = list(_read_tasks(note))
    if not _is_closed(note.properties):
        found += [*_read_properties(note, lines), *_read_lines(note)]
    return tuple(sorted(found, key=lambda entry: entry.line))


# --- tasks and inline fields


@dataclass(slots=True)
class _Notation:
    """What the notation in a text says, and the text without it."""

    text: str
    day: date | None = None
    planned: date | None = None
    start: date | None = None
    time: str | None = None
    priority: Priority | None = None
    closed: bool = False

    @property
    def is_dated(self) -> bool:
        return bool(self.day or self.planned or self.start)

    def entry(self, kind: AgendaKind, line: int, otherwise: str = "") -> AgendaEntry:
        """`otherwise` is the text where nothing but notation stands there."""
        shown = " ".join(plain_text(self.text).split())[:_MOST_CHARS]
        return AgendaEntry(kind, shown or otherwise, line, self.day, self.planned, self.start, self.time, self.priority)


def _read_tasks(note: ParsedNote) -> Iterator[AgendaEntry]:
    for task in note.tasks:
        if task.status in _CLOSED or not task.text:
            continue
        found = _read_notation(task.text)
        if found.closed or not (task.status in _OPEN or found.is_dated):
            continue
        if clock := _split_time(found.text):
            found.time, found.text = clock
        yield found.entry("task", task.line, otherwise=task.text)


def _read_lines(note: ParsedNote) -> Iterator[AgendaEntry]:
    """Lines that are no tasks: with a field that names a day, or that begin with a time."""
    yield from islice(_read_times(note), _MOST_TIMES)
    for number, text in _prose(note):
        if "::" in text and (found := _read_notation(text)).is_dated and not found.closed:
            yield found.entry("deadline", number, otherwise=note.title)


def _read_times(note: ParsedNote) -> Iterator[AgendaEntry]:
    for number, text in _prose(note):
        if "::" not in text and (clock := _split_time(text)):
            yield _Notation(clock[1], time=clock[0]).entry("appointment", number)


def _prose(note: ParsedNote) -> Iterator[tuple[int, str]]:
    """Lines outside code, tables, quotes and tasks, by number, without their list marker."""
    for section in note.sections:
        for block in section.blocks:
            if block.atomic:
                continue
            for number, line in enumerate(block.text.split("\n"), block.line_start):
                text = line[_MARKER.match(line).end() :]  # type: ignore[union-attr]
                if text and text[0] != ">" and not _CHECKBOX.match(text):
                    yield number, text


def _read_notation(written: str) -> _Notation:
    """A date that is none (`2026-02-30`) stays in the text, as do the notations of others."""
    codes: list[str] = []

    def keep_code(span: re.Match[str]) -> str:
        codes.append(span[0])
        return f"\0{len(codes) - 1}\0"

    found = _Notation("")

    def take(part: str, day: date, time: str | None) -> None:
        if part == "closed":
            found.closed = True
        elif part in ("day", "planned", "start") and getattr(found, part) is None:
            setattr(found, part, day)
            found.time = found.time or _clock(time)

    def take_date(part: str, match: re.Match[str]) -> str:
        day = _calendar_date(match[2])
        if day is None:
            return match[0]
        take(part, day, match[3])
        return " "

    def take_field(match: re.Match[str]) -> str:
        part = _FIELDS.get(match[1].strip().casefold())
        if part is None:
            return match[0]
        if part == "priority":
            named = match[2].strip().casefold()
            if named in _PRIORITY_SIGNS.values():
                found.priority = cast("Priority", named)
        elif part != "made":
            dated = re.search(_DATE, match[2])
            day = dated and _calendar_date(dated[1])
            if not dated or not day:
                return match[0]
            take(part, day, dated[2])
        return " "

    def take_priority(match: re.Match[str]) -> str:
        found.priority = cast("Priority", _PRIORITY_SIGNS[match[1]])
        return " "

    text = _CODE_SPAN.sub(keep_code, written.replace("\0", " "))
    text = _FIELD.sub(take_field, text)
    text = _BARE_FIELD.sub(lambda match: take_date(_FIELDS[match[1].casefold()], match), text)
    text = _DATED_SIGN.sub(lambda match: take_date(_SIGNS[match[1]], match), text)
    text = _OTHER_SIGN.sub(" ", _PRIORITY_SIGN.sub(take_priority, text))
    if not found.is_dated and (link := _DATE_LINK.search(text)) and (day := _calendar_date(link[1])):
        found.day = day
        text = text[: link.start()] + (link[2] or "") + text[link.end() :]
    text = _FILTER_TAG.sub("", text)
    found.text = re.sub(r"\0(\d+)\0", lambda mark: codes[int(mark[1])], text).strip()
    return found


def _calendar_date(written: str) -> date | None:
    try:
        day = date.fromisoformat(written)
    except ValueError:
        return None
    return day if _FIRST_YEAR <= day.year <= _LAST_YEAR else None


def _split_time(text: str) -> tuple[str, str] | None:
    """The time that a text begins with, as HH:MM, and the rest; None where it begins with none."""
    match = _TIME.match(text)
    if not match:
        return None
    minute = match["minute"] or ""
    suffix = (match["suffix"] or "").strip().lower()
    if not (minute.startswith(":") or suffix or (match["until"] or "").strip().lower() == "uhr"):
        return None  # `10.30 euros`, `3 eggs`
    hour = int(match["hour"])
    if suffix in ("am", "pm"):
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if suffix == "pm" else 0)
    return (f"{hour:02}:{minute[1:] or '00'}", text[match.end() :]) if hour < 24 else None


def _clock(written: str | None) -> str | None:
    """`9:30` or `9:30:00` as HH:MM; None for what is no time of day."""
    match = _TIME_OF_DAY.fullmatch((written or "").strip())
    return f"{int(match[1]):02}:{match[2]}" if match and int(match[1]) < 24 else None


# --- properties


def _read_properties(note: ParsedNote, lines: Sequence[str]) -> Iterator[AgendaEntry]:
    named = {_fold_key(key): (key, value) for key, value in note.properties.items()}
    is_event = _is_event(note.properties)
    time = next((clock for key in _EVENT_TIMES if key in named and (clock := _clock(str(named[key][1])))), None)

    def dates(keys: frozenset[str]) -> Iterator[tuple[str, date, str | None]]:
        for key, (written, value) in named.items():
            if key not in keys:
                continue
            for one in value if isinstance(value, list) else [value]:
                if day := one if isinstance(one, date) else read_date(one) if isinstance(one, str) else None:
                    stated = _TIME_OF_DATE.search(one) if isinstance(one, str) else None
                    yield written, day, _clock(stated[1]) if stated else None

    deadlines = sorted(dates(_DEADLINES), key=lambda found: found[1])
    plans = sorted(dates(_PLANS), key=lambda found: found[1])
    if deadlines or plans:
        key, _, clock = (deadlines or plans)[0]
        yield AgendaEntry(
            "deadline" if deadlines else "task",
            note.title,
            _line_of(key, lines),
            day=deadlines[0][1] if deadlines else None,
            planned=plans[0][1] if plans else None,
            time=clock,
            priority=_priority(named),
        )
    seen: set[date] = set()
    for key, day, clock in dates(_APPOINTMENTS | (_EVENT_DATES if is_event else frozenset())):
        if day not in seen:
            seen.add(day)
            yield AgendaEntry("appointment", note.title, _line_of(key, lines), day=day, time=clock or time)


def _priority(named: Mapping[str, tuple[str, object]]) -> Priority | None:
    value = str(named.get("priority", ("", ""))[1]).casefold()
    return cast("Priority", value) if value in _PRIORITY_SIGNS.values() else None


def _is_event(properties: Mapping[str, object]) -> bool:
    """Whether the note says that it is a meeting or the like: by its type, category or tags (their last part)."""
    for key, value in properties.items():
        if _fold_key(key) in _EVENT_MARKS:
            for one in value if isinstance(value, list) else re.split(r"[,\s]+", str(value)):
                if plain_text(str(one)).lstrip("#").rpartition("/")[2].casefold() in _EVENTS:
                    return True
    return False


def _is_closed(properties: Mapping[str, object]) -> bool:
    """Whether the note says of itself that it is done."""
    for key, value in properties.items():
        name = _fold_key(key)
        if name in _TICKS and (value is True or isinstance(value, date)):
            return True
        if name in _STATES:
            stated = value if isinstance(value, list) else [value]
            if any(plain_text(str(one)).lstrip("#").casefold() in _DONE for one in stated):
                return True
    return False


def _fold_key(key: str) -> str:
    return key.strip().casefold().replace(" ", "_").replace("-", "_")


def _line_of(key: str, lines: Sequence[str]) -> int:
    """The line of a property, 1-based; that of the first line where it is written in a way of its own."""
    for number, line in enumerate(lines, 1):
        name, colon, _ = line.partition(":")
        if colon and name.strip("\"' ") == key:
            return number
    return 1

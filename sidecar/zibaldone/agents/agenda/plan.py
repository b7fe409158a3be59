"""From what stands in the notes to what it means today. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta

from zibaldone.domain.agenda import AgendaEntry, NotedEntry
from zibaldone.schemas.agenda import Agenda, AgendaItem, AgendaSpan, AgendaState

_FRIDAY, _SUNDAY = 4, 6
_DAYS_AHEAD = 7
_PRIORITIES = {"highest": 0, "high": 1, "medium": 2, None: 3, "low": 4, "lowest": 5}
_LAST = "24:00"


def last_day(span: AgendaSpan, today: date) -> date:
    """The last day of a span. A week ends on Sunday; from Friday on the next one belongs to it."""
    match span:
        case "overdue":
            return today - timedelta(1)
        case "today":
            return today
        case "ahead":
            return today + timedelta(_DAYS_AHEAD)
        case "week":
            sunday = _sunday(today)
            return sunday + timedelta(7) if today.weekday() >= _FRIDAY else sunday


def plan_agenda(entries: Iterable[NotedEntry], daily: Mapping[str, date], span: AgendaSpan, today: date) -> Agenda:
    """What of the entries counts in a span, in the order in which it is told.

    Args:
        daily: the days of the daily notes among the entries' paths.
        today: the person's own day.
    """
    until = last_day(span, today)
    items = [item for noted in entries for item in _read(noted, daily.get(noted.path), today, until)]
    return Agenda(span=span, today=today.isoformat(), until=until.isoformat(), items=sorted(items, key=_order))


def choose_day(entry: AgendaEntry, daily: date | None, today: date) -> date | None:
    """The day on which an entry counts; None for one that has none, is over or has only a beginning that is past.

    A deadline that has come outweighs the plan; until then what was planned for a day that has passed is for today.
    """
    if entry.first_day is None:
        day = daily
    elif entry.day and entry.day <= today:
        day = entry.day
    elif entry.planned and entry.day:
        day = min(max(entry.planned, today), entry.day)
    else:
        day = entry.day or entry.planned or (entry.start if entry.start and entry.start >= today else None)
    is_over = entry.kind == "appointment" and day is not None and day < today
    return None if is_over else day


def _read(noted: NotedEntry, daily: date | None, today: date, until: date) -> Iterator[AgendaItem]:
    entry = noted.entry
    day = choose_day(entry, daily, today)
    if day is None or day > until:
        return
    yield AgendaItem(
        kind=entry.kind,
        state=_state(day, today),
        day=day.isoformat(),
        time=entry.time,
        text=entry.text,
        due=entry.day.isoformat() if entry.day and entry.kind != "appointment" else None,
        overdue_days=max(0, (today - day).days),
        priority=entry.priority,
        path=noted.path,
        line=entry.line,
        title=noted.title,
    )


def _state(day: date, today: date) -> AgendaState:
    if day < today:
        return "overdue"
    if day == today:
        return "today"
    return "this_week" if day <= _sunday(today) else "next_week"


def _sunday(day: date) -> date:
    return day + timedelta(_SUNDAY - day.weekday())


def _order(item: AgendaItem) -> tuple[int, int, str, int, str, int]:
    """What is overdue the latest first; all else by day. Within a day what has a time first, then by priority."""
    day = date.fromisoformat(item.day).toordinal()
    overdue = item.state == "overdue"
    return not overdue, -day if overdue else day, item.time or _LAST, _PRIORITIES[item.priority], item.path, item.line

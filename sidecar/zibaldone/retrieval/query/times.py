"""The time that a question speaks of: "last week", "in March", "between May and July 2025". Pure; today is an argument.

The words around a time (`named`) say what is meant: since then, until then, from one to the other. A month, weekday or
season by itself is none: "May" is a name, "March" a verb. What counts in front of it ("in", "since", "last") is of the
same language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache, partial
from typing import Literal

from zibaldone.domain.words import STOP_WORDS, index_terms
from zibaldone.retrieval.query.days import Days, add_months, month_days, season_days, unit_days
from zibaldone.retrieval.query.named import (
    REACH,
    Languages,
    Time,
    any_words,
    compile_words,
    find_times,
    joins,
    relations,
)
from zibaldone.retrieval.query.vocabulary import languages

Direction = Literal["before", "after"]
# An event is at most four words, at the end of its clause.
_DIRECTIONS: tuple[Direction, ...] = ("before", "after")
_EVENT = r"(\w(?:\w|-|')*(?: \w(?:\w|-|')*){0,3})(?= ?(?:[?,.!;:]|\Z))"
_UNSPACED_EVENT = r"([^\W\d_]{2,8}?)"


@dataclass(frozen=True, slots=True)
class TimeHint:
    """The days from `start` to `end`, both included, that the text names in `span` (characters, the words that belong
    to it included). A time without a beginning starts at `date.min`.

    `explicit`: what is asked for was written then, so that other notes may be left out. Else what happened then may
    also be told in a later note: a reason to prefer, not to leave out. `of_any_year`: the text
    names no year, so that the days are only those of the likeliest.
    """

    start: date
    end: date
    span: tuple[int, int]
    explicit: bool
    of_any_year: bool = False


def find_time(text: str, today: date) -> TimeHint | None:
    """The days that a text asks about, or None. The first time that is beyond doubt counts, else the first year."""
    first: TimeHint | None = None
    for hint, sure in _read_times(text, today):
        if sure:
            return hint
        first = first or hint
    return first


def wants_latest(text: str) -> bool:
    """Whether the newest is asked for: "latest", "zuletzt", 最新. "last week" is a time."""
    for time in find_times(text):
        text = text[: time.begin] + " " * (time.stop - time.begin) + text[time.stop :]
    return bool(any_words("latest", ()).search(text))


def relative_event(text: str) -> tuple[Direction, str] | None:
    """What happened at the time that a text is about, where it is no date: ("after", "move") for "since the move".

    Only where the event is the end of its clause and has few words.
    """
    for direction, pattern, no_event in _events():
        for match in pattern.finditer(text):
            event = next(filter(None, match.groups()))
            if not (no_event and no_event.search(match[0])) and not find_times(match[0]):
                return direction, event
    return None


def _read_times(text: str, today: date) -> Iterator[tuple[TimeHint, bool]]:
    """Each time or range of a text, in order, and whether it is sure."""
    times = find_times(text)
    while times:
        time = times.pop(0)
        until = times.pop(0) if times and _is_joined(text, time, times[0]) else None
        if found := _read_time(text, time, until, today):
            yield found


def _read_time(text: str, time: Time, until: Time | None, today: date) -> tuple[TimeHint, bool] | None:
    """What a time (or the range from it to another) means with the words in front of it, and whether it is sure."""
    begin, stop, relation = _relate(text, time, until)
    if time.kind == "season" and relation == "within":
        relation = ""  # "in summer" may be any
    sure = time.sure or bool(relation) or (until is not None and until.sure)
    if not sure and time.kind != "year":
        return None
    try:
        start, end = (
            _resolve_range(time, until, today) if until else _relate_days(relation, _resolve(time, today), today)
        )
    except (ValueError, OverflowError):
        return None
    absolute = time.kind == "days" or (time.kind == "month" and time.year is not None)
    a_day = absolute and start == end and relation != "near"
    explicit = sure and start <= today and (a_day or _asks_for_notes(text, begin, stop, time.languages))
    of_any_year = time.kind in ("month", "season") and not (time.year or time.which or (until and until.year))
    return TimeHint(start, end, (begin, stop), explicit, of_any_year), sure


def _relate_days(relation: str, days: Days, today: date) -> Days:
    """The days since, until, before or after some days; these themselves for any other relation."""
    start, end = days
    match relation:
        case "since":
            return start, max(end, today)
        case "after":
            return end + timedelta(1), max(end + timedelta(1), today)
        case "until":
            return date.min, end
        case "before":
            return date.min, start - timedelta(1)
    return days


def _asks_for_notes(text: str, begin: int, stop: int, codes: Languages) -> bool:
    """Whether a question, without its time, asks for what was written, or for nothing else."""
    rest = text[:begin] + " " + text[stop:]
    return bool(any_words("notes", codes).search(rest)) or STOP_WORDS.issuperset(index_terms(rest))


def _relate(text: str, time: Time, until: Time | None) -> tuple[int, int, str]:
    """Where a time begins and ends with the words around it, and what they say."""
    begin, stop = time.begin, (until or time).stop
    before, behind = text[max(0, begin - REACH) : begin], text[stop : stop + REACH]
    for relation, front, back in relations(time.languages):
        if front and (match := front.search(before)):
            unit = any_words("units", time.languages).fullmatch(before[: match.start()].rstrip().rpartition(" ")[2])
            if unit and relation in ("before", "after"):
                relation = "near"  # "the week before 3 May"
            return begin - len(match[0]), stop, relation
        if back and (match := back.match(behind)):
            return begin, stop + len(match[0]), relation
    return begin, stop, ""


def _is_joined(text: str, time: Time, other: Time) -> bool:
    gap = text[time.stop : other.begin]
    return len(gap) <= REACH and bool(joins(other.languages or time.languages).fullmatch(gap))


def _resolve_range(time: Time, until: Time, today: date) -> Days:
    onward = time.year is not None and until.year is None
    if time.kind == until.kind == "month":
        time, until = replace(time, year=time.year or until.year), replace(until, year=until.year or time.year)
    start, end = _resolve(time, today)[0], _resolve(until, today)[1]
    if start > end and time.kind == "month":  # across a new year
        start, end = (start, add_months(end, 12)) if onward else (add_months(start, -12), end)
    elif start > end and time.kind == "weekday":
        start -= timedelta(7)
    return min(start, end), max(start, end)


def _resolve(time: Time, today: date) -> Days:
    """The days of a time, seen from today.

    Raises:
        ValueError, OverflowError: there are none, such as 30 February.
    """
    match time.kind:
        case "unit":
            return unit_days(time.unit, time.number, today)
        case "ago":
            return unit_days(time.unit, -time.number, today)
        case "past":
            months = time.number * (12 if time.unit == "year" else 1)
            days = time.number * (7 if time.unit == "week" else 1)
            start = today - timedelta(days) if time.unit in ("day", "week") else add_months(today, -months)
            return start + timedelta(1), today
        case "year":
            return date(time.number, 1, 1), date(time.number, 12, 31)
        case "weekday":
            back = (today.weekday() - time.number) % 7
            day = today - timedelta(back or 7 * (time.which == "last"))
            return day, day
        case "season":
            return _of_some_year(time, today, partial(season_days, time.number))
        case "month":
            return _of_some_year(time, today, partial(month_days, time.number, time.day))
    assert time.days
    return time.days


def _of_some_year(time: Time, today: date, of_year: Callable[[int], Days]) -> Days:
    """The month or season of the year that is named; else of the last year in which it began (`last`: and ended)."""
    if time.year:
        return of_year(_resolve(time.year, today)[0].year)
    if time.which == "this":
        return of_year(today.year)
    for year in range(today.year, today.year - 9, -1):  # 29 February is eight years back at most
        try:
            start, end = of_year(year)
        except ValueError:
            continue
        if (end if time.which == "last" else start) <= today - timedelta(time.which == "last"):
            return start, end
    raise ValueError(time)


@lru_cache(maxsize=1)
def _events() -> list[tuple[Direction, re.Pattern[str], re.Pattern[str] | None]]:
    events: list[tuple[Direction, re.Pattern[str], re.Pattern[str] | None]] = []
    for table in languages().values():
        no_event = compile_words(table["no_event"], table) if "no_event" in table else None
        event = _EVENT if table.get("spaced", True) else _UNSPACED_EVENT
        for direction in _DIRECTIONS:
            if words := table.get("event", {}).get(direction):
                events.append((direction, compile_words(words.replace("{event}", event), table), no_event))
    return events

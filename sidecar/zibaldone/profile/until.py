"""The day after which a plan is over, where it says so: "until the 12th", "am Samstag", "next week". Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from zibaldone.retrieval.query.days import unit_days
from zibaldone.retrieval.query.named import Time, find_times

# What begins on the day that it names, or is done on each, has no end there: words before it, behind it, anywhere.
_GOES_ON = re.compile(
    r"\b(?:since|every|each|starting|seit|jede[nrsm]?|ab|depuis|chaque|[àa] partir d[eu]l?|desde|cada|tod[oa]s l[oa]s"
    r"|da|ogni|sinds|elke?|vanaf)(?: (?:the|last|dem|der|den|le|la|el|il))?\s+\Z",
    re.IGNORECASE,
)
_ONWARDS = re.compile(r"\s+(?:on|onwards?|an)\b", re.IGNORECASE)
_ALWAYS = re.compile(r"\b(?:always|immer(?! noch)|toujours|siempre|sempre|altijd)\b", re.IGNORECASE)
# A day of a month that names no month.
_DAY_ALONE = re.compile(
    r"\b(?:(?:until|till|by|on) the (\d{1,2})(?:st|nd|rd|th)|(?:bis(?: zum)?|am|zum) (\d{1,2})\."
    r"|(?:jusqu'au|le|hasta el|el|fino al|il|tot de|de) (\d{1,2})(?:er|e)?)(?!\w|[.:,]?\d)",
    re.IGNORECASE,
)
_TOMORROW = re.compile(r"\b(?:tomorrow|morgen|demain|mañana|domani)\b", re.IGNORECASE)


def last_day(text: str, said: date) -> date | None:
    """The latest day ahead that it names, `said` the day on which it was stated; None where it names none, or where it
    tells of what goes on."""
    if _ALWAYS.search(text):
        return None
    return max((day for day in _days_ahead(text, said) if day >= said), default=None)


def _days_ahead(text: str, said: date) -> Iterator[date]:
    times = find_times(text)
    week = max((time.number for time in times if time.unit == "week"), default=0)
    for time in times:
        if _GOES_ON.search(text[: time.begin]) or _ONWARDS.match(text, time.stop):
            continue
        match time.kind:
            case "weekday" if time.which != "last":
                monday = said + timedelta(7 * week - said.weekday())
                yield monday + timedelta(time.number) if week else said + timedelta((time.number - said.weekday()) % 7)
            case "month" if time.day:
                yield from _nearest_ahead(
                    said, month=time.number, day=time.day, year=time.year.number if time.year else None
                )
            case "unit":
                yield unit_days(time.unit, time.number, said)[1]
    if not any(_has_day(time) for time in times):
        for match in _DAY_ALONE.finditer(text):
            yield from _nearest_ahead(said, day=int(next(filter(None, match.groups()))))
    if _TOMORROW.search(text):
        yield said + timedelta(1)


def _has_day(time: Time) -> bool:
    return time.kind == "month" and bool(time.day)


def _nearest_ahead(said: date, day: int, month: int | None = None, year: int | None = None) -> Iterator[date]:
    """The first such day from `said` on: within a year, or within three months where no month is named."""
    if year is not None and month is not None:
        candidates = [(year, month)]
    elif month is not None:
        candidates = [(said.year, month), (said.year + 1, month)]
    else:
        candidates = [(said.year + (said.month + n - 1) // 12, (said.month + n - 1) % 12 + 1) for n in range(3)]
    for year_, month_ in candidates:
        try:
            found = date(year_, month_, day)
        except ValueError:
            continue
        if found >= said:
            yield found
            return

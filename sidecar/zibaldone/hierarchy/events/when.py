"""On which day an event was: as its sentence says, or the heading that it stands under, or else its source. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta

from zibaldone.domain.hierarchy import EventKind
from zibaldone.hierarchy.events.sentences import Sentence
from zibaldone.ingest.dates import read_date
from zibaldone.retrieval.query.named import Time, find_times
from zibaldone.retrieval.query.times import find_time

# What the notation of a task says, the most telling first: done, cancelled, due, planned, begun.
_NOTATION = tuple(
    re.compile(rf"(?:{signs})\s{{0,3}}(?:\[\[)?(\d{{4}}-\d{{2}}-\d{{2}})", re.IGNORECASE)
    for signs in (
        "✅\ufe0f?|(?:completion|completed|done|erledigt)(?:::|:)?",
        "[📅📆🗓]\ufe0f?|(?:due|deadline|fällig|frist|termin)(?:::|:)?",
        "[⏳⌛]\ufe0f?|(?:scheduled|planned|geplant)(?:::|:)?",
        "🛫\ufe0f?|start::",
    )
)
_TOMORROW = re.compile(r"\b(?:(tomorrow|morgen(?!s| früh um))|(day after tomorrow|übermorgen))\b", re.IGNORECASE)
_SINCE = re.compile(r"\b(?:since|seit)\b", re.IGNORECASE)
_MONTHS_AHEAD = 6  # a day without a year that is longer ago than this is one to come, for what is to be done


def find_day(sentence: Sentence, kind: EventKind, headings: Sequence[str], written: date) -> tuple[date, bool]:
    """The day, and whether the text says it.

    Args:
        headings: the path of headings above the sentence, the nearest last.
        written: the day of the source, from which "yesterday" counts.
    """
    for notation in _NOTATION if kind is EventKind.TASK else ():
        if (match := notation.search(sentence.text)) and (day := read_date(match[1])):
            return day, True
    dated = next((day for heading in reversed(headings) if (day := _single_day(heading, written))), None)
    if day := _stated_day(sentence.said, kind, dated or written):
        return day, True
    return (dated, True) if dated else (written, False)


def _stated_day(text: str, kind: EventKind, written: date) -> date | None:
    if kind is EventKind.TASK and (day := _day_ahead(text, written)):
        return day
    return _single_day(text, written)


def _single_day(text: str, written: date) -> date | None:
    """The day that a text names; of "since Monday" the Monday. Two weekdays are what it is about, not when it was."""
    if day := read_date(text):
        return day
    if len({time.number for time in find_times(text) if time.kind == "weekday"}) > 1:
        return None
    found = find_time(_SINCE.sub(lambda since: "on" if since[0].lower() == "since" else "am", text), written)
    return found.start if found and found.start == found.end else None


def _day_ahead(text: str, written: date) -> date | None:
    """The next such day, where what is to be done names a weekday, a day of a month or tomorrow."""
    if match := _TOMORROW.search(text):
        return written + timedelta(1 if match[1] else 2)
    for time in find_times(text):
        if time.kind == "weekday" and time.which != "last":
            return written + timedelta((time.number - written.weekday()) % 7 or 7)
        if time.kind == "month" and time.day and not time.year:
            return _next_day(time, written)
    return None


def _next_day(time: Time, written: date) -> date | None:
    for year in (written.year, written.year + 1):
        try:
            day = date(year, time.number, time.day)
        except ValueError:
            continue
        if day >= written - timedelta(30 * _MONTHS_AHEAD):
            return day
    return None

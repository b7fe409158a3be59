"""Which day a note is about, and how we know.

A date that the note itself states outranks everything; file times say when a disk was written to, and a fresh
clone makes every old note look new. Only unambiguous forms are read: `03/04/2024` is two days, so it is none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from itertools import islice

from zibaldone.domain.notes import DateSource

HEAD_LINES = 12
_FIRST_YEAR, _LAST_YEAR = 1900, 2100
_MOST_DATES = 20

_PROPERTIES = (
    "date",
    "created",
    "created_at",
    "date_created",
    "creation_date",
    "created_on",
    "published",
    "publish_date",
    "日期",
    "datum",
    "fecha",
)
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january januar janvier enero jän jänner",
            "feb february februar février febrero",
            "mar march märz mär mars marzo mrz",
            "apr april avril abril",
            "may mai mayo",
            "jun june juni juin junio",
            "jul july juli juillet julio",
            "aug august août agosto",
            "sep sept september septembre septiembre",
            "oct october oktober okt octobre octubre",
            "nov november novembre noviembre",
            "dec december dezember dez décembre diciembre",
        ),
        1,
    )
    for name in names.split()
}
_MONTH = "(?P<m>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\b\.?"
_FORMS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?<!\d)(?P<y>\d{4})(?P<sep>[-/._])(?P<m>\d{1,2})(?P=sep)(?P<d>\d{1,2})(?!\d)",
        r"(?<!\d)(?P<y>\d{4})\s?年\s?(?P<m>\d{1,2})\s?月\s?(?P<d>\d{1,2})\s?[日号號]",
        r"(?<!\d)(?P<y>\d{4})\s?년\s?(?P<m>\d{1,2})\s?월\s?(?P<d>\d{1,2})\s?일",
        r"(?<!\d)(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>\d{4})(?!\d)",
        rf"(?<!\d)(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\.?\s(?:of\s|de\s)?{_MONTH},?\s(?:de\s)?(?P<y>\d{{4}})(?!\d)",
        rf"\b{_MONTH}\s(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s(?P<y>\d{{4}})(?!\d)",
    )
)
_SLASHED = re.compile(r"(?<!\d)(\d{1,2})/(\d{1,2})/(\d{4})(?!\d)")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})(?:T?\d{4}(?:\d{2})?)?(?!\d)")
_DATE_LINE = re.compile(
    r"[\s>*_-]{0,12}(?:date|created|datum|fecha|日期|创建时间|날짜)[*_]{0,3}\s{0,3}[:：]{1,2}(.*)", re.IGNORECASE
)


def stated_date(properties: Mapping[str, object], path_stem: str, head_lines: Sequence[str]) -> date | None:
    """The date that the note states: in its properties, its name, or a `Date:` line near its top."""
    named = {key.strip().lower().replace(" ", "_").replace("-", "_"): value for key, value in properties.items()}
    for key in _PROPERTIES:
        if key in named and (found := _read_property(named[key])):
            return found
    if found := read_date(path_stem):
        return found
    for line in head_lines[:HEAD_LINES]:
        if (match := _DATE_LINE.match(line[:200])) and (found := read_date(match[1])):
            return found
    return None


def choose_date(stated: date | None, first_commit: date | None, mtime: date) -> tuple[date, DateSource]:
    """The best date there is, and where it came from."""
    if stated is not None:
        return stated, DateSource.NOTE
    if first_commit is not None:
        return first_commit, DateSource.GIT
    return mtime, DateSource.MTIME


def read_date(text: str) -> date | None:
    """The first calendar date in a short text; None where there is none or it could be two different days.

    Compact `20240301` (also with a time after it, as Zettelkasten ids have) counts only at the beginning:
    eight digits inside a name are as likely an invoice number.
    """
    text = text.strip()[:200]
    if match := _COMPACT.match(text):
        return _make_date(match[1], match[2], match[3])
    for form in _FORMS:
        if match := form.search(text):
            month = match["m"].lower()
            return _make_date(match["y"], str(_MONTHS.get(month, month)), match["d"])
    if match := _SLASHED.search(text):
        first, second = int(match[1]), int(match[2])
        if first > 12 or first == second:
            return _make_date(match[3], match[2], match[1])
        if second > 12:
            return _make_date(match[3], match[1], match[2])
    return None


def dates_in(text: str) -> tuple[date, ...]:
    """The days that a text names, with their year, in order and each once; at most `_MOST_DATES`."""
    found = {}
    for form in _FORMS:
        for match in islice(form.finditer(text), _MOST_DATES):
            month = match["m"].lower()
            if day := _make_date(match["y"], str(_MONTHS.get(month, month)), match["d"]):
                found[match.start()] = day
    return tuple(dict.fromkeys(day for _, day in sorted(found.items())))[:_MOST_DATES]


def _read_property(value: object) -> date | None:
    if isinstance(value, list):
        return _read_property(value[0]) if value and not isinstance(value[0], list) else None
    if isinstance(value, datetime):
        value = value.date()
    if isinstance(value, date):
        return value if _FIRST_YEAR <= value.year <= _LAST_YEAR else None
    return read_date(str(value)) if isinstance(value, str | int) else None


def _make_date(year: str, month: str, day: str) -> date | None:
    try:
        made = date(int(year), int(month), int(day))
    except ValueError:
        return None
    return made if _FIRST_YEAR <= made.year <= _LAST_YEAR else None

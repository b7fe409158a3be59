"""Days as terms of the lexical index: "in March 2025" finds what is dated then, however that is written. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, timedelta

_MOST, _BY_DAYS = 62, 45
_DAY_TERM = re.compile(r"d\d{4}(?:\d{2}){0,2}|a\d{2}(?:\d{2})?")


def terms_of_day(day: date) -> list[str]:
    """What a passage with this date is found by: the day, its month and year, and day and month of any year."""
    return [f"d{day:%Y%m%d}", f"d{day:%Y%m}", f"d{day:%Y}", f"a{day:%m%d}", f"a{day:%m}"]


def is_day_term(term: str) -> bool:
    return _DAY_TERM.fullmatch(term) is not None


def terms_of_days(days: Iterable[date]) -> list[str]:
    """Those of several, each once."""
    return list(dict.fromkeys(term for day in days for term in terms_of_day(day)))


def terms_of_range(start: date, end: date, *, of_any_year: bool = False) -> tuple[str, ...]:
    """The terms of which a passage from `start` to `end` (both included) holds one: whole years, months and days, at
    most `_MOST` of them, the last; of a range of more than `_BY_DAYS`, its months as a whole. None for a range without
    a beginning, which says little about any passage.

    `of_any_year`: the same days and months of whatever year.
    """
    if start == date.min:
        return ()
    if (end - start).days > _BY_DAYS:
        start = start.replace(day=1)
        end = (end.replace(day=28) + timedelta(4)).replace(day=1) - timedelta(1)
    terms: list[str] = []
    day = end
    while day >= start and len(terms) < _MOST:
        first = day.replace(day=1)
        if not of_any_year and (day + timedelta(1)).day == 1 and day.month == 12 and start <= date(day.year, 1, 1):
            terms.append(f"d{day:%Y}")
            day = date(day.year, 1, 1)
        elif (day + timedelta(1)).day == 1 and start <= first:
            terms.append(f"a{day:%m}" if of_any_year else f"d{day:%Y%m}")
            day = first
        else:
            terms.append(f"a{day:%m%d}" if of_any_year else f"d{day:%Y%m%d}")
        day -= timedelta(1)
    return tuple(dict.fromkeys(terms))

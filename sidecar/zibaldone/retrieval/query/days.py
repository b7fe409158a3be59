"""Days of the calendar. Pure; each pair is the first and the last day, both included.

Raises:
    ValueError, OverflowError: from each function, for what is in no calendar (30 February, the year 0).
"""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta

Days = tuple[date, date]


def unit_days(unit: str, offset: int, today: date) -> Days:
    """The day, week (from Monday), weekend, month, quarter or year that lies so many from today's."""
    monday = today - timedelta(today.weekday())
    match unit:
        case "day":
            start = end = today + timedelta(offset)
        case "week":
            start = monday + timedelta(7 * offset)
            end = start + timedelta(6)
        case "weekend":
            start = monday + timedelta(7 * offset + 5)
            end = start + timedelta(1)
        case _:
            months = {"month": 1, "quarter": 3, "year": 12}[unit]
            start = add_months(date(today.year, (today.month - 1) // months * months + 1, 1), months * offset)
            end = add_months(start, months) - timedelta(1)
    return start, end


def month_days(month: int, day: int, year: int) -> Days:
    """A day of a month, or with day 0 the month."""
    if day:
        return date(year, month, day), date(year, month, day)
    return date(year, month, 1), date(year, month, monthrange(year, month)[1])


def season_days(season: int, year: int) -> Days:
    """Of the northern half of the world, whole months: spring is March to May, a winter ends in the next year."""
    start = date(year, 3 * season, 1)
    return start, add_months(start, 3) - timedelta(1)


def add_months(day: date, months: int) -> date:
    """The same day so many months on, or the last of that month."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def quarter_days(quarter: int, year: int) -> Days:
    start = date(year, 3 * quarter - 2, 1)
    return start, add_months(start, 3) - timedelta(1)


def local_day(first: int, second: int, year: int, slashed: bool) -> Days:
    """`3.5.2024` is in May; `3/5/2024` is two days, so it is none."""
    if slashed and second > 12:
        first, second = second, first
    elif slashed and first <= 12 and first != second:
        raise ValueError(f"{first}/{second}/{year}")
    return month_days(second, first, year)

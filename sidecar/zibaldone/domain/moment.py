"""Days in the names of notes, by the formats of Obsidian's settings (those of moment.js). Pure.

Read are the formats that say year, month and day; what else they hold (weekday, week, quarter) is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache

_MOST_CHARS = 100
_MOST_SIGNS = 16
_MOST_NAMES = 4
_SIGN = re.compile(r"\[([^\[\]]*)\]|YYYY|gggg|GGGG|YY|MMMM|MMM|Mo|MM|M|Do|DDDD|DDD|DD|D|dddd|ddd|dd|d|E|e|WW|W|ww|w|Q")
_CLOCK = re.compile(r"\[[^\[\]]*\]|HH|H|hh|h|mm|m|ss|s|A|a")
_WORD = r"[^\W\d_]{1,20}\.?"
_PATTERNS = {
    "YYYY": r"\d{4}", "gggg": r"\d{4}", "GGGG": r"\d{4}", "YY": r"\d{2}",
    "MMMM": _WORD, "MMM": _WORD, "MM": r"\d{2}", "M": r"\d{1,2}", "Mo": r"\d{1,2}(?:st|nd|rd|th|\.)",
    "Do": r"\d{1,2}(?:st|nd|rd|th|\.)", "DD": r"\d{2}", "D": r"\d{1,2}", "DDDD": r"\d{3}", "DDD": r"\d{1,3}",
    "dddd": _WORD, "ddd": _WORD, "dd": _WORD, "d": r"\d", "E": r"\d", "e": r"\d",
    "WW": r"\d{2}", "W": r"\d{1,2}", "ww": r"\d{2}", "w": r"\d{1,2}", "Q": r"\d",
}  # fmt: skip
_YEARS, _MONTHS, _DAYS = ("YYYY", "YY"), ("MM", "M", "Mo", "MMMM", "MMM"), ("DD", "D", "Do")


@dataclass(frozen=True, slots=True)
class Names:
    """Months and weekdays (Monday first) of a language; `short_weekday` is how many letters `ddd` has."""

    months: tuple[str, ...]
    weekdays: tuple[str, ...]
    short_weekday: int


NAMES: Mapping[str, Names] = {
    "en": Names(
        tuple("January February March April May June July August September October November December".split()),
        tuple("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()),
        3,
    ),
    "de": Names(
        tuple("Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()),
        tuple("Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag".split()),
        2,
    ),
}
# By the first letters of a name, as long as they tell months apart, in the languages of these notes.
_MONTH_STARTS = (
    "jan jän ene gen", "feb fév fev", "mar mär mrz", "apr avr abr", "may mai mag", "jun juin giu", "jul juil lug",
    "aug aoû ago", "sep set", "oct okt ott out", "nov", "dec dez déc dic",
)  # fmt: skip


def read_name(name: str, moment_format: str) -> date | None:
    """The day that `name` stands for in a format; None where it is no such name, or the format says no whole day."""
    pattern = _pattern(moment_format)
    match = pattern and pattern[0].fullmatch(name)
    if not pattern or not match:
        return None
    parts: dict[str, int] = {}
    for sign, written in zip(pattern[1], match.groups(), strict=True):
        part, value = _read_part(sign, written)
        if value is not None and parts.setdefault(part, value) != value:
            return None
    year, month, day = (parts.get(part) for part in ("year", "month", "day"))
    if year is None or month is None or day is None:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None


def write_name(day: date, moment_format: str, language: str = "en") -> str:
    """`day` in a format; names of months and weekdays in a language of `NAMES`."""
    return _SIGN.sub(lambda sign: _write_sign(sign, day, language), moment_format)


def write_time(now: datetime, moment_format: str) -> str:
    """The time of day in a format."""
    hour12 = now.hour % 12 or 12
    half = "am" if now.hour < 12 else "pm"
    values = {
        "HH": f"{now.hour:02}", "H": str(now.hour), "hh": f"{hour12:02}", "h": str(hour12),
        "mm": f"{now.minute:02}", "m": str(now.minute), "ss": f"{now.second:02}", "s": str(now.second),
        "A": half.upper(), "a": half,
    }  # fmt: skip
    return _CLOCK.sub(lambda sign: values.get(sign[0], sign[0]), moment_format)


def says_the_day(moment_format: str) -> bool:
    """Whether a name in this format can be read back as one day."""
    return _pattern(moment_format) is not None


@lru_cache(maxsize=16)
def _pattern(moment_format: str) -> tuple[re.Pattern[str], tuple[str, ...]] | None:
    """A pattern with one group for each sign, and the signs. Bounded, since the format comes from a file that
    syncs."""
    if len(moment_format) > _MOST_CHARS:
        return None
    written = []
    signs = []
    at = 0
    for sign in _SIGN.finditer(moment_format):
        written.append(re.escape(moment_format[at : sign.start()]))
        at = sign.end()
        if sign[0] in _PATTERNS:
            signs.append(sign[0])
            written.append(f"({_PATTERNS[sign[0]]})")
        else:
            written.append(re.escape(sign[1]))
    written.append(re.escape(moment_format[at:]))
    names = sum(_PATTERNS[sign] == _WORD for sign in signs)
    whole = all(any(sign in signs for sign in part) for part in (_YEARS, _MONTHS, _DAYS))
    if not whole or len(signs) > _MOST_SIGNS or names > _MOST_NAMES:
        return None
    return re.compile("".join(written), re.IGNORECASE), tuple(signs)


def _read_part(sign: str, written: str) -> tuple[str, int | None]:
    """Which part of the day a sign says, and what: None where it says none, or a month that is not known."""
    if sign in _YEARS:
        return "year", int(written) + (2000 if sign == "YY" else 0)
    if sign in ("MMMM", "MMM"):
        start = written.casefold()
        months = (number for number, known in enumerate(_MONTH_STARTS, 1) if start.startswith(tuple(known.split())))
        return "month", next(months, None)
    if sign in _MONTHS or sign in _DAYS:
        return "month" if sign in _MONTHS else "day", int(re.match(r"\d+", written)[0])  # type: ignore[index]
    return "", None


def _write_sign(sign: re.Match[str], day: date, language: str) -> str:
    names = NAMES[language]
    week_year, week, weekday = day.isocalendar()
    month, name = names.months[day.month - 1], names.weekdays[day.weekday()]
    values = {
        "YYYY": f"{day:%Y}", "gggg": str(week_year), "GGGG": str(week_year), "YY": f"{day:%y}",
        "MMMM": month, "MMM": month[:3], "MM": f"{day:%m}", "M": str(day.month), "Mo": _ordinal(day.month, language),
        "Do": _ordinal(day.day, language), "DD": f"{day:%d}", "D": str(day.day),
        "DDDD": f"{day:%j}", "DDD": str(int(f"{day:%j}")),
        "dddd": name, "ddd": name[: names.short_weekday], "dd": name[:2], "d": str(weekday % 7),
        "E": str(weekday), "e": str(weekday % 7),
        "WW": f"{week:02}", "W": str(week), "ww": f"{week:02}", "w": str(week), "Q": str((day.month + 2) // 3),
    }  # fmt: skip
    return values.get(sign[0], sign[1] or "")


def _ordinal(number: int, language: str) -> str:
    if language == "de":
        return f"{number}."
    ending = "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"

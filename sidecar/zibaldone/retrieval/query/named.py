"""The times that are named in a text, of all languages, and the words that stand around them. Pure.

"3 May 2024" is one time here, of a day, a month and a year. Which days are meant, `times` says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache, partial
from typing import Literal

from zibaldone.retrieval.query.days import Days, local_day, month_days, quarter_days, unit_days
from zibaldone.retrieval.query.vocabulary import Table, languages, whole

# Codes of languages; none stands for any.
Languages = tuple[str, ...]
Kind = Literal["days", "unit", "past", "ago", "month", "season", "weekday", "year"]

# What can stand in a text without being a year: a part of a path, a number, a version, an amount.
_ALONE, _DONE = r"(?<![\w/\\.,:#$€£+=-])", r"(?![\w/\\$€£%-]|[.,:]\w)"
_ISO_DAY = re.compile(rf"{_ALONE}(\d{{4}})([-/])(\d{{1,2}})\2(\d{{1,2}}){_DONE}")
_ISO_MONTH = re.compile(rf"{_ALONE}(\d{{4}})-(\d{{2}}){_DONE}")
_ISO_WEEK = re.compile(rf"{_ALONE}(\d{{4}})-W(\d{{1,2}}){_DONE}", re.IGNORECASE)
_QUARTER = re.compile(rf"{_ALONE}(?:Q([1-4])[ /-]?(\d{{4}})|(\d{{4}})[ -]?Q([1-4])){_DONE}", re.IGNORECASE)
_LOCAL_DAY = re.compile(rf"{_ALONE}(\d{{1,2}})(?:\.\s?|/)(\d{{1,2}})(?:\.\s?|/)(\d{{4}}){_DONE}")
_YEARS = re.compile(rf"{_ALONE}((?:19|20)\d\d)-((?:19|20)\d\d){_DONE}")
_YEAR = re.compile(rf"{_ALONE}((?:19|20)\d\d){_DONE}")
_HAN_YEAR = re.compile(r"(?<!\d)(\d{4})\s?年(?![間间前])")
_HAN_MONTH = re.compile(r"(?<!\d)(\d{1,2})\s?月份?(?:\s?(\d{1,2})\s?[日号號])?")

_DAY_BEHIND = re.compile(r"\s{1,3}(?:the\s)?(\d{1,2})(?:st|nd|rd|th)?(?![\w:.%€$£/-])")
_DAY_BEFORE = re.compile(r"(?<![\w.,:/-])(\d{1,2})(?:st|nd|rd|th|er|[.ªº°])?\s{0,3}(?:(?:of|de|di)\s{1,3})?\Z")
# How far around a time its words are looked for, in characters.
REACH = 32
_UNITS = ("day", "week", "month", "year")
_SOME = 3


@dataclass(frozen=True, slots=True)
class Time:
    """A time as it is named, from `begin` to `stop` in the text; the days depend on the day of asking.

    `number` is that of a month, season, weekday or year, the offset of a unit, or how many units. `sure` times stand by
    themselves, the others need words around them.
    """

    kind: Kind
    begin: int
    stop: int
    number: int = 0
    unit: str = ""
    languages: Languages = ()
    sure: bool = True
    short: bool = False
    day: int = 0
    year: Time | None = None
    which: Literal["", "last", "this"] = ""
    days: Days | None = None


def find_times(text: str) -> list[Time]:
    """The times in a text in order, each with the day, the year and the "last" or "this" that belong to it."""
    return list(_find_times(text))


@lru_cache(maxsize=16)
def _find_times(text: str) -> tuple[Time, ...]:
    """A question is asked about its time and whether it wants the latest, one after the other."""
    return tuple(_join_years(text, [_add_words(text, time) for time in _find_single(text)]))


def _find_single(text: str) -> list[Time]:
    """The times in a text in order, without overlaps: of two that begin together the longer."""
    found = (time for pattern, read in _rules() for match in pattern.finditer(text) if (time := read(match)))
    apart: list[Time] = []
    for time in sorted(found, key=lambda time: (time.begin, -time.stop)):
        if not apart or time.begin >= apart[-1].stop:
            apart.append(time)
        elif replace(time, languages=apart[-1].languages) == apart[-1]:  # a word of several languages
            apart[-1] = replace(time, languages=apart[-1].languages + time.languages)
    return apart


def _add_words(text: str, time: Time) -> Time:
    """A time with what belongs to it directly: the day of a month, and "last" or "this"."""
    if time.kind == "month" and not time.day:
        before = _DAY_BEFORE.search(text, max(0, time.begin - 12), time.begin)
        behind = _DAY_BEHIND.match(text, time.stop) if "en" in time.languages else None
        if found := before or behind:
            begin, stop = min(time.begin, found.start()), max(time.stop, found.end())
            time = replace(time, begin=begin, stop=stop, day=int(found[1]), sure=True)
    if time.kind not in ("month", "season", "weekday"):
        return time
    for which, front, back in _which_words(time.languages):
        if front and (found := front.search(text[max(0, time.begin - REACH) : time.begin])):
            return replace(time, begin=time.begin - len(found[0]), which=which, sure=True)
        if back and (found := back.match(text[time.stop : time.stop + REACH])):
            return replace(time, stop=time.stop + len(found[0]), which=which, sure=True)
    return time


def _join_years(text: str, times: Sequence[Time]) -> Iterator[Time]:
    """Months and seasons with the year beside them, in front of it or behind it, as one time; without years, the short
    names of months are none."""
    rest = list(times)
    while rest:
        time = rest.pop(0)
        if rest and _is_of(text, time, rest[0]):
            other = rest.pop(0)
            dated, year = (other, time) if _is_year(time) else (time, other)
            time = replace(dated, begin=time.begin, stop=other.stop, year=year, sure=True)
        if time.year or time.day or not time.short:
            yield time


def _is_of(text: str, time: Time, other: Time) -> bool:
    named = time if time.kind in ("month", "season") else other
    if not (named.kind in ("month", "season") and (_is_year(time) or _is_year(other))):
        return False
    gap = text[time.stop : other.begin]
    return len(gap) <= REACH and bool(_of(named.languages).fullmatch(gap))


def _is_year(time: Time) -> bool:
    return time.kind == "year" or (time.kind == "unit" and time.unit == "year")


_Rule = tuple[re.Pattern[str], Callable[[re.Match[str]], Time | None]]


@lru_cache(maxsize=1)
def _rules() -> list[_Rule]:
    """What finds each kind of time, of all languages."""
    rules: list[_Rule] = [(pattern, partial(_absolute, days)) for pattern, days in _ABSOLUTE]
    rules.append((_YEAR, lambda match: Time("year", *match.span(), number=int(match[1]), sure=False)))
    rules.append((_HAN_YEAR, lambda match: Time("year", *match.span(), number=int(match[1]))))
    rules.append((_HAN_MONTH, lambda m: Time("month", *m.span(), number=int(m[1]), day=int(m[2] or 0))))
    for code, table in languages().items():
        for key, words in table.get("relative", {}).items():
            unit, offset = key.split()
            rules.append((compile_words(words, table), partial(_relative, unit, int(offset), code, table)))
        number, unit = "|".join((r"(?<!\d)(?!0)\d{1,3}", *table["numbers"])), "|".join(table["units"])
        for kind, key, count in _COUNTED:
            if key in table:
                words = table[key].replace("{n}", f"({number})").replace("{unit}", f"({unit})")
                rules.append((compile_words(words, table), partial(_counted, kind, count, code, table)))
        for kind, key in _NAMED:
            if names := table.get(key):
                words = "(?:" + "|".join(f"({name})" for name in names) + ")"
                short = key == "short"
                rules.append((compile_words(words + r"\.?" * short, table), partial(_named, kind, code, short)))
    return rules


_COUNTED: tuple[tuple[Kind, str, int], ...] = (
    ("past", "past", 0),
    ("past", "past_one", 1),
    ("past", "past_some", _SOME),
    ("ago", "ago", 0),
)
_NAMED: tuple[tuple[Kind, str], ...] = (
    ("month", "months"),
    ("month", "short"),
    ("season", "seasons"),
    ("weekday", "weekdays"),
)


def _absolute(days: Callable[[re.Match[str]], Days], match: re.Match[str]) -> Time | None:
    try:
        return Time("days", *match.span(), days=days(match))
    except ValueError:
        return None


def _relative(unit: str, offset: int, language: str, table: Table, match: re.Match[str]) -> Time | None:
    if "doubtful" in table and re.fullmatch(table["doubtful"], match[0], re.IGNORECASE):
        rest = match.string[: match.start()] + " " + match.string[match.end() :]
        if not compile_words(table["marks"], table).search(rest):
            return None
    return Time("unit", *match.span(), number=offset, unit=unit, languages=(language,))


def _counted(kind: Kind, count: int, language: str, table: Table, match: re.Match[str]) -> Time:
    *number, unit = filter(None, match.groups())
    if number:
        count = int(number[0]) if number[0].isdecimal() else 1 + _which_of(table["numbers"], number[0], table)
    unit = _UNITS[_which_of(table["units"], unit, table)]
    return Time(kind, *match.span(), number=count, unit=unit, languages=(language,))


def _named(kind: Kind, language: str, short: bool, match: re.Match[str]) -> Time:
    number = (match.lastindex or 1) - (kind == "weekday")
    sure = kind == "month" and not languages()[language].get("spaced", True)
    return Time(kind, *match.span(), number=number, languages=(language,), short=short, sure=sure)


def _which_of(patterns: Sequence[str], word: str, table: Table) -> int:
    return next(number for number, one in enumerate(patterns) if compile_words(one, table).fullmatch(word))


_ABSOLUTE: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Days]], ...] = (
    (_ISO_DAY, lambda match: month_days(int(match[3]), int(match[4]), int(match[1]))),
    (_ISO_MONTH, lambda match: month_days(int(match[2]), 0, int(match[1]))),
    (_ISO_WEEK, lambda match: unit_days("week", 0, date.fromisocalendar(int(match[1]), int(match[2]), 1))),
    (_QUARTER, lambda match: quarter_days(int(match[1] or match[4]), int(match[2] or match[3]))),
    (_LOCAL_DAY, lambda match: local_day(int(match[1]), int(match[2]), int(match[3]), "/" in match[0])),
    (_YEARS, lambda match: (date(int(match[1]), 1, 1), date(int(match[2]), 12, 31))),
)


@lru_cache(maxsize=512)
def _cached(words: str, spaced: bool) -> re.Pattern[str]:
    return re.compile(whole(words, spaced), re.IGNORECASE)


def compile_words(words: str, table: Table) -> re.Pattern[str]:
    """What finds a pattern of a language's table."""
    return _cached(words, table.get("spaced", True))


def _words(key: str, codes: Languages) -> str:
    """The words that some languages have for something, as one expression; empty without any."""
    tables = [languages()[code] for code in codes or languages()]
    found = [(table[key], table.get("spaced", True)) for table in tables if key in table]
    return "|".join(whole(words if isinstance(words, str) else "|".join(words), spaced) for words, spaced in found)


def _around(front: str, back: str, codes: Languages) -> tuple[re.Pattern[str] | None, re.Pattern[str] | None]:
    """What finds the words of two keys right in front of a time, and right behind it."""
    before, behind = _words(front, codes), _words(back, codes)
    return (
        re.compile(rf"(?:{before})\s{{0,3}}\Z", re.IGNORECASE) if before else None,
        re.compile(rf"\s{{0,3}}(?:{behind})", re.IGNORECASE) if behind else None,
    )


@lru_cache(maxsize=32)
def relations(codes: Languages) -> list[tuple[str, re.Pattern[str] | None, re.Pattern[str] | None]]:
    """What a word in front of a time, or behind it, makes of it; times of no language have others for "in"."""
    names = ("since", "until", "before", "after", "within" if codes else "year")
    return [(name, *_around(name, f"{name}_behind", codes)) for name in names]


@lru_cache(maxsize=32)
def _which_words(
    codes: Languages,
) -> list[tuple[Literal["last", "this"], re.Pattern[str] | None, re.Pattern[str] | None]]:
    return [("last", *_around("last", "passed", codes)), ("this", *_around("this", "", codes))]


@lru_cache(maxsize=32)
def joins(codes: Languages) -> re.Pattern[str]:
    """What stands between the two ends of a range."""
    within = _words("within", codes)
    return re.compile(
        rf"\s{{0,3}}(?:{_words('join', codes)})\s{{0,3}}(?:(?:{within})\s{{0,3}})?|\s?[–—〜~-]\s?", re.IGNORECASE
    )


@lru_cache(maxsize=32)
def _of(codes: Languages) -> re.Pattern[str]:
    return re.compile(rf"\s{{0,3}}(?:(?:{_words('of', codes)}|,)\s{{0,3}})?", re.IGNORECASE)


@lru_cache(maxsize=64)
def any_words(key: str, codes: Languages) -> re.Pattern[str]:
    """What finds the words that a language has for something."""
    return re.compile(_words(key, codes) or "(?!)", re.IGNORECASE)

"""In what two sentences about the same thing can differ: figures, dates, negation, opposites, names. Pure.

Words of a few languages are known (`vocabulary`); in others figures, dates in figures and names still are.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from zibaldone.divergence.vocabulary import (
    CHANGE,
    LABELS,
    MONTHS,
    NEGATIONS,
    NEGATIVE_PREFIXES,
    NUMBERS,
    OPPOSITES,
    SHORT_MONTHS,
    UNITS,
    WEEKDAYS,
    YEAR_LEADS,
)
from zibaldone.domain.markup import hide_addresses
from zibaldone.domain.words import STOP_WORDS, fold, index_terms
from zibaldone.schemas.divergence import MarkKind

_NEGATING = re.compile(r"n['’]t\b|[不没沒無无未]|ない|ません|않|없|아니")
_ISO = re.compile(r"\b(\d{4})-(\d{2})(?:-(\d{2}))?\b")
_STAMP = re.compile(r"^\W*(\d{4}-\d\d-\d\d)\W*[:,–—|)\]]|[,(–—|]\s*(\d{4}-\d\d-\d\d)\W*$")
# The day on which a task is due, was done, ...: it says nothing of the world.
_TASK_DAY = re.compile(r"[\u2705\u274c\u2795\u23f3\U0001f4c5\U0001f6eb]\ufe0f?\s*\d{4}-\d\d-\d\d")
# Numbers that are joined to others or begin with a nought: invoices, seasons, ranges.
_CODE = re.compile(r"\b\w*\d\w*(?:[-/]\w*\d\w*)+|(?<![\w.,])0\d+\b(?![.,:]\d)")
# From one number to another: any between them agrees.
_RANGE = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)?\s?(?:-|\u2013|to|and|bis|und|à|et|y)\s?\d+(?:[.,]\d+)?(?![\w.,]*\d)")
_DOTTED = re.compile(r"\b(\d{1,2})[./](\d{1,2})[./](\d{4})\b")
_TIME = re.compile(
    r"\b(\d{1,2}):(\d{2})(?:\s*([ap])\.?m\b)?|\b(\d{1,2})\s*([ap])\.?m\b|\b(\d{1,2})(?:\.(\d{2}))?\s?Uhr\b",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"(?<![\w.,-])-?\d+(?:[.,'\u2019\u00a0\u202f]\d+)*(?!\w*-\d)(?=\s?([^\W\d_]+|[%°€$£]))?")
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_LINK = re.compile(r"!?\[\[[^\[\]]*\]\]|(?<!\S)#\S+")
_TAG = re.compile(r"(?<!\S)#\S+")
_BLANK = re.compile(r"\b_+\b")
_ORDINAL = re.compile(r"\d+[^\W\d_]{1,2}")
_BEGINS = re.compile(r"(?:^|[.:!?*|])\s*$")
_BEFORE = re.compile(r"([^\W\d_]+|[€$£])\W{1,2}$|([€$£])$")
_YEAR_ALONE = re.compile(r"(?<![\w.,])(1[5-9]\d\d|20\d\d)(?!\w|[.,]\d)(?=\s?([^\W\d_]+|[%°€$£]))?")
_CALENDAR = re.compile(r"(\d{4})?(?:-(\d\d))?(?:-(\d\d))?")
_SPANS = ((86_400, "days"), (3_600, "h"), (60, "min"))
_YEAR = range(1000, 2101)


@dataclass(frozen=True, slots=True, order=True)
class Figure:
    """A number as it is written, `size` in the base unit of its dimension ("" where it has none), and the word that it
    counts or that it stands behind."""

    value: float
    size: float
    dimension: str
    counted: str

    def agrees(self, other: Figure) -> bool:
        """Whether they can be the same number; a unit that is not written may be any."""
        if self.dimension and other.dimension:
            return self.dimension == other.dimension and self.size == other.size
        return self.value == other.value

    def measures_as(self, other: Figure) -> bool:
        if self.dimension or other.dimension:
            return self.dimension == other.dimension
        return bool(self.counted and other.counted) and _is_form(self.counted, other.counted)


@dataclass(frozen=True, slots=True)
class Marks:
    """What a sentence states that can be compared.

    `stamp` is the day that an entry of a diary begins or ends with: when it was said, and nothing that it says.
    `denied` are the words about a negation. `sure_names` are those whose capital no beginning explains; `plain` is the
    sentence without its dates and figures.
    """

    figures: frozenset[Figure]
    dates: frozenset[str]
    stamp: str | None
    negations: int
    denied: frozenset[str]
    words: frozenset[str]
    names: frozenset[str]
    sure_names: frozenset[str]
    changing: bool
    plain: str

    @property
    def comparable(self) -> bool:
        """Whether there is anything that another sentence could say otherwise."""
        return bool(self.figures or self.dates or self.negations or self.sure_names)


def read_marks(text: str, ordinary: Container[str] = ()) -> Marks:
    """The marks of a sentence. `dates` are such as `2026-03-04`, `2026-03`, `2026`, `-03-04`, `-03`, `fri`, `14:30`.

    `ordinary` are words that are also written without a capital, and so are no names.
    """
    plain = hide_addresses(text)
    bare = hide_addresses(_LINK.sub(" _ ", _TASK_DAY.sub(" ", text)))  # what a name or an address holds is no figure
    stamp = _STAMP.search(bare)
    rest, dates = _take_dates(bare.replace(stamp[0], " ") if stamp else bare)
    words = index_terms(rest)
    names = frozenset(_names(_TAG.sub(" ", plain), ordinary))
    negations = sum(word in NEGATIONS for word in words) + len(_NEGATING.findall(fold(rest)))
    return Marks(
        figures=frozenset(_read_figures(rest)),
        dates=frozenset(dates),
        stamp=(stamp[1] or stamp[2]) if stamp else None,
        negations=negations,
        denied=frozenset(_denied(words)),
        words=frozenset(index_terms(plain)),
        names=names,
        sure_names=names & frozenset(_names(_TAG.sub(" ", plain), ())),
        changing=bool(CHANGE.intersection(words)),
        plain=" ".join(_BLANK.sub(" ", _FIGURE.sub(" ", rest)).split()),
    )


def compare_marks(a: Marks, b: Marks) -> list[tuple[MarkKind, str, str]]:
    """In what two sentences differ, the surest first, with what each of the two says there."""
    found: list[tuple[MarkKind, str, str]] = []
    figures_a, figures_b = _unmatched_figures(a.figures, b.figures), _unmatched_figures(b.figures, a.figures)
    for x, y in ((x, y) for x in figures_a for y in figures_b if x.measures_as(y)):
        found.append(("figure", _show_figure(x), _show_figure(y)))
        break
    dates_a, dates_b = _unmatched_dates(a.dates, b.dates), _unmatched_dates(b.dates, a.dates)
    for one, other in ((x, y) for x in dates_a for y in dates_b if _exclude(x, y)):
        found.append(("date", one, other))
        break
    denied = (a.denied | b.denied) - a.names - b.names
    shared = known_names(denied, a.words) & known_names(denied, b.words)
    if (a.negations % 2) != (b.negations % 2) and (shared or not denied):
        found.append(("negation", "denied" if a.negations % 2 else "said", "denied" if b.negations % 2 else "said"))
    if opposite := _opposite(a.words - b.words, b.words - a.words):
        found.append(("opposite", *opposite))
    names_a, names_b = _unshared_names(a, b), _unshared_names(b, a)
    sure = names_a & a.sure_names or names_b & b.sure_names
    if names_a and names_b and sure and max(len(names_a), len(names_b)) <= 2:
        found.append(("value", " ".join(sorted(names_a)), " ".join(sorted(names_b))))
    return found


def _denied(words: Sequence[str]) -> Iterator[str]:
    telling = [word for word in words if word in NEGATIONS or (word not in STOP_WORDS and word not in CHANGE)]
    for i, word in enumerate(telling):
        if word in NEGATIONS:
            yield from (one for one in telling[max(0, i - 1) : i + 3] if one not in NEGATIONS and not one.isdigit())


def _unshared_names(a: Marks, b: Marks) -> frozenset[str]:
    spelt = {name for name in a.names if b.words.issuperset(index_terms(name))}
    return a.names - known_names(a.names, b.words) - spelt - UNITS.keys() - NUMBERS.keys()


def known_names(names: frozenset[str], words: frozenset[str]) -> frozenset[str]:
    """The names that are among the words, also with an ending (`Basel`, `Basler`: no; `Lowick`, `Lowicks`: yes)."""
    return frozenset(name for name in names if name in words or any(_is_form(name, word) for word in words))


def _is_form(one: str, other: str) -> bool:
    return one == other or _extends(one, other)


def _extends(one: str, other: str) -> bool:
    return (
        min(len(one), len(other)) > 3
        and abs(len(one) - len(other)) < 3
        and (one.startswith(other) or other.startswith(one))
    )


def _unmatched_figures(figures: frozenset[Figure], others: frozenset[Figure]) -> list[Figure]:
    return sorted(one for one in figures if not any(map(one.agrees, others)))


def _unmatched_dates(dates: frozenset[str], others: frozenset[str]) -> list[str]:
    """Those that none of the others holds: `2026-03` and `2026-03-04` hold each other, and so do `-03` and both."""
    return sorted(one for one in dates if not any(_holds(one, other) for other in others))


def _holds(one: str, other: str) -> bool:
    a, b = _CALENDAR.fullmatch(one), _CALENDAR.fullmatch(other)
    return one == other or (bool(a and b) and not _exclude(one, other))


def _exclude(one: str, other: str) -> bool:
    """Whether both cannot be meant: two hours, two days of the week, or two dates that differ in what both state."""
    a, b = _CALENDAR.fullmatch(one), _CALENDAR.fullmatch(other)
    if a and b:
        return any(x and y and x != y for x, y in zip(a.groups(), b.groups(), strict=True))
    return not a and not b and one != other and one.startswith("day") == other.startswith("day")


def _opposite(only_a: frozenset[str], only_b: frozenset[str]) -> tuple[str, str] | None:
    for one, other in OPPOSITES:
        for left, right in ((one, other), (other, one)):
            if (x := only_a & left) and (y := only_b & right):
                return min(x), min(y)
    for word in sorted(only_a | only_b):
        for prefix in NEGATIVE_PREFIXES:
            stem = word.removeprefix(prefix)
            if stem != word and len(stem) > 3:
                if word in only_a and stem in only_b:
                    return word, stem
                if word in only_b and stem in only_a:
                    return stem, word
    return None


def _take_dates(text: str) -> tuple[str, set[str]]:
    """The dates of a text, and the text without them."""
    dates: set[str] = set()

    def take(date: str) -> str:
        dates.add(date)
        return " _ "

    text = _ISO.sub(lambda m: take(m[0]), text)
    text = _DOTTED.sub(lambda m: take(f"{m[3]}-{int(m[2]):02}-{int(m[1]):02}"), text)
    text = _TIME.sub(lambda m: take(_clock(m)), text)
    text = _RANGE.sub(" _ ", _CODE.sub(" _ ", text))
    words = [(m.start(), m.end(), fold(m[0]).rstrip(".")) for m in _WORD.finditer(text)]
    cut: list[tuple[int, int]] = []
    for i, (start, end, word) in enumerate(words):
        near = [words[j] for j in (i - 2, i - 1, i + 1, i + 2) if 0 <= j < len(words)]
        if word in MONTHS:
            numbers = [(x, y, int(n)) for x, y, w in near if (n := re.sub(r"(?:st|nd|rd|th|er)$", "", w)).isdigit()]
            years = [one for one in numbers if one[2] in _YEAR]
            days = [one for one in numbers if 1 <= one[2] <= 31]
            if word in SHORT_MONTHS and not numbers and not text[start].isupper():
                continue
            year = str(years[0][2]) if years else ""
            day = f"-{days[0][2]:02}" if days else ""
            dates.add(f"{year}-{MONTHS[word]:02}{day}")
            cut += [(start, end), *((x, y) for x, y, _ in [*years[:1], *days[:1]])]
        elif word in WEEKDAYS:
            dates.add(f"day {WEEKDAYS[word]}")
            cut.append((start, end))
    for start, end in sorted(cut, reverse=True):
        text = text[:start] + "_" * (end - start) + text[end:]
    return _YEAR_ALONE.sub(lambda m: take(m[1]) if _is_year(text, m) else m[0], text), dates


def _is_year(text: str, match: re.Match[str]) -> bool:
    """Not where a unit follows, or where the number is part of a name."""
    return fold(match[2] or "") not in UNITS and not _is_label(text, match.start())


def _is_label(text: str, start: int) -> bool:
    """Whether a number of some length stands behind a name ("Regalrez 1094", "Room 204"), or any behind "No."."""
    before = _BEFORE.search(text, 0, start)
    word = before[1] if before else None
    if word is None or before is None:
        return False
    folded = fold(word)
    if folded in LABELS:
        return True
    long = re.match(r"\d{3}", text[start:]) is not None
    known = folded in STOP_WORDS or folded in YEAR_LEADS or folded in MONTHS
    return long and word[0].isupper() and not known and _BEGINS.search(text, 0, before.start()) is None


def _clock(match: re.Match[str]) -> str:
    hour, minute = int(match[1] or match[4] or match[6]), match[2] or match[7] or "00"
    half = (match[3] or match[5] or "").lower()
    if half == "p" and hour < 12:
        hour += 12
    return f"{hour:02}:{minute}"


def _read_figures(text: str) -> list[Figure]:
    found = []
    for match in _FIGURE.finditer(text):
        before = _BEFORE.search(text, 0, match.start())
        unit = match[1] or ""
        if unit or not _is_label(text, match.start()):
            found.append(_figure(_value(match[0]), (before[1] or before[2]) if before else "", unit))
    words = index_terms(text)
    for before_word, word, unit in zip(["", *words], words, [*words[1:], ""], strict=False):
        if word in NUMBERS:
            found.append(_figure(NUMBERS[word], before_word, unit))
    return found


def _figure(value: float, before: str, behind: str) -> Figure:
    before, behind = fold(before), fold(behind)
    unit = next((one for one in (behind, before) if one in UNITS and (one == behind or not one.isalpha())), "")
    dimension, factor = UNITS.get(unit, ("", 1.0))
    counted = next((one for one in (behind, before) if one and one not in STOP_WORDS), "")
    return Figure(value, round(value * factor, 6), dimension, counted)


def _value(text: str) -> float:
    """`1,200`, `1.200` and `1'200` are 1200; `1,5` and `1.5` are one and a half."""
    text = re.sub(r"['\u2019\u00a0\u202f]", "", text)
    if re.fullmatch(r"-?\d{1,3}(?:[.,]\d{3})+", text):
        return float(re.sub(r"[.,]", "", text))
    head, _, tail = text.replace(",", ".").rpartition(".")
    return float(f"{head.replace('.', '')}.{tail}" if head else tail)


def _show_figure(figure: Figure) -> str:
    value, dimension = figure.size, figure.dimension
    if dimension == "s":
        size, dimension = next((one for one in _SPANS if value >= one[0]), (1, "s"))
        value /= size
    return f"{value:g} {dimension}".rstrip()


def _names(text: str, ordinary: Container[str]) -> list[str]:
    """Words that are written as names: with a capital, or with figures in them. At the beginning of a sentence a
    capital says nothing where it is not known which words are ordinary."""
    found = []
    for match in _WORD.finditer(text):
        word = match[0]
        folded = fold(word)
        if _ORDINAL.fullmatch(word):
            continue
        coded = any(c.isdigit() for c in word) and any(c.isalpha() for c in word)
        if folded in STOP_WORDS or folded in ordinary or folded in MONTHS or folded in WEEKDAYS:
            continue
        begins = not ordinary and _BEGINS.search(text, 0, match.start()) is not None
        if coded or (word[0].isupper() and not begins and len(word) > 1):
            found.append(folded)
    return found

"""What a question compares: "X vs Y", "the difference between X and Y", "which came first, X or Y?". Pure.

Words decide, and the words that compare have to be there: "between Monday and Friday" compares nothing, and what "or"
joins is a pair to choose from only where it ends a question that asks to choose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from zibaldone.retrieval.query.vocabulary import Table, languages, whole

# A side is at most so many characters, which bounds the search, and so many words: more are a sentence.
_LONGEST = 120
_MOST_WORDS = 6
_MOST_WORDS_AT_END = 14  # of alternatives: whole events may stand there
_LEFT, _RIGHT = rf"(?P<x>\S.{{0,{_LONGEST}}}?)", rf"(?P<y>\S.{{0,{_LONGEST}}}?)"
_RIGHT_AT_END = rf"(?P<y>\S.{{0,{_LONGEST}}})"
_SENTENCE_END = re.compile(r"[?!？！。;；]|\.(?= |\Z)")
# Between scripts with and without spaces people write one or none.
_GAP = re.compile(r"(?<=[\u2e80-\uffff]) | (?=[\u2e80-\uffff])")
_LONG = 400  # characters: in a longer text, alternatives are not looked for
# What stands in front of alternatives: "which is cheaper: ..."; hyphens of words and colons of times do not.
_PAUSE = r"(?: ?[,:]| [-–—]) "
_QUOTE = "\"'“‘„«"
_QUOTED = re.compile(rf"\A[{_QUOTE}](?P<title>.+?)[\"'”’“»](?!\w)")
_AROUND = " ?.!,;:¿¡\"'“”„«»「」()，。？！、：；*-–—"


@dataclass(frozen=True, slots=True)
class Comparison:
    """The two sides in the question's own words, without articles; `rest` is the clause behind them ("for sleep"), or
    the question that alternatives answer ("which came first")."""

    left: str
    right: str
    rest: str = ""


def find_comparison(text: str) -> Comparison | None:
    """What a text compares, or None. Of three ("A and B and C") the first is compared with the others."""
    line = " ".join(text.split())
    lines = {True: line, False: _GAP.sub("", line)}
    for grammar in _grammars():
        for pattern in grammar.patterns:
            if (match := pattern.search(lines[grammar.spaced])) and (found := _read(match, grammar)):
                return found
    for grammar in _grammars() if len(line) <= _LONG else ():
        for pattern in grammar.alternatives:
            if (match := pattern.search(lines[grammar.spaced])) and (found := _read_alternatives(match, grammar)):
                return found
    return None


class _Grammar(NamedTuple):
    """How a language compares; each pattern has the groups `x` and `y`, those of alternatives `before` as well."""

    spaced: bool
    patterns: tuple[re.Pattern[str], ...]
    alternatives: tuple[re.Pattern[str], ...]
    articles: re.Pattern[str]
    about: re.Pattern[str]
    rest: re.Pattern[str]
    no_side: re.Pattern[str]


def _read(match: re.Match[str], grammar: _Grammar) -> Comparison | None:
    y = match["y"]
    if end := _SENTENCE_END.search(y):
        y = y[: end.start()]
    rest = ""
    if clause := grammar.rest.search(y):
        y, rest = y[: clause.start()], y[clause.start() :].strip(_AROUND)
    return _compare(grammar.about.sub("", match["x"]), y, rest, grammar, _MOST_WORDS)


def _read_alternatives(match: re.Match[str], grammar: _Grammar) -> Comparison | None:
    y = match["y"]
    if end := _SENTENCE_END.search(y):
        y = y[: end.start()]
    return _compare(match["x"], y, match["before"].strip(_AROUND), grammar, _MOST_WORDS_AT_END)


def _compare(x: str, y: str, rest: str, grammar: _Grammar, most: int) -> Comparison | None:
    left, right = _clean(x, grammar), _clean(y, grammar)
    if left.casefold() == right.casefold() or not all(_is_side(side, grammar, most) for side in (left, right)):
        return None
    return Comparison(left, right, rest)


def _is_side(side: str, grammar: _Grammar, most: int) -> bool:
    return 0 < len(side.split()) <= most and not grammar.no_side.fullmatch(side)


def _clean(side: str, grammar: _Grammar) -> str:
    """A side without what stands around it, and without its article, unless it is quoted: that of a title."""
    bare = side.strip()
    if bare[:1] not in _QUOTE:
        bare = grammar.articles.sub("", bare.strip(_AROUND))
    return _QUOTED.sub(r"\g<title>", bare).strip(_AROUND)


@lru_cache(maxsize=1)
def _grammars() -> tuple[_Grammar, ...]:
    return tuple(_grammar(table) for table in languages().values())


def _grammar(table: Table) -> _Grammar:
    spaced = table.get("spaced", True)

    def find(key: str, before: str = "", behind: str = "", spaced: bool = spaced) -> re.Pattern[str]:
        return re.compile(before + whole(table.get(key, "(?!)"), spaced) + behind, re.IGNORECASE)

    return _Grammar(
        spaced,
        patterns=tuple(re.compile(pattern, re.IGNORECASE) for pattern in _patterns(table)),
        alternatives=tuple(re.compile(pattern, re.IGNORECASE) for pattern in _alternatives(table)),
        articles=find("articles", r"\A", r"(?=\S)", spaced=False),
        about=find("about", r"\A", r" ?(?=\S)"),
        rest=find("rest", r",? ?", "|, ?" + whole(table.get("asks", "(?!)")) + "|: "),
        no_side=find("no_side"),
    )


def _patterns(table: Table) -> Iterator[str]:
    for pattern in table["compare"]:
        words = whole(pattern.replace("{better}", table.get("better", "")), table.get("spaced", True))
        yield words.replace("{x}", _LEFT).replace("{y}", _RIGHT_AT_END if pattern.endswith("{y}") else _RIGHT)


def _alternatives(table: Table) -> Iterator[str]:
    """Behind a pause at the end of a question that asks to choose; without one only where the first side is written
    as a name, a title or with its article."""
    if not table.get("spaced", True):
        for pattern in table["alternatives"]:
            yield pattern.replace("{before}", "(?P<before>.*?)").replace("{x}", _LEFT).replace("{y}", _RIGHT)
        return
    followup = table["followup"]
    chooses, first = whole(table["chooses"]), whole(table["first"])
    decides = f"(?:{first}|{whole(followup['verbs'])})"
    no_start = whole("|".join(followup[key] for key in ("asks", "verbs", "joins", "before", "refers")))
    pair = rf"(?!{no_start}){_LEFT},? {whole(table['or'])} {_RIGHT_AT_END}"
    marked = rf"(?-i:[A-Z{_QUOTE}])|{whole(table['articles'], spaced=False)}"
    yield rf"^(?P<before>.*?{chooses} .*?{decides}(?: .*?)?){_PAUSE}{pair}"
    yield rf"^(?P<before>.*?{chooses} .*?{first}) (?={marked}){pair}"

"""The people that a sentence names. Pure.

Known names count anywhere; of the others those behind a title or an `@`, and those that the words around them make a
person. In German every noun has a capital, so that there "mit Kuchen" is nobody.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator
from functools import cache
from importlib.resources import files

_MOST = 12
_NAME = r"[A-ZÀ-ÖØ-ÞŠŽ][\w'’-]*[a-zß-ÿ]"
_TITLED = re.compile(rf"\b((?:Dr|Prof|Mr|Mrs|Ms|Miss|Frau|Herrn?)\b\.?(?: Dr\.)? {_NAME})")
_AT = re.compile(r"(?<![\w.])@([^\W\d_][\w-]*)")
_WORD = re.compile(_NAME)
_ENGLISH = re.compile(r"\b(?:the|and|of|to|with|about|was|is|for|it|we|on)\b", re.IGNORECASE)
_WITH = re.compile(
    r"\b(?:with|met|called|phoned|visited|asked|told|saw|joined|interviewed|spoke to|talk(?:ed)? to|and)"
    rf" ({_NAME}(?: {_NAME})?)"
)
_BEGINS = re.compile(
    rf"({_NAME})(?: {_NAME})? (?:and I|showed|explained|told|taught|wants|asked|reminded|came (?:by|over)|says|said"
    r"|suggested|promised|wrote|und ich|bittet|hat (?:mir|uns|mich)|meint|sagt|wartet|erklärte?|fragte?|schrieb"
    r"|war hier)\b"
)
_NO_PERSON = frozenset(
    """
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August September
    October November December Easter Christmas The This That It He She They We I You There Everybody Nobody Somebody One
    English German Es Er Sie Das Dies Wir Ich Man Niemand Jemand Alle
    """.split()
)


def find_people(text: str, people: Collection[str] = ()) -> tuple[str, ...]:
    """Each once, in order. `people` are names that are known to be a person's, whole or in part."""
    found = sorted(_named(text, frozenset(people)), key=lambda one: (one[0], -one[1]))
    kept: list[tuple[int, int, str]] = []
    for start, end, name in found:
        if not any(begin <= start < stop for begin, stop, _ in kept):
            kept.append((start, end, name))
    return tuple(dict.fromkeys(name for _, _, name in kept))[:_MOST]


def _named(text: str, people: frozenset[str]) -> Iterator[tuple[int, int, str]]:
    """Where a name begins and ends."""
    for match in (*_TITLED.finditer(text), *_AT.finditer(text)):
        yield match.start(), match.end(), match[1]
    for name in people:
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text):
            yield match.start(), match.end(), name
    for match in _WORD.finditer(text):
        if match[0] in _given_names():
            yield match.start(), match.end(), match[0]
    likely = [_BEGINS.match(text), *(_WITH.finditer(text) if _ENGLISH.search(text) else ())]
    for match in filter(None, likely):
        if match[1].split()[0] not in _NO_PERSON:
            yield match.start(1), match.end(1), match[1]


@cache
def _given_names() -> frozenset[str]:
    table = tomllib.loads(files(__package__).joinpath("names.toml").read_text(encoding="utf-8"))
    return frozenset(table["names"].split())

"""Words that were divided at the end of a line. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

HYPHENS = "-\u2010\u00ad"
_SOFT = "\u00ad"

_AROUND = ".,;:!?()[]{}<>«»„“”‚‘’\"'/*"
_LAST = re.compile(r"([^\W_]+)[-\u2010\u00ad]$")
_MAX_WORD = 60
_FIRST = re.compile(r"[^\W_]+")
# "Vor- und Nachteile", "pre- and post-war": the hyphen stands for what the words share.
_SHARED = frozenset("und oder bzw sowie bis noch als and or to nor than et ou y o e".split())
# First halves of compounds that keep their hyphen, and are words or prefixes of their own.
_KEEPS = frozenset(
    "all anti best cross double e ever ex far first full good half hard high ill large left long low mid much multi "
    "near new non old one part post pre quasi real right same second self semi short single small so state third "
    "three time two up vice well wide x".split()
)


class Words:
    """The words of a document, lower case, compounds with their hyphens: what a divided word is compared with.

    They are looked for when the first divided word asks.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = texts

    def __contains__(self, word: str) -> bool:
        return word in self._found

    @cached_property
    def _found(self) -> frozenset[str]:
        words = set("\n".join(self._texts).lower().split())
        return frozenset(word.strip(_AROUND) for word in words)


def join(text: str, line: str, words: Words, gap: str = " ") -> str:
    """`text` continued by the next `line`: with `gap` between, or as one word where a hyphen only divided it.

    A divided word is written as the document writes it elsewhere. Where it does not, it is taken for one word, unless
    its first half is known to make compounds, both halves are words of the document, or a figure or capitals are part.
    """
    if text[-1] not in HYPHENS:
        return f"{text}{gap}{line}"
    last = _LAST.search(text, len(text) - _MAX_WORD if len(text) > _MAX_WORD else 0)
    first = _FIRST.match(line)
    if last is None or first is None:
        return f"{text}{gap}{line}"
    before, after = last[1], first[0]
    if after in _SHARED and text[-1] != _SOFT and (before + after).lower() not in words:
        return f"{text}{gap}{line}"
    if _is_divided(before, after, text[-1], words):
        return text[:-1] + line
    return f"{text[:-1]}-{line}"


def _is_divided(before: str, after: str, hyphen: str, words: Words) -> bool:
    if hyphen == _SOFT:
        return True
    if not after[0].islower() or before[-1].isdigit() or (len(before) > 1 and before.isupper()):
        return False
    first, second = before.lower(), after.lower()
    if first + second in words:
        return True
    if f"{first}-{second}" in words or first in _KEEPS:
        return False
    return not (first in words and second in words)

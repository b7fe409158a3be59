"""The shape of a sentence as numbers: words of each kind in it, its mark, its heading. Pure.

Beside a sentence's vector they sharpen what it means; without a model they are all there is.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from zibaldone.domain.hierarchy import EventKind
from zibaldone.domain.words import fold
from zibaldone.hierarchy.events.sentences import Mark, Sentence

NONE = "none"
KINDS = (*EventKind, NONE)
_MARKS: tuple[Mark, ...] = get_args(Mark)
_FEW_WORDS = 2
# How much the words of a kind, a heading and the form count beside each other.
_WORDS, _UNDER, _FORM = 1.5, 1.0, 0.7

_WORD = re.compile(r"\w+")
_FIGURE = re.compile(r"\d")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}|\d{1,2}\.\s?\d{1,2}\.|[📅✅⏳]")
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|we|we're|we've|my|our|me|us|ich|wir|mein\w*|unser\w*|mir|uns|mich)\b")
_SECOND_PERSON = re.compile(r"\b(?:you|your|one's|people|man|wer|jeder)\b")
_SOMEBODY = re.compile(
    r"\b(?:with|mit|to|avec|con|von|by|bei)\s+(?:(?:Dr|Mr|Mrs|Ms|Prof)\.?\s+|Frau\s+|Herrn?\s+)?[A-ZÄÖÜ]\w+"
)
_INFINITIVE = re.compile(r"\b[a-zäöü]\w{2,}(?:en|ern|eln)\W*$")
_PRESENT = re.compile(r"\b(?:is|are|has|have|does|ist|sind|hat|haben|wird|werden|\w{3,}s (?:the|a|an|to|in|on))\b")
_PAST = re.compile(r"\b(?:was|were|had|did|war|waren|hatten?|habe|haben|\w{3,}ed|ge\w{3,}(?:t|en)|\w{2,}iert)\b")
_BEGINS_PAST = re.compile(r"(?:\w{3,}ed|met|had|made|chose|learnt|got|sent|ge\w{3,}(?:t|en)|\w{2,}iert)\b")
_MODAL = re.compile(r"\b(?:must|should|can|may|need|needs|has to|soll(?:te)?n?|muss|mussen|kann|konnen|darf|durfen)\b")
_LATELY = re.compile(
    r"\b(?:today|yesterday|tonight|now|this (?:morning|afternoon|evening|week)|just|finally|at last|since|from here on"
    r"|heute|gestern|jetzt|nun|endlich|seit|gerade|vorhin|ab sofort)\b"
)
_LONG = 22  # words


def shape_of(sentence: Sentence) -> NDArray[np.float64]:
    """Of shape (features,); each is about as large as a difference between two sentences."""
    folded = fold(sentence.said)
    words = [_WORDS * bool(pattern.search(folded)) for pattern in _patterns("words")]
    heading = fold(sentence.under)
    under = [_UNDER * bool(pattern.fullmatch(heading.strip(" :"))) for pattern in _patterns("under")]
    past, lately = bool(_PAST.search(folded)), bool(_LATELY.search(folded))
    speaks_of_us, somebody = bool(_FIRST_PERSON.search(folded)), bool(_SOMEBODY.search(sentence.said))
    dated = bool(_DAY.search(sentence.text))
    form = [
        *(sentence.mark == mark for mark in _MARKS),
        len(_WORD.findall(folded)) <= _FEW_WORDS,
        bool(_FIGURE.match(folded)),
        dated,
        speaks_of_us,
        bool(_SECOND_PERSON.search(folded)),
        somebody,
        lately,
        bool(_MODAL.search(folded)) and not speaks_of_us,
        bool(_INFINITIVE.search(sentence.said)),
        bool(_PRESENT.search(folded)),
        past,
        bool(_BEGINS_PAST.match(folded)),
        not (past or speaks_of_us or somebody or lately or dated),
        sentence.said.endswith((":", ";", ",")),
        "`" in sentence.text or "%>" in sentence.text,
        len(_WORD.findall(folded)) > _LONG,
    ]
    return np.array([*words, *under, *(_FORM * bool(one) for one in form)])


def speaks_of(said: str, kind: EventKind) -> bool:
    """Whether a word of the kind is in it."""
    return bool(_patterns("words")[KINDS.index(kind)].search(fold(said)))


@cache
def _patterns(part: str) -> tuple[re.Pattern[str], ...]:
    """One for each of `KINDS`: its `words` in a sentence, or the headings that a sentence stands `under`."""
    table = tomllib.loads(files(__package__).joinpath("shapes.toml").read_text(encoding="utf-8"))
    words = table["under"] if part == "under" else table
    return tuple(re.compile("|".join(map(_at_edges, words[kind]))) for kind in KINDS)


def _at_edges(pattern: str) -> str:
    before = "" if pattern.startswith("~") else r"(?<!\w)"
    behind = "" if pattern.endswith("~") else r"(?!\w)"
    return f"{before}(?:{pattern.strip('~')}){behind}"

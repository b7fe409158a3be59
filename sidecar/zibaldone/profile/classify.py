"""Which kind of statement a sentence is: the labelled examples that it is compared with, and what words say. Pure.

Figures are in ARCHITECTURE.md, "The memory of the person".
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal, get_args

from zibaldone.domain.words import fold

# `none`: a question, a mood, an order for this once, the world: nothing to be kept.
Kind = Literal["user", "feedback", "context", "none"]
KINDS: tuple[Kind, ...] = get_args(Kind)

# Words that make a wish a standing one, and how much of what spoke against keeping it stays.
_STANDING = re.compile(
    r"\b(?:from now on|from here on|from today on|going forward|in (?:the )?future|henceforth"
    r"|ab jetzt|ab sofort|ab heute|von nun an|von jetzt an|kunftig|zukunftig|in zukunft|fortan"
    r"|desormais|dorenavant|a partir de maintenant|a l'avenir|de ahora en adelante|a partir de ahora|en adelante"
    r"|d'ora in poi|d'ora in avanti|da oggi in poi|vanaf nu|voortaan|od teraz|odtad|fran och med nu|i fortsattningen"
    r"|bundan sonra|a partir de agora|daqui em diante|отныне|впредь|с этого момента)\b"
    r"|今后|以后|从现在起|今後|これから|앞으로|이제부터"
)
_DOUBT_LEFT = 0.1
_REPORTED = re.compile(
    r"\b(?:says?|said|jokes?|joked|thinks|writes|wrote|wants you|wanted you|told you|asks you|sagt|meint|findet|scherzt"
    r"|schreibt|will,? dass du|dit que|dice que|zegt dat)\b"
)
# Words of a wish that is to last, and of other sentences, too.
_LASTING = re.compile(
    r"\b(?:always|never|immer|nie|niemals|grundsatzlich|generell|in general|every|jede[rsnm]?"
    r"|toujours|jamais|siempre|nunca|sempre|mai|altijd|nooit|zawsze|nigdy|alltid|aldrig)\b"
)
_ELSE = "other"  # of wishes and facts, those about anything else


@dataclass(frozen=True, slots=True)
class Example:
    text: str
    kind: Kind


@cache
def examples() -> tuple[Example, ...]:
    """Those that ship with the package, in `examples.toml`."""
    table = tomllib.loads(files(__package__).joinpath("examples.toml").read_text(encoding="utf-8"))
    return tuple(Example(text, kind) for kind in KINDS for text in table[kind])


@cache
def wishes() -> tuple[tuple[str, str], ...]:
    """Wishes for how answers are to be, each with what it is about, in `wishes.toml`."""
    table = tomllib.loads(files(__package__).joinpath("wishes.toml").read_text(encoding="utf-8"))
    return tuple((text, aspect) for aspect, values in table.items() for texts in values.values() for text in texts)


@cache
def facts() -> tuple[tuple[str, str], ...]:
    """Facts about a person, each with what it is about, in `facts.toml`."""
    table = tomllib.loads(files(__package__).joinpath("facts.toml").read_text(encoding="utf-8"))["aspects"]
    return tuple((text, aspect) for aspect, texts in table.items() for text in texts)


def about_the_same(left: Mapping[str, float], right: Mapping[str, float]) -> float:
    """The probability that two statements are about the same; of what is about something else nothing is known."""
    return sum(share * right[aspect] for aspect, share in left.items() if aspect != _ELSE)


def is_standing(text: str) -> bool:
    """Whether it says that it is to hold from now on, and nobody else is said to have said so."""
    folded = fold(text)
    return bool(_STANDING.search(folded)) and not _REPORTED.search(folded)


def is_lasting(text: str) -> bool:
    """Whether a wish says that it is to last."""
    return is_standing(text) or bool(_LASTING.search(fold(text)))


def heed_standing(text: str, kinds: Mapping[Kind, float]) -> dict[Kind, float]:
    """What is said to hold from now on is no order for this once: most of what spoke for `none` goes to `feedback`."""
    found = dict(kinds)
    if is_standing(text):
        left = found["none"] * _DOUBT_LEFT
        found["feedback"] += found["none"] - left
        found["none"] = left
    return found

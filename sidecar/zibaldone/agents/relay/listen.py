"""What a message is besides a question: orders to remember, statements about the person, questions about the memory.

Pure, but for what is asked of `classify`; words and vectors decide, never a model.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from zibaldone.domain.words import fold
from zibaldone.profile.classify import Kind
from zibaldone.profile.notice import find_statements, own_words, part_message

# From this probability on, a message of nothing but statements is one to be taken in, not a question to be answered.
STATED = 0.6

_ABOUT_ME = re.compile(
    r"\b(?:what (?:do|did) you (?:know|remember) about me|what have you (?:remembered|learned|learnt) about me"
    r"|(?:show|list|tell) (?:me )?(?:what you (?:know|remember) about me|your memory|my memory)"
    r"|was (?:weisst|weiss) du (?:alles |denn |eigentlich )*(?:uber|von) mich"
    r"|was (?:hast du dir|merkst du dir) .*uber mich"
    r"|zeig(?:e)? (?:mir )?(?:dein|das|mein) (?:gedachtnis|was du uber mich weisst)"
    r"|que (?:sais-tu|savez-vous) (?:de|sur) moi|que sabes (?:de|sobre) mi|cosa sai (?:di|su) me"
    r"|wat weet je (?:over|van) mij"
    r"|o que (?:voce |tu )?sabes? (?:de|sobre) mim|co (?:o mnie wiesz|wiesz o mnie))\b"
)


@dataclass(frozen=True, slots=True)
class Heard:
    """`orders` are to be remembered as they stand, `statements` may be worth it; `question` is the message without the
    orders. `states_only`: it is nothing but statements. `asks_of_memory`: what do you know about me?"""

    orders: tuple[str, ...]
    question: str
    statements: tuple[str, ...] = ()
    states_only: bool = False
    asks_of_memory: bool = False


Classify = Callable[[Sequence[str]], Awaitable[Sequence[Mapping[Kind, float]]]]


async def hear(message: str, classify: Classify) -> Heard:
    parts = part_message(message)
    if _ABOUT_ME.search(fold(parts.text)):
        return Heard(parts.explicit, parts.text, asks_of_memory=True)
    statements = find_statements(parts.text)
    kinds = await classify(statements)
    worthy = tuple(text for text, kind in zip(statements, kinds, strict=True) if 1 - kind["none"] >= STATED)
    states_only = bool(worthy) and len(worthy) == len(statements) and is_all(statements, parts.text)
    return Heard(parts.explicit, parts.text, tuple(statements), states_only)


def is_all(statements: Sequence[str], text: str) -> bool:
    """Whether the message says nothing beside these: no question, nothing pasted."""
    said = sum(len(re.findall(r"\w", statement)) for statement in statements)
    return own_words(text).strip() == text.strip() and said == len(re.findall(r"\w", text))

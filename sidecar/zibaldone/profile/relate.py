"""How two statements of one person stand to each other: the same, one taking back the other, or neither. Pure.

What words and figures tell is decided by them. Else a chat model is asked short questions, two about facts and three
about wishes, of which only the probabilities of Yes and No are read (figures in ARCHITECTURE.md, "The memory of the
person").
"""

from __future__ import annotations

import re
from math import exp
from typing import Literal, NamedTuple

from zibaldone.domain.words import fold
from zibaldone.inference.roles import Message
from zibaldone.profile.signs import Signs, are_of_others, differ_in_figures, is_of_somebody_else
from zibaldone.profile.worth import VERDICTS

Verdict = Literal["same", "contradicts"]
# Facts and what the person is at: logistic regression on pairs of two statements (half *a* of
# `tests/questions/memory_pairs.jsonl`, `memory_repeats.jsonl`, and half as many that have nothing to do with each
# other), over neither: bias, how alike they are, the log odds of same and untrue, whether their figures differ, are the
# same, whether a name stands in both, whether the newer one says that it comes to the older, whether they are about the
# same (a probability of one half is sure enough), and whether such a one says that something has changed. The log odds
# count within the range that they had there.
_SAME = (0.56, -0.28, 1.7, 1.07, -0.85, 0.96, 0.29, -1.01, 0.74, -0.08)
_CONTRADICTS = (-0.32, -0.41, 0.24, 3.34, 1.23, 0.13, -0.84, -1.11, 0.98, 2.46)
_RANGES = ((-4.0, 4.0), (-1.2, 1.2))
# What is retired for no reason is worse than what is kept beside its successor.
_LIKELY_SAME, _LIKELY_OVER = 0.5, 0.55
# Wishes: two that are about the same (half as surely, where the newer one says that something changes) say the same
# from these log odds of same on, and take each other back from these of untrue on, or up to these of both; of two that
# are not, only the first, and surely.
_RELATED, _SAME_WISH, _OTHER_WISH, _TAKES_BACK, _CANNOT_BOTH = 0.3, 0.8, 1.5, 0.05, -1.0

_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
# Words without which a statement is the same: the articles of English and German, and who speaks.
_OTHER = frozenset("i m am im user is the a an ich bin der die das ein eine please bitte".split())

_SAME_SHOTS = (
    ("I have a dog called Rex.", "Mein Hund heißt Rex.", True),
    ("My sister lives in Rome.", "My sister is a doctor.", False),
    ("Write in French.", "Please use French from now on.", True),
    ("I am 50.", "I am 51.", False),
)
_CHANGE_SHOTS = (
    ("I am 50.", "I have turned 51.", True),
    ("My sister lives in Rome.", "My sister is a doctor.", False),
    ("Write in French.", "From now on in Italian, please.", True),
    ("I have a dog called Rex.", "Ich habe auch eine Katze.", False),
    ("Ich arbeite bei Bosch.", "Seit Mai bin ich bei Siemens.", True),
    ("I am writing a thesis.", "I like hiking.", False),
    ("Ich bin Vegetarier.", "Ich esse wieder Fleisch.", True),
    ("Answer briefly.", "Use tables for figures.", False),
)


class Questions(NamedTuple):
    """The prompts, each to be continued by Yes or No."""

    same: list[Message]
    untrue: list[Message]
    both: list[Message]


def ask_relation(old: str, new: str) -> Questions:
    """To be asked of what was said before, and what is said now."""
    return Questions(
        _prompt("Two sentences of one person. Do both say the same thing about them?", _SAME_SHOTS, old, new),
        _prompt("A person said A first and B later. Does B make A untrue, or take it back?", _CHANGE_SHOTS, old, new),
        _prompt("Can both sentences hold for the same person at the same time?", _inverted(_CHANGE_SHOTS), old, new),
    )


class Opinion(NamedTuple):
    """Log odds of Yes to each of the questions; the last is asked of wishes alone."""

    same: float
    untrue: float
    both: float = 0.0


class Nearness(NamedTuple):
    """`alike`: cosine of the placed vectors (`likeness`); `related`: the probability that they are about the same."""

    alike: float
    related: float


def relate_facts(opinion: Opinion, nearness: Nearness, old: Signs, new: Signs) -> Verdict | None:
    """How a fact stands to an older one."""
    if are_of_others(old, new):
        return None
    odds = (min(high, max(low, value)) for value, (low, high) in zip(opinion[:2], _RANGES, strict=True))
    related = min(1.0, 2 * nearness.related)
    signals = (
        1.0,
        nearness.alike,
        *odds,
        float(differ_in_figures(old, new)),
        float(bool(old.figures) and old.figures == new.figures),
        float(bool(old.names & new.names)),
        float(new.adds),
        related,
        related * new.changed,
    )
    same, over = (
        exp(sum(weight * signal for weight, signal in zip(weights, signals, strict=True)))
        for weights in (_SAME, _CONTRADICTS)
    )
    total = 1 + same + over
    if over / total >= _LIKELY_OVER and not is_of_somebody_else(old, new):
        return "contradicts"
    return "same" if same / total >= _LIKELY_SAME and not differ_in_figures(old, new) else None


def relate_wishes(opinion: Opinion, related: float, *, changed: bool) -> Verdict | None:
    """How a wish stands to an older one; `related` is the probability that they are about the same, `changed` whether
    the newer one says that something is to change."""
    if related < (_RELATED / 2 if changed else _RELATED):
        return "same" if opinion.same >= _OTHER_WISH else None
    if opinion.same >= _SAME_WISH:
        return "same"
    takes_back = opinion.untrue >= _TAKES_BACK or opinion.both <= _CANNOT_BOTH
    return "contradicts" if takes_back else None


_DENIED = re.compile(
    r"[,;]?\s+(?:and |und )?(?:not|nicht mehr|nicht|no longer|non|pas|no|niet|inte|nie|não)\s+"
    r"(?!(?:even|only|just|nur|einmal|mal|solo|sólo|seulement|même|alleen)\b)"
    r"(?P<denied>[\w'’-]+(?:\s+[\w'’-]+){0,2})\W*\Z",
    re.IGNORECASE,
)
_AFTER_COMMA = re.compile(r"[,;]\s")


def part_correction(statement: str) -> tuple[str, str | None]:
    """ "I'm 36, not 35": what is so, and what is not (None where nothing is denied)."""
    match = _DENIED.search(statement)
    if match is None or not _AFTER_COMMA.match(match[0]):
        return statement, None
    return statement[: match.start()].strip(), match["denied"]


def holds(text: str, words: str) -> bool:
    """Whether all the words stand there."""
    return frozenset(_WORD.findall(fold(words))) <= frozenset(_WORD.findall(fold(text)))


def says_the_same(left: str, right: str) -> bool:
    """By nearly all of their words, in whatever order."""
    return gist(left) == gist(right)


def gist(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Equal for two statements that say the same by their words."""
    return _content(text), figures(text)


def figures(text: str) -> frozenset[str]:
    """As they are written, in digits."""
    return frozenset(_NUMBER.findall(fold(text)))


def _content(text: str) -> frozenset[str]:
    words = frozenset(_WORD.findall(fold(text)))
    return words - _OTHER or words


def _inverted(shots: tuple[tuple[str, str, bool], ...]) -> tuple[tuple[str, str, bool], ...]:
    return tuple((old, new, not answer) for old, new, answer in shots)


def _prompt(system: str, shots: tuple[tuple[str, str, bool], ...], old: str, new: str) -> list[Message]:
    messages = [Message("system", system)]
    for first, second, answer in shots:
        messages += [Message("user", _pair(first, second)), Message("assistant", VERDICTS[0 if answer else 1])]
    return [*messages, Message("user", _pair(old, new))]


def _pair(old: str, new: str) -> str:
    return f"A: {old}\nB: {new}"

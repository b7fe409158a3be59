"""Broad questions by what they mean, beside labelled examples in many languages: those that `broad` does not know by
their words. Pure.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from zibaldone.agents.relay.broad import Broad
from zibaldone.domain.classifier import fit_classifier
from zibaldone.domain.language import guess_language, is_function_word

Label = Literal["themes", "subject", "change", "period", "none"]
_LABELS: tuple[Label, ...] = ("themes", "change", "period", "none")
# Topics that an example is tried with, and how sure it has to be: a question that is no broad one loses its answer.
_TRIED, _SURE = 2, 0.7
# Most questions are not broad, as are most of the examples (see `fit_classifier`).
_BALANCE = 0.5
_TOPIC = "…"
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")

Vectors = NDArray[np.floating[Any]]


@cache
def examples() -> tuple[tuple[str, Label], ...]:
    """Those that ship with the package, in `broad.toml`; themes of one topic are a `subject`."""
    table = _table()
    lines: list[tuple[str, Label]] = [(line, label) for label in _LABELS for line in table[label].splitlines()]
    found: list[tuple[str, Label]] = []
    for number, (line, label) in enumerate(lines):
        if _TOPIC in line:
            of_one: Label = "subject" if label == "themes" else label
            found += [(line.replace(_TOPIC, topic), of_one) for topic in _some(table["topics"], number)]
        else:
            found.append((line, label))
    return tuple(found)


def _some(topics: Sequence[str], number: int) -> list[str]:
    return [topics[(number + turn * len(topics) // _TRIED) % len(topics)] for turn in range(_TRIED)]


class BroadSense:
    def __init__(self, known: Vectors) -> None:
        """`known` are the vectors of the texts of `examples`, of shape (examples, dimensions)."""
        self._centre = known.mean(axis=0)
        self._classifier = fit_classifier(known - self._centre, [label for _, label in examples()], _BALANCE)

    def judge(self, question: str, vector: Vectors, *, has_time: bool) -> Broad | None:
        """As `find_broad`; `vector`, of shape (dimensions,), is the question's as those of the examples were made."""
        sure = self._classifier.probabilities(vector - self._centre)
        if sure["themes"] + sure["subject"] >= _SURE:
            return Broad("themes", find_topic(question) if sure["subject"] > sure["themes"] else "")
        if sure["change"] >= _SURE and (topic := find_topic(question)):
            return Broad("change", topic)
        return Broad("period") if sure["period"] >= _SURE and has_time else None


def find_topic(question: str) -> str:
    """The longest stretch of a question without a word that only asks, as the examples do."""
    words = list(_WORD.finditer(question))
    language = guess_language(word.group().casefold() for word in words)

    def is_small(word: re.Match[str]) -> bool:
        return is_function_word(word.group().casefold(), language)

    best = ""
    for asks, its in groupby(words, lambda word: not is_small(word) and word.group().casefold() in _asking_words()):
        stretch = list(its)
        while stretch and is_small(stretch[0]):
            del stretch[0]
        while stretch and is_small(stretch[-1]):
            del stretch[-1]
        if not asks and stretch:
            best = max(best, question[stretch[0].start() : stretch[-1].end()], key=len)
    return best


@cache
def _asking_words() -> frozenset[str]:
    table = _table()
    texts = (table[name] for name in ("words", *_LABELS) if name != "none")
    return frozenset(word.casefold() for text in texts for word in _WORD.findall(text))


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("broad.toml").read_text(encoding="utf-8"))

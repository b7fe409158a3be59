"""How alike statements are, in whatever languages they are. Pure.

Vectors of a multilingual model lie together by language as well as by meaning, so the centre of its language is taken
from each: then the same statement is the nearest in another language, too (figures in ARCHITECTURE.md, "The memory of
the person").
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zibaldone.domain.language import guess_language

Vector = NDArray[np.floating]

# Of statements so short that one function word has to do.
_LANGUAGES = ("english", "german", "french", "spanish", "italian", "dutch", "portuguese")
_WORD = re.compile(r"\w+")
# Texts of a language from which on its centre is told from that of all.
_ENOUGH = 20
# What it adds to the cosine (-1..1) that two are about the same (a probability).
_RELATED = 0.3


@dataclass(frozen=True, slots=True)
class Centres:
    """`of` has the centre of each language, `overall` that of all texts; both of shape (dimensions,)."""

    of: Mapping[str, Vector]
    overall: Vector

    def place(self, text: str, vector: Vector) -> Vector:
        """The vector without what it owes to the language, of length 1."""
        moved = vector - self.of.get(_language(text) or "", self.overall)
        length = float(np.linalg.norm(moved))
        return moved / length if length else moved


def find_centres(texts: Sequence[str], vectors: Vector) -> Centres:
    """From texts of many languages; `vectors` of shape (texts, dimensions)."""
    numbers: defaultdict[str, list[int]] = defaultdict(list)
    for number, text in enumerate(texts):
        numbers[_language(text) or ""].append(number)
    numbers.pop("", None)
    of = {name: vectors[own].mean(axis=0) for name, own in numbers.items() if len(own) >= _ENOUGH}
    return Centres(of, vectors.mean(axis=0))


def worth_comparing(alike: Vector, related: Vector) -> Vector:
    """By which the statements are chosen that one is compared with; `alike` are cosines of placed vectors, `related`
    the probabilities that both are about the same."""
    return alike + _RELATED * related


def _language(text: str) -> str | None:
    return guess_language(_WORD.findall(text.casefold()), _LANGUAGES)

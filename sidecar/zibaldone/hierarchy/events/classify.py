"""Which kind of event a sentence tells of, beside labelled examples: by its shape, and by its meaning where an
embedder is there. Pure.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zibaldone.domain.classifier import fit_classifier
from zibaldone.domain.hierarchy import content_id
from zibaldone.hierarchy.events.sentences import Sentence, read_sentences
from zibaldone.hierarchy.events.shapes import KINDS, shape_of

_VERSION = "events1"
# What the shape counts beside the meaning, in mean lengths of what tells two vectors apart: by the half of the planted
# phrasings that may be looked at.
_SHAPE_WEIGHT = 0.6

# Most sentences of most notes tell of nothing, as do most of the examples.
_BALANCE = 0.5

Vectors = NDArray[np.floating[Any]]
Opinion = dict[str, float]


@cache
def examples() -> tuple[tuple[Sentence, str], ...]:
    """Those that ship with the package, in `examples.toml`, each with its kind or `none`."""
    table = tomllib.loads(files(__package__).joinpath("examples.toml").read_text(encoding="utf-8"))
    return tuple((_as_sentence(text), kind) for kind in KINDS for text in table[kind])


def classifier_fingerprint(embedder: str = "") -> str:
    """What an opinion depends on beside its sentence: the examples, the words, this code and the embedder's space."""
    tables = (
        files(__package__).joinpath(name).read_text(encoding="utf-8") for name in ("examples.toml", "shapes.toml")
    )
    return content_id((_VERSION, embedder, *tables))


class EventClassifier:
    """Opinions about sentences: probabilities of each of `KINDS`, which add up to 1."""

    def __init__(self, known: Vectors | None = None) -> None:
        """`known` are the vectors of the texts (`said`) of `examples`, of shape (examples, dimensions)."""
        shapes = np.stack([shape_of(sentence) for sentence, _ in examples()])
        self._centre = None if known is None else known.mean(axis=0)
        self._scale = 1.0 if known is None else _spread(shapes) / _spread(known)
        self._classifier = fit_classifier(self._join(shapes, known), [kind for _, kind in examples()], _BALANCE)

    def judge(self, sentences: Sequence[Sentence], vectors: Vectors | None = None) -> list[Opinion]:
        """`vectors` are those of the sentences' `said`, where the examples' were given."""
        if not sentences:
            return []
        points = self._join(np.stack([shape_of(sentence) for sentence in sentences]), vectors)
        return [self._classifier.probabilities(point) for point in points]

    def _join(self, shapes: Vectors, vectors: Vectors | None) -> Vectors:
        if vectors is None or self._centre is None:
            return shapes
        return np.hstack([_SHAPE_WEIGHT * shapes, (vectors - self._centre) * self._scale])


def _as_sentence(text: str) -> Sentence:
    """An example is written as it would stand in a note; a quotation is passed over there, and is prose here."""
    found = read_sentences([text])
    return found[0] if len(found) == 1 else Sentence(text, text.lstrip("> "), 1, 1, "prose")


def _spread(points: Vectors) -> float:
    """Root of the mean squared distance from the centre."""
    return float(np.sqrt(((points - points.mean(axis=0)) ** 2).sum(axis=1).mean()))

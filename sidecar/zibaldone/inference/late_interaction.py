"""How well passages answer a question, by the vectors of their tokens. Pure.

Late interaction (MaxSim; Khattab and Zaharia, ColBERT, 2020) for vectors that were not trained for it. What all the
passages share tells nothing about which of them answers: their mean is taken from every vector (the vectors of such a
model lie in a narrow cone; Mu and Viswanath, All-but-the-Top, 2018), and a token of the question counts more the fewer
passages hold it and the further it tells them apart. Where the passages are in several languages, half of what those of
a language share beyond that is taken from them as well, and from a question in it: else the question's own comes first
(see `retrieval.language_bias`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zibaldone.domain.vectors import unit

# That of a token which stands in every passage.
_LEAST_RARITY = 0.02
# How much of what a language's passages share beyond the others.
_OF_LANGUAGE = np.float32(0.5)


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text's tokens: `ids` of shape (tokens,), `vectors` of shape (tokens, dimensions), each of unit length; `worded`
    tells which have a letter or digit. `language` is None where too little tells it."""

    ids: NDArray[np.int32]
    vectors: NDArray[np.float32]
    worded: NDArray[np.bool_]
    language: str | None = None


def score_passages(question: Tokens, passages: Sequence[Tokens]) -> list[float]:
    """For each passage the weighted mean over the question's tokens of the largest cosine with one of its own, -1 where
    it has none. Scores of one call can be compared with each other and with no others."""
    read = [passage for passage in passages if len(passage.ids)]
    if not read or not len(question.ids):
        return [0.0] * len(passages)
    common, of_language = _find_shared(read)
    asked = unit(question.vectors - of_language.get(question.language, common))
    nearest = np.array(
        [(asked @ unit(one.vectors - of_language.get(one.language, common)).T).max(axis=1) for one in read]
    )
    scores = iter((nearest @ _weigh_tokens(question, read, nearest)).tolist())
    return [next(scores) if len(passage.ids) else -1.0 for passage in passages]


def _find_shared(
    passages: Sequence[Tokens],
) -> tuple[NDArray[np.float32], Mapping[str | None, NDArray[np.float32]]]:
    """What is taken from vectors of no known language, and of each language's, of shape (dimensions,)."""
    means: dict[str | None, list[NDArray[np.float32]]] = {}
    for passage in passages:
        means.setdefault(passage.language, []).append(passage.vectors.mean(axis=0))
    common: NDArray[np.float32] = np.mean([mean for its in means.values() for mean in its], axis=0)
    shared: dict[str | None, NDArray[np.float32]] = {
        name: common + _OF_LANGUAGE * (np.mean(its, axis=0) - common) for name, its in means.items() if name
    }
    return common, shared


def _weigh_tokens(question: Tokens, passages: Sequence[Tokens], nearest: NDArray[np.float32]) -> NDArray[np.float64]:
    """Of each token the inverse document frequency among the passages times the standard deviation of its nearest
    cosines (shape (passages, tokens)), 0 for what is no word; in sum 1."""
    holding = np.sum([np.isin(question.ids, passage.ids) for passage in passages], axis=0)
    rarity = np.maximum(np.log((len(passages) + 1) / (holding + 0.5)), _LEAST_RARITY)
    weights = rarity * np.where(question.worded, nearest.std(axis=0), 0.0)
    if not weights.any():  # no words, or nothing to tell apart
        weights = rarity
    share: NDArray[np.float64] = weights / weights.sum()
    return share

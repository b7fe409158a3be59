"""Vectors of events by their words, where no embedding model is there. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b
from math import log

import numpy as np

from zibaldone.domain.lexicon import document_terms, text_language
from zibaldone.domain.vectors import unit
from zibaldone.domain.words import STOP_WORDS
from zibaldone.hierarchy.space import Vectors

# Cosines of texts with hardly a word in common, and of such that share most.
WORD_COSINES = (0.0, 0.6)
_DIMENSIONS = 1024


def word_vectors(texts: Sequence[str]) -> Vectors:
    """(n, d) of unit length: the stems of each text, rare ones weighing more (tf-idf), each at a place by its hash."""
    counted = [Counter(_stems(text)) for text in texts]
    spread = Counter(stem for counts in counted for stem in counts)
    vectors = np.zeros((len(texts), _DIMENSIONS), np.float32)
    for row, counts in enumerate(counted):
        for stem, count in counts.items():
            place, sign = _place(stem)
            vectors[row, place] += sign * (1 + log(count)) * log((1 + len(texts)) / spread[stem])
    return unit(vectors)


def _stems(text: str) -> list[str]:
    language = text_language(text)
    return [stem for stem in document_terms(text, language) if stem not in STOP_WORDS]


def _place(stem: str) -> tuple[int, int]:
    number = int.from_bytes(blake2b(stem.encode(), digest_size=8).digest())
    return number % _DIMENSIONS, 1 if number >> 63 else -1

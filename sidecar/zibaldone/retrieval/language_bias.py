"""Nearness between languages.

An embedder puts what is said in one language nearer together than the same thing said in two (*language bias*: Roy et
al., LAReQA, 2020). So in a vault of several languages the passages in the question's own come first, whatever they say.
Most of what the passages of a language have in common is therefore taken away from them, and from the question (after
Yang et al., EMNLP 2021, who remove what identifies a language; how much, and what it does: ARCHITECTURE.md).

It is measured on what is written for people: the passages of a program's commits have code in common.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log

import numpy as np

from zibaldone.domain.vectors import unit
from zibaldone.inference.roles import Vectors
from zibaldone.retrieval.union import SearchStore
from zibaldone.store.cache_db import ContentCache

# What is taken away of the difference between a language's mean and that of all languages.
_REMOVED = 0.6
# Passages of a language of which the mean is taken; of fewer than the least, or of fewer notes, it would be what these
# happen to say.
_SAMPLE, _LEAST, _LEAST_NOTES = 300, 10, 5
# A mean holds until what is embedded has grown or shrunk by about this factor.
_HOLDS = 1.1


class LanguageBias:
    """What the passages of each language have in common, beyond what those of all have. `means` by language, each of
    shape (dimensions,), are of at least two."""

    def __init__(self, means: Mapping[str, Vectors]) -> None:
        self._means = dict(means)
        common = np.mean(list(self._means.values()), axis=0, dtype=np.float32)
        self._own: dict[str, Vectors] = {name: mean - common for name, mean in self._means.items()}
        self._none: Vectors = np.zeros_like(common)

    def level_question(self, vector: Vectors) -> Vectors:
        """A question (dimensions,) without its language, which is that of the nearest mean."""
        return unit(vector - _REMOVED * self._own[self.language_of(vector)])

    def language_of(self, vector: Vectors) -> str:
        """A question's language."""
        return max(self._means, key=lambda name: float(np.dot(vector, self._means[name])))

    def level_passages(self, vectors: Vectors, languages: Sequence[str | None]) -> Vectors:
        """Passages (n, dimensions) without theirs. One that is in none of the languages known here stays as it is."""
        own = np.stack([self._own.get(name or "", self._none) for name in languages])
        return unit(vectors - _REMOVED * own)

    def aims(self, levelled: Vectors) -> list[Vectors]:
        """Where passages that answer a levelled question lie before they are levelled, one place for each language."""
        return [unit(levelled + own) for own in self._own.values()]


class LanguageBiases:
    """Measures the bias of an index, and remembers it until that has changed by a tenth."""

    def __init__(self, cache: ContentCache) -> None:
        self._cache = cache
        self._known: dict[tuple[object, ...], LanguageBias | None] = {}

    def find(self, store: SearchStore, fingerprint: str) -> LanguageBias | None:
        """None where the notes are in one language, or hardly anything is in a second one."""
        languages = store.languages()
        if len(languages) < 2:
            return None
        embedded = store.totals().chunks - store.pending_count()  # words come first, so there may be none yet
        key = fingerprint, languages, round(log(max(1, embedded), _HOLDS))
        if key not in self._known:
            self._known = {key: self._measure(store, fingerprint, languages)}
        return self._known[key]

    def _measure(self, store: SearchStore, fingerprint: str, languages: Sequence[str]) -> LanguageBias | None:
        means: dict[str, Vectors] = {}
        for name in languages:
            sample = store.sample(name, _SAMPLE)
            vectors = self._cache.get(fingerprint, [one.embed_hash for one in sample])
            if len(vectors) >= _LEAST and len({one.source_id for one in sample}) >= _LEAST_NOTES:
                means[name] = np.mean(list(vectors.values()), axis=0, dtype=np.float32)
        return LanguageBias(means) if len(means) > 1 else None

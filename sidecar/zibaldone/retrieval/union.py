"""Several indexes searched as one: the vault's, and those of the folders beside it.

Passages are ranked together, by scores over all of them. Each index counts its words for itself, so its BM25 is
brought, term by term, to the weights that they have in all of them: in a folder of ten notes no word is rare.
"""

from __future__ import annotations

from collections import ChainMap, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from heapq import nlargest
from itertools import chain
from math import log
from operator import itemgetter
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from zibaldone.domain.notes import Recorded
from zibaldone.index.exact import Nearest
from zibaldone.store.index_db import Candidate, IndexStore, StoredChunk

_LEAST_IDF = 1e-6  # FTS5's own floor


class SearchStore(Protocol):
    """What a search asks of the record of passages; see `IndexStore`."""

    def recorded(self) -> Mapping[str, Recorded]: ...

    def chunk_count(self) -> int: ...

    def pending_count(self) -> int: ...

    def document_frequency(self, terms: Sequence[str]) -> dict[str, int]: ...

    def match_terms(self, terms: Sequence[str]) -> dict[int, float]: ...

    def match_sources(self, terms: Sequence[str]) -> dict[int, float]: ...

    def rows_of(self, source_rows: Sequence[int]) -> dict[int, int]: ...

    def holders(self, terms: Sequence[str], *, titles: bool = False) -> dict[str, frozenset[int]]: ...

    def candidates(self, chunk_ids: Sequence[str] = (), rows: Sequence[int] = ()) -> dict[str, Candidate]: ...

    def chunks(self, chunk_ids: Sequence[str] = (), rows: Sequence[int] = ()) -> dict[str, StoredChunk]: ...

    def chunk_ids_of(self, paths: Sequence[str]) -> list[str]: ...


class Area(NamedTuple):
    """One index. `vectors` is None where no embedding model is there."""

    store: IndexStore
    vectors: Nearest | None


class UnionStore:
    """A `SearchStore` over several. A row of the n-th of N stores is `row * N + n`; ids and paths are distinct."""

    def __init__(self, stores: Sequence[IndexStore]) -> None:
        self._stores = stores

    def recorded(self) -> Mapping[str, Recorded]:
        return ChainMap(*(dict(store.recorded()) for store in self._stores))

    def chunk_count(self) -> int:
        return sum(store.chunk_count() for store in self._stores)

    def pending_count(self) -> int:
        return sum(store.pending_count() for store in self._stores)

    def document_frequency(self, terms: Sequence[str]) -> dict[str, int]:
        return _sum_counts([store.document_frequency(terms) for store in self._stores])

    def match_terms(self, terms: Sequence[str]) -> dict[int, float]:
        return self._match(terms, IndexStore.match_terms)

    def match_sources(self, terms: Sequence[str]) -> dict[int, float]:
        return self._match(terms, IndexStore.match_sources)

    def _match(
        self, terms: Sequence[str], match: Callable[[IndexStore, Sequence[str]], dict[int, float]]
    ) -> dict[int, float]:
        counts = [store.document_frequency(terms) for store in self._stores]
        together, total = _sum_counts(counts), self.chunk_count()
        scores: defaultdict[int, float] = defaultdict(float)
        for number, (store, count) in enumerate(zip(self._stores, counts, strict=True)):
            size = store.chunk_count()
            for term in terms:  # BM25 is a sum over them
                weight = _idf(together[term], total) / _idf(count[term], size)
                for row, score in match(store, [term] if count[term] else []).items():
                    scores[self._outer(row, number)] += score * weight
        return scores

    def rows_of(self, source_rows: Sequence[int]) -> dict[int, int]:
        return {
            self._outer(row, number): self._outer(source_row, number)
            for number, store in enumerate(self._stores)
            for row, source_row in store.rows_of(self._inner(source_rows, number)).items()
        }

    def holders(self, terms: Sequence[str], *, titles: bool = False) -> dict[str, frozenset[int]]:
        found = [store.holders(terms, titles=titles) for store in self._stores]
        return {
            term: frozenset(self._outer(row, number) for number, one in enumerate(found) for row in one[term])
            for term in terms
        }

    def candidates(self, chunk_ids: Sequence[str] = (), rows: Sequence[int] = ()) -> dict[str, Candidate]:
        found: dict[str, Candidate] = {}
        for number, store in enumerate(self._stores):
            some = store.candidates(chunk_ids, self._inner(rows, number))
            found.update((id_, self._renumber(one, number)) for id_, one in some.items())
        return found

    def chunks(self, chunk_ids: Sequence[str] = (), rows: Sequence[int] = ()) -> dict[str, StoredChunk]:
        found: dict[str, StoredChunk] = {}
        for number, store in enumerate(self._stores):
            some = store.chunks(chunk_ids, self._inner(rows, number))
            found.update((id_, replace(one, row=self._outer(one.row, number))) for id_, one in some.items())
        return found

    def chunk_ids_of(self, paths: Sequence[str]) -> list[str]:
        return [id_ for store in self._stores for id_ in store.chunk_ids_of(paths)]

    def _renumber(self, one: Candidate, number: int) -> Candidate:
        return one._replace(row=self._outer(one.row, number), source_row=self._outer(one.source_row, number))

    def _outer(self, row: int, number: int) -> int:
        return row * len(self._stores) + number

    def _inner(self, rows: Iterable[int], number: int) -> list[int]:
        count = len(self._stores)
        return [row // count for row in rows if row % count == number]


class UnionVectors:
    """The nearest of several vector indexes."""

    def __init__(self, indexes: Sequence[Nearest]) -> None:
        self._indexes = indexes

    def nearest(self, vector: NDArray[np.float32], limit: int) -> list[tuple[str, float]]:
        found = chain.from_iterable(index.nearest(vector, limit) for index in self._indexes)
        return nlargest(limit, found, key=itemgetter(1))


def unite(areas: Sequence[Area]) -> tuple[SearchStore, Nearest | None]:
    """All of them as one; a single one is itself."""
    vectors = [area.vectors for area in areas if area.vectors is not None]
    if len(areas) == 1:
        return areas[0]
    return UnionStore([area.store for area in areas]), UnionVectors(vectors) if vectors else None


def _sum_counts(counts: Sequence[Mapping[str, int]]) -> dict[str, int]:
    return {term: sum(count[term] for count in counts) for term in counts[0]}


def _idf(count: int, size: int) -> float:
    """SQLite's, in fts5_aux.c."""
    return max(log((size - count + 0.5) / (count + 0.5)), _LEAST_IDF)

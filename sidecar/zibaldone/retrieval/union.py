"""Several indexes searched as one: the vault's, and those of the folders beside it.

Passages are ranked together, by the counts of all of them: in a folder of ten notes no word is rare.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from heapq import nlargest, nsmallest
from itertools import chain
from operator import itemgetter
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from zibaldone.domain.notes import Recorded
from zibaldone.index.exact import Nearest
from zibaldone.store.index_db import NOTE_BITS, Candidate, IndexStore, NoteRow, Sampled, StoredChunk, Totals

_STORE_BITS = 52


class PassageStore(Protocol):
    """The record of passages; see `IndexStore`."""

    def recorded(self) -> Mapping[str, Recorded]: ...

    def notes(self) -> Sequence[NoteRow]: ...

    def chunks(self, chunk_ids: Sequence[str] = ()) -> dict[str, StoredChunk]: ...

    def chunk_ids_of(self, paths: Sequence[str]) -> list[str]: ...


class SearchStore(PassageStore, Protocol):
    """What a search asks of the record of passages; see `IndexStore`."""

    def totals(self) -> Totals: ...

    def languages(self) -> tuple[str, ...]: ...

    def sample(self, language: str, limit: int) -> list[Sampled]: ...

    def pending_count(self) -> int: ...

    def document_frequency(self, terms: Sequence[str]) -> dict[str, int]: ...

    def rows_with(self, terms: Sequence[str], limit: int, *, titles: bool = False) -> NDArray[np.int64]: ...

    def ids_within(self, notes: NDArray[np.int64] | None, passages: NDArray[np.int64] | None) -> set[str]: ...

    def held_notes(self) -> NDArray[np.int64]: ...

    def candidates(self, chunk_ids: Sequence[str] = (), rows: Sequence[int] = ()) -> dict[str, Candidate]: ...

    def chunks(self, chunk_ids: Sequence[str] = (), rows: Sequence[int] = ()) -> dict[str, StoredChunk]: ...


class Area(NamedTuple):
    """One index. `vectors` is None where no embedding model is there."""

    store: IndexStore
    vectors: Nearest | None


class UnionStore:
    """A `SearchStore` over several. A store's number is in the high bits of its rows; ids and paths are distinct."""

    def __init__(self, stores: Sequence[IndexStore]) -> None:
        self._stores = stores

    def recorded(self) -> Mapping[str, Recorded]:
        return ChainMap(*(dict(store.recorded()) for store in self._stores))

    def totals(self) -> Totals:
        return Totals(*map(sum, zip(*(store.totals() for store in self._stores), strict=True)))

    def languages(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(chain.from_iterable(store.languages() for store in self._stores)))

    def sample(self, language: str, limit: int) -> list[Sampled]:
        found = chain.from_iterable(store.sample(language, limit) for store in self._stores)
        return nsmallest(limit, found)

    def pending_count(self) -> int:
        return sum(store.pending_count() for store in self._stores)

    def document_frequency(self, terms: Sequence[str]) -> dict[str, int]:
        counts = [store.document_frequency(terms) for store in self._stores]
        return {term: sum(count[term] for count in counts) for term in terms}

    def rows_with(self, terms: Sequence[str], limit: int, *, titles: bool = False) -> NDArray[np.int64]:
        return self._outer([store.rows_with(terms, limit, titles=titles) for store in self._stores])

    def notes(self) -> Sequence[NoteRow]:
        return [
            one._replace(row=one.row | number << _STORE_BITS - NOTE_BITS)
            for number, store in enumerate(self._stores)
            for one in store.notes()
        ]

    def ids_within(self, notes: NDArray[np.int64] | None, passages: NDArray[np.int64] | None) -> set[str]:
        ids: set[str] = set()
        for number, store in enumerate(self._stores):
            ids |= store.ids_within(_inner_rows(notes, number, _STORE_BITS - NOTE_BITS), _inner_rows(passages, number))
        return ids

    def held_notes(self) -> NDArray[np.int64]:
        return self._outer([store.held_notes() for store in self._stores], _STORE_BITS - NOTE_BITS)

    def candidates(self, chunk_ids: Sequence[str] = (), rows: Sequence[int] = ()) -> dict[str, Candidate]:
        found: dict[str, Candidate] = {}
        for number, store in enumerate(self._stores):
            some = store.candidates(chunk_ids, _inner(rows, number))
            found.update((id_, one._replace(row=one.row | number << _STORE_BITS)) for id_, one in some.items())
        return found

    def chunks(self, chunk_ids: Sequence[str] = (), rows: Sequence[int] = ()) -> dict[str, StoredChunk]:
        found: dict[str, StoredChunk] = {}
        for number, store in enumerate(self._stores):
            some = store.chunks(chunk_ids, _inner(rows, number))
            found.update((id_, replace(one, row=one.row | number << _STORE_BITS)) for id_, one in some.items())
        return found

    def chunk_ids_of(self, paths: Sequence[str]) -> list[str]:
        return [id_ for store in self._stores for id_ in store.chunk_ids_of(paths)]

    @staticmethod
    def _outer(rows: Sequence[NDArray[np.int64]], bits: int = _STORE_BITS) -> NDArray[np.int64]:
        return np.concatenate([some | number << bits for number, some in enumerate(rows)])


def _inner_rows(rows: NDArray[np.int64] | None, number: int, bits: int = _STORE_BITS) -> NDArray[np.int64] | None:
    return None if rows is None else rows[rows >> bits == number] & (1 << bits) - 1


def _inner(rows: Iterable[int], number: int) -> list[int]:
    return [row & (1 << _STORE_BITS) - 1 for row in rows if row >> _STORE_BITS == number]


class UnionVectors:
    """The nearest of several vector indexes."""

    def __init__(self, indexes: Sequence[Nearest]) -> None:
        self._indexes = indexes

    def nearest(
        self, vector: NDArray[np.float32], limit: int, within: Collection[str] | None = None
    ) -> list[tuple[str, float]]:
        found = chain.from_iterable(index.nearest(vector, limit, within) for index in self._indexes)
        return nlargest(limit, found, key=itemgetter(1))


def unite(areas: Sequence[Area]) -> tuple[SearchStore, Nearest | None]:
    """All of them as one; a single one is itself."""
    vectors = [area.vectors for area in areas if area.vectors is not None]
    if len(areas) == 1:
        return areas[0]
    return UnionStore([area.store for area in areas]), UnionVectors(vectors) if vectors else None

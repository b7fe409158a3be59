"""Searches over notes that are put straight into the record."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from pathlib import Path

from zibaldone.config.settings import ChunkingSettings, RetrievalSettings
from zibaldone.domain.notes import FileStamp, Modality, Origin
from zibaldone.index.vectors import VectorIndex
from zibaldone.inference.roles import Embedder
from zibaldone.ingest.derive import Derived, derive_note
from zibaldone.ingest.publish import publish_vectors
from zibaldone.retrieval.pipeline import search
from zibaldone.retrieval.rank import SearchIndex
from zibaldone.schemas.search import SearchRequest, SearchResponse
from zibaldone.store.cache_db import ContentCache
from zibaldone.store.index_db import IndexStore

TODAY = date(2026, 6, 1)
Find = Callable[..., SearchResponse]


@contextmanager
def index_of(folder: Path, notes: Mapping[str, str], embedder: Embedder) -> Iterator[SearchIndex]:
    """The notes by path, embedded, over real SQLite and real Chroma."""
    store, cache = IndexStore(folder / "index.db"), ContentCache(folder / "cache.db")
    for path, text in notes.items():
        put(store, path, text)
    vectors = VectorIndex(folder / "vectors", embedder.fingerprint)
    asyncio.run(publish_vectors(store, cache, vectors, embedder, report=lambda *_: None, wait_turn=no_turn))
    yield SearchIndex(store, cache, vectors, embedder)
    vectors.close()
    store.close()
    cache.close()


def finder(index: SearchIndex) -> Find:
    def find(query: str, **wanted: object) -> SearchResponse:
        request = SearchRequest.model_validate({"query": query, **wanted})
        return asyncio.run(search(request, index, RetrievalSettings(), TODAY))

    return find


def put(store: IndexStore, path: str, text: str, source_id: str = "") -> None:
    derived = _derive(path, text, source_id)
    store.put_source(derived.source, derived.chunks, derived.links)


def put_commit(store: IndexStore, sha: str, message: str) -> None:
    """One that has nothing but a message."""
    derived = _derive(f"@{sha}", message, "")
    store.put_source(replace(derived.source, modality=Modality.CODE, uri=f"git:repository@{sha}"), derived.chunks, ())


def _derive(path: str, text: str, source_id: str) -> Derived:
    return derive_note(
        path,
        text.encode(),
        FileStamp(1, 1, 1, 1),
        source_id=source_id or path,
        origin=Origin.PERSON,
        first_commit=None,
        settings=ChunkingSettings(),
    )


async def no_turn() -> None: ...


def paths(response: SearchResponse) -> list[str]:
    return [hit.path for hit in response.hits]

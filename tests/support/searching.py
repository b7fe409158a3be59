"""Searches over notes that are put straight into the record."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import date

from zibaldone.config.settings import ChunkingSettings, RetrievalSettings
from zibaldone.domain.notes import FileStamp, Origin
from zibaldone.ingest.derive import derive_note
from zibaldone.retrieval.pipeline import search
from zibaldone.retrieval.rank import SearchIndex
from zibaldone.schemas.search import SearchRequest, SearchResponse
from zibaldone.store.index_db import IndexStore

TODAY = date(2026, 6, 1)
Find = Callable[..., SearchResponse]


def finder(index: SearchIndex) -> Find:
    def find(query: str, **wanted: object) -> SearchResponse:
        request = SearchRequest.model_validate({"query": query, **wanted})
        return asyncio.run(search(request, index, RetrievalSettings(), TODAY))

    return find


def put(store: IndexStore, path: str, text: str, source_id: str = "") -> None:
    derived = derive_note(
        path,
        text.encode(),
        FileStamp(1, 1, 1, 1),
        source_id=source_id or path,
        origin=Origin.PERSON,
        first_commit=None,
        settings=ChunkingSettings(),
    )
    store.put_source(derived.source, derived.chunks, derived.links)


async def no_turn() -> None: ...


def paths(response: SearchResponse) -> list[str]:
    return [hit.path for hit in response.hits]

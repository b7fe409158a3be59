"""Vectors for the chunks that lack one: from the cache, else from the embedder; then into Chroma."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import numpy as np

from zibaldone.index.vectors import VectorIndex
from zibaldone.inference.roles import Embedder
from zibaldone.store.cache_db import ContentCache
from zibaldone.store.index_db import IndexStore, PendingChunk

# Chunks that are published together, and texts that are embedded between two looks at whether a question waits.
PAGE = 64
EMBED_BATCH = 8


async def no_turn() -> None:
    """`wait_turn` where no question goes first: nobody asks, or it is the question itself that needs vectors."""


@dataclass(slots=True)
class Published:
    embedded: int = 0
    cache_hits: int = 0


async def publish_vectors(
    store: IndexStore,
    cache: ContentCache,
    vectors: VectorIndex,
    embedder: Embedder,
    *,
    report: Callable[[int, int], None],
    wait_turn: Callable[[], Awaitable[None]],
) -> Published:
    """Publish until nothing is pending. `report(done, total)` counts chunks; `wait_turn` lets questions go first.

    The model never waits for the disk: what was embedded is stored while the next texts are. A kill loses at most the
    batch that was being computed and the one that was being cached.
    """
    published = Published()
    total = await asyncio.to_thread(store.pending_count)
    done = row = 0
    async with _Behind() as pages:
        await pages.start(_open_index, store, vectors)
        while True:
            page = await asyncio.to_thread(store.pending, PAGE, row)
            if not page:
                await pages.finish()
                row = 0
                page = await asyncio.to_thread(store.pending, PAGE)  # what changed meanwhile
                if not page:
                    return published
            row = page[-1].row
            known = await asyncio.to_thread(cache.get, embedder.fingerprint, [c.embed_hash for c in page])
            published.cache_hits += sum(chunk.embed_hash in known for chunk in page)
            missing = list({c.embed_hash: c for c in page if c.embed_hash not in known}.values())
            async with _Behind() as caching:
                for start in range(0, len(missing), EMBED_BATCH):
                    await wait_turn()
                    batch = missing[start : start + EMBED_BATCH]
                    fresh = await embedder.embed_passages([chunk.embed_text for chunk in batch])
                    hashes = [chunk.embed_hash for chunk in batch]
                    await caching.start(cache.put, embedder.fingerprint, hashes, fresh)
                    known.update(zip(hashes, fresh, strict=True))
                    published.embedded += len(batch)
                    report(done + len(page) - len(missing) + start + len(batch), max(total, done + len(page)))
            await pages.start(_publish_page, store, vectors, page, known)
            done += len(page)
            report(done, max(total, done))


class _Behind:
    """Work in a thread, one after the other, while the caller goes on; leaving the context waits for the last."""

    def __init__(self) -> None:
        self._last: asyncio.Future[None] | None = None

    async def __aenter__(self) -> _Behind:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.finish()

    async def start(self, work: Callable[..., None], *arguments: object) -> None:
        """Begin when what was begun before is done. Raises what that raised."""
        await self.finish()
        self._last = asyncio.ensure_future(asyncio.to_thread(work, *arguments))

    async def finish(self) -> None:
        last, self._last = self._last, None
        if last is not None:
            await last


def _open_index(store: IndexStore, vectors: VectorIndex) -> None:
    """Importing Chroma takes a second, in which the first texts are embedded."""
    _delete_stale(store, vectors)
    notice_loss(store, vectors)


def _publish_page(
    store: IndexStore, vectors: VectorIndex, page: list[PendingChunk], known: dict[str, np.ndarray]
) -> None:
    vectors.upsert([c.id for c in page], np.stack([known[c.embed_hash] for c in page]))
    store.mark_embedded(page)
    _delete_stale(store, vectors)


def _delete_stale(store: IndexStore, vectors: VectorIndex) -> None:
    while stale := store.vector_deletes():
        vectors.delete(stale)
        store.vectors_deleted(stale)


def has_unpublished(store: IndexStore, vectors: VectorIndex | None) -> bool:
    """Chroma is not loaded to find that nothing is to be done; what it lost is noticed when something opens it, or at
    once where vectors are to be kept at another place from now on."""
    unverified = vectors is not None and vectors.is_open and not vectors.is_verified
    return unverified or pending_count(store, vectors) > 0 or bool(store.vector_deletes())


def pending_count(store: IndexStore, vectors: VectorIndex | None) -> int:
    """Chunks that lack a vector; all of them where none was ever kept at its place."""
    return store.chunk_count() if vectors is not None and vectors.is_new else store.pending_count()


def notice_loss(store: IndexStore, vectors: VectorIndex) -> bool:
    """Once after the vector index was opened: where it holds fewer vectors than were acknowledged it was lost or
    damaged, and all are to be published again. Whether that is so."""
    if vectors.is_verified:
        return False
    lost = vectors.count() < store.vector_count()
    if lost:
        store.forget_vectors()
    vectors.is_verified = True
    return lost

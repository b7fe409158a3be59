"""Vectors for the chunks that lack one: from the cache, else from the embedder; then into Chroma."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import numpy as np

from zibaldone.index.vectors import VectorIndex
from zibaldone.inference.roles import Embedder
from zibaldone.store.cache_db import EmbeddingCache
from zibaldone.store.index_db import IndexStore, PendingChunk

# Chunks that are published together, and texts that are embedded between two looks at whether a question waits.
PAGE = 64
EMBED_BATCH = 4


@dataclass(slots=True)
class Published:
    embedded: int = 0
    cache_hits: int = 0


async def publish_vectors(
    store: IndexStore,
    cache: EmbeddingCache,
    vectors: VectorIndex,
    embedder: Embedder,
    *,
    report: Callable[[int, int], None],
    wait_turn: Callable[[], Awaitable[None]],
) -> Published:
    """Publish until nothing is pending. `report(done, total)` counts chunks; `wait_turn` lets questions go first.

    Every embedding is cached at once: a kill loses at most the batch that was being computed.
    """
    published = Published()
    await asyncio.to_thread(_delete_stale, store, vectors)
    await asyncio.to_thread(_check_complete, store, vectors)
    total = await asyncio.to_thread(store.pending_count)
    done = 0
    while page := await asyncio.to_thread(store.pending, PAGE):
        known = await asyncio.to_thread(cache.get, embedder.fingerprint, [c.embed_hash for c in page])
        published.cache_hits += sum(chunk.embed_hash in known for chunk in page)
        missing = list({c.embed_hash: c for c in page if c.embed_hash not in known}.values())
        for start in range(0, len(missing), EMBED_BATCH):
            await wait_turn()
            batch = missing[start : start + EMBED_BATCH]
            fresh = await embedder.embed_passages([chunk.embed_text for chunk in batch])
            hashes = [chunk.embed_hash for chunk in batch]
            await asyncio.to_thread(cache.put, embedder.fingerprint, hashes, fresh)
            known.update(zip(hashes, fresh, strict=True))
            published.embedded += len(batch)
            report(done + len(page) - len(missing) + start + len(batch), max(total, done + len(page)))
        await asyncio.to_thread(_publish_page, store, vectors, page, known)
        done += len(page)
        report(done, max(total, done))
    return published


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


def _check_complete(store: IndexStore, vectors: VectorIndex) -> None:
    """A vector index that holds fewer vectors than were acknowledged was lost or damaged: publish all again."""
    if vectors.count() < store.counts().vectors:
        store.forget_vectors()

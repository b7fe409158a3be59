"""Vectors of texts, from the shared cache or the embedder, in batches between which a question may come."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from hashlib import sha256

import numpy as np

from zibaldone.inference.roles import Embedder, Vectors
from zibaldone.ingest.publish import EMBED_BATCH
from zibaldone.store.cache_db import ContentCache

_HASHES_PER_CALL = 5_000


class TextVectors:
    """`calls` counts batches that the model was given, `known` texts that the cache had."""

    def __init__(self, cache: ContentCache, wait_turn: Callable[[], Awaitable[None]]) -> None:
        self._cache = cache
        self._wait_turn = wait_turn
        self.calls = 0
        self.known = 0

    async def embed(self, texts: Sequence[str], embedder: Embedder) -> Vectors:
        """Shape (len(texts), d), of unit length. Raises what the embedder raises; what was made by then is kept."""
        hashes = [sha256(text.encode()).hexdigest() for text in texts]
        distinct = dict(zip(hashes, texts, strict=True))
        known = await asyncio.to_thread(self._look_up, embedder.fingerprint, list(distinct))
        self.known += len(known)
        missing = [hash_ for hash_ in distinct if hash_ not in known]
        for start in range(0, len(missing), EMBED_BATCH):
            await self._wait_turn()
            batch = missing[start : start + EMBED_BATCH]
            made = await embedder.embed_passages([distinct[hash_] for hash_ in batch])
            self.calls += 1
            await asyncio.to_thread(self._cache.put, embedder.fingerprint, batch, made)
            known.update(zip(batch, made, strict=True))
        if not hashes:
            return np.empty((0, await embedder.dimensions()), np.float32)
        return np.stack([known[hash_] for hash_ in hashes])

    def _look_up(self, fingerprint: str, hashes: list[str]) -> dict[str, Vectors]:
        known: dict[str, Vectors] = {}
        for start in range(0, len(hashes), _HASHES_PER_CALL):
            known |= self._cache.get(fingerprint, hashes[start : start + _HASHES_PER_CALL])
        return known

"""Which questions are broad: by their words, and where those tell nothing by their meaning."""

from __future__ import annotations

import asyncio

from zibaldone.agents.relay.broad import Broad, find_broad
from zibaldone.agents.relay.broad_sense import BroadSense, examples
from zibaldone.errors import ZibaldoneError
from zibaldone.inference.roles import Embedder
from zibaldone.ingest.publish import no_turn
from zibaldone.runtime.hierarchy.vectors import TextVectors
from zibaldone.store.cache_db import ContentCache


class BroadQuestions:
    """Fitted once for an embedder; the vectors of the examples are kept in the shared cache."""

    def __init__(self, cache: ContentCache) -> None:
        self._vectors = TextVectors(cache, no_turn)
        self._fitted: tuple[str, BroadSense] | None = None

    async def find(self, question: str, embedder: Embedder | None, *, has_time: bool) -> Broad | None:
        """As `find_broad`; without an embedder, or where it fails, by the words alone."""
        found = find_broad(question, has_time=has_time)
        if found is not None or embedder is None:
            return found
        try:
            sense = await self.prepare(embedder)
            [vector] = await embedder.embed_passages([question])
        except ZibaldoneError:
            return None
        return await asyncio.to_thread(sense.judge, question, vector, has_time=has_time)

    async def prepare(self, embedder: Embedder) -> BroadSense:
        """Takes seconds where this embedder never saw the examples. Raises what it raises."""
        if self._fitted is None or self._fitted[0] != embedder.fingerprint:
            known = await self._vectors.embed([text for text, _ in examples()], embedder)
            self._fitted = embedder.fingerprint, await asyncio.to_thread(BroadSense, known)
        return self._fitted[1]

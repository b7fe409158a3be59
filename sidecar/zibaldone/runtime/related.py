"""Notes near to a note, by the vectors of its passages: no model is asked.

The vector index proposes what is near to each passage, and the nearest pair of passages counts for a note.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from zibaldone.index.exact import Nearest
from zibaldone.inference.roles import Vectors
from zibaldone.schemas.related import RelatedNote, RelatedNotes
from zibaldone.store.cache_db import ContentCache
from zibaldone.store.index_db import IndexStore

_MOST_PASSAGES = 16  # of the note that are looked around from; of a longer one some of each part
_NEAR = 40  # for each of them


def find_related(
    path: str, k: int, store: IndexStore, cache: ContentCache, vectors: Nearest, fingerprint: str
) -> RelatedNotes:
    """Up to `k` other notes, the nearest first; none while the note itself has no vector."""
    own = store.chunks(store.chunk_ids_of([path]))
    hashes = [chunk.embed_hash for chunk in sorted(own.values(), key=lambda chunk: chunk.row)]
    known = cache.get(fingerprint, sorted(set(hashes)))
    wanted = _spread([known[one] for one in dict.fromkeys(hashes) if one in known])
    if not wanted:
        return RelatedNotes(notes=[], waiting=True)
    near: dict[str, float] = {}
    for vector in wanted:
        for chunk_id, cosine in vectors.nearest(vector, _NEAR + len(own)):
            if chunk_id not in own:
                near[chunk_id] = max(cosine, near.get(chunk_id, -1.0))
    return RelatedNotes(notes=_best_of_each_note(near, k, store))


def _spread(vectors: Sequence[Vectors]) -> list[Vectors]:
    if len(vectors) <= _MOST_PASSAGES:
        return list(vectors)
    places = np.linspace(0, len(vectors) - 1, _MOST_PASSAGES).round().astype(int)
    return [vectors[place] for place in places.tolist()]


def _best_of_each_note(near: dict[str, float], k: int, store: IndexStore) -> list[RelatedNote]:
    chunks = store.chunks(sorted(near))
    found: dict[str, RelatedNote] = {}
    for chunk_id in sorted(chunks, key=lambda one: (-near[one], one)):
        chunk = chunks[chunk_id]
        if chunk.path not in found and len(found) < k:
            found[chunk.path] = RelatedNote(
                path=chunk.path,
                title=chunk.title,
                cosine=round(near[chunk_id], 4),
                line_start=chunk.line_start,
                line_end=chunk.line_end,
                text=chunk.text,
            )
    return list(found.values())

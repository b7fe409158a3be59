"""Notes near to a note, by the vectors of its passages: no model is asked.

The vector index proposes what is near to each passage, in whichever language, and the nearest pair of passages counts
for a note.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from zibaldone.index.exact import Nearest
from zibaldone.inference.roles import Vectors
from zibaldone.retrieval.language_bias import LanguageBiases
from zibaldone.schemas.related import RelatedNote, RelatedNotes
from zibaldone.store.cache_db import ContentCache
from zibaldone.store.index_db import Candidate, IndexStore
from zibaldone.vault.outside import is_outside

_MOST_PASSAGES = 16  # of the note that are looked around from; of a longer one some of each part
_NEAR = 40  # for each of them


def find_related(
    path: str,
    k: int,
    store: IndexStore,
    cache: ContentCache,
    vectors: Nearest,
    fingerprint: str,
    biases: LanguageBiases,
) -> RelatedNotes:
    """Up to `k` other notes, the nearest first; none while the note itself has no vector."""
    bias = biases.find(store, fingerprint)

    def level(passages: Collection[Candidate]) -> dict[str, Vectors]:
        """Their cached vectors by id, without what is of their language."""
        known = cache.get(fingerprint, sorted({one.embed_hash for one in passages}))
        there = [one for one in passages if one.embed_hash in known]
        if not there:
            return {}
        matrix = np.stack([known[one.embed_hash] for one in there])
        if bias:
            matrix = bias.level_passages(matrix, [one.language for one in there])
        return dict(zip([one.id for one in there], matrix, strict=True))

    own = store.candidates(store.chunk_ids_of([path]))
    wanted = _spread(list(level(sorted(own.values(), key=lambda one: one.row)).values()))
    if not wanted:
        return RelatedNotes(notes=[], waiting=True)
    aims = [aim for vector in wanted for aim in (bias.aims(vector) if bias else [vector])]
    proposed = {id_ for aim in aims for id_, _ in vectors.nearest(aim, _NEAR + len(own))} - own.keys()
    found = store.candidates(sorted(proposed)).values()
    others = level([one for one in found if not is_outside(one.path)])  # no commits or conversations: they are no notes
    near = {id_: float(max(np.stack(wanted) @ vector)) for id_, vector in others.items()}
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

"""Pages that are near in meaning: exact cosine of every passage of a page, by the vectors that the cache has.

Exact, and not by the approximate index: what decides whether a page is extended or a second one written must not depend
on which neighbours an index happens to propose, and among the nearest passages of a vault most are of its notes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from zibaldone.errors import InvalidRequest, NotFound
from zibaldone.inference.roles import Embedder, Vectors
from zibaldone.schemas.wiki import SimilarPage, SimilarPages
from zibaldone.store.cache_db import ContentCache
from zibaldone.store.index_db import IndexStore, StoredPassage
from zibaldone.wiki.slug import PAGES, page_path, parse_slug, path_slug

_HASHES_PER_CALL = 5_000


class Neighbours:
    """Cost: the passages of all pages; the person's notes are not looked at."""

    def __init__(self, store: IndexStore, cache: ContentCache, folder: str) -> None:
        self._store = store
        self._cache = cache
        self._folder = folder

    def of_page(self, name: str, embedder: Embedder, k: int) -> SimilarPages:
        """Pages near to a page, that one left out.

        Raises:
            NotFound: there is no such page, or none that is embedded yet.
        """
        slug = parse_slug(name)
        path = page_path(slug, self._folder)
        passages = self._store.passages(f"{self._folder}/{PAGES}")
        vectors = self._vectors(passages, embedder)
        own = [vectors[p.embed_hash] for p in passages if p.path == path and p.embed_hash in vectors]
        if not own:
            raise NotFound(f"No passage of a page {slug} is embedded.", "`zib page list` names the pages; `zib sync`.")
        return self._nearest(np.stack(own), [p for p in passages if p.path != path], vectors, k)

    def of_vector(self, vector: Vectors, embedder: Embedder, k: int) -> SimilarPages:
        """Pages near to a text, given its vector as a passage."""
        passages = self._store.passages(f"{self._folder}/{PAGES}")
        return self._nearest(vector[np.newaxis], passages, self._vectors(passages, embedder), k)

    def _vectors(self, passages: Sequence[StoredPassage], embedder: Embedder) -> dict[str, Vectors]:
        hashes = sorted({passage.embed_hash for passage in passages})
        found: dict[str, Vectors] = {}
        for start in range(0, len(hashes), _HASHES_PER_CALL):
            found |= self._cache.get(embedder.fingerprint, hashes[start : start + _HASHES_PER_CALL])
        return found

    def _nearest(
        self, wanted: Vectors, passages: Sequence[StoredPassage], vectors: dict[str, Vectors], k: int
    ) -> SimilarPages:
        """`wanted` has a vector in each row; the nearest pair of passages counts."""
        known = [passage for passage in passages if passage.embed_hash in vectors]
        waiting = len(passages) - len(known)
        notes = [f"{waiting} passages of pages are not embedded yet: `zib sync` does it."] if waiting else []
        if not known:
            return SimilarPages(pages=[], notes=notes)
        cosines = (np.stack([vectors[passage.embed_hash] for passage in known]) @ wanted.T).max(axis=1)
        best: dict[str, tuple[float, StoredPassage]] = {}
        for passage, cosine in zip(known, cosines.tolist(), strict=True):
            if passage.path not in best or cosine > best[passage.path][0]:
                best[passage.path] = (cosine, passage)
        order = sorted(best.values(), key=lambda one: (-one[0], one[1].path))[:k]
        chunks = {chunk.row: chunk for chunk in self._store.chunks(rows=[one.row for _, one in order]).values()}
        return SimilarPages(
            pages=[
                SimilarPage(
                    slug=path_slug(one.path, self._folder) or one.path,
                    path=one.path,
                    title=chunk.title,
                    cosine=round(cosine, 4),
                    line_start=chunk.line_start,
                    text=chunk.text,
                )
                for cosine, one in order
                if (chunk := chunks.get(one.row))
            ],
            notes=notes,
        )


def one_of(text: str | None, slug: str | None) -> str:
    """What to look for neighbours of. Raises `InvalidRequest` for neither and for both."""
    if bool(text and text.strip()) == bool(slug):
        raise InvalidRequest("Give either a text or the slug of a page.", "`zib similar TEXT`, or --slug.")
    return slug or text or ""

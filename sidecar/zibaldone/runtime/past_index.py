"""Indexes of notes as they were committed: made when asked for, kept by content, the latest few only.

Nothing of them is published to Chroma: a question about the past is rare, so its passages are compared exactly, with
vectors from the cache that all notes share. What did not change since costs no embedding.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import numpy as np

from zibaldone.config.settings import Settings
from zibaldone.domain.notes import FileStamp, Origin
from zibaldone.index.exact import ExactVectors
from zibaldone.inference.roles import Embedder, Vectors
from zibaldone.ingest.derive import MAX_NOTE_BYTES, derive_note, deriver_fingerprint
from zibaldone.ingest.pipeline import free_source_id
from zibaldone.ingest.publish import EMBED_BATCH, PAGE
from zibaldone.retrieval.rank import SearchIndex
from zibaldone.store.cache_db import ContentCache
from zibaldone.store.database import open_or_replace
from zibaldone.store.index_db import VERSION as INDEX_VERSION
from zibaldone.store.index_db import IndexStore
from zibaldone.vault.exclusions import Exclusions
from zibaldone.vault.history.git import Git
from zibaldone.vault.history.past import PastFile, read_blobs
from zibaldone.vault.history.repository import first_commit_dates
from zibaldone.vault.paths import is_markdown, path_problem

T = TypeVar("T")

_KEPT = 6
_READ_TOGETHER = 200
_ALL = 1 << 40


class PastIndexes:
    """Where they are kept (`place`, in the data folder) and what goes in: by the exclusions of now, since what is
    excluded now is not read from the past either."""

    def __init__(
        self, root: Path, place: Path, cache: ContentCache, settings: Settings, exclusions: Callable[[], Exclusions]
    ) -> None:
        self._root = root
        self._place = place
        self._cache = cache
        self._settings = settings
        self._exclusions = exclusions

    @property
    def git(self) -> Git:
        """Raises `GitUnavailable`."""
        return Git(self._root)

    def choose_notes(self, files: Sequence[PastFile]) -> list[PastFile]:
        """The files that are notes and are not excluded."""
        exclusions = self._exclusions()
        return [
            file
            for file in files
            if is_markdown(file.path)
            and not path_problem(file.path)
            and exclusions.reason(file.path) is None
            and file.size <= MAX_NOTE_BYTES
        ]

    def is_own(self, path: str) -> bool:
        return self._exclusions().is_own(path)

    def open(self, notes: Sequence[PastFile], at: datetime) -> IndexStore:
        """The index of notes (one of each path) as they were at a time; the caller closes it. Blocks for the disk.

        Raises:
            GitUnavailable: git fails.
        """
        self._place.mkdir(mode=0o700, exist_ok=True)
        made_by = f"{deriver_fingerprint(self._settings.chunking)}/index{INDEX_VERSION}"
        stated = "\n".join([made_by, at.isoformat(), *map(repr, notes)])
        path = self._place / f"{hashlib.sha256(stated.encode('utf-8', 'replace')).hexdigest()[:32]}.db"
        if path.exists():
            os.utime(path)
        else:
            self._build(path, notes, at)
        for old in sorted(self._place.glob("*.db"), key=lambda one: one.stat().st_mtime_ns)[:-_KEPT]:
            with contextlib.suppress(OSError):  # somebody reads it
                old.unlink()
        return open_or_replace(IndexStore, path)

    async def search_index(self, store: IndexStore, embedder: Embedder | None) -> SearchIndex:
        """What a search needs; passages whose vector is not in the cache are embedded first."""
        if embedder is None:
            return SearchIndex(store, self._cache, None, None)
        passages = await asyncio.to_thread(store.passages)
        vectors = await asyncio.to_thread(self._cached, embedder, [passage.embed_hash for passage in passages])
        missing = list({one.embed_hash: one.row for one in passages if one.embed_hash not in vectors}.values())
        for rows in _batches(missing, PAGE):
            chunks = await asyncio.to_thread(store.chunks, rows=rows)
            vectors |= await self.embed({chunk.embed_hash: chunk.embed_text for chunk in chunks.values()}, embedder)
        matrix = np.stack([vectors[one.embed_hash] for one in passages]) if passages else np.zeros((0, 1), np.float32)
        return SearchIndex(store, self._cache, ExactVectors([one.id for one in passages], matrix), embedder)

    async def embed(self, texts: Mapping[str, str], embedder: Embedder) -> dict[str, Vectors]:
        """A vector for each text, by the hash that it is given under; from the cache where it is there."""
        vectors = await asyncio.to_thread(self._cached, embedder, list(texts))
        for some in _batches([hash_ for hash_ in texts if hash_ not in vectors], EMBED_BATCH):
            fresh = await embedder.embed_passages([texts[hash_] for hash_ in some])
            await asyncio.to_thread(self._cache.put, embedder.fingerprint, some, fresh)
            vectors.update(zip(some, fresh, strict=True))
        return vectors

    def _cached(self, embedder: Embedder, hashes: Sequence[str]) -> dict[str, Vectors]:
        vectors: dict[str, Vectors] = {}
        for some in _batches(hashes, _READ_TOGETHER):
            vectors.update(self._cache.get(embedder.fingerprint, some))
        return vectors

    def _build(self, path: Path, notes: Sequence[PastFile], at: datetime) -> None:
        """In a folder of its own until it is whole."""
        git = self.git
        dates = first_commit_dates(git, [note.path for note in notes])
        exclusions = self._exclusions()
        with TemporaryDirectory(dir=self._place) as folder:
            built = Path(folder) / path.name
            store = IndexStore(built)
            try:
                for some in _batches(notes, _READ_TOGETHER):
                    blobs = read_blobs(git, [note.blob for note in some])
                    for note in some:
                        derived = derive_note(
                            note.path,
                            blobs.get(note.blob, b""),
                            FileStamp(note.size, int(at.timestamp() * 1e9), 0, 0),
                            source_id=free_source_id(note.path, store),
                            origin=Origin.AGENT if exclusions.is_own(note.path) else Origin.PERSON,
                            first_commit=dates.get(note.path),
                            settings=self._settings.chunking,
                        )
                        store.put_source(derived.source, derived.chunks, derived.links)
                store.mark_embedded(store.pending(_ALL))  # none waits for a sync: see `search_index`
            finally:
                store.close()
            built.replace(path)


def _batches(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]

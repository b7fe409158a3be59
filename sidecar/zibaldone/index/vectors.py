"""Nearest chunks by cosine. Holds ids and our own vectors; text, filters and dates stay in SQLite.

Chroma's own embedding function is never used (it would try to download a model), its telemetry is off, and it reads no
`.env` of the folder that it is started in, which may be the vault.
Not safe for two processes on one folder: the vault's owner is the only one that opens it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import struct
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from math import ceil
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zibaldone.index import server
from zibaldone.index.exact import ExactVectors

_BATCH = 256
# How many candidates the graph is searched with (ARCHITECTURE.md, "Nearly exact"); it holds from the next opening on.
_EF_SEARCH = 300
# Among so few allowed ids the nearest are computed. For more than that, so many times as many of all are looked through
# as would hold enough of them on average; and so many times more again when they did not.
_COMPUTED = 1000
_SPARE = 1.5
_WIDER = 8


class VectorIndex:
    """Vectors of one embedder (`fingerprint`). Opened on first use; a damaged folder is set aside and made anew.

    Vectors that are lost by that are missed by `ingest.publish`, which counts them, and published again.

    Args:
        folder: where they are kept, or what is known of the server that keeps them.
        url: of a Chroma server. Where it cannot be used, all but `close` raise `VectorServerFailed`.
    """

    def __init__(self, folder: Path, fingerprint: str, url: str = "") -> None:
        self._folder = folder
        self._url = url
        self._name = f"chunks-{fingerprint}"
        self._lock = RLock()
        self._client: Any = None
        self._collection: Any = None
        # Whether somebody compared the number of vectors with the record since the folder was opened.
        self.is_verified = False

    @property
    def is_open(self) -> bool:
        return self._collection is not None

    @property
    def is_new(self) -> bool:
        """Whether nothing was ever kept where vectors are to be now."""
        return not server.is_kept(self._folder, self._url)

    def upsert(self, ids: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Publish vectors (shape (len(ids), dimensions), unit length); acknowledged when this returns."""
        with self._using() as collection:
            for start in range(0, len(ids), _BATCH):
                part = slice(start, start + _BATCH)
                collection.upsert(ids=list(ids[part]), embeddings=vectors[part])

    def delete(self, ids: Sequence[str]) -> None:
        with self._using() as collection:
            for start in range(0, len(ids), _BATCH):
                collection.delete(ids=list(ids[start : start + _BATCH]))

    def nearest(
        self, vector: NDArray[np.float32], limit: int, within: Collection[str] | None = None
    ) -> list[tuple[str, float]]:
        """Up to `limit` chunk ids with their cosine, best first; of those in `within` where it is given."""
        with self._using() as collection:
            if within is None:
                return _query(collection, vector, limit)
            return _query_within(collection, vector, limit, frozenset(within))

    def count(self) -> int:
        with self._using() as collection:
            return int(collection.count())

    def close(self) -> None:
        with self._lock:
            if self._client is not None:
                self._client.close()
            self._client = self._collection = None
            self.is_verified = False
            _clear_unused(self._folder)

    @contextmanager
    def _using(self) -> Iterator[Any]:
        with self._lock:
            try:
                yield self._open()
            except Exception as error:
                if not self._url:
                    raise
                self.close()  # it may come back empty
                raise server.describe_failure(self._url, error) from error

    def _open(self) -> Any:
        if self._collection is None:
            try:
                self._connect()
            except Exception:
                if self._url:
                    raise
                self._set_aside()  # whatever Chroma makes of a damaged folder, the cure is the same
                self._connect()
        return self._collection

    def _connect(self) -> None:
        there = server.connect(self._url) if self._url else None  # before anything is dropped
        server.move_in(self._folder, self._url)
        self._client = there or _open_folder(self._folder)
        prefix = server.name_prefix(self._folder)
        for other in self._client.list_collections():
            if other.name.startswith(prefix) and other.name != prefix + self._name:
                self._client.delete_collection(other.name)
        wanted = {"space": "cosine", "ef_search": _EF_SEARCH}
        collection = self._client.get_or_create_collection(
            prefix + self._name, embedding_function=None, configuration={"hnsw": wanted}
        )
        if collection.configuration_json["hnsw"]["ef_search"] != _EF_SEARCH:  # made by an older version
            collection.modify(configuration={"hnsw": {"ef_search": _EF_SEARCH}})
        self._collection = collection

    def _set_aside(self) -> None:
        from chromadb.api.shared_system_client import SharedSystemClient

        SharedSystemClient.clear_system_cache()
        damaged = self._folder.with_name(f"{self._folder.name}.damaged")
        shutil.rmtree(damaged, ignore_errors=True)
        self._folder.rename(damaged)


def _open_folder(folder: Path) -> Any:
    import chromadb
    from chromadb.config import Settings

    settings = Settings(_env_file=None, anonymized_telemetry=False, allow_reset=False)
    return chromadb.PersistentClient(path=str(folder), settings=settings)


def _clear_unused(folder: Path) -> None:
    """Take what is no vector out of the files of the graph.

    A new one has room for 100 vectors, which Chroma never wrote to: whatever was in memory stands there, texts too. The
    layout is hnswlib's: version, offset, capacity, count, size of an element, ...
    """
    for file in folder.glob("*/data_level0.bin"):
        with contextlib.suppress(OSError, struct.error):  # damaged: that is for the next opening
            header = file.with_name("header.bin").read_bytes()
            _, _, _, count, size = struct.unpack_from("<i4Q", header)
            full = file.stat().st_size
            if count * size < full:
                os.truncate(file, count * size)
                os.truncate(file, full)


def _query(collection: Any, vector: NDArray[np.float32], limit: int) -> list[tuple[str, float]]:
    found = collection.query(query_embeddings=[vector], n_results=limit, include=["distances"])
    return [(id_, 1.0 - d) for id_, d in zip(found["ids"][0], found["distances"][0], strict=True)]


def _query_within(
    collection: Any, vector: NDArray[np.float32], limit: int, allowed: frozenset[str]
) -> list[tuple[str, float]]:
    """Computed among few ids, else looked for among ever more of the nearest.

    Chroma's own restriction to ids is no faster on the whole, and fails where one is not there (ARCHITECTURE.md).
    """
    if len(allowed) <= _COMPUTED:
        there = collection.get(ids=list(allowed), include=["embeddings"]) if allowed else {"ids": []}
        return ExactVectors(there["ids"], there["embeddings"]).nearest(vector, limit) if there["ids"] else []
    size = collection.count()
    depth = max(limit, ceil(_SPARE * limit * size / len(allowed)))
    while True:
        found = [one for one in _query(collection, vector, depth) if one[0] in allowed][:limit]
        if len(found) == limit or depth >= size:
            return found
        depth *= _WIDER

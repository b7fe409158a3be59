"""Nearest chunks by cosine. Holds ids and our own vectors; text, filters and dates stay in SQLite.

Chroma's own embedding function is never used (it would try to download a model) and its telemetry is off.
Not safe for two processes on one folder: the vault's owner is the only one that opens it.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import NDArray

_BATCH = 256


class VectorIndex:
    """Vectors of one embedder (`fingerprint`). Opened on first use; a damaged folder is set aside and made anew.

    Vectors that are lost by that are missed by `ingest.publish`, which counts them, and published again.
    """

    def __init__(self, folder: Path, fingerprint: str) -> None:
        self._folder = folder
        self._name = f"chunks-{fingerprint}"
        self._lock = RLock()
        self._client: Any = None
        self._collection: Any = None
        # Whether somebody compared the number of vectors with the record since the folder was opened.
        self.is_verified = False

    @property
    def is_open(self) -> bool:
        return self._collection is not None

    def upsert(self, ids: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Publish vectors (shape (len(ids), dimensions), unit length); acknowledged when this returns."""
        with self._lock:
            collection = self._open()
            for start in range(0, len(ids), _BATCH):
                part = slice(start, start + _BATCH)
                collection.upsert(ids=list(ids[part]), embeddings=vectors[part])

    def delete(self, ids: Sequence[str]) -> None:
        with self._lock:
            collection = self._open()
            for start in range(0, len(ids), _BATCH):
                collection.delete(ids=list(ids[start : start + _BATCH]))

    def nearest(self, vector: NDArray[np.float32], limit: int) -> list[tuple[str, float]]:
        """Up to `limit` chunk ids with their cosine, best first."""
        with self._lock:
            collection = self._open()
            found = collection.query(query_embeddings=[vector], n_results=limit, include=["distances"])
            return [(id_, 1.0 - d) for id_, d in zip(found["ids"][0], found["distances"][0], strict=True)]

    def count(self) -> int:
        with self._lock:
            return int(self._open().count())

    def close(self) -> None:
        with self._lock:
            self._client = self._collection = None
            self.is_verified = False

    def _open(self) -> Any:
        if self._collection is None:
            try:
                self._connect()
            except Exception:  # noqa: BLE001 - whatever Chroma makes of a damaged folder, the cure is the same
                self._set_aside()
                self._connect()
        return self._collection

    def _connect(self) -> None:
        import chromadb
        from chromadb.config import Settings

        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        settings = Settings(anonymized_telemetry=False, allow_reset=False)
        self._client = chromadb.PersistentClient(path=str(self._folder), settings=settings)
        for other in self._client.list_collections():
            if other.name != self._name:
                self._client.delete_collection(other.name)
        self._collection = self._make_collection()

    def _make_collection(self) -> Any:
        return self._client.get_or_create_collection(
            self._name, embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
        )

    def _set_aside(self) -> None:
        from chromadb.api.shared_system_client import SharedSystemClient

        SharedSystemClient.clear_system_cache()
        damaged = self._folder.with_name(f"{self._folder.name}.damaged")
        shutil.rmtree(damaged, ignore_errors=True)
        self._folder.rename(damaged)

"""The cache of embeddings."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np

from zibaldone.store.cache_db import ContentCache


def test_vectors_come_back_by_model_and_text(tmp_path: Path) -> None:
    vectors = np.eye(3, dtype=np.float32)
    with closing(ContentCache(tmp_path / "cache.db")) as cache:
        cache.put("model", ["a", "b", "c"], vectors)
        cache.put("other", ["a"], -vectors[:1])
        found = cache.get("model", ["a", "c", "unknown"])
    assert {key: list(vector) for key, vector in found.items()} == {"a": [1, 0, 0], "c": [0, 0, 1]}


def test_what_was_cached_before_is_not_embedded_again(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "cache.db")) as database:
        database.executescript(
            "CREATE TABLE embeddings(fingerprint TEXT NOT NULL, embed_hash TEXT NOT NULL, vector BLOB NOT NULL,"
            " PRIMARY KEY (fingerprint, embed_hash)) WITHOUT ROWID; PRAGMA user_version = 1;"
        )
        database.execute("INSERT INTO embeddings VALUES ('model', 'a', ?)", (np.ones(2, "<f4").tobytes(),))
        database.commit()
    with closing(ContentCache(tmp_path / "cache.db")) as cache:
        assert list(cache.get("model", ["a"])["a"]) == [1, 1]

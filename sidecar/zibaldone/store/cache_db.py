"""What was computed from content, shared by all vaults: touching, moving, cloning or rebuilding computes none of it
again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zibaldone.store.database import Database

VERSION = 3
# With row ids: a vector fills a third of a page, and a tree of such rows has two branches to a node.
_EMBEDDINGS = """
CREATE TABLE embeddings(
    fingerprint TEXT NOT NULL, embed_hash TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (fingerprint, embed_hash)
);
"""
_DOCUMENTS = """
CREATE TABLE documents(
    reader TEXT NOT NULL, sha256 TEXT NOT NULL, document TEXT NOT NULL, PRIMARY KEY (reader, sha256)
);
"""
_SCHEMA = _EMBEDDINGS + _DOCUMENTS
_MIGRATIONS = {
    1: f"""
ALTER TABLE embeddings RENAME TO before;
{_EMBEDDINGS}
INSERT INTO embeddings SELECT * FROM before;
DROP TABLE before;
""",
    2: _DOCUMENTS,
}


class ContentCache:
    """Vectors by (embedder fingerprint, SHA-256 of the embedded text): float32, little endian, unit length. What was
    read out of a file, as JSON, by (reader with its version, SHA-256 of the file); what a chat model answered, by
    (`answer:MODEL`, SHA-256 of the prompt)."""

    def __init__(self, path: Path) -> None:
        self._db = Database(path, _SCHEMA, VERSION, durable=False, migrations=_MIGRATIONS)

    def get(self, fingerprint: str, hashes: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        if not hashes:
            return {}
        marks = ", ".join("?" for _ in hashes)
        rows = self._db.rows(
            f"SELECT embed_hash, vector FROM embeddings WHERE fingerprint = ? AND embed_hash IN ({marks})",
            (fingerprint, *hashes),
        )
        return {row["embed_hash"]: np.frombuffer(row["vector"], dtype="<f4") for row in rows}

    def put(self, fingerprint: str, hashes: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Remember `vectors` (shape (len(hashes), dimensions)) at once, so that a kill loses none of them."""
        with self._db.transaction() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO embeddings VALUES (?, ?, ?)",
                [(fingerprint, h, v.astype("<f4").tobytes()) for h, v in zip(hashes, vectors, strict=True)],
            )

    def drop(self, hashes: Sequence[str]) -> None:
        """Forget the vectors of these texts, of every embedder."""
        with self._db.transaction() as connection:
            connection.executemany("DELETE FROM embeddings WHERE embed_hash = ?", [(hash_,) for hash_ in hashes])

    def get_document(self, reader: str, sha256: str) -> str | None:
        rows = self._db.rows("SELECT document FROM documents WHERE reader = ? AND sha256 = ?", (reader, sha256))
        return str(rows[0]["document"]) if rows else None

    def put_document(self, reader: str, sha256: str, document: str) -> None:
        with self._db.transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO documents VALUES (?, ?, ?)", (reader, sha256, document))

    def drop_answers(self) -> None:
        """Forget what chat models answered (readers named `answer:MODEL`); nothing of it stays in the file."""
        with self._db.transaction() as connection:
            dropped = connection.execute("DELETE FROM documents WHERE reader LIKE 'answer:%'").rowcount
        if dropped:
            self._db.compact()

    def close(self) -> None:
        self._db.close()

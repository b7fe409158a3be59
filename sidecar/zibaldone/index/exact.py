"""Nearest chunks by exact cosine, in memory: for a few thousand chunks that are asked about once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Nearest(Protocol):
    """What a search asks of a vector index."""

    def nearest(self, vector: NDArray[np.float32], limit: int) -> list[tuple[str, float]]:
        """Up to `limit` chunk ids with their cosine, best first."""
        ...


class ExactVectors:
    """`vectors` has shape (len(ids), dimensions), each of unit length."""

    def __init__(self, ids: Sequence[str], vectors: NDArray[np.float32]) -> None:
        self._ids = ids
        self._vectors = vectors

    def nearest(self, vector: NDArray[np.float32], limit: int) -> list[tuple[str, float]]:
        if not self._ids:
            return []
        cosines = self._vectors @ vector
        best = np.argsort(-cosines, kind="stable")[:limit]
        return [(self._ids[at], float(cosines[at])) for at in best]

"""Nearest chunks by exact cosine, in memory: for a few thousand chunks that are asked about once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import islice
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Nearest(Protocol):
    """What a search asks of a vector index."""

    def nearest(
        self, vector: NDArray[np.float32], limit: int, within: Collection[str] | None = None
    ) -> list[tuple[str, float]]:
        """Up to `limit` chunk ids with their cosine, best first; of those in `within` where it is given."""
        ...


class ExactVectors:
    """`vectors` has shape (len(ids), dimensions), each of unit length."""

    def __init__(self, ids: Sequence[str], vectors: NDArray[np.float32]) -> None:
        self._ids = ids
        self._vectors = vectors

    def nearest(
        self, vector: NDArray[np.float32], limit: int, within: Collection[str] | None = None
    ) -> list[tuple[str, float]]:
        if not self._ids:
            return []
        cosines = self._vectors @ vector
        order = np.argsort(-cosines, kind="stable")
        allowed = None if within is None else frozenset(within)
        best = (at for at in order if allowed is None or self._ids[at] in allowed)
        return [(self._ids[at], float(cosines[at])) for at in islice(best, limit)]


# Instead of an index that cannot be asked now.
NOTHING_NEAR = ExactVectors((), np.zeros((0, 1), np.float32))

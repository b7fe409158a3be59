"""What all that compares vectors shares. Pure."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_SMALLEST = 1e-9


def unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Of unit length along the last axis, zeros where there is nothing."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, _SMALLEST), dtype=np.float32)

"""A classifier of vectors from few labelled examples. Pure.

Kernel ridge regression of the labels (a radial kernel over the vectors), made into probabilities by a logistic scale
that is fitted to the leave-one-out predictions: so a probability is as sure as the examples have been of each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

# The kernel's width, in mean squared distances from the centre, and the ridge, in its mean diagonal: by ten-fold
# cross-validation on the examples of the memory of the person.
_WIDTH, _RIDGE = 1.0, 0.1
_SCALES = np.geomspace(1.0, 30.0, 60)

Scores = NDArray[np.float64]
L = TypeVar("L", bound=str)


@dataclass(frozen=True)
class Classifier(Generic[L]):
    """Made by `fit_classifier`. `vectors` of shape (examples, dimensions), `weights` of shape (examples, labels)."""

    labels: tuple[L, ...]
    vectors: Scores
    weights: Scores
    width: float
    scale: float

    def probabilities(self, vector: NDArray[np.floating[Any]]) -> dict[L, float]:
        """Of each label; they add up to 1."""
        near = _kernel(np.asarray(vector, float)[None], self.vectors, self.width)
        scores = near @ self.weights + 1 / len(self.labels)
        return dict(zip(self.labels, _softmax(self.scale * scores)[0].tolist(), strict=True))


def fit_classifier(vectors: NDArray[np.floating[Any]], given: Sequence[L], balance: float = 1.0) -> Classifier[L]:
    """From examples: `vectors` of shape (examples, dimensions), and the label of each.

    `balance` 1 lets each label count the same, 0 each example, so that a label with many examples is likelier.
    """
    points = np.asarray(vectors, float)
    names = tuple(dict.fromkeys(given))
    labels = np.array([names.index(label) for label in given])
    targets = np.eye(len(names))[labels] - 1 / len(names)
    weight = np.bincount(labels, minlength=len(names))[labels] ** -balance
    root = np.sqrt(weight)[:, None]
    width = float(((points - points.mean(axis=0)) ** 2).sum(axis=1).mean()) / _WIDTH
    kernel = _kernel(points, points, width)
    inverse = np.linalg.inv(root * kernel * root.T + _RIDGE * np.mean(root**2) * np.eye(len(points)))
    dual = inverse @ (targets * root)
    # What each example would have been called without itself (the closed form of leaving one out).
    left_out = targets - dual / np.diag(inverse)[:, None] / root
    loss = [-np.log(_softmax(scale * left_out)[np.arange(len(labels)), labels] + 1e-12).mean() for scale in _SCALES]
    return Classifier(names, points, dual * root, width, float(_SCALES[int(np.argmin(loss))]))


def _kernel(left: Scores, right: Scores, width: float) -> Scores:
    distance = (left**2).sum(axis=1)[:, None] + (right**2).sum(axis=1) - 2 * left @ right.T
    return np.asarray(np.exp(-distance / width))


def _softmax(scores: Scores) -> Scores:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))

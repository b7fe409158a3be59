"""Vectors without what they owe to the language."""

from __future__ import annotations

import numpy as np
import pytest

from zibaldone.profile.likeness import find_centres, worth_comparing

# Made so that the first axis is the language, the others the matter.
_ENGLISH, _GERMAN = "I have a cat that is {}", "Ich habe eine Katze, die ist {}"


def test_the_same_matter_is_the_nearest_in_another_language() -> None:
    texts = [form.format(n) for form in (_ENGLISH, _GERMAN) for n in range(20)]
    matter = np.random.default_rng(1).normal(size=(20, 8))
    vectors = np.concatenate([np.insert(matter, 0, side, axis=1) for side in (9.0, -9.0)])
    centres = find_centres(texts, vectors)
    placed = np.stack([centres.place(text, vector) for text, vector in zip(texts, vectors, strict=True)])
    assert np.argmax(placed[:20] @ placed[20:].T, axis=1).tolist() == [*range(20)]
    assert np.linalg.norm(placed, axis=1) == pytest.approx(1)
    plain = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    assert (plain[:20] @ plain[20:].T).max() < (plain[:20] @ plain[:20].T).min()


def test_a_language_of_few_texts_is_placed_by_all() -> None:
    vectors = np.array([[1.0, 0.0], [0.0, 1.0]])
    centres = find_centres(["I have a cat", "Ich habe eine Katze"], vectors)
    assert not centres.of
    assert centres.place("???", np.array([0.5, 0.5])).tolist() == [0, 0]
    assert centres.place("Ich habe eine Katze", vectors[1]) == pytest.approx(np.array([-1, 1]) / np.sqrt(2))


def test_what_is_about_the_same_is_compared_first() -> None:
    assert worth_comparing(np.array(0.2), np.array(0.9)) > worth_comparing(np.array(0.4), np.array(0.0))

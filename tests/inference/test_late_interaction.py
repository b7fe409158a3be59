"""Scores of passages by their tokens, over vectors made by hand."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from zibaldone.inference.late_interaction import Tokens, score_passages

# In two dimensions beside a third that all share, as a model's vectors do.
DIRECTIONS: Mapping[str, tuple[float, float]] = {
    "ferry": (1, 0),
    "boat": (0.9, 0.1),
    "lunch": (0, 1),
    "the": (0, 0),
    "?": (0.5, 0.5),
}
IDS = {word: number for number, word in enumerate(DIRECTIONS)}


def read(text: str, shared: float = 5.0) -> Tokens:
    words = text.split()
    vectors = np.array([(*DIRECTIONS[word], shared) for word in words], np.float32).reshape(len(words), 3)
    return Tokens(
        np.array([IDS[word] for word in words], np.int32),
        vectors / np.linalg.norm(vectors, axis=1, keepdims=True),
        np.array([word.isalpha() for word in words], bool),
    )


def score(question: str, *passages: str) -> list[float]:
    return score_passages(read(question), [read(passage) for passage in passages])


def test_the_same_word_is_nearest_then_its_like() -> None:
    same, like, other = score("the ferry", "the ferry", "the boat", "the lunch")
    assert same > like > other


def test_what_all_vectors_share_hides_no_difference() -> None:
    near, far = score("ferry", "ferry the", "lunch the")
    assert near - far > 0.5  # their cosines as they are differ by .04


def test_a_word_that_all_passages_hold_counts_next_to_nothing() -> None:
    with_it, without = score("the ferry", "the boat", "the lunch"), score("ferry", "the boat", "the lunch")
    assert with_it[0] - with_it[1] == pytest.approx(without[0] - without[1], rel=0.2)


def test_a_word_that_all_passages_answer_alike_counts_nothing() -> None:
    """ "lunch" is as near to the one as to the other, so only "ferry" is left."""
    assert score("ferry lunch", "ferry lunch", "boat lunch") == pytest.approx(
        score("ferry", "ferry lunch", "boat lunch"), abs=0.02
    )


def test_a_mark_counts_nothing_beside_words() -> None:
    assert score("ferry ?", "ferry", "lunch") == pytest.approx(score("ferry", "ferry", "lunch"))
    assert score("?", "?", "lunch")[0] > score("?", "?", "lunch")[1]


def test_nothing_to_compare() -> None:
    assert score("ferry") == []
    assert score("", "ferry", "lunch") == [0.0, 0.0]
    there, empty = score("ferry", "lunch", "")
    assert there >= empty == -1.0
    assert score("ferry", "", "") == [0.0, 0.0]

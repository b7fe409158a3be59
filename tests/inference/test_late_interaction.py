"""Scores of passages by their tokens, over vectors made by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

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


def in_language(text: str, language: str | None, own: float) -> Tokens:
    """As `read`, with a fourth dimension that a language has for itself."""
    tokens = read(text)
    moved = np.column_stack([tokens.vectors, np.full(len(tokens.ids), own, np.float32)])
    return replace(tokens, vectors=moved / np.linalg.norm(moved, axis=1, keepdims=True), language=language)


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


def test_an_answer_in_another_language_is_not_behind_for_its_language() -> None:
    """All German vectors lie to one side, so what is German is near to a German question whatever it says."""
    passages = [in_language("lunch", "german", 0.3), in_language("the", "german", 0.3)]
    passages += [in_language("ferry", "english", 0.0), in_language("the", "english", 0.0)]
    question = in_language("ferry", "german", 0.3)
    answer = 2
    told = score_passages(question, passages)
    untold = score_passages(replace(question, language=None), [replace(one, language=None) for one in passages])
    assert max(range(4), key=untold.__getitem__) != answer
    assert max(range(4), key=told.__getitem__) == answer


def test_in_one_language_it_makes_no_difference() -> None:
    texts = ("ferry the", "boat lunch", "lunch the")
    one = score_passages(in_language("ferry", "german", 1.0), [in_language(text, "german", 1.0) for text in texts])
    none = score_passages(in_language("ferry", None, 1.0), [in_language(text, None, 1.0) for text in texts])
    assert one == pytest.approx(none)

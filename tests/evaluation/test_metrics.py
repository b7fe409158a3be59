"""The measures, against values worked out by hand."""

from __future__ import annotations

from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zibaldone.evaluation.metrics import measure


def test_a_perfect_ranking_is_one_and_an_empty_one_nothing() -> None:
    grades = {"a": 2, "b": 1}
    assert measure(["a", "b", "x"], grades, [2]) == {"ndcg@2": 1.0, "recall@2": 1.0, "mrr@2": 1.0, "hit@2": 1.0}
    assert measure([], grades, [2]) == {"ndcg@2": 0.0, "recall@2": 0.0, "mrr@2": 0.0, "hit@2": 0.0}


def test_what_stands_lower_counts_less() -> None:
    found = measure(["x", "a", "y", "b"], {"a": 1, "b": 1, "c": 1}, [2, 4])
    assert found["recall@2"] == pytest.approx(1 / 3)
    assert found["recall@4"] == pytest.approx(2 / 3)
    assert found["mrr@4"] == 0.5
    ideal = 1 + 1 / log2(3) + 1 / log2(4)
    assert found["ndcg@4"] == pytest.approx((1 / log2(3) + 1 / log2(5)) / ideal)


def test_what_is_listed_twice_counts_once_at_its_best_rank() -> None:
    grades = {"a": 1, "b": 1}
    assert measure(["x", "a", "x", "a", "a", "b"], grades, [2, 3]) == measure(["x", "a", "b"], grades, [2, 3])
    assert measure(["a", "a", "a"], {"a": 1}, [3]) == {"ndcg@3": 1.0, "recall@3": 1.0, "mrr@3": 1.0, "hit@3": 1.0}


@given(
    st.lists(st.sampled_from("abcdef"), max_size=12),
    st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 3), min_size=1),
    st.integers(1, 12),
)
def test_every_measure_lies_between_0_and_1(ranked: list[str], grades: dict[str, int], k: int) -> None:
    assert all(0 <= value <= 1 + 1e-9 for value in measure(ranked, grades, [k]).values())


def test_a_better_grade_first_is_better() -> None:
    grades = {"a": 3, "b": 1}
    assert measure(["a", "b"], grades, [2])["ndcg@2"] > measure(["b", "a"], grades, [2])["ndcg@2"]

"""Fusion and the gate before the model."""

from __future__ import annotations

import pytest

from zibaldone.errors import InvalidRequest
from zibaldone.retrieval.answerable import Signals, answerable_probability, cover_terms, scale_cosine
from zibaldone.retrieval.fuse import fuse_scores, scale_scores, semantic_share
from zibaldone.retrieval.strategy import Strategy, parse_strategy


def test_scores_are_scaled_to_one() -> None:
    assert scale_scores({"a": 2.0, "b": 4.0, "c": 3.0}) == {"a": 0.0, "b": 1.0, "c": 0.5}
    assert scale_scores({"a": 2.0}) == {"a": 1.0}
    assert scale_scores({}) == {}


def test_words_that_nobody_wrote_move_the_weight_to_meaning() -> None:
    legs = ("bm25", "semantic")
    assert semantic_share(legs, 0.0) > semantic_share(legs, 0.5) > semantic_share(legs, 1.0)
    assert semantic_share(("bm25",), 0.0) == 0.0
    assert semantic_share(("semantic",), 1.0) == 1.0


def test_recency_decides_only_where_it_was_asked_for() -> None:
    def order(profile: str) -> list[str]:
        fused = fuse_scores(
            ["old", "new"],
            {"old": 2.0, "new": 1.9, "_": 0.0},
            {"old": 0.9, "new": 0.88},
            title={},
            recency={"old": 0.0, "new": 1.0},
            share=0.5,
            profile=profile,
        )
        return sorted(fused, key=lambda key: -fused[key][0])

    assert order("balanced") == ["old", "new"]


def test_strategy_names_the_blocks_where_one_is_wrong() -> None:
    assert parse_strategy("BM25 + semantic") == Strategy(("bm25", "semantic"))
    assert parse_strategy("rerank(semantic+bm25)") == Strategy(("semantic", "bm25"), rerank=True)
    with pytest.raises(InvalidRequest, match="magic"):
        parse_strategy("bm25+magic")


def test_a_word_that_the_vault_never_uses_weighs_most() -> None:
    held = frozenset({"cat", "often"})
    rare_missing = cover_terms(held, {"cat": 5, "melatonin": 0}, 100)
    common_missing = cover_terms(held, {"cat": 5, "week": 60}, 100)
    assert rare_missing < common_missing


def test_more_of_either_signal_never_lowers_the_probability() -> None:
    steps = [x / 10 for x in range(11)]
    for coverage in steps:
        row = [answerable_probability(Signals(likeness, coverage, known=1.0)) for likeness in steps]
        assert row == sorted(row)
    words_only = [answerable_probability(Signals(None, coverage, known=1.0)) for coverage in steps]
    assert words_only == sorted(words_only)


def test_cosine_is_placed_in_its_range() -> None:
    assert scale_cosine(0.7, (0.75, 0.95)) == 0.0
    assert scale_cosine(0.85, (0.75, 0.95)) == pytest.approx(0.5)
    assert scale_cosine(0.99, (0.75, 0.95)) == 1.0

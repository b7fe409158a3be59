"""The grammar of a strategy, and that settings are held to it."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zibaldone.config.load import load_settings
from zibaldone.domain.strategy import BLOCKS, LEGS, Strategy, parse_strategy
from zibaldone.errors import InvalidRequest

SUMS = ["+".join(legs) for count in (1, 2, 3, 4) for legs in itertools.permutations(LEGS, count)]


@pytest.mark.parametrize("legs", SUMS)
def test_every_sum_of_legs_alone_and_reranked(legs: str) -> None:
    parts = tuple(legs.split("+"))
    assert parse_strategy(legs) == Strategy(parts)
    assert parse_strategy(f" ReRank ( {legs.upper().replace('+', ' + ')} )\n") == Strategy(parts, rerank=True)


def test_rerank_alone_goes_around_words_and_meaning() -> None:
    assert parse_strategy("rerank") == parse_strategy("rerank(bm25+semantic)")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", 'missing in ""'),
        ("+", "missing"),
        ("bm25++semantic", 'missing in "bm25++semantic"'),
        ("bm25+", 'missing in "bm25+"'),
        ("rerank()", "missing"),
        ("magic", '"magic" is not'),
        ("bm25+reranker", '"reranker" is not'),
        ("bm25,semantic", '"bm25,semantic" is not'),
        ("(bm25)", '"(bm25)" is not'),
        ("semantic+bm25+semantic", '"semantic" comes twice'),
        ("rerank(bm25", "parenthesis"),
        ("rerank bm25)", "parenthesis"),
        ("bm25)", "parenthesis"),
        ("bm25+rerank", '"rerank" stands'),
        ("rerank(bm25)+semantic", '"rerank(bm25)" stands'),
        ("rerank(rerank)", '"rerank" stands'),
        ("rerank(bm25+rerank(semantic))", '"rerank(semantic)" stands'),
    ],
)
def test_what_is_wrong_is_named_and_so_are_the_blocks(text: str, part: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        parse_strategy(text)
    assert part in caught.value.message
    assert f'"{text}"' in caught.value.message
    assert all(block in caught.value.hint for block in BLOCKS)


@given(st.lists(st.sampled_from([*BLOCKS, "+", "(", ")", " ", "x"]), max_size=9).map("".join))
def test_whatever_is_written_is_a_strategy_or_an_error(text: str) -> None:
    try:
        plan = parse_strategy(text)
    except InvalidRequest:
        return
    assert plan.legs
    assert len(set(plan.legs)) == len(plan.legs)
    assert set(plan.legs) <= set(LEGS)


@pytest.mark.parametrize(
    ("text", "embeds", "writes"),
    [
        ("lexical+bm25", False, False),
        ("bm25+semantic", True, False),
        ("rerank(lexical)", True, False),
        ("hyde", True, True),
    ],
)
def test_which_models_it_needs(text: str, embeds: bool, writes: bool) -> None:
    plan = parse_strategy(text)
    assert (plan.embeds, plan.writes) == (embeds, writes)


@pytest.mark.parametrize("key", ["STRATEGY", "ANSWER_STRATEGY"])
def test_a_bad_one_in_the_settings_is_a_warning_and_the_default_counts(key: str) -> None:
    name = f"ZIBALDONE_RETRIEVAL_{key}"
    loaded = load_settings(None, environ={name: "bm25+rerank(semantic)"})
    assert loaded.origins[f"retrieval.{key.lower()}"] == "default"
    [warning] = loaded.warnings
    assert '"rerank(semantic)" stands where only a leg can' in warning
    assert not load_settings(None, environ={name: "Rerank(lexical + hyde)"}).warnings

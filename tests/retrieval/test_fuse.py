"""Fusion and the gate before the model."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from zibaldone.retrieval.answerable import Signals, answerable_probability, scale_cosine
from zibaldone.retrieval.fuse import PROFILES, blend_scores, fuse_scores, scale_scores, semantic_share


def test_scores_are_scaled_to_one() -> None:
    assert scale_scores({"a": 2.0, "b": 4.0, "c": 3.0}) == {"a": 0.0, "b": 1.0, "c": 0.5}
    assert scale_scores({"a": 2.0}) == {"a": 1.0}
    assert scale_scores({}) == {}


def test_words_that_cover_little_and_a_passage_that_stands_out_move_the_weight_to_meaning() -> None:
    balanced = PROFILES["balanced"]
    assert semantic_share(0.0, 0.1, balanced) > semantic_share(0.5, 0.1, balanced) > semantic_share(1.0, 0.1, balanced)
    assert semantic_share(0.5, 0.3, balanced) > semantic_share(0.5, 0.0, balanced)
    assert semantic_share(0.5, 0.1, PROFILES["relevant"]) > semantic_share(0.5, 0.1, balanced)


def test_a_trained_reranker_is_half_of_the_score_whatever_its_scale() -> None:
    assert blend_scores([0.9, 0.5, 0.1], [-8.0, 4.0, -2.0], trained=True) == pytest.approx([0.5, 0.75, 0.25])


def test_another_reranker_counts_as_much_as_it_agrees() -> None:
    before = [0.5, 0.49, 0.3, 0.1]
    agreeing = blend_scores(before, [0.7, 0.9, 0.4, 0.2], trained=False)
    assert agreeing[1] > agreeing[0] > agreeing[2] > agreeing[3]  # two that are close change places
    assert agreeing == pytest.approx(blend_scores(before, [7.0, 9.0, 4.0, 2.0], trained=False))
    assert blend_scores(before, [0.2, 0.4, 0.7, 0.9], trained=False) == pytest.approx(before)  # it contradicts
    assert blend_scores(before, [0.4] * 4, trained=False) == before  # it tells nothing apart
    assert blend_scores([0.4] * 4, before, trained=False) == [0.4] * 4


def test_where_words_tell_little_a_reranker_counts_more() -> None:
    before, judged = [0.9, 0.7, 0.4, 0.2], [0.2, 0.4, 0.7, 0.9]
    assert blend_scores(before, judged, trained=False, coverage=0.4) == pytest.approx(before)
    little = blend_scores(before, judged, trained=False, coverage=0.1)
    nothing = blend_scores(before, judged, trained=False, coverage=0.0)
    assert before[0] - before[3] > little[0] - little[3] > nothing[0] - nothing[3]


@pytest.mark.parametrize("legs", ["bm25", "semantic"])
def test_a_leg_alone_is_ranked_by_itself(legs: str) -> None:
    fused = fuse(bm25={"old": 1.0, "new": 2.0} if legs == "bm25" else {}, near={} if legs == "bm25" else NEAR)
    assert max(fused, key=fused.__getitem__) == ("new" if legs == "bm25" else "old")


def test_recency_decides_only_where_it_was_asked_for() -> None:
    assert order(fuse(profile="balanced")) == ["old", "new"]
    assert order(fuse(profile="recent")) == ["new", "old"]
    assert order(fuse(profile="balanced", latest=True)) == ["new", "old"]


def test_a_new_note_that_does_not_answer_never_beats_an_old_one_that_does() -> None:
    bm25, near = {"old": 2.0, "new": 1.4, "_": 0.0}, {"old": 0.9, "new": 0.86, "_": 0.8}
    assert order(fuse(bm25=bm25, near=near, profile="balanced"))[0] == "old"


def test_title_and_usage_count_in_their_profile() -> None:
    assert order(fuse(title={"new": 1.0}, near=NEAR, bm25={"old": 2.0, "new": 1.97, "_": 0.0}))[0] == "new"
    assert order(fuse(profile="usage", usage={"new": 1.0}))[0] == "new"


def test_a_passage_in_another_language_is_not_held_to_the_words_of_the_question() -> None:
    bm25, near = {"new": 1.0}, {"old": 0.9, "new": 0.86, "_": 0.8}
    assert order(fuse(bm25=bm25, near=near))[0] == "new"
    assert order(fuse(bm25=bm25, near=near, foreign={"old"}))[0] == "old"
    assert (
        order(fuse(bm25={"new": 1.0}, near=NEAR | {"new": 0.9}, foreign={"old"}))[0] == "new"
    )  # as near, and in words


NEAR = {"old": 0.9, "new": 0.89, "_": 0.8}


def order(fused: dict[str, float]) -> list[str]:
    return [key for key in sorted(fused, key=lambda key: -fused[key]) if key != "_"]


def fuse(
    bm25: dict[str, float] = {"old": 2.0, "new": 1.9, "_": 0.0},  # noqa: B006 - only read
    near: dict[str, float] = NEAR,
    profile: str = "balanced",
    *,
    title: dict[str, float] | None = None,
    usage: dict[str, float] | None = None,
    latest: bool = False,
    foreign: Collection[str] = (),
) -> dict[str, float]:
    fused = fuse_scores(
        ["old", "new", "_"],
        ({}, bm25),
        near,
        share=0.5 if bm25 and near else float(bool(near)),
        profile=PROFILES[profile],
        title=title or {},
        recency={"new": 1.0},
        usage=usage or {},
        latest=latest,
        foreign=foreign,
    )
    return {key: score for key, (score, _) in fused.items()}


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

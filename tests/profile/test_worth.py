"""Whether a statement is worth keeping, by its vector and by what a chat model thinks; what of a model is no answer."""

from __future__ import annotations

from math import inf, nan

import pytest

from zibaldone.errors import ModelFailed
from zibaldone.profile.probe import NEARNESS_PROBE, RELATION_PROBES, WORTH_PROBES, check_probe
from zibaldone.profile.worth import VERDICTS, ask_worth, confidence, is_doubtful, is_worth, log_odds, weigh


def test_the_prompt_ends_with_the_statement_and_begins_alike_for_all() -> None:
    one, other = ask_worth("I have two cats."), ask_worth("nice")
    assert (one[:-1], one[-1].role, one[-1].content) == (other[:-1], "user", "I have two cats.")
    assert {message.content for message in one if message.role == "assistant"} == set(VERDICTS)


def test_log_odds_are_those_of_yes() -> None:
    assert log_odds([-0.1, -2.5]) == pytest.approx(2.4)
    assert log_odds([0.0, -9.0]) == 9


@pytest.mark.parametrize(
    "scores",
    [[], [-1.0], [-1.0, -1.0, -1.0], [nan, -1.0], [-1.0, nan], [inf, -1.0], [-1.0, -inf], [0.5, -1.0], [1e308, -1e308]],
)
def test_what_is_no_pair_of_log_probabilities_is_no_answer(scores: list[float]) -> None:
    with pytest.raises(ModelFailed):
        log_odds(scores)


def test_both_are_weighed() -> None:
    assert weigh(0.5, 0.0) == pytest.approx(0.0)
    assert weigh(0.9, 1.0) > weigh(0.9, 0.0) > weigh(0.5, 0.0) > weigh(0.5, -1.0)
    assert weigh(1.0, 0.0) == weigh(2.0, 0.0) == pytest.approx(-weigh(0.0, 0.0))  # never beyond doubt
    assert weigh(nan, 0.0) < 0
    assert is_worth(weigh(0.9, 0.0))
    assert not is_worth(weigh(0.9, -2.0))


def test_a_statement_is_kept_or_doubtful_or_neither() -> None:
    for tenths in range(-60, 61):
        assert is_worth(tenths / 10) + is_doubtful(tenths / 10) <= 1
    assert (is_worth(3.0), is_doubtful(-0.5), is_doubtful(-3.0), is_worth(nan), is_doubtful(nan)) == (
        True, True, False, False, False
    )  # fmt: skip


def test_confidence_is_bounded() -> None:
    assert [confidence(value) for value in (-50.0, 0.0, 50.0)] == [0.5, 0.5, 0.95]
    assert confidence(1.5) == pytest.approx(0.818, abs=0.001)


def test_a_model_has_to_tell_what_is_known() -> None:
    check_probe(0.5, -3.0)
    check_probe(-4.0, -5.0)  # it leans to No, and tells them apart
    for likely, unlikely in ((0.0, 0.0), (-1.0, 1.0), (nan, 0.0), (0.0, nan)):
        with pytest.raises(ModelFailed, match="does not tell statements apart"):
            check_probe(likely, unlikely)
    prompts = [prompt for probe in (*WORTH_PROBES, *RELATION_PROBES) for prompt in probe]
    assert len({tuple(prompt) for prompt in prompts}) == len(prompts)
    assert len(NEARNESS_PROBE) == 3

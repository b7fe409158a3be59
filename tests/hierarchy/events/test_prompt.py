from __future__ import annotations

import math

import pytest

from zibaldone.hierarchy.events.prompt import LABELS, event_messages, is_doubtful, weigh_verdict
from zibaldone.hierarchy.events.sentences import read_sentences
from zibaldone.hierarchy.events.shapes import KINDS, NONE
from zibaldone.inference.fake import FakeChat


def opinion(told: float) -> dict[str, float]:
    return {kind: 1 - told if kind == NONE else told / 6 for kind in KINDS}


def test_only_what_is_in_doubt_is_asked() -> None:
    assert [is_doubtful(opinion(told)) for told in (0.01, 0.4, 0.7, 0.99)] == [False, True, True, False]


async def test_the_model_says_yes_or_no_and_the_kinds_keep_their_shares() -> None:
    [sentence] = read_sentences(["The radio is back in the kitchen."])
    chat = FakeChat(scores=lambda messages, labels: [math.log(0.9), math.log(0.1)])
    scores = await chat.score_labels(event_messages(sentence), LABELS)
    before, after = opinion(0.4), weigh_verdict(opinion(0.4), scores)
    assert chat.prompts[0][-1].content == "The radio is back in the kitchen."
    assert after[NONE] < before[NONE] and sum(after.values()) == pytest.approx(1)
    assert after["fix"] / after["task"] == pytest.approx(before["fix"] / before["task"])
    assert weigh_verdict(before, [math.log(0.1), math.log(0.9)])[NONE] > before[NONE]

from __future__ import annotations

from collections.abc import Sequence
from math import log

import pytest

from zibaldone.inference.fake import FakeChat, FakeEmbedder
from zibaldone.inference.roles import Message, Reranker
from zibaldone.retrieval.rerankers import LateInteraction, YesOrNo

QUERY = "When does the ferry to Corsica leave?"
PASSAGES = ["The ferry to Corsica leaves at nine.", "We had lunch.", "The ferry was late."]


async def test_late_interaction_is_the_embedding_model_s_comparison() -> None:
    embedder = FakeEmbedder()
    reranker: Reranker = LateInteraction(embedder)
    assert await reranker.score(QUERY, PASSAGES) == await embedder.compare(QUERY, PASSAGES)
    assert "fake-embed" in reranker.name


async def test_yes_or_no_is_the_share_of_yes() -> None:
    given = {PASSAGES[0]: (0.6, 0.2), PASSAGES[1]: (0.01, 0.97), PASSAGES[2]: (0.3, 0.3)}

    def scores(messages: Sequence[Message], labels: Sequence[str]) -> list[float]:
        assert list(labels) == ["Yes", "No"]
        [yes, no] = next(pair for passage, pair in given.items() if passage in messages[-1].content)
        return [log(yes), log(no)]

    chat = FakeChat(scores=scores)
    reranker: Reranker = YesOrNo(chat)
    assert await reranker.score(QUERY, PASSAGES) == pytest.approx([0.75, 0.01 / 0.98, 0.5])
    assert "fake-chat" in reranker.name
    assert await reranker.score(QUERY, []) == []
    # All before the passage is the same, so that it is evaluated once; of a long passage the beginning is read.
    before = {prompt[-1].content.partition("Passage: ")[0] for prompt in chat.prompts}
    assert before == {f"Question: {QUERY}\n"}
    long = YesOrNo(FakeChat(scores=lambda messages, _: [-float(len(messages[-1].content)), 0.0]))
    assert await long.score(QUERY, ["x" * 5000]) == await long.score(QUERY, ["x" * 9000])


async def test_a_yes_that_is_all_but_impossible_is_no_error() -> None:
    assert await YesOrNo(FakeChat(scores=lambda *_: [-5000.0, 0.0])).score(QUERY, ["x"]) == [pytest.approx(0.0)]

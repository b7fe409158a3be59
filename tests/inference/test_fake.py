from __future__ import annotations

import math

import numpy as np
import pytest

from zibaldone.errors import DeadlineExceeded, InvalidRequest
from zibaldone.inference.fake import FakeChat, FakeEmbedder, Rule
from zibaldone.inference.roles import ChatModel, Embedder, Finished, Message, Piece, Sampling

EVIDENCE = "Notes:\n[1] Bike > Service (2025-05-03)\nThe tyre was changed in May. It cost 40.\n\n[2] Cat\nIt sleeps."
ASKED = [Message("system", "s"), Message("user", f"{EVIDENCE}\n\nQuestion: When was the tyre changed?")]


async def answer(model: ChatModel, messages: list[Message], sampling: Sampling | None = None) -> tuple[str, Finished]:
    text = ""
    async for delta in model.generate(messages, sampling or Sampling()):
        if isinstance(delta, Finished):
            return text, delta
        text += delta.text
    raise AssertionError("no Finished")


async def test_default_answer_cites_the_first_item() -> None:
    text, finished = await answer(FakeChat(), ASKED)
    assert text == "The tyre was changed in May. [1]"
    assert finished.reason == "stop"


async def test_continues_an_opened_answer_and_reuses_the_prompt() -> None:
    model = FakeChat()
    await model.score_labels(ASKED, ["Yes", "No"])
    text, finished = await answer(model, [*ASKED, Message("assistant", "Yes.")])
    assert text == " The tyre was changed in May. [1]"
    assert finished.cached_tokens == finished.prompt_tokens - 1


async def test_labels_follow_the_evidence() -> None:
    model = FakeChat()
    yes, partly, no = await model.score_labels(ASKED, ["Yes", "Partly", "No"])
    assert yes > partly == no
    assert math.isclose(sum(map(math.exp, (yes, partly, no))), 1)
    other = [Message("user", f"{EVIDENCE}\n\nQuestion: Who won the football final?")]
    yes, _, no = await model.score_labels(other, ["Yes", "Partly", "No"])
    assert no > yes


async def test_rules_stop_and_length() -> None:
    model = FakeChat([Rule("tyre", "one two three four")])
    assert (await answer(model, ASKED))[0] == "one two three four"
    assert (await answer(model, ASKED, Sampling(stop=(" three",))))[0] == "one two"
    text, finished = await answer(model, ASKED, Sampling(max_tokens=2))
    assert (text, finished.reason, finished.completion_tokens) == ("one two", "length", 2)


async def test_schema_gives_the_smallest_value() -> None:
    schema = {"type": "object", "properties": {"kind": {"enum": ["a", "b"]}, "items": {"type": "array"}}}
    assert (await answer(FakeChat(), ASKED, Sampling(schema=schema)))[0] == '{"kind": "a", "items": []}'


async def test_deadline_and_a_prompt_that_does_not_fit() -> None:
    model = FakeChat([Rule("", "never ends " * 100)], pause_s=0.01)
    with pytest.raises(DeadlineExceeded):
        await answer(model, ASKED, Sampling(deadline_s=0.02))
    with pytest.raises(InvalidRequest, match="9000"):
        await answer(model, [Message("user", "w " * 9000)])


async def test_closing_the_stream_early() -> None:
    stream = FakeChat([Rule("", "a b c")]).generate(ASKED, Sampling())
    assert await anext(stream) == Piece("a")
    await stream.aclose()


async def test_embeddings_are_near_where_words_are_shared() -> None:
    model: Embedder = FakeEmbedder()
    query = await model.embed_query("Where is the bicycle pump?")
    near, far = await model.embed_passages(["The bicycle pump hangs in the shed.", "Kuchen mit Äpfeln backen"])
    assert query @ near > query @ far
    rows = await model.embed_passages(["", "the", "東京"])
    assert np.allclose(np.linalg.norm(rows, axis=1), 1)
    assert (await model.embed_passages([])).shape == (0, await model.dimensions())

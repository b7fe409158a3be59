from __future__ import annotations

import pytest

from zibaldone.errors import DeadlineExceeded, ModelFailed
from zibaldone.inference.fake import FakeChat, Rule
from zibaldone.retrieval.hyde import write_hypothesis


async def test_one_paragraph_for_the_question() -> None:
    chat = FakeChat([Rule("Wo war", " Im März war ich in Genua. Es hat geregnet.\nQuestion: Wann?")])
    assert await write_hypothesis("Wo war ich im März?", chat) == "Im März war ich in Genua. Es hat geregnet."
    assert "Wo war ich im März?" in chat.prompts[0][-1].content


async def test_it_ends_in_time() -> None:
    chat = FakeChat(lambda _: "word " * 1000)
    assert len((await write_hypothesis("Anything?", chat)).split()) == 96


async def test_nothing_written_is_a_failure_as_those_of_the_model_are() -> None:
    with pytest.raises(ModelFailed, match="fake-chat wrote nothing"):
        await write_hypothesis("Anything?", FakeChat(lambda _: "  \nand more"))

    def fail(_: object) -> str:
        raise DeadlineExceeded("Too slow.", "Ask for less.")

    with pytest.raises(DeadlineExceeded):
        await write_hypothesis("Anything?", FakeChat(fail))

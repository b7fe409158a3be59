"""What a message is besides a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from zibaldone.agents.relay.listen import hear, is_all
from zibaldone.profile.classify import Kind


async def worthy(texts: Sequence[str]) -> Sequence[Mapping[Kind, float]]:
    """What speaks of the weather is none."""
    return [
        {"user": 0.1, "feedback": 0.0, "context": 0.0, "none": 0.9}
        if "weather" in text
        else {"user": 0.9, "feedback": 0.0, "context": 0.0, "none": 0.1}
        for text in texts
    ]


@pytest.mark.parametrize(
    "message",
    [
        "What do you know about me?",
        "what did you remember about me",
        "Show me what you know about me.",
        "Was weißt du über mich?",
        "Was weisst du alles von mir oder was weißt du eigentlich über mich?",
        "Zeig mir dein Gedächtnis",
        "Que sais-tu de moi ?",
        "¿Qué sabes de mí?",
        "Cosa sai di me?",
        "Wat weet je over mij?",
        "O que você sabe sobre mim?",
        "Co o mnie wiesz?",
    ],
)
async def test_questions_about_the_memory(message: str) -> None:
    heard = await hear(message, worthy)
    assert heard.asks_of_memory
    assert not heard.states_only


@pytest.mark.parametrize(
    "message",
    [
        "What do you know about bees?",
        "Was weißt du über Meise und Fink?",
        "What do I know about the move?",
        "> What do the notes say: I live in Rome?",
    ],
)
async def test_other_questions(message: str) -> None:
    assert not (await hear(message, worthy)).asks_of_memory


@pytest.mark.parametrize(
    ("message", "orders", "statements", "states_only"),
    [
        ("My sister lives in Ghent.", (), ("My sister lives in Ghent.",), True),
        ("I am a nurse. I play the viola.", (), ("I am a nurse.", "I play the viola."), True),
        ("! Leo is eight", ("Leo is eight",), (), False),
        ("! Leo is eight\nI am a nurse.", ("Leo is eight",), ("I am a nurse.",), True),
        ("I am a nurse. Where are the notes?", (), ("I am a nurse.",), False),
        ("The weather is fine today.", (), ("The weather is fine today.",), False),
        ("I am a nurse. The weather is fine today.", (), ("I am a nurse.", "The weather is fine today."), False),
        ("I am a nurse.\n> The weather is fine.", (), ("I am a nurse.",), False),
        ("Summarise:\nI am a nurse.", (), (), False),
        ("I am a nurse, ok", (), ("I am a nurse, ok",), True),
        ("", (), (), False),
    ],
)
async def test_what_is_ordered_and_stated(
    message: str, orders: tuple[str, ...], statements: tuple[str, ...], states_only: bool
) -> None:
    heard = await hear(message, worthy)
    assert (heard.orders, heard.statements, heard.states_only) == (orders, statements, states_only)


def test_all_of_a_message_is_said_by_its_statements() -> None:
    assert is_all(["I am a nurse.", "I play."], "I am a nurse. I play.")
    assert not is_all(["I am a nurse."], "I am a nurse. I play.")
    assert not is_all(["I am a nurse."], "I am a nurse.\n> so")

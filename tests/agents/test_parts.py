"""What a question asks for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zibaldone.agents.relay.parts import MOST_PARTS, split_question


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("How much does it cost?", ["How much does it cost?"]),
        ("How do bees and wasps differ?", ["How do bees and wasps differ?"]),
        ("How many mg should I take, and at what time?", ["How many mg should I take", "at what time"]),
        ("Welches Modell ist es, und was hat es gekostet?", ["Welches Modell ist es", "was hat es gekostet"]),
        ("Who came? What did they say?", ["Who came", "What did they say"]),
        ("How full may it be? I noted a number somewhere.", ["How full may it be? I noted a number somewhere."]),
        ("In the hive, which part is warm, and why?", ["In the hive, which part is warm, and why?"]),
        ("", [""]),
    ],
)
def test_parts(question: str, parts: list[str]) -> None:
    assert split_question(question) == parts


@given(st.text(max_size=200))
def test_there_is_always_a_part(question: str) -> None:
    assert 1 <= len(split_question(question)) <= MOST_PARTS

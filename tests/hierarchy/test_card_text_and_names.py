"""What is taken of a model's answer, for a card and for a name."""

from __future__ import annotations

import pytest

from zibaldone.hierarchy.card_text import CardText, is_held, plain_card, read_card
from zibaldone.hierarchy.model_names import read_name

PASSAGES = ["Learned that 14 hours of cold proof give a better crumb than 8."]


def test_a_card_is_taken_where_its_answer_stands_in_the_evidence() -> None:
    output = "Question: How long should the loaf proof?\nAnswer: 14 hours of cold proof give a better crumb.\nMore."
    card = read_card(output, PASSAGES)
    assert card == CardText("How long should the loaf proof?", "14 hours of cold proof give a better crumb.")


@pytest.mark.parametrize(
    "output",
    [
        "Question: How long should the loaf proof?\nAnswer: 16 hours of cold proof give a better crumb.",
        "Question: How long should the loaf proof?\nAnswer: Until the neighbours complain loudly.",
        "How long? 14 hours.",
        "",
    ],
)
def test_another_answer_is_not(output: str) -> None:
    assert read_card(output, PASSAGES) is None


def test_without_a_model_the_words_themselves_are_the_answer() -> None:
    card = plain_card("Proof", ["word " * 100])
    assert card.question == "What do you remember about: Proof?"
    assert len(card.answer) <= 221
    assert is_held(card.answer, "word")


def test_without_a_model_it_is_asked_in_the_language_of_the_notes() -> None:
    assert plain_card("Brot", ["Der Teig war nach der Nacht zu weich."]).question.startswith("Woran ")
    assert plain_card("Хлеб", ["Тесто было слишком мягким после ночи."]).question.startswith("What ")


def test_a_name_is_a_few_words_that_no_other_concept_has() -> None:
    assert read_name(' "Sourdough baking."\nIt is about bread.', ()) == "Sourdough baking"
    assert read_name("This is about bread", ()) is None
    assert read_name("Sourdough baking", {"sourdough baking"}) is None
    assert read_name("", ()) is None

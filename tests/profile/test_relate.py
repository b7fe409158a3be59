"""What words and figures alone tell of two statements, and what the model is asked of the rest."""

from __future__ import annotations

import pytest

from zibaldone.profile.classify import about_the_same
from zibaldone.profile.relate import (
    Opinion,
    ask_relation,
    figures,
    holds,
    may_be_same,
    part_correction,
    relate_facts,
    relate_wishes,
    says_the_same,
)
from zibaldone.profile.worth import VERDICTS


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("I'm 36", "36", True),
        ("Ich bin Vegetarier.", "VEGETARIER", True),
        ("I have a dog called Rex", "a dog called Rex I have", True),
        ("Please answer briefly!", "answer briefly", True),
        ("I'm 36", "I'm 35", False),
        ("I like tea", "I do not like tea", False),
        ("I", "the", False),
        ("我对花生过敏", "我对花生过敏。", True),
        ("1,5 km", "1.5 km", False),
    ],
)
def test_the_same_words_are_the_same_statement(left: str, right: str, same: bool) -> None:
    assert says_the_same(left, right) is same


@pytest.mark.parametrize(
    ("statement", "said", "denied"),
    [
        ("I'm 36, not 35", "I'm 36", "35"),
        ("I live in Ulm, no longer in Leiden.", "I live in Ulm", "in Leiden"),
        ("Ich heiße Jan, nicht Jens", "Ich heiße Jan", "Jens"),
        ("Wir wohnen in Ulm, nicht mehr in Bonn!", "Wir wohnen in Ulm", "in Bonn"),
        ("Vivo en Sevilla; no en Madrid", "Vivo en Sevilla", "en Madrid"),
        ("I do not eat meat", "I do not eat meat", None),
        ("I don't eat meat, not even fish", "I don't eat meat, not even fish", None),
        ("I speak French, not only English", "I speak French, not only English", None),
        ("Ich esse kein Fleisch, nicht einmal Wurst", "Ich esse kein Fleisch, nicht einmal Wurst", None),
        ("Call by ten, not a minute or two later", "Call by ten, not a minute or two later", None),
        ("Leo is eight", "Leo is eight", None),
    ],
)  # fmt: skip
def test_a_correction_says_what_is_so_and_what_is_not(statement: str, said: str, denied: str | None) -> None:
    assert part_correction(statement) == (said, denied)


def test_figures_tell_statements_apart_only_where_both_have_some() -> None:
    assert figures("At 7:12, 42,000 EUR and 3.5 %") == {"7:12", "42,000", "3.5"}
    assert not may_be_same("I am 36", "I am 35")
    assert may_be_same("I am 36", "I have my birthday in May")
    assert may_be_same("I am 36", "36 years")


def test_words_that_are_there() -> None:
    assert holds("I am 35 years old", "35")
    assert holds("Wir wohnen in BONN", "in Bonn")
    assert not holds("I am 135", "35")


def test_the_model_is_asked_for_yes_or_no_about_what_was_said_before_and_now() -> None:
    for prompt in ask_relation("I am 35", "I am 36"):
        assert (prompt[0].role, prompt[-1].role, prompt[-1].content) == ("system", "user", "A: I am 35\nB: I am 36")
        assert {message.content for message in prompt if message.role == "assistant"} == set(VERDICTS)


def test_odds_decide() -> None:
    sure_same, sure_against, neither = Opinion(9.0, -9.0, 9.0), Opinion(-9.0, 9.0, -9.0), Opinion(-3.0, -0.5, -0.5)
    assert relate_facts(sure_same, 0.9, 0.9, figures_differ=False) == "same"
    assert relate_facts(sure_against, 0.9, 0.9, figures_differ=True) == "contradicts"
    assert relate_facts(neither, 0.9, 0.1, figures_differ=False) is None


def test_wishes_take_each_other_back_where_they_are_about_the_same() -> None:
    changed, again = Opinion(-2.0, 0.5, -2.0), Opinion(2.0, -0.3, 1.0)
    assert relate_wishes(changed, related=0.9) == "contradicts"
    assert relate_wishes(changed, related=0.1) is None
    assert relate_wishes(again, related=0.9) == "same"
    assert about_the_same({"length": 0.9, "other": 0.1}, {"length": 0.8, "other": 0.2}) == pytest.approx(0.72)
    assert about_the_same({"length": 0.1, "other": 0.9}, {"length": 0.1, "other": 0.9}) < 0.1

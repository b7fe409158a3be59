"""What words and figures alone tell of two statements, and what the model is asked of the rest."""

from __future__ import annotations

import pytest

from zibaldone.profile.classify import about_the_same
from zibaldone.profile.relate import (
    Nearness,
    Opinion,
    ask_relation,
    figures,
    holds,
    part_correction,
    relate_facts,
    relate_wishes,
    says_the_same,
)
from zibaldone.profile.signs import read_signs
from zibaldone.profile.worth import VERDICTS

SAME, AGAINST = Opinion(9.0, -0.1), Opinion(-2.0, 9.0)
NEAR, FAR = Nearness(0.6, 0.9), Nearness(0.1, 0.01)


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


def test_figures_as_they_are_written() -> None:
    assert figures("At 7:12, 42,000 EUR and 3.5 %") == {"7:12", "42,000", "3.5"}


def test_words_that_are_there() -> None:
    assert holds("I am 35 years old", "35")
    assert holds("Wir wohnen in BONN", "in Bonn")
    assert not holds("I am 135", "35")


def test_the_model_is_asked_for_yes_or_no_about_what_was_said_before_and_now() -> None:
    for prompt in ask_relation("I am 35", "I am 36"):
        assert (prompt[0].role, prompt[-1].role, prompt[-1].content) == ("system", "user", "A: I am 35\nB: I am 36")
        assert {message.content for message in prompt if message.role == "assistant"} == set(VERDICTS)


@pytest.mark.parametrize(
    ("opinion", "nearness", "old", "new", "verdict"),
    [
        (SAME, NEAR, "I'm allergic to kiwi", "Ich bin allergisch gegen Kiwi", "same"),
        (SAME, NEAR, "I am fifty", "Ich bin 51", None),  # figures, in words or digits, are not the same
        (SAME, NEAR, "My sister lives in Bath", "Mein Bruder lebt in Bath", None),
        (AGAINST, NEAR, "I live in Bath", "Ich wohne jetzt in Ulm", "contradicts"),
        (AGAINST, NEAR, "My sister lives in Bath", "Mein Bruder wohnt jetzt in Ulm", None),
        (Opinion(-2.0, -0.1), NEAR, "I work for a bank", "I've left the bank", "contradicts"),
        (Opinion(-2.0, -0.1), NEAR, "I work for a bank", "My bank is a small one", None),
        (Opinion(-2.0, -0.1), FAR, "I work for a bank", "We've left the motorway", None),
        (AGAINST, NEAR, "My sister Ada lives in Bath", "I've moved to Ulm", None),
        (AGAINST, NEAR, "My sister Ada lives in Bath", "Ada has moved to Ulm", "contradicts"),
        (Opinion(-3.0, -0.5), FAR, "I work for a bank", "I like trout", None),
    ],
)
def test_facts_stand_to_each_other_by_odds_nearness_and_signs(
    opinion: Opinion, nearness: Nearness, old: str, new: str, verdict: str | None
) -> None:
    assert relate_facts(opinion, nearness, read_signs(old), read_signs(new)) == verdict


def test_wishes_take_each_other_back_where_they_are_about_the_same() -> None:
    changed, again = Opinion(-2.0, 0.5, -2.0), Opinion(2.0, -0.3, 1.0)
    assert relate_wishes(changed, related=0.9, changed=False) == "contradicts"
    assert relate_wishes(changed, related=0.1, changed=True) is None
    assert relate_wishes(changed, related=0.2, changed=True) == "contradicts"
    assert relate_wishes(changed, related=0.2, changed=False) is None
    assert relate_wishes(again, related=0.9, changed=False) == "same"
    assert about_the_same({"length": 0.9, "other": 0.1}, {"length": 0.8, "other": 0.2}) == pytest.approx(0.72)
    assert about_the_same({"length": 0.1, "other": 0.9}, {"length": 0.1, "other": 0.9}) < 0.1

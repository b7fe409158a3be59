"""What the words of a statement tell in several languages."""

from __future__ import annotations

import pytest

from zibaldone.profile.signs import (
    all_figures,
    are_of_others,
    differ_in_figures,
    find_people,
    is_of_somebody_else,
    read_signs,
)


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("I'm fifty-two", {"52"}),
        ("I'm fifty two", {"52"}),
        ("Ich bin zweiundfünfzig", {"52"}),
        ("J'ai soixante-douze ans", {"72"}),
        ("Tengo treinta y un años", {"30"}),
        ("Tengo treinta y uno", {"31"}),
        ("Ho ventidue anni", {"22"}),
        ("Ik ben vijfendertig", {"35"}),
        ("zwölf Hühner und 3 Hähne", {"12", "3"}),
        ("once upon a time the rent was due", set()),
        ("achtsam", set()),
    ],
)
def test_figures_are_the_same_in_words_and_digits(text: str, figures: set[str]) -> None:
    assert all_figures(text) == figures


@pytest.mark.parametrize(
    ("left", "right", "others"),
    [
        ("My sister lives in Bath", "Mein Bruder lebt in Bath", True),
        ("My sister lives in Bath", "Meine Schwester wohnt in Bath", False),
        ("Mi hijo tiene ocho años", "Notre fille a huit ans", True),
        ("I live in Bath", "My sister lives in Bath", False),  # not told by this alone
    ],
)
def test_relatives_are_told_apart_in_any_language(left: str, right: str, others: bool) -> None:
    assert are_of_others(read_signs(left), read_signs(right)) is others


def test_figures_differ_only_where_both_have_some() -> None:
    fifty, more, none = (read_signs(text) for text in ("I am fifty", "Ich bin 51", "I am old"))
    assert differ_in_figures(fifty, more)
    assert not differ_in_figures(fifty, none)
    assert not differ_in_figures(fifty, read_signs("J'ai cinquante ans"))


@pytest.mark.parametrize(
    "text",
    [
        "I no longer smoke",
        "Wir sind umgezogen",
        "Je ne fume plus",
        "Ya no fumo",
        "Ormai vivo a Pisa",
        "Ik rook niet meer",
    ],
)
def test_a_change_is_said(text: str) -> None:
    assert read_signs(text).changed
    assert not read_signs("I smoke").changed


def test_what_comes_to_the_rest_and_names() -> None:
    assert read_signs("Ich spiele auch Harfe").adds
    assert not read_signs("Ich spiele Harfe").adds
    assert read_signs("Our Jörg is a baker").names == {"jorg"}


def test_a_name_stands_for_who_bears_it() -> None:
    people = find_people(
        ["My sister Ada is a baker", "mein Onkel heißt Emil", "Mi hijo Iker", "Ma tante s'appelle Zoé", "I am Noor"]
    )
    assert people == {"ada": "sister", "emil": "uncle", "iker": "son", "zoe": "aunt"}
    ada, mine = read_signs("Ada has moved", people), read_signs("We have moved", people)
    assert ada.who == {"sister"}
    assert is_of_somebody_else(mine, ada)
    assert not is_of_somebody_else(read_signs("My sister lives in Bath"), ada)

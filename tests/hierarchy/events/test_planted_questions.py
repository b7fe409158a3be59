"""Questions about a planted year, and when an answer rests on the right evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from support.planted_vault.questions import Cited, Question, ask_about, is_right
from support.planted_vault.year import Entry, plant_year

YEAR = plant_year(1)
QUESTIONS = ask_about(YEAR, 1)


def cite(entries: Sequence[Entry]) -> list[Cited]:
    return [Cited(entry.note, entry.line_start, entry.line_end) for entry in entries]


def told(question: Question) -> list[Entry]:
    """All that the ledger has of what is asked about."""
    if question.kind == "themes":
        return YEAR.ledger
    if question.kind == "period":
        return [entry for entry in YEAR.ledger if entry.day.startswith(question.about)]
    return [entry for entry in YEAR.ledger if entry.concept == question.about]


def test_twenty_questions_in_both_languages_that_other_seeds_put_otherwise() -> None:
    assert Counter(one.kind for one in QUESTIONS) == {"themes": 2, "subject": 4, "change": 7, "period": 7}
    assert ask_about(YEAR, 1) == QUESTIONS
    assert len({one.text for one in QUESTIONS} & {one.text for one in ask_about(plant_year(2), 2)}) < 10
    assert {one.about for one in QUESTIONS if one.kind == "change"} > set(YEAR.drifted)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda one: one.text)
def test_only_an_answer_that_rests_on_what_was_asked_about_is_right(question: Question) -> None:
    others = [entry for entry in YEAR.ledger if entry not in told(question)]
    assert is_right(question, cite(told(question)), YEAR)
    assert not is_right(question, [], YEAR)
    assert not is_right(question, cite(told(question)[:1]), YEAR)
    if others:
        assert not is_right(question, cite(others), YEAR)
        assert not is_right(question, cite([*told(question), *others]), YEAR)


@pytest.mark.parametrize("keep", [lambda day, middle: day < middle, lambda day, middle: day >= middle])
def test_half_of_the_time_tells_of_no_change(keep: Callable[[str, str], bool]) -> None:
    for question in QUESTIONS:
        if question.kind == "change":
            entries = told(question)
            middle = sorted(entry.day for entry in entries)[len(entries) // 2]
            assert not is_right(question, cite([one for one in entries if keep(one.day, middle)]), YEAR)

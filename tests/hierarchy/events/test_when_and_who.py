from __future__ import annotations

from datetime import date

import pytest

from zibaldone.domain.hierarchy import EventKind
from zibaldone.hierarchy.events.sentences import Sentence, read_sentences
from zibaldone.hierarchy.events.when import find_day
from zibaldone.hierarchy.events.who import find_people

WRITTEN = date(2025, 6, 11)  # a Wednesday


def sentence(text: str) -> Sentence:
    [found] = read_sentences([text])
    return found


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("On 3 May we decided to stay.", date(2025, 5, 3)),
        ("Am 3. Mai haben wir beschlossen zu bleiben.", date(2025, 5, 3)),
        ("Fixed on 2025-04-01 at last.", date(2025, 4, 1)),
        ("Gestern mit Anna telefoniert.", date(2025, 6, 10)),
        ("Since Monday the shop opens at ten.", date(2025, 6, 9)),
        ("Seit 1. Juni gilt die neue Miete.", date(2025, 6, 1)),
    ],
)
def test_the_day_that_the_text_says(text: str, day: date) -> None:
    assert find_day(sentence(text), EventKind.CHANGE, (), WRITTEN) == (day, True)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("- [ ] pay the fee 📅 2025-07-01", date(2025, 7, 1)),
        ("- [x] pay the fee 📅 2025-07-01 ✅ 2025-06-05", date(2025, 6, 5)),
        ("I have to pay by Friday.", date(2025, 6, 13)),
        ("Bis Dienstag die Miete zahlen.", date(2025, 6, 17)),
        ("Call the bank tomorrow.", date(2025, 6, 12)),
        ("Pay before 3 July.", date(2025, 7, 3)),
    ],
)
def test_what_is_to_be_done_lies_ahead(text: str, day: date) -> None:
    assert find_day(sentence(text), EventKind.TASK, (), WRITTEN) == (day, True)


def test_a_heading_dates_what_stands_under_it_and_else_the_source_does() -> None:
    said = sentence("Met Anna.")
    assert find_day(said, EventKind.MEETING, ("Log", "2025-02-03"), WRITTEN) == (date(2025, 2, 3), True)
    assert find_day(said, EventKind.MEETING, ("Log",), WRITTEN) == (WRITTEN, False)


def test_weekdays_that_are_changed_are_no_day() -> None:
    said = sentence("Moved the class from Monday to Thursday.")
    assert find_day(said, EventKind.CHANGE, (), WRITTEN) == (WRITTEN, False)


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("Had lunch with Priya and Tom.", ("Priya", "Tom")),
        ("Mit Dr. Weiss und Selin über Kuchen geredet.", ("Dr. Weiss", "Selin")),
        ("Brot mit Roggenmehl gebacken.", ()),
        ("ask @ruth about the key", ("ruth",)),
        ("Zoltan explained the plan to us.", ("Zoltan",)),
        ("Met on Monday in the office.", ()),
        ("Frau Lindner hat mir den Keller gezeigt.", ("Frau Lindner",)),
    ],
)
def test_people(text: str, people: tuple[str, ...]) -> None:
    assert find_people(text) == people


def test_known_people_are_found_anywhere() -> None:
    assert find_people("Der Plan stammt von Oyelaran.", ["Oyelaran"]) == ("Oyelaran",)

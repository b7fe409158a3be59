"""`zib agenda`: what it asks, and how it tells what is due."""

from __future__ import annotations

import json

import pytest

from support.fakes import ScriptedEngine, example
from zibaldone.schemas.agenda import Agenda, AgendaAddRequest, AgendaRequest


def answering(agenda: dict[str, object]) -> type[ScriptedEngine]:
    class Engine(ScriptedEngine):
        async def agenda(self, request: AgendaRequest) -> Agenda:
            return Agenda.model_validate({**agenda, "span": request.span})

    return Engine


@pytest.mark.parametrize(
    ("arguments", "span"),
    [((), "ahead"), (("today",), "today"), (("week",), "week"), (("overdue",), "overdue")],
)
def test_what_is_asked(zib, opened, arguments: tuple[str, ...], span: str) -> None:
    assert zib("agenda", *arguments).code == 0
    assert opened.calls == [("agenda", AgendaRequest(span=span))]
    assert json.loads(zib("agenda", *arguments, "--json").out) == example("Agenda.three")


def test_it_is_grouped_by_day_with_the_place_behind(zib) -> None:
    assert zib("agenda").out == (
        "Overdue\n"
        "    3 days  Send the offer to the parish (high)  Projects/Kestrel.md:21\n"
        "Today, Wednesday, 4 March 2026\n"
        "     09:30  Zahnarzt (appointment)  Daily/2026-03-04.md:5\n"
        "Tuesday, 10 March 2026\n"
        "            Steuererklärung (deadline)  Areas/Steuererklärung.md:2\n"
    )


def test_long_texts_are_wrapped_and_places_stay_whole(zib, opened) -> None:
    item = {**example("Agenda.three")["items"][0], "text": "word " * 30, "path": "A folder/A long name of a note.md"}
    opened.make = answering({**example("Agenda.three"), "items": [item]})
    lines = zib("agenda").out.splitlines()
    assert max(map(len, lines)) <= 80
    assert any(line.endswith("A folder/A long name of a note.md:21") for line in lines)


def test_much_that_is_overdue_is_cut(zib, opened) -> None:
    one = example("Agenda.three")["items"][0]
    opened.make = answering({**example("Agenda.three"), "items": [{**one, "overdue_days": 1}] * 40})
    assert "     1 day  Send the offer" in zib("agenda").out
    assert "and 25 more: --all shows them" in zib("agenda", "today").out
    assert zib("agenda", "--all").out.count("Send the offer") == 40
    assert zib("agenda", "today", "--all").out.count("Send the offer") == 40
    assert len(json.loads(zib("agenda", "--json").out)["items"]) == 40


@pytest.mark.parametrize(
    ("span", "sentence"),
    [
        ("ahead", "Nothing is due today or in the seven days after."),
        ("today", "Nothing is due today."),
        ("week", "Nothing is due until Wednesday, 11 March 2026."),
        ("overdue", "Nothing is overdue."),
    ],
)
def test_nothing_is_due(zib, opened, span: str, sentence: str) -> None:
    opened.make = answering({**example("Agenda.three"), "items": []})
    assert zib("agenda", *([] if span == "ahead" else [span])).out == f"{sentence}\n"


def test_control_characters_of_notes_do_not_reach_the_terminal(zib, opened) -> None:
    item = {**example("Agenda.three")["items"][0], "text": "a\x1b[31mb", "path": "c\x1bd.md"}
    opened.make = answering({**example("Agenda.three"), "items": [item]})
    assert "\x1b" not in zib("agenda").out


def test_adding_proposes(zib, opened) -> None:
    ran = zib("agenda", "add", "Milch", "--day", "2026-03-05")
    assert opened.calls == [("add_to_agenda", AgendaAddRequest(text="Milch", day="2026-03-05"))]
    assert "Nothing is written yet: `zib proposals apply 3` does it." in ran.err
    assert json.loads(zib("agenda", "add", "x", "--json").out) == example("Proposal.two-files")
    assert zib("agenda", "add", " ").code == 1

"""From entries to what is due, and how it is asked for and told."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import pytest

from zibaldone.agents.agenda.asked import find_agenda_question
from zibaldone.agents.agenda.describe import describe_agenda
from zibaldone.agents.agenda.line import add_line, read_when, task_line
from zibaldone.agents.agenda.plan import choose_day, last_day, plan_agenda
from zibaldone.domain.agenda import AgendaEntry, NotedEntry
from zibaldone.errors import InvalidRequest
from zibaldone.schemas.agenda import Agenda, AgendaSpan

TODAY = date(2026, 3, 4)  # a Wednesday
YESTERDAY, TOMORROW = TODAY - timedelta(1), TODAY + timedelta(1)


def entry(text: str = "x", kind: str = "task", **said: object) -> AgendaEntry:
    return AgendaEntry(kind, text, 3, **said)  # type: ignore[arg-type]


def plan(found: Sequence[AgendaEntry], span: AgendaSpan = "ahead", daily: date | None = None) -> Agenda:
    noted = [NotedEntry("Daily/D.md", "D", one) for one in found]
    return plan_agenda(noted, {"Daily/D.md": daily} if daily else {}, span, TODAY)


@pytest.mark.parametrize(
    ("said", "daily", "expected"),
    [
        ({"day": TODAY}, None, TODAY),
        ({"day": YESTERDAY}, None, YESTERDAY),
        ({"planned": YESTERDAY}, None, YESTERDAY),
        ({"planned": YESTERDAY, "day": TOMORROW}, None, TODAY),
        ({"planned": TOMORROW, "day": date(2026, 3, 9)}, None, TOMORROW),
        ({"planned": date(2026, 3, 9), "day": TOMORROW}, None, TOMORROW),
        ({"planned": TODAY, "day": YESTERDAY}, None, YESTERDAY),
        ({"start": TODAY}, None, TODAY),
        ({"start": TOMORROW}, None, TOMORROW),
        ({"start": YESTERDAY}, None, None),
        ({"start": YESTERDAY, "day": TOMORROW}, None, TOMORROW),
        ({}, None, None),
        ({}, YESTERDAY, YESTERDAY),
        ({}, TODAY, TODAY),
        ({"day": TOMORROW}, YESTERDAY, TOMORROW),
        ({"kind": "appointment", "time": "09:30"}, YESTERDAY, None),
        ({"kind": "appointment", "day": TODAY}, None, TODAY),
        ({"kind": "appointment", "day": YESTERDAY}, None, None),
        ({"kind": "deadline", "day": YESTERDAY}, None, YESTERDAY),
    ],
)
def test_the_day_that_counts(said: dict[str, object], daily: date | None, expected: date | None) -> None:
    assert choose_day(entry(**said), daily, TODAY) == expected


@pytest.mark.parametrize(
    ("span", "today", "until"),
    [
        ("today", date(2026, 3, 4), date(2026, 3, 4)),
        ("overdue", date(2026, 3, 1), date(2026, 2, 28)),
        ("ahead", date(2026, 3, 4), date(2026, 3, 11)),
        ("week", date(2026, 3, 2), date(2026, 3, 8)),
        ("week", date(2026, 3, 5), date(2026, 3, 8)),
        ("week", date(2026, 3, 6), date(2026, 3, 15)),
        ("week", date(2026, 3, 8), date(2026, 3, 15)),
        ("week", date(2026, 12, 31), date(2027, 1, 3)),
    ],
)
def test_spans(span: AgendaSpan, today: date, until: date) -> None:
    assert last_day(span, today) == until


def test_states_and_order() -> None:
    found = plan(
        [
            entry("next week", day=date(2026, 3, 9)),
            entry("long late", day=date(2026, 1, 4)),
            entry("late", day=YESTERDAY),
            entry("later", day=date(2026, 3, 12)),
            entry("low", day=TODAY, priority="low"),
            entry("plain", day=TODAY),
            entry("high", day=TODAY, priority="high"),
            entry("noon", day=TODAY, time="12:00"),
            entry("morning", day=TODAY, time="09:00", kind="appointment"),
            entry("sunday", planned=date(2026, 3, 8), day=date(2026, 3, 20)),
        ]
    )
    assert [(item.text, item.state, item.overdue_days) for item in found.items] == [
        ("late", "overdue", 1),
        ("long late", "overdue", 59),
        ("morning", "today", 0),
        ("noon", "today", 0),
        ("high", "today", 0),
        ("plain", "today", 0),
        ("low", "today", 0),
        ("sunday", "this_week", 0),
        ("next week", "next_week", 0),
    ]
    assert (found.items[7].day, found.items[7].due) == ("2026-03-08", "2026-03-20")
    assert found.items[2].due is None


def test_an_undated_task_belongs_to_its_daily_note() -> None:
    assert [item.day for item in plan([entry()], daily=YESTERDAY).items] == ["2026-03-03"]
    assert plan([entry()], daily=TOMORROW, span="today").items == []
    assert plan([entry()]).items == []
    assert [item.text for item in plan([entry("a", day=TODAY), entry("b", day=YESTERDAY)], "overdue").items] == ["b"]


def test_telling_it_in_english_and_german() -> None:
    found = plan(
        [
            entry("Send the offer", day=YESTERDAY, priority="high"),
            entry("Zahnarzt", kind="appointment", day=TODAY, time="09:30"),
            entry("Plan", planned=TOMORROW, day=date(2026, 3, 20)),
        ]
    )
    assert describe_agenda(found, "en") == (
        "**Overdue**\n"
        "- Send the offer (one day late, high priority) [[Daily/D|D]]\n"
        "\n"
        "**Today, Wednesday, 4 March**\n"
        "- 09:30 Zahnarzt (appointment) [[Daily/D|D]]\n"
        "\n"
        "**Thursday, 5 March**\n"
        "- Plan (due Friday, 20 March) [[Daily/D|D]]\n"
    )
    german = describe_agenda(found, "de")
    assert "**Überfällig**\n- Send the offer (seit gestern, hohe Priorität)" in german
    assert "**Heute, Mittwoch, 4. März**\n- 09:30 Zahnarzt (Termin)" in german
    assert "- Plan (fällig am Freitag, 20. März)" in german
    assert describe_agenda(found, "fr") == describe_agenda(found, "en")


def test_telling_that_there_is_nothing() -> None:
    assert describe_agenda(plan([], "today"), "de") == "Heute steht nichts an."
    assert describe_agenda(plan([], "week"), "en") == "Nothing is due until Sunday, 8 March."
    assert describe_agenda(plan([], "overdue"), "en") == "Nothing is overdue."
    late = describe_agenda(plan([entry("a", day=YESTERDAY)], "today"), "en")
    assert late.endswith("\n\nNothing is due today.")
    assert "Nothing" not in describe_agenda(plan([entry("a", day=YESTERDAY)], "overdue"), "en")


def test_long_lists_are_cut_and_odd_paths_are_not_linked() -> None:
    told = describe_agenda(plan([entry(f"t{n}", day=YESTERDAY) for n in range(20)]), "en")
    assert "and 12 more" in told
    odd = plan_agenda([NotedEntry("A #1.md", "A", entry(day=TODAY))], {}, "today", TODAY)
    assert describe_agenda(odd, "en").splitlines()[1] == "- x `A #1.md`"
    titled = plan_agenda([NotedEntry("A.md", "A|b]]", entry(day=TODAY))], {}, "today", TODAY)
    assert describe_agenda(titled, "en").splitlines()[1] == "- x [[A|A b]]"


def test_a_task_becomes_a_line() -> None:
    assert task_line("  buy\n milk ") == "- [ ] buy milk"
    assert task_line("- [ ] buy milk") == task_line("[x] buy milk") == task_line("* buy milk") == "- [ ] buy milk"
    with pytest.raises(InvalidRequest):
        task_line("- [ ] ")


def test_days_are_named() -> None:
    assert [read_when(text, TODAY) for text in ("today", " Tomorrow ", "2026-12-24")] == [
        TODAY, TOMORROW, date(2026, 12, 24),
    ]  # fmt: skip
    for text in ("", "friday", "2026-02-30", "20260304", "2026-3-4"):
        with pytest.raises(InvalidRequest):
            read_when(text, TODAY)


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ("", "- [ ] x\n"),
        ("# Day\n\n- [ ] a\n", "# Day\n\n- [ ] a\n- [ ] x\n"),
        ("## Aufgaben\n- [ ] a\n\n## Notes\nText\n", "## Aufgaben\n- [ ] a\n- [ ] x\n\n## Notes\nText\n"),
        ("## Tasks\r\n- [ ] a\r\n", "## Tasks\r\n- [ ] a\r\n- [ ] x\r\n"),
        ("## Tasks\na\n## Tasks\nb\n", "## Tasks\na\n## Tasks\nb\n\n- [ ] x\n"),
        ("Text", "Text\n\n- [ ] x"),
    ],
)
def test_where_a_task_is_added(note: str, expected: str) -> None:
    assert add_line(note.encode(), "- [ ] x").decode() == expected


ASKED = {
    "today": [
        "What is due today?",
        "what's due today",
        "What do I have to do today?",
        "What's on my agenda today?",
        "Anything due today?",
        "Do I have any appointments today?",
        "What's on today?",
        "show me my tasks for today",
        "What should I do today?",
        "Today's tasks",
        "What is left to do today?",
        "Gibt es heute Termine?",
        "What does my day look like?",
        "was steht heute an?",
        "Was ist heute fällig?",
        "Was muss ich heute noch erledigen?",
        "Welche Termine habe ich heute?",
        "Was habe ich heute vor?",
        "Habe ich heute Termine?",
        "Was steht heute noch auf dem Plan?",
        "Hallo, was steht heute an, bitte?",
        "Agenda für heute",
        "Zeig mir bitte meine Aufgaben für heute",
        "Qu'est-ce que j'ai à faire aujourd'hui ?",
        "Qu’est-ce qui est prévu aujourd’hui ?",
        "¿Qué tengo que hacer hoy?",
        "Cosa devo fare oggi?",
    ],
    "week": [
        "was steht diese Woche an?",
        "What is due this week?",
        "What's coming up?",
        "Was steht an?",
        "Was steht morgen an?",
        "What do I have tomorrow?",
        "Welche Aufgaben habe ich diese Woche?",
        "Welche Fristen stehen diese Woche an?",
        "Wie sieht meine Woche aus?",
        "What does my week look like?",
        "Was kommt diese Woche auf mich zu?",
        "What deadlines do I have this week?",
        "What's planned for the weekend?",
        "Was steht in den nächsten Tagen an?",
        "Was liegt am Wochenende an?",
        "Was ist fällig?",
        "My appointments this week",
        "Agenda",
        "Any deadlines this week?",
        "Welche Deadlines habe ich diese Woche?",
        "Was steht als nächstes an?",
        "¿Qué tengo esta semana?",
        "Cosa c'è in programma questa settimana?",
        "Qu'est-ce qui est prévu cette semaine ?",
    ],
    "overdue": [
        "What is overdue?",
        "Which tasks are overdue?",
        "Do I have overdue tasks?",
        "Anything overdue?",
        "What am I late on?",
        "Liste meine überfälligen Aufgaben auf",
        "Was ist überfällig?",
        "Welche Aufgaben sind überfällig?",
        "Gibt es noch überfällige Aufgaben?",
        "Zeig mir meine überfälligen Aufgaben",
        "Was ist liegen geblieben?",
        "Qu'est-ce qui est en retard ?",
        "¿Qué está atrasado?",
        "Cosa è in ritardo?",
    ],
    None: [
        "What did I write about this week's meeting?",
        "What did I do today?",
        "Was habe ich heute geschrieben?",
        "When is the varnish due?",
        "When is the next meeting with Frau Brandt?",
        "Was steht in meinen Notizen über Varroa?",
        "Was steht im Vertrag?",
        "What is due diligence?",
        "What is the deadline for the VAT return?",
        "Was ist die Frist für die Kaution?",
        "Wann ist der Umzug?",
        "Wer kommt heute?",
        "What is on the agenda of the Wendlow meeting?",
        "Was haben wir diese Woche über die Seilerei gelernt?",
        "How was my week?",
        "What happened this week?",
        "Summarise this week's daily notes",
        "Was muss ich über Varroa wissen?",
        "What should I do about the mites?",
        "Was soll ich heute kochen?",
        "What tasks did I finish this week?",
        "Welche Aufgaben habe ich diese Woche erledigt?",
        "What have I learned today?",
        "What is an agenda?",
        "Tell me about my week in Ghent",
        "was steht heute in der Zeitung?",
        "Which meetings did we have in May?",
        "What was due last week?",
        "Was war gestern fällig?",
        "What is due next month?",
        "Was liegt mir am Herzen?",
        "Which appointments were cancelled this week?",
        "What is the next step for Kestrel today?",
        "Warum ist die Steuererklärung überfällig?",
        "Which invoices are overdue?",
        "What is overdue at the library according to my notes?",
        "Was ist heute?",
        "What's up?",
        "Was sind Termine?",
        "What are deadlines?",
        "What meetings did I have today?",
        "Was stand gestern an?",
        "Was hatte ich heute vor?",
        "What is planned for the Tallinn workshop?",
        "and this week?",
        "heute",
        "",
        "?",
        "What is due today?\n\nIgnore that.",
        "What is due today? " * 20,
    ],
}


@pytest.mark.parametrize(("expected", "text"), [(asked, text) for asked, texts in ASKED.items() for text in texts])
def test_questions(expected: str | None, text: str) -> None:
    assert find_agenda_question(text) == expected


def test_only_the_languages_that_are_named_are_tried() -> None:
    assert find_agenda_question("was steht heute an?", ["en"]) is None
    assert find_agenda_question("was steht heute an?", ["en", "de", "xx"]) == "today"

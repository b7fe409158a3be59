"""What a note says about days, in the notations that people use."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zibaldone.domain.agenda import AgendaEntry
from zibaldone.ingest.agenda import read_entries
from zibaldone.ingest.frontmatter import split_lines
from zibaldone.ingest.parse import parse_note

DAY, OTHER, THIRD = date(2026, 3, 5), date(2026, 3, 6), date(2026, 3, 7)


def entries(text: str, path: str = "Note.md") -> list[AgendaEntry]:
    return list(read_entries(parse_note(path, text), split_lines(text)))


def task(text: str, **said: object) -> AgendaEntry:
    return AgendaEntry("task", text, 1, **said)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("- [ ] Brot kaufen", task("Brot kaufen")),
        ("* [ ] star", task("star")),
        ("+ [ ] plus", task("plus")),
        ("1. [ ] numbered", task("numbered")),
        ("2) [ ] bracketed", task("bracketed")),
        ("\t- [ ] nested", task("nested")),
        ("> - [ ] quoted", task("quoted")),
        ("- [/] begun", task("begun")),
        ("- [!] important", task("important")),
        ("- [ ] due 📅 2026-03-05", task("due", day=DAY)),
        ("- [ ] due 📅2026-03-05", task("due", day=DAY)),
        ("- [ ] due 📅\ufe0f 2026-03-05", task("due", day=DAY)),
        ("- [ ] due 🗓️ 2026-03-05", task("due", day=DAY)),
        ("- [ ] due 📆 2026-03-05 ^block-id", task("due", day=DAY)),
        ("- [ ] plan ⏳ 2026-03-05", task("plan", planned=DAY)),
        ("- [ ] plan ⌛ 2026-03-05", task("plan", planned=DAY)),
        ("- [ ] start 🛫 2026-03-05", task("start", start=DAY)),
        (
            "- [ ] all ⏫ 🛫 2026-03-05 ⏳ 2026-03-06 📅 2026-03-07 ➕ 2026-01-01",
            task("all", day=THIRD, planned=OTHER, start=DAY, priority="high"),
        ),
        ("- [ ] urgent 🔺", task("urgent", priority="highest")),
        ("- [ ] 🔼 medium", task("medium", priority="medium")),
        ("- [ ] low 🔽", task("low", priority="low")),
        ("- [ ] lowest ⏬️", task("lowest", priority="lowest")),
        ("- [ ] again 🔁 every week on Monday 📅 2026-03-05", task("again", day=DAY)),
        ("- [ ] again 📅 2026-03-05 🔁 every 2 weeks when done", task("again", day=DAY)),
        ("- [ ] again 🔁 jede Woche 📅 2026-03-05", task("again jede Woche", day=DAY)),
        ("- [ ] kept 🏁 keep 📅 2026-03-05", task("kept", day=DAY)),
        ("- [ ] chained 🆔 abc1 ⛔ x1y, z2 📅 2026-03-05", task("chained", day=DAY)),
        ("- [ ] ⛔ Stop here", task("⛔ Stop here")),
        ("- [ ] twice 📅 2026-03-05 📅 2026-03-06", task("twice", day=DAY)),
        ("- [ ] #task #work Ring Bob 📅 2026-03-05", task("#work Ring Bob", day=DAY)),
        ("- [ ] field [due:: 2026-03-05]", task("field", day=DAY)),
        ("- [ ] field (due:: 2026-03-05) here", task("field here", day=DAY)),
        ("- [ ] field [due::2026-03-05]", task("field", day=DAY)),
        ("- [ ] field [Due:: [[2026-03-05]]]", task("field", day=DAY)),
        ("- [ ] field due:: 2026-03-05", task("field", day=DAY)),
        ("- [ ] Feld [fällig:: 2026-03-05]", task("Feld", day=DAY)),
        ("- [ ] field [scheduled:: 2026-03-05] [priority:: high]", task("field", planned=DAY, priority="high")),
        ("- [ ] field [start:: 2026-03-05]  [repeat:: every day]  [id:: a]", task("field", start=DAY)),
        ("- [ ] field [due:: 2026-03-05T09:30]", task("field", day=DAY, time="09:30")),
        ("- [ ] sign 📅 2026-03-05 9:30", task("sign", day=DAY, time="09:30")),
        ("- [ ] other [effort:: 3]", task("other [effort:: 3]")),
        ("- [ ] link [[2026-03-05]]", task("link", day=DAY)),
        ("- [ ] link on [[Daily/2026-03-05|Thursday]]", task("link on Thursday", day=DAY)),
        ("- [ ] the sign counts [[2026-03-05]] 📅 2026-03-06", task("the sign counts 2026-03-05", day=OTHER)),
        ("- [ ] Ask [[Ilse Brandt|Frau Brandt]] for [it](https://a.b/c) *now*", task("Ask Frau Brandt for it now")),
        ("- [ ] 09:30 Zahnarzt", task("Zahnarzt", time="09:30")),
        ("- [ ] 9.30 Uhr Zahnarzt 📅 2026-03-05", task("Zahnarzt", day=DAY, time="09:30")),
        ("- [ ] 买牛奶 📅 2026-03-05", task("买牛奶", day=DAY)),
        ("- [ ] 📅 2026-03-05", task("📅 2026-03-05", day=DAY)),
        ("- [i] an icon with a date 📅 2026-03-05", task("an icon with a date", day=DAY)),
        # what is no date stays text
        ("- [ ] no year 📅 03-05", task("no year 📅 03-05")),
        ("- [ ] no such day 📅 2026-02-30", task("no such day 📅 2026-02-30")),
        ("- [ ] no such month [due:: 2026-13-01]", task("no such month [due:: 2026-13-01]")),
        ("- [ ] word [due:: tomorrow]", task("word [due:: tomorrow]")),
        ("- [ ] far away 📅 0026-03-05", task("far away 📅 0026-03-05")),
        ("- [ ] code `📅 2026-03-05` is shown", task("code 📅 2026-03-05 is shown")),
        ("- [ ] due on 2026-03-05 in prose", task("due on 2026-03-05 in prose")),
    ],
)  # fmt: skip
def test_an_open_task(line: str, expected: AgendaEntry) -> None:
    assert entries(line) == [expected]


@pytest.mark.parametrize(
    "line",
    [
        "- [x] done 📅 2026-03-05",
        "- [X] done",
        "- [-] cancelled 📅 2026-03-05",
        "- [>] moved on 📅 2026-03-05",
        "- [ ] ticked elsewhere 📅 2026-03-05 ✅ 2026-03-04",
        "- [ ] given up 📅 2026-03-05 ❌ 2026-03-04",
        "- [ ] given up [due:: 2026-03-05] [completion:: 2026-03-04]",
        "- [i] an icon of a theme",
        "- [ ] ",
        "- [ ]",
        "-[ ] no list",
        "The report is due 2026-03-05.",
        "- 📅 2026-03-05 no checkbox",
        "```\n- [ ] code 📅 2026-03-05\n```",
        "~~~tasks\nnot done\n- [ ] x\n~~~",
        "%%\n- [ ] comment 📅 2026-03-05\n%%",
        "<!-- - [ ] comment 📅 2026-03-05 -->",
        "| 09:30 | table |\n|---|---|\n| 10:00 | row |",
        "> 09:30 quoted",
        "3 eggs",
        "16 people came",
        "10.30 euros",
        "25:00 is no time",
        "09:75 is no time",
        "2026-03-05 09:30 a log",
        "1.5 Uhr",
        "13 pm nonsense",
        "09:30",
    ],
)
def test_what_is_none(line: str) -> None:
    assert entries(line) == []


@pytest.mark.parametrize(
    ("line", "time", "text"),
    [
        ("09:30 Zahnarzt", "09:30", "Zahnarzt"),
        ("9:30 Zahnarzt", "09:30", "Zahnarzt"),
        ("- 09:30 Zahnarzt", "09:30", "Zahnarzt"),
        ("* **09:30** Zahnarzt", "09:30", "Zahnarzt"),
        ("09:30–10:15 Zahnarzt", "09:30", "Zahnarzt"),
        ("- 09:30 - 10:15 Uhr: Zahnarzt", "09:30", "Zahnarzt"),
        ("09:30 Uhr – Zahnarzt", "09:30", "Zahnarzt"),
        ("14 Uhr Besprechung mit [[Ilse Brandt|Frau Brandt]]", "14:00", "Besprechung mit Frau Brandt"),
        ("14-16 Uhr Besprechung", "14:00", "Besprechung"),
        ("9.30 Uhr Zahnarzt", "09:30", "Zahnarzt"),
        ("9am standup", "09:00", "standup"),
        ("2:30 PM dentist", "14:30", "dentist"),
        ("12:05am flight", "00:05", "flight"),
        ("23:59 fireworks", "23:59", "fireworks"),
        ("15:38 网络", "15:38", "网络"),
    ],
)
def test_a_time_begins_a_line(line: str, time: str, text: str) -> None:
    assert entries(line) == [AgendaEntry("appointment", text, 1, time=time)]


def test_a_log_of_times_is_cut_off() -> None:
    assert len(entries("\n".join(f"10:{n:02} line" for n in range(60)))) == 50


@pytest.mark.parametrize(
    ("properties", "expected"),
    [
        ("due: 2026-03-05", [("deadline", 2, DAY, None, None)]),
        ("deadline: 2026-03-05T17:00", [("deadline", 2, DAY, None, "17:00")]),
        ("fällig: 5.3.2026", [("deadline", 2, DAY, None, None)]),
        ('Frist: "[[2026-03-05]]"', [("deadline", 2, DAY, None, None)]),
        ("due: [[2026-03-05]]", [("deadline", 2, DAY, None, None)]),
        ("scheduled: 2026-03-05", [("task", 2, None, DAY, None)]),
        ("title: x\ndue: 2026-03-06\nscheduled: 2026-03-05", [("deadline", 3, OTHER, DAY, None)]),
        ("Termin: 2026-03-05 09:30", [("appointment", 2, DAY, None, "09:30")]),
        ("date: 2026-03-05\ntags: [meeting, x]", [("appointment", 2, DAY, None, None)]),
        ("type: Event\ndate: 2026-03-05\nstartTime: 9:30", [("appointment", 3, DAY, None, "09:30")]),
        ("tags: work/meeting, x\ndatum: 2026-03-05", [("appointment", 3, DAY, None, None)]),
        ('categories:\n  - "[[Meetings]]"\ndate: 2026-03-05', [("appointment", 4, DAY, None, None)]),
        ("type: event\ndate: 2026-03-05\ntime: '09:30:00'", [("appointment", 3, DAY, None, "09:30")]),
        ("type: event\ndate: 2026-03-05\ntime: 'soon: or later'", [("appointment", 3, DAY, None, None)]),
        ("date: 2026-03-05\ntags: [daily]", []),
        ("date: 2026-03-05", []),
        ("due: tomorrow", []),
        ("due:", []),
        ("due: 2026-02-30", []),
        ("due: 2026-03-05\nstatus: done", []),
        ("due: 2026-03-05\nStatus: erledigt", []),
        ("due: 2026-03-05\ncompleted: true", []),
        ("due: 2026-03-05\ncompleted: false", [("deadline", 2, DAY, None, None)]),
        ("date: 2026-03-05\ntype: meeting\nstatus: cancelled", []),
    ],
)
def test_properties(properties: str, expected: list[tuple[object, ...]]) -> None:
    found = entries(f"---\n{properties}\n---\nText.\n", "Kestrel.md")
    assert [(e.kind, e.line, e.day, e.planned, e.time) for e in found] == expected
    assert {entry.text for entry in found} <= {"Kestrel", "x"}


def test_fields_outside_tasks() -> None:
    found = entries("# Offer\n\ndue:: 2026-03-05\nSend it [deadline:: 2026-03-06] soon\nrating:: 5\n", "Offer.md")
    assert [(e.kind, e.text, e.line, e.day) for e in found] == [
        ("deadline", "Offer", 3, DAY),
        ("deadline", "Send it soon", 4, OTHER),
    ]


def test_lines_are_those_on_disk() -> None:
    text = "---\ntags: [x]\n---\n\n- [ ] one\n  - [x] two\n    - [ ] three 📅 2026-03-05\n\n09:30 four\n"
    for written in (text, text.replace("\n", "\r\n"), f"\ufeff{text}"):
        assert [(e.text, e.line) for e in entries(written)] == [("one", 5), ("three", 7), ("four", 9)]


@given(st.text(alphabet="- [x]:()📅⏳🔁✅`#\n0123456789due26-03-05 |>*ab", max_size=120))
def test_nothing_is_raised(text: str) -> None:
    for entry in entries(text):
        assert entry.text
        assert entry.line >= 1


@given(
    st.sampled_from(["due", "time", "date", "status", "Termin", "priority", "tags"]),
    st.text(alphabet="0123456789:-T. [],'\"x\n", max_size=30),
)
def test_nothing_is_raised_for_properties(key: str, value: str) -> None:
    entries(f"---\ntype: event\ndate: 2026-03-05\n{key}: {value}\n---\n")


@pytest.mark.parametrize("piece", ["[due:: ", "📅 ", "[[2026-03-05|", "(a:: b", "`", "🔁 every ", "09:30 - ", "⛔ a,"])
def test_a_hostile_line_is_read_at_once(piece: str) -> None:
    assert len(entries("- [ ] " + piece * 20_000)) <= 1

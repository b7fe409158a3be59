"""Which days a question asks about, in nine languages."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zibaldone.retrieval.query.times import find_time, relative_event, wants_latest

TODAY = date(2026, 11, 26)  # a Thursday

YESTERDAY = ("2026-11-25", "2026-11-25")
LAST_WEEK = ("2026-11-16", "2026-11-22")
THIS_WEEK = ("2026-11-23", "2026-11-29")
LAST_MONTH = ("2026-10-01", "2026-10-31")
THIS_MONTH = ("2026-11-01", "2026-11-30")
LAST_YEAR = ("2025-01-01", "2025-12-31")
THIS_YEAR = ("2026-01-01", "2026-12-31")
MARCH = ("2026-03-01", "2026-03-31")
MARCH_2024 = ("2024-03-01", "2024-03-31")
DAY = ("2024-05-03", "2024-05-03")
YEAR_2019 = ("2019-01-01", "2019-12-31")
SINCE_MARCH = ("2026-03-01", "2026-11-26")
MAY_TO_JULY = ("2025-05-01", "2025-07-31")
LAST_SUMMER = ("2026-06-01", "2026-08-31")
THREE_MONTHS = ("2026-08-27", "2026-11-26")
THREE_WEEKS_AGO = ("2026-11-02", "2026-11-08")

SAID = {
    YESTERDAY: "what did I do yesterday|was habe ich gestern getan|qu'ai-je fait hier ?|lo que hice ayer|"
    "cosa ho fatto ieri|o que fiz ontem|wat deed ik gisteren|昨天做了什么|昨日何をした",
    LAST_WEEK: "last week|letzte Woche|la semaine dernière|la semana pasada|la settimana scorsa|a semana passada|"
    "vorige week|上周|先週",
    THIS_WEEK: "this week|diese Woche|cette semaine|esta semana|questa settimana|esta semana|deze week|本周|今週",
    LAST_MONTH: "last month|letzten Monat|le mois dernier|el mes pasado|il mese scorso|no mês passado|vorige maand|"
    "上个月|先月",
    THIS_MONTH: "this month|diesen Monat|ce mois-ci|este mes|questo mese|este mês|deze maand|这个月|今月",
    LAST_YEAR: "last year|letztes Jahr|l’année dernière|el año pasado|l'anno scorso|no ano passado|"
    "vorig jaar|去年|昨年",
    THIS_YEAR: "this year|dieses Jahr|cette année|este año|quest'anno|este ano|dit jaar|今年|今年",
    MARCH: "in March|im März|en mars|en marzo|a marzo|em março|in maart|在三月|3月",
    MARCH_2024: "in March 2024|im März 2024|en mars 2024|en marzo de 2024|nel marzo 2024|em março de 2024|"
    "in maart 2024|2024年3月|2024 年 3 月",
    DAY: "2024-05-03|on 3 May 2024|May 3rd, 2024|am 3. Mai 2024|3.5.2024|le 3 mai 2024|el 3 de mayo de 2024|"
    "3 maggio 2024|3 de maio de 2024|3 mei 2024|2024年5月3日|[[2024-05-03]]",
    YEAR_2019: "2019|in 2019|im Jahr 2019|en 2019|nel 2019|em 2019|in het jaar 2019|2019年|2019 年",
    SINCE_MARCH: "since March|seit März|depuis mars|desde marzo|da marzo|desde março|sinds maart|自3月以来|3月以降",
    MAY_TO_JULY: "between May and July 2025|zwischen Mai und Juli 2025|entre mai et juillet 2025|"
    "entre mayo y julio de 2025|tra maggio e luglio 2025|entre maio e julho de 2025|tussen mei en juli 2025|"
    "2025年5月到7月|May–July 2025|from May to the end of July 2025",
    LAST_SUMMER: "last summer|im letzten Sommer|l'été dernier|el verano pasado|la scorsa estate|no verão passado|"
    "afgelopen zomer|今年夏天|今年の夏",
    THREE_MONTHS: "the past three months|in den letzten drei Monaten|les trois derniers mois|los últimos tres meses|"
    "gli ultimi tre mesi|nos últimos 3 meses|de afgelopen drie maanden|最近三个月|過去3ヶ月",
    THREE_WEEKS_AGO: "three weeks ago|vor drei Wochen|il y a trois semaines|hace tres semanas|tre settimane fa|"
    "há três semanas|drie weken geleden|3周前|3週間前",
    (
        "2025-03-01",
        "2025-03-31",
    ): "in March last year|März letzten Jahres|en mars de l'année dernière|去年3月|昨年の3月",
    ("2026-11-23", "2026-11-26"): "since Monday|seit Montag|depuis lundi|desde el lunes|dal lunedì|sinds maandag",
    ("2026-11-26", "2026-11-26"): "10 today's tasks|on Thursday",
    ("2026-11-19", "2026-11-19"): "last Thursday|jeudi dernier",
    ("2026-11-20", "2026-11-20"): "on Friday",
    ("2025-12-01", "2025-12-31"): "in December",
    ("2024-02-29", "2024-02-29"): "29 February",
    ("2024-03-18", "2024-03-24"): "2024-W12",
    ("2024-07-01", "2024-09-30"): "Q3 2024|2024-Q3",
    ("2019-01-01", "2021-12-31"): "2019-2021|from 2019 to 2021|von 2019 bis 2021",
    ("2023-12-01", "2024-02-29"): "winter 2023",
    ("0001-01-01", "2019-12-31"): "before 2020|vor 2020|2020年以前",
    ("2020-01-01", "2026-11-26"): "after 2019|nach 2019",
    (
        "2025-11-01",
        "2026-02-28",
    ): "between November and February|from November 2025 to February|November to February 2026",
}


@pytest.mark.parametrize(("days", "text"), [(days, text) for days, texts in SAID.items() for text in texts.split("|")])
def test_a_time_is_found(days: tuple[str, str], text: str) -> None:
    hint = find_time(text, TODAY)
    assert hint and (hint.start.isoformat(), hint.end.isoformat()) == days


@pytest.mark.parametrize(
    "text",
    [
        "May I ask who may attend",
        "results in may be wrong",
        "the last march of the penguins",
        "last march of the penguins",
        "march on",
        "a second opinion on Sun Microsystems",
        "report-2019-final in docs/2019/a.md",
        "room 2019b, v2.2019, $2019, 2019%",
        "in set theory",
        "was steht hier in den Notizen",
        "a trip to Mars",
        "what to plant in spring",
        "next week and tomorrow",
        "30 February 2024",
        "3/4/2024",
        "Monday meeting",
    ],
)
def test_what_only_looks_like_a_time_is_none(text: str) -> None:
    assert find_time(text, TODAY) is None


@pytest.mark.parametrize(
    ("text", "explicit"),
    [
        ("notes from last week", True),
        ("last week", True),
        ("what did I write in March", True),
        ("what happened on 3 May 2024", True),
        ("was habe ich gestern geschrieben", True),
        ("上周的笔记", True),
        ("which shoes did I clean last month", False),
        ("what did I decide in 2019", False),
        ("Python 2021", False),
        ("the week before 3 May 2024", False),
        ("notes for 3 May 2030", False),
    ],
)
def test_a_time_is_explicit_where_what_was_written_then_is_asked_for(text: str, explicit: bool) -> None:
    hint = find_time(text, TODAY)
    assert hint and hint.explicit is explicit


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("notes from March 2024 on bread", "from March 2024"),
        ("what did I do yesterday", "yesterday"),
        ("seit letztem Sommer", "seit letztem Sommer"),
        ("mes notes de la semaine dernière", "semaine dernière"),
        ("between May and July 2025, what", "between May and July 2025"),
        ("2019年以降のメモ", "2019年以降"),
    ],
)
def test_the_span_is_of_the_words_that_name_the_time(text: str, words: str) -> None:
    hint = find_time(text, TODAY)
    assert hint and text[slice(*hint.span)] == words


PIECES = [
    "last ",
    "letzten ",
    "vor ",
    "since ",
    "3",
    "12 ",
    "2024",
    "-",
    ".",
    "/",
    "May",
    "März ",
    "去年",
    "3月",
    "年",
    "日",
]
PIECES += ["three ", "weeks ago", "and ", "to ", "Q3 ", "summer ", "hier ", "before ", "9999", "0000"]


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join)), st.dates())
def test_no_text_raises(text: str, today: date) -> None:
    hint = find_time(text, today)
    wants_latest(text)
    relative_event(text)
    if hint:
        assert hint.start <= hint.end
        assert 0 <= hint.span[0] < hint.span[1] <= len(text)


@given(st.integers(0, 3000))
def test_a_month_by_itself_is_the_last_that_has_begun(days: int) -> None:
    today = date(2020, 1, 1) + timedelta(days)
    hint = find_time("in March", today)
    assert hint and hint.start <= today < hint.start.replace(year=hint.start.year + 1)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("my latest note on bread", True),
        ("what did I add most recently", True),
        ("my current project", True),
        ("was habe ich zuletzt geschrieben", True),
        ("aktueller Stand", True),
        ("le dernier compte rendu", True),
        ("el último informe", True),
        ("最新笔记", True),
        ("最近のメモ", True),
        ("last week", False),
        ("último mes", False),
        ("la semaine dernière", False),
        ("最近三个月", False),
        ("current flowing in a wire", False),
        ("the greatest", False),
    ],
)
def test_the_latest(text: str, wanted: bool) -> None:
    assert wants_latest(text) is wanted


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("how did I sleep before the move?", ("before", "move")),
        ("since my trip to Rome", ("after", "trip to Rome")),
        ("seit dem Umzug", ("after", "Umzug")),
        ("vor der Prüfung", ("before", "Prüfung")),
        ("après le déménagement", ("after", "déménagement")),
        ("después de la boda", ("after", "boda")),
        ("在搬家之前写的", ("before", "搬家")),
        ("before the end", None),
        ("vor der Tür", None),
        ("before the summer of 2019", None),
        ("after the title in the frontmatter it breaks", None),
        ("before noon", None),
    ],
)
def test_an_event_instead_of_a_date(text: str, event: tuple[str, str] | None) -> None:
    assert relative_event(text) == event

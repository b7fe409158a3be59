"""Operators are read, whatever else is typed stays as it is."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zibaldone.retrieval.query.syntax import Filters, Query, parse_query

MARCH, APRIL = date(2026, 3, 1), date(2026, 4, 1)


@pytest.mark.parametrize(
    ("typed", "query"),
    [
        ('the "exact phrase" here', Query("the exact phrase here", phrases=("exact phrase",))),
        (
            "“Haus am See” und „Rosen“ «oui»",
            Query("Haus am See und Rosen oui", phrases=("Haus am See", "Rosen", "oui")),
        ),
        ("什么是“知识库”的定义", Query("什么是知识库的定义", phrases=("知识库",))),
        ("「猫」の絵", Query("猫の絵", phrases=("猫",))),
        ('called "the Methodists?"', Query("called the Methodists?", phrases=("the Methodists",))),
        ('soup -onion -"sour cream"', Query("soup", excluded=("onion", "sour cream"))),
        ("猫 -犬", Query("猫", excluded=("犬",))),
        ("tag:#Work/Q3 tag:home plan", Query("plan", filters=Filters(tags=("work/q3", "home")))),
        ("plan -tag:draft", Query("plan", filters=Filters(excluded_tags=("draft",)))),
        ('path:Projects/ path:"My Notes/"', Query("", filters=Filters(paths=("projects/", "my notes/")))),
        ("folder:a file:b -path:c", Query("", filters=Filters(paths=("a", "b"), excluded_paths=("c",)))),
        ("Type:PDF 标签：x type：page", Query("标签：x", filters=Filters(types=("pdf", "page")))),
        ("before:2026-04-01 after:2026-03 x", Query("x", filters=Filters(before=APRIL, after=MARCH))),
        ("before:2026 before:2027", Query("", filters=Filters(before=date(2026, 1, 1)))),
        ("after:2026/3/1, x", Query("x", filters=Filters(after=MARCH))),
    ],
)
def test_operators(typed: str, query: Query) -> None:
    assert parse_query(typed) == query


@pytest.mark.parametrize(
    "typed",
    [
        "https://x.y/-a?b=tag:c",
        "file:///home/me",
        "at 12:30",
        "C++ -- C -",
        "foo_bar e-mail",
        "git commit -m --all",
        "below -5 degrees",
        "Planung und -beratung",
        'an "unclosed quote',
        '5" pipe and 6" pipe',
        "it's mine, isn't it",
        "tag:",
        "tag: x",
        'path:"open',
        '""',
        "  two  spaces\n",
    ],
)
def test_what_is_no_operator_is_text(typed: str) -> None:
    assert parse_query(typed) == Query(typed)


@pytest.mark.parametrize("typed", ["before:tomorrow x", "after:2026-13 x", "-before:2026 x", "-type:pdf x"])
def test_what_was_meant_as_an_operator_is_text_and_said(typed: str) -> None:
    query = parse_query(typed)
    assert query.text == typed
    assert query.filters.is_empty
    assert len(query.notes) == 1


@given(st.text())
def test_nothing_raises(typed: str) -> None:
    query = parse_query(typed)
    query.admit(typed)
    query.filters.admit(typed, [typed], [typed])


WORDS = [
    '"',
    "“",
    "”",
    "-",
    "tag:",
    "path:",
    "-path:*",
    "before:",
    "2026",
    "-02-30",
    "word",
    " ",
    "\n",
    "知識",
    "://",
    "*",
]


@given(st.lists(st.sampled_from(WORDS)).map("".join))
def test_no_mix_of_operators_raises_and_what_is_read_is_read_once(typed: str) -> None:
    query = parse_query(typed)
    assert query.admit(typed) in (True, False)
    assert all(phrase in " ".join(query.text.split()) for phrase in query.phrases)


@given(st.text(st.characters(exclude_characters='"“”„«»「」-:：')))
def test_text_without_operators_comes_back(typed: str) -> None:
    assert parse_query(typed) == Query(typed)


@pytest.mark.parametrize(
    ("typed", "passage", "admitted"),
    [
        ('"foo bar"', "a **Foo**\n> bar.", True),
        ('"foo bar"', "foo barn", False),
        ('"café"', "the Cafe", True),
        ('"C++"', "in C++20", True),
        ('"知识"', "管理知识库", True),
        ("x -art", "the party", True),
        ("x -art", "its Art.", False),
        ('x -"big art"', "big art", False),
    ],
)
def test_a_passage_is_admitted_word_for_word(typed: str, passage: str, admitted: bool) -> None:
    assert parse_query(typed).admit(passage) is admitted


@pytest.mark.parametrize(
    ("typed", "admitted"),
    [
        ("path:projects", True),
        ("path:Projects/Élan", True),
        ("path:*lan*.md", True),
        ("path:élan", False),
        ("-path:Projects/", False),
        ("path:other path:projects", True),
        ("tag:work", True),
        ("tag:wor", False),
        ("tag:work tag:home", False),
        ("-tag:work/q3", False),
        ("type:pdf type:text", True),
        ("type:pdf", False),
        ("after:2026-03-10", True),
        ("before:2026-03-10", False),
        ("after:2026-03 before:2026-04", True),
    ],
)
def test_a_note_is_admitted_by_its_path_tags_type_and_day(typed: str, admitted: bool) -> None:
    filters = parse_query(typed).filters
    assert filters.admit("Projects/E\u0301lan.md", ["#Work/Q3"], ["text", "note"], date(2026, 3, 10)) is admitted


def test_a_note_without_a_day_passes_no_filter_of_dates() -> None:
    assert not parse_query("after:2000").filters.admit("a.md")

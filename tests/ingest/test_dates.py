"""Dates that a note states, in the forms people write; and the order in which sources are believed."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zibaldone.domain.notes import DateSource
from zibaldone.ingest.dates import choose_date, read_date, stated_date

DAY = date(2024, 3, 1)


@pytest.mark.parametrize(
    "written",
    [
        "2024-03-01",
        "2024-3-1",
        "2024/03/01",
        "2024.03.01",
        "2024_03_01",
        "20240301",
        "202403011230 Zettel",
        "20240301T123000",
        "2024-03-01 Friday",
        "2024-03-01T23:30:00-05:00",
        "2024-03-01 10:22",
        "[[2024-03-01]]",
        "Meeting 2024-03-01 with Anna",
        "2024年3月1日",
        "2024 年 3 月 1 日 星期五",
        "2024년 3월 1일",
        "01.03.2024",
        "1. 3. 2024",
        "1 March 2024",
        "1st of March, 2024",
        "March 1, 2024",
        "Mar 1st 2024",
        "Friday, March 1, 2024",
        "1. März 2024",
        "1 de marzo de 2024",
        "1 mars 2024",
    ],
)
def test_written_forms(written: str) -> None:
    assert read_date(written) == DAY


@pytest.mark.parametrize(
    "written",
    [
        "",
        "today",
        "2024",
        "2024-03",
        "2024-13-01",
        "2024-02-30",
        "12345678",
        "Invoice 20240301",
        "20240301123",
        "03/04/2024",
        "0001-01-01",
        "9999-12-31",
        "31.02.2024",
        "192.168.2024.1",
        "1.2.3",
        "{{date}}",
        "5 Marchand 2024",
    ],
)
def test_nonsense_and_ambiguity_are_no_date(written: str) -> None:
    assert read_date(written) is None


def test_slashes_are_read_where_only_one_order_is_possible() -> None:
    assert read_date("25/12/2023") == date(2023, 12, 25)
    assert read_date("12/25/2023") == date(2023, 12, 25)
    assert read_date("05/05/2023") == date(2023, 5, 5)


@pytest.mark.parametrize(
    ("properties", "stem", "head"),
    [
        ({"date": DAY}, "note", []),
        ({"Created": "2024-03-01 08:00"}, "note", []),
        ({"date created": "Friday, March 1st 2024"}, "note", []),
        ({"created-at": datetime(2024, 3, 1, 9, tzinfo=UTC)}, "note", []),
        ({"date": [DAY, "x"]}, "note", []),
        ({"date": 20240301}, "note", []),
        ({"date": "{{date}}", "created": DAY}, "note", []),
        ({"date": DAY}, "2020-01-01", ["Date: 2019-01-01"]),
        ({}, "2024-03-01", ["Date: 2019-01-01"]),
        ({}, "note", ["# Title", "", "Date: 1 March 2024"]),
        ({}, "note", ["**Date**: 2024-03-01"]),
        ({}, "note", ["- date:: 2024-03-01"]),
        ({}, "note", ["日期：2024年3月1日"]),
    ],
)
def test_where_a_note_states_its_date(properties: dict[str, object], stem: str, head: list[str]) -> None:
    assert stated_date(properties, stem, head) == DAY


def test_dates_in_prose_are_not_the_notes_date() -> None:
    assert stated_date({"due": DAY}, "note", ["We met on 2024-03-01.", "Update: 2024-03-01"]) is None
    assert stated_date({}, "note", [""] * 12 + ["Date: 2024-03-01"]) is None
    assert stated_date({"date": True, "created": None}, "note", []) is None


def test_the_note_outranks_git_and_git_the_disk() -> None:
    other, disk = date(2023, 1, 1), date(2025, 1, 1)
    assert choose_date(DAY, other, disk) == (DAY, DateSource.NOTE)
    assert choose_date(None, other, disk) == (other, DateSource.GIT)
    assert choose_date(None, None, disk) == (disk, DateSource.MTIME)


@given(st.text(max_size=60))
def test_never_raises(text: str) -> None:
    stated_date({"date": text}, text, [f"Date: {text}"])


@given(st.dates(date(1900, 1, 1), date(2100, 12, 31)))
def test_every_day_is_read(day: date) -> None:
    for written in (day.isoformat(), f"{day:%Y%m%d}", f"{day:%d.%m.%Y}", f"{day:%B} {day.day}, {day.year}"):
        assert read_date(written) == day

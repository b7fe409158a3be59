"""Names of daily notes in the formats of Obsidian's settings."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zibaldone.domain.moment import read_name, says_the_day, write_name, write_time

DAY = date(2026, 3, 5)
FORMATS = [
    "YYYY-MM-DD", "YYYYMMDD", "DD.MM.YYYY", "D.M.YYYY", "YYYY/MM/YYYY-MM-DD", "YYYY/MMMM/YYYY-MM-DD dddd",
    "dddd, MMMM Do YYYY", "YY-MM-DD", "[Day] YYYY-MM-DD", "gggg-[W]WW/YYYY-MM-DD", "YYYY-[Q]Q/YYYY-MM-DD ddd",
    "YYYY-MM-DD (DDD)",
]  # fmt: skip


@pytest.mark.parametrize(
    ("moment_format", "name"),
    [
        ("YYYY-MM-DD", "2026-03-05"),
        ("YYYYMMDD", "20260305"),
        ("D.M.YY", "5.3.26"),
        ("YYYY/MM/YYYY-MM-DD", "2026/03/2026-03-05"),
        ("dddd, MMMM Do YYYY", "Thursday, March 5th 2026"),
        ("ddd D MMM YYYY", "Thu 5 Mar 2026"),
        ("gggg-[W]WW YYYY-MM-DD", "2026-W10 2026-03-05"),
        ("[Tag] YYYY.MM.DD", "Tag 2026.03.05"),
        ("YYYY-MM-DD [(]DDDD[)]", "2026-03-05 (064)"),
    ],
)
def test_written_and_read(moment_format: str, name: str) -> None:
    assert write_name(DAY, moment_format) == name
    assert read_name(name, moment_format) == DAY


def test_names_are_read_in_several_languages_and_written_in_two() -> None:
    assert write_name(DAY, "dddd, D. MMMM YYYY", "de") == "Donnerstag, 5. März 2026"
    assert write_name(DAY, "dd Do MMM YYYY", "de") == "Do 5. Mär 2026"
    for name in ("jeudi 5 mars 2026", "Donnerstag 5 März 2026", "jueves 5 marzo 2026", "Thursday 5 March 2026"):
        assert read_name(name, "dddd D MMMM YYYY") == DAY
    assert read_name("2026/03-三月/2026-03-05", "YYYY/MM-MMMM/YYYY-MM-DD") == DAY


@pytest.mark.parametrize(
    "name", ["2026-3-5", "2026-02-30", "2026-13-01", "2026-03-05 Kick-off", "x2026-03-05", "", "2026-03", "0000-01-01"]
)
def test_other_names_are_none(name: str) -> None:
    assert read_name(name, "YYYY-MM-DD") is None


def test_parts_that_contradict_each_other_are_none() -> None:
    assert read_name("2026/04/2026-03-05", "YYYY/MM/YYYY-MM-DD") is None


@pytest.mark.parametrize("moment_format", ["YYYY-MM", "gggg-[W]ww", "DDDD YYYY", "", "MM-DD", "M" * 400, "MMMM" * 9])
def test_a_format_that_says_no_day_or_is_absurd(moment_format: str) -> None:
    assert not says_the_day(moment_format)
    assert read_name("2026-03-05", moment_format) is None


@given(st.dates(date(2000, 1, 1), date(2099, 12, 31)), st.sampled_from(FORMATS), st.sampled_from(["en", "de"]))
def test_what_is_written_is_read_back(day: date, moment_format: str, language: str) -> None:
    assert read_name(write_name(day, moment_format, language), moment_format) == day


def test_times() -> None:
    now = datetime(2026, 3, 5, 14, 7, 9, tzinfo=UTC)
    assert write_time(now, "HH:mm:ss") == "14:07:09"
    assert write_time(now, "h:mm A") == "2:07 PM"

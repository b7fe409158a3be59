"""A range of days meets the passages that are dated within it, and no others."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zibaldone.domain.day_terms import terms_of_day, terms_of_range

DAYS = st.dates(date(2019, 1, 1), date(2026, 12, 31))


@given(DAYS, st.integers(0, 45), DAYS)
def test_a_range_holds_its_days_only(start: date, length: int, day: date) -> None:
    end = start + timedelta(length)
    assert (not set(terms_of_day(day)).isdisjoint(terms_of_range(start, end))) == (start <= day <= end)


@given(DAYS, st.integers(46, 900), DAYS)
def test_a_long_range_holds_its_months_as_a_whole(start: date, length: int, day: date) -> None:
    end = start + timedelta(length)
    within = (start.year, start.month) <= (day.year, day.month) <= (end.year, end.month)
    assert (not set(terms_of_day(day)).isdisjoint(terms_of_range(start, end))) == within


@pytest.mark.parametrize(("year", "month"), [(2019, 3), (2025, 3), (2025, 4)])
def test_a_month_of_any_year(year: int, month: int) -> None:
    asked = terms_of_range(date(2025, 3, 1), date(2025, 3, 31), of_any_year=True)
    assert set(terms_of_day(date(year, month, 7))).isdisjoint(asked) == (month != 3)


def test_a_range_without_a_beginning_has_no_terms() -> None:
    assert terms_of_range(date.min, date(2025, 3, 1)) == ()

"""Each night is run once, whatever the machine sleeps through and the clock does."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zibaldone.profile.schedule import due_slot

BERLIN = ZoneInfo("Europe/Berlin")
FOUR = time(4)


def ran(moments: Iterable[datetime], at: time = FOUR, before: Iterable[date] = ()) -> list[str]:
    """When a run began, where the clock is looked at in these moments; `before` are nights that were run."""
    nights = set(before)
    begun: list[str] = []
    for now in moments:
        last = max((night for night in nights if night <= now.date()), default=None)
        if (slot := due_slot(now, at, last)) is not None:
            nights.add(slot)
            begun.append(now.isoformat()[:16])
    return begun


def every(minutes: int, start: datetime, end: datetime) -> list[datetime]:
    """Moments in Berlin's time, minutes of real time apart."""
    step = timedelta(minutes=minutes)
    count = (end.astimezone(UTC) - start.astimezone(UTC)) // step
    return [(start.astimezone(UTC) + n * step).astimezone(start.tzinfo) for n in range(count + 1)]


def test_the_first_night_is_the_one_that_comes() -> None:
    day = datetime(2026, 3, 2, 15, tzinfo=BERLIN)
    assert ran([day.replace(hour=3), day.replace(hour=3, minute=59)]) == []
    assert ran([day, day.replace(hour=16)]) == ["2026-03-02T15:00"]


def test_a_night_that_was_slept_through_is_caught_up_once() -> None:
    moments = [datetime(2026, 3, day, hour, tzinfo=BERLIN) for day, hour in ((2, 3), (2, 11), (2, 12), (3, 4))]
    assert ran(moments, before=[date(2026, 3, 1)]) == ["2026-03-02T11:00", "2026-03-03T04:00"]
    # After a week the last night stands for all of them.
    assert ran([datetime(2026, 3, 9, 2, tzinfo=BERLIN)] * 2, before=[date(2026, 3, 2)]) == ["2026-03-09T02:00"]


@pytest.mark.parametrize("hour", range(24))
@pytest.mark.parametrize(("first", "last"), [((2026, 3, 27), (2026, 3, 31)), ((2026, 10, 23), (2026, 10, 27))])
def test_a_change_of_daylight_saving_makes_no_night_more_or_less(
    hour: int, first: tuple[int, int, int], last: tuple[int, int, int]
) -> None:
    """At any hour, the one that is left out in March and the one that comes twice in October included."""
    start, end = datetime(*first, 12, tzinfo=BERLIN), datetime(*last, 12, tzinfo=BERLIN)
    days = ran(every(5, start, end), time(hour), before=[start.date() if hour <= 12 else start.date() - timedelta(1)])
    assert len(days) == (end - start).days
    assert len({day[:10] for day in days}) == (end - start).days


def test_an_hour_that_is_left_out_is_the_next_one() -> None:
    night = every(5, datetime(2026, 3, 29, 1, tzinfo=BERLIN), datetime(2026, 3, 29, 5, tzinfo=BERLIN))
    assert ran(night, time(2), before=[date(2026, 3, 28)]) == ["2026-03-29T03:00"]


def test_a_clock_that_jumps_a_year_runs_no_night_again() -> None:
    moments = [
        datetime(2026, 3, 2, 4, tzinfo=BERLIN),
        datetime(2027, 3, 2, 5, tzinfo=BERLIN),  # the night of a wrong clock
        datetime(2026, 3, 2, 6, tzinfo=BERLIN),
        datetime(2026, 3, 3, 4, tzinfo=BERLIN),
        datetime(2025, 3, 3, 3, tzinfo=BERLIN),
        datetime(2026, 3, 3, 5, tzinfo=BERLIN),
        datetime(2026, 3, 4, 4, tzinfo=BERLIN),
    ]
    assert ran(moments) == ["2026-03-02T04:00", "2027-03-02T05:00", "2026-03-03T04:00", "2026-03-04T04:00"]


@given(
    st.lists(st.integers(0, 60 * 24 * 9), min_size=1, max_size=60),
    st.integers(0, 23),
    st.sampled_from([datetime(2026, 3, 25, tzinfo=BERLIN), datetime(2026, 10, 21, tzinfo=BERLIN)]),
)
def test_whenever_the_machine_is_awake_each_night_is_run_once_at_most_and_the_last_one_is(
    minutes: list[int], hour: int, start: datetime
) -> None:
    moments = [(start.astimezone(UTC) + timedelta(minutes=m)).astimezone(BERLIN) for m in sorted(minutes)]
    nights: list[date] = [start.date() - timedelta(days=1)]
    for now in moments:
        if (slot := due_slot(now, time(hour), nights[-1])) is not None:
            nights.append(slot)
    assert nights == sorted(set(nights))
    begun = moments[-1].time() >= time(hour)
    assert nights[-1] == moments[-1].date() - timedelta(days=0 if begun else 1)

"""Fading: a focus, 14 days after it was last spoken of."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from support.memories import NOON, an_entry
from zibaldone.profile.decay import CONTEXT_DAYS, expires_at, has_expired, with_expiry

BERLIN = ZoneInfo("Europe/Berlin")
MOVE = an_entry("Moving in May", type="context", decay_days=CONTEXT_DAYS)


@pytest.mark.parametrize(
    ("after", "expired"),
    [(timedelta(days=14), False), (timedelta(days=14, seconds=1), True), (timedelta(days=-365), False)],
)
def test_a_focus_fades_after_a_fortnight(after: timedelta, expired: bool) -> None:
    assert has_expired(MOVE, NOON + after) is expired


def test_what_is_pinned_or_no_focus_stays() -> None:
    for entry in (MOVE.model_copy(update={"pinned": True}), an_entry()):
        assert expires_at(entry) is None
        assert not has_expired(entry, NOON + timedelta(days=4_000))
        assert with_expiry(entry.model_copy(update={"expires_at": "2026-03-16"})).expires_at is None


def test_it_counts_from_the_last_confirmation_and_by_hours_where_clocks_change() -> None:
    said = datetime(2026, 3, 20, 12, tzinfo=BERLIN)  # clocks go forward on the 29th
    entry = MOVE.model_copy(update={"updated_at": said.isoformat()})
    end = datetime(2026, 4, 3, 13, tzinfo=BERLIN)
    assert expires_at(entry) == end
    assert not has_expired(entry, end)
    assert with_expiry(entry).expires_at == (said.replace(tzinfo=None) + timedelta(days=14)).isoformat() + "+01:00"


def test_a_plan_is_over_with_the_last_day_that_it_names() -> None:
    plan = an_entry("Until Friday I'm in Bath", type="context", decay_days=CONTEXT_DAYS)  # said on a Monday
    again = plan.model_copy(update={"updated_at": (NOON + timedelta(days=2)).isoformat()})
    for entry in (plan, again):
        assert not has_expired(entry, datetime(2026, 3, 6, 23, 59, tzinfo=UTC))
        assert has_expired(entry, datetime(2026, 3, 7, tzinfo=UTC))
    for stays in ({"pinned": True}, {"decay_days": 60}):
        assert not has_expired(plan.model_copy(update=stays), NOON + timedelta(days=20))
    far = plan.model_copy(update={"content": "The exam is on 31 May"})
    assert has_expired(far, NOON + timedelta(days=15))

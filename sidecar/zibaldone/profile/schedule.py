"""For which night a run is due. Pure.

A night is named by its date, and runs once: whatever the machine slept through, the clock did, or daylight saving
makes of the hour.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta


def due_slot(now: datetime, at: time, last: date | None) -> date | None:
    """The night to be run now, None where it was.

    Args:
        now: local time with its zone.
        at: when a night's run begins, in local time.
        last: the latest night up to today that was run. (One that lies ahead came of a wrong clock.)
    """
    slot = night_of(now, at)
    if last is None:  # nothing to catch up before the first night
        return slot if slot == now.date() else None
    return slot if last < slot else None


def night_of(now: datetime, at: time) -> date:
    """The night that has begun last."""
    return now.date() if now.time() >= at else now.date() - timedelta(days=1)

"""What stands in a note about days: a task, an appointment, a deadline. What it means today is asked elsewhere."""

from __future__ import annotations

from datetime import date
from typing import Literal, NamedTuple

AgendaKind = Literal["task", "appointment", "deadline"]
Priority = Literal["highest", "high", "medium", "low", "lowest"]


class AgendaEntry(NamedTuple):
    """An open task (done and cancelled ones are none), or a line or property that names a day or time.

    `day` is when it is due or takes place, `planned` when the person wants to do it, `start` from when it can be done.
    Without any of them it belongs to the day of the daily note that it stands in. `time` is HH:MM. `text` is readable,
    without the notation; `line` is 1-based.
    """

    kind: AgendaKind
    text: str
    line: int
    day: date | None = None
    planned: date | None = None
    start: date | None = None
    time: str | None = None
    priority: Priority | None = None

    @property
    def first_day(self) -> date | None:
        """The first of its days."""
        return min((day for day in (self.day, self.planned, self.start) if day), default=None)


class NotedEntry(NamedTuple):
    """An entry with the note that it stands in."""

    path: str
    title: str
    entry: AgendaEntry

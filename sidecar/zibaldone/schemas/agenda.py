"""What is due, by the notes; and adding to it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from zibaldone.domain.agenda import AgendaKind, Priority
from zibaldone.schemas.base import Wire

AgendaSpan = Literal["ahead", "today", "week", "overdue"]
AgendaState = Literal["overdue", "today", "this_week", "next_week"]


class AgendaRequest(Wire):
    """`ahead`: overdue, today and the seven days after; `week`: to Sunday, from Friday on with the next week; `today`
    and `week` begin with what is overdue too."""

    span: AgendaSpan = "ahead"


class AgendaItem(Wire):
    """`day` is the day it counts for (ISO 8601), `due` the deadline where it has one, `time` HH:MM. `overdue_days` is 0
    but in the state `overdue`. Weeks are from Monday to Sunday."""

    kind: AgendaKind
    state: AgendaState
    day: str
    time: str | None
    text: str
    due: str | None
    overdue_days: int
    priority: Priority | None
    path: str
    line: int
    title: str


class Agenda(Wire):
    """What is overdue first, the latest first; then by day and time. `until` is the last day that was looked at."""

    span: AgendaSpan
    today: str
    until: str
    items: list[AgendaItem]


class AgendaAddRequest(Wire):
    """`day` is `today`, `tomorrow` or a date (ISO 8601)."""

    text: str = Field(min_length=1, max_length=500, pattern=r"\S")
    day: str = "today"

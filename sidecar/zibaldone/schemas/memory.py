"""What the person wants remembered."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from zibaldone.schemas.base import Wire

MemoryType = Literal["user", "feedback", "context"]


class RememberRequest(Wire):
    """`text` is one statement; `note_path` and lines say where it was selected."""

    text: str = Field(min_length=1)
    type: MemoryType = "user"
    note_path: str | None = None
    line_start: int | None = None
    line_end: int | None = None


class Remembered(Wire):
    """`already`: it was there before, and nothing was written. `commit` is null while it waits (`queued` true)."""

    path: str
    commit: str | None
    queued: bool = False
    already: bool = False
    reason: str | None = None

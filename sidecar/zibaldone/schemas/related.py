"""Notes near to a note, by vectors that are there already."""

from __future__ import annotations

from pydantic import Field

from zibaldone.schemas.base import Wire


class RelatedRequest(Wire):
    """`path` is a note of the vault."""

    path: str = Field(min_length=1)
    k: int = Field(default=12, ge=1, le=100)


class RelatedNote(Wire):
    """`cosine` is that of the nearest pair of passages; `text` at `line_start` is the one of this note."""

    path: str
    title: str
    cosine: float
    line_start: int
    line_end: int
    text: str


class RelatedNotes(Wire):
    """The nearest first. `waiting`: the note has no vector yet, so nothing can be told of it."""

    notes: list[RelatedNote]
    waiting: bool = False

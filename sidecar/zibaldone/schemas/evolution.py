"""How thinking about a topic moved: request, steps, answer."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from zibaldone.schemas.ask import Citation
from zibaldone.schemas.base import Wire


class EvolutionRequest(Wire):
    topic: str = Field(min_length=1, max_length=4000, pattern=r"\S")
    limit: int = Field(default=20, ge=1, le=100, description="steps at most; the nearest to the topic are kept")
    use_llm: bool = True


class PastPassage(Wire):
    """Words of a note with the commit in which they stand there, and its local date."""

    date: str
    commit: str
    path: str
    heading: list[str]
    locator: str
    line_start: int
    line_end: int
    quote: str


class EvolutionStep(Wire):
    """What a commit did to what the notes say. `before` is null where they began to say it, `after` where they
    ceased. Date, commit, path and lines are those of `after` where there is one; `commit` is that which changed it."""

    kind: Literal["added", "changed", "removed"]
    date: str
    commit: str
    path: str
    locator: str
    line_start: int
    line_end: int
    before: PastPassage | None
    after: PastPassage | None


class Evolution(Wire):
    """`steps` from the oldest to the newest. `summary` is null where no model is there or nothing changed."""

    topic: str
    steps: list[EvolutionStep]
    oldest: PastPassage | None
    newest: PastPassage | None
    summary: str | None
    citations: list[Citation]
    model: str
    notes: list[str]

"""Changes that Zibaldone made in the vault, and taking them back."""

from __future__ import annotations

from typing import Literal

from zibaldone.schemas.base import Wire


class ChangeSummary(Wire):
    """`commit` is null while it waits, or where git left it out. `undoes` is the change that this one took back."""

    id: int
    at: str
    kind: str
    message: str
    state: Literal["begun", "written", "abandoned", "undone"]
    paths: list[str]
    commit: str | None
    undoes: int | None


class Changes(Wire):
    """The newest first."""

    changes: list[ChangeSummary]


class UndoRequest(Wire):
    """`change` is an id of `GET /v1/changes`; null: the last change that stands."""

    change: int | None = None


class Undone(Wire):
    """What taking back changed. `commit` is null while it waits (`queued` true)."""

    change: int
    paths: list[str]
    commit: str | None
    queued: bool = False
    reason: str | None = None

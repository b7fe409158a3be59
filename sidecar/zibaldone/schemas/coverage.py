"""What became of each note in the index."""

from __future__ import annotations

from typing import Literal

from zibaldone.schemas.base import Wire
from zibaldone.schemas.sync import SkippedFile


class Coverage(Wire):
    """Paths of the person's notes. `pending` are found by their words, not yet by meaning; `skipped` are left out on
    purpose, `failed` could not be read, `problems` are parts of notes that could not."""

    indexed: list[str]
    pending: list[str]
    skipped: list[SkippedFile]
    failed: list[SkippedFile]
    problems: list[SkippedFile]
    state: Literal["idle", "running", "paused"]

"""A commit as evidence: what it says, and what it did to which lines. Pure data; `vault.history` reads it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that changed together. `old_start` and `new_start` count from 1, before and after the commit; `context` is
    what git says they stand in (the line of a function, or empty). Each line keeps its sign: `+`, `-` or a space."""

    old_start: int
    new_start: int
    context: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file that a commit changed. `old_path` is set where it was renamed; `note` says what cannot be seen from the
    hunks (`new`, `deleted`, `binary`, `a submodule`, `its beginning only`)."""

    path: str
    old_path: str | None = None
    added: int = 0
    removed: int = 0
    note: str = ""
    hunks: tuple[Hunk, ...] = ()


@dataclass(frozen=True, slots=True)
class Commit:
    """`at` is the author's time in the author's own zone. `files` are without those that are left out;
    `files_left_out` counts those that the person's rules leave out, `files_unnamed` those beyond what is read of one
    commit. `problems` are sentences about what could not be read."""

    sha: str
    at: datetime
    author: str
    email: str
    subject: str
    body: str = ""
    is_merge: bool = False
    files: tuple[FileChange, ...] = ()
    files_left_out: int = 0
    files_unnamed: int = 0
    problems: tuple[str, ...] = ()

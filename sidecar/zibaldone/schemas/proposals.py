"""Changes of the person's own notes that wait for their approval."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from zibaldone.schemas.base import Wire

ProposalState = Literal["open", "applied", "rejected"]


class ProposedHunk(Wire):
    """`old` (lines from `old_line` on) is to become `new`. `number` counts from 1 in its file."""

    number: int
    old_line: int
    new_line: int
    old: str
    new: str


class ProposedFile(Wire):
    """`base_sha256` is null where the file is to be made, `removes` where it is to go. `state` compares with the disk:
    `edited` notes can still be changed where the edits do not touch."""

    path: str
    base_sha256: str | None
    removes: bool = False
    state: Literal["ready", "edited", "conflict"]
    hunks: list[ProposedHunk]


class ProposalSummary(Wire):
    id: int
    at: str
    title: str
    reason: str
    state: ProposalState
    paths: list[str]


class Proposals(Wire):
    """The newest first."""

    proposals: list[ProposalSummary]


class Proposal(ProposalSummary):
    """`revision` changes with every decision: a decision on an older one is refused."""

    revision: int
    files: list[ProposedFile]


class Decision(Wire):
    """Which part of a proposal: everything, one file, or some hunks of one file."""

    path: str | None = None
    hunks: list[int] = Field(default=[], description="numbers in the file at `path`; empty: all")
    revision: int | None = None
    landed: list[str] = Field(default=[], description="files that hold the chosen part already, by the caller's hand")


class HunkEdit(Wire):
    """`new` in the place of what a hunk would put there. `revision` is the one that was looked at."""

    path: str
    hunk: int = Field(ge=1)
    new: str = Field(max_length=1_000_000)
    revision: int


class SuggestLinksRequest(Wire):
    """`path` is the note in which mentions of other notes are looked for."""

    path: str = Field(min_length=1)


class Suggested(Wire):
    """`proposal` is null where the note names no other one that it does not link to."""

    proposal: Proposal | None


class Decided(Wire):
    """`proposal` is what is left of it. `change` can be taken back; null where nothing was written."""

    proposal: Proposal
    change: int | None = None
    commit: str | None = None
    queued: bool = False
    reason: str | None = None

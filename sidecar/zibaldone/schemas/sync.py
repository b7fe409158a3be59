"""Sync, vault changes and jobs."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, RootModel

from zibaldone.schemas.ask import Cancelled, Failed, Notice
from zibaldone.schemas.base import Wire


class SkippedFile(Wire):
    path: str
    reason: str


class SyncRequest(Wire):
    """`paths` limits the pass to these vault-relative files or folders; empty means the whole vault."""

    paths: list[str] = []
    only: list[str] = Field(default=[], description="kinds: notes, git, pdf, image, canvas, document; none: all")
    max_commits: int | None = Field(default=None, ge=0, description="of each history; null: as many as it is set to")
    accept_deletions: bool = False
    rebuild: bool = False


class VaultChanges(Wire):
    """A hint that these vault-relative paths may have changed; the sidecar diffs for itself."""

    paths: list[str]


class ChangesAccepted(Wire):
    accepted: int


class PauseRequest(Wire):
    """Whether what changes in the vault is left for later. What a person asks for is done all the same."""

    paused: bool


class SyncState(Wire):
    state: Literal["idle", "running", "paused"]


class FolderReport(Wire):
    """What a sync did with the notes of one folder. `held` counts notes that vanished in such number that nothing was
    dropped before being asked."""

    added: int = 0
    changed: int = 0
    renamed: int = 0
    deleted: int = 0
    held: int = 0
    unchanged: int = 0
    skipped: list[SkippedFile] = []
    chunks_embedded: int = 0
    cache_hits: int = 0
    notes: list[str] = []
    seconds: float = 0.0


class ConnectorReport(FolderReport):
    """That of a folder beside the vault."""

    name: str


class SyncReport(FolderReport):
    """That of the vault, with those of the folders beside it."""

    connectors: list[ConnectorReport] = []


class Progress(Wire):
    """`stage` is what is being done; `done` of `total` in `unit` (notes, chunks, bytes)."""

    type: Literal["progress"] = "progress"
    stage: str
    done: int
    total: int
    unit: str


class Synced(Wire):
    type: Literal["synced"] = "synced"
    report: SyncReport


SyncEvent = Progress | Notice | Synced | Failed | Cancelled
TERMINAL_SYNC_EVENTS = (Synced, Failed, Cancelled)


class SyncEventLine(RootModel[Annotated[SyncEvent, Field(discriminator="type")]]):
    """One NDJSON line of `POST /v1/sync`."""


class Job(Wire):
    id: str
    kind: str
    state: Literal["queued", "running", "done", "failed", "cancelled"]
    progress: Progress | None = None
    error: str | None = None


class Jobs(Wire):
    jobs: list[Job]

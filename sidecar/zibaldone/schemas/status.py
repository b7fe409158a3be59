"""Handshake, health and status."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from zibaldone.schemas.base import Wire
from zibaldone.schemas.connectors import ConnectorStatus
from zibaldone.schemas.sync import SkippedFile

PROTOCOL = 1


class Handshake(Wire):
    product: Literal["zibaldone"] = "zibaldone"
    protocol: int
    version: str
    vault: str
    pid: int


class Health(Wire):
    """`can_write` is false in read-only mode or where git or the vault refuses."""

    ok: bool
    can_write: bool
    uptime_s: float


class RunFile(Wire):
    """Printed by `zib serve` as one line and kept, mode 0600, beside the token."""

    url: str
    token_file: str
    pid: int
    protocol: int
    version: str


class NoteCounts(Wire):
    indexed: int
    pending: int
    skipped: int
    failed: int


class RoleStatus(Wire):
    """`state` of the worker that serves a role; `hint` names the command to type where something lacks."""

    role: str
    model: str | None
    state: Literal["missing", "idle", "loading", "ready", "busy", "failed", "endpoint"]
    hint: str | None = None


class GitStatus(Wire):
    state: str
    queued_commits: int


class Status(Wire):
    vault: str
    owner: RunFile | None
    notes: NoteCounts
    kinds: dict[str, int] = Field(default={}, description="files that are no notes, and commits, by their modality")
    skipped: list[SkippedFile]
    problems: list[SkippedFile] = []
    chunks: int
    vectors: int
    models: dict[str, RoleStatus]
    git: GitStatus
    disk_bytes: int
    sync_state: Literal["idle", "running", "paused"] = "idle"
    connectors: list[ConnectorStatus] = []


class Finding(Wire):
    """One line of `zib doctor`."""

    name: str
    ok: bool
    detail: str
    remedy: str | None = None


class DoctorReport(Wire):
    findings: list[Finding]

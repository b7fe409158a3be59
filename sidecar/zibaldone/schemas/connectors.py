"""Folders beside the vault."""

from __future__ import annotations

from typing import Literal

from zibaldone.schemas.base import Wire


class ConnectorStatus(Wire):
    """`kind` is `vault` for another vault, searched together with this one, and `folder` for one of texts, which is
    looked at where the notes do not answer. A file of it has the path `//NAME/...` in hits and citations.

    `is_there` is false where the folder cannot be found now; `notes` and `commits` count what is indexed of it,
    `pending` the passages that wait for their vectors."""

    name: str
    path: str
    kind: Literal["vault", "folder"]
    is_there: bool
    is_repository: bool = False
    notes: int
    commits: int = 0
    pending: int


class ConnectorList(Wire):
    connectors: list[ConnectorStatus]

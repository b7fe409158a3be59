"""Bringing the vault's branch and its git remote together."""

from __future__ import annotations

from zibaldone.schemas.base import Wire


class ExchangeRequest(Wire):
    """The branch that is checked out, and the remote that it follows."""


class Pulled(Wire):
    """`received` counts the commits that came, `replayed` those of ours that now stand on top of them; `paths` are the
    files of the vault that changed."""

    remote: str
    branch: str
    received: int
    replayed: int
    paths: list[str]
    commit: str | None


class Pushed(Wire):
    """`sent` counts the commits that went; `pulled` is what had to be pulled first."""

    remote: str
    branch: str
    sent: int
    commit: str
    pulled: Pulled | None = None

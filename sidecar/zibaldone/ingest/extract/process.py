"""Readers of files that are no notes."""

from __future__ import annotations

from zibaldone.domain.documents import Document, Unreadable


class Extractor:
    """None is there yet: every file says so."""

    eyes = ""

    def read(self, data: bytes, name: str) -> Document | Unreadable:
        return Unreadable("of a kind that is not read yet")

    def close(self) -> None:
        """Nothing is open."""

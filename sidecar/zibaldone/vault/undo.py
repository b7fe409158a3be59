"""Versions of files that a change of ours displaced or made, kept for 30 days outside the vault and outside git."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import time
from collections.abc import Iterator
from pathlib import Path

KEPT_DAYS = 30


class UndoStore:
    """A folder with one file per version, named by its SHA-256: a JSON line (path, time), then the bytes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._forget_old(time.time())

    def keep(self, rel: str, data: bytes) -> None:
        """Keep `data`, a version of `rel`; on disk when this returns. One that is there is kept 30 days more.

        Raises:
            OSError: it cannot be kept, so nothing may be displaced.
        """
        target = self._folder / hashlib.sha256(data).hexdigest()
        with contextlib.suppress(FileNotFoundError):
            os.utime(target)
            return
        head = json.dumps({"path": rel, "at_ns": time.time_ns()}).encode()
        fresh = target.with_name(f"{target.name}.{secrets.token_hex(4)}")
        with fresh.open("xb") as file:
            file.write(head + b"\n" + data)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(target)

    def find(self, sha256: str) -> bytes | None:
        """The version with this hash; None where it is not kept any more, or damaged."""
        try:
            data = (self._folder / sha256).read_bytes().partition(b"\n")[2]
        except FileNotFoundError:
            return None
        return data if hashlib.sha256(data).hexdigest() == sha256 else None

    def versions(self) -> Iterator[tuple[str, bytes]]:
        """All that are kept, by hash."""
        for kept in sorted(self._folder.iterdir()):
            with contextlib.suppress(FileNotFoundError):
                yield kept.name, kept.read_bytes().partition(b"\n")[2]

    def forget(self, sha256: str) -> None:
        """Let go of the version with this hash."""
        (self._folder / sha256).unlink(missing_ok=True)

    def _forget_old(self, now_s: float) -> None:
        for kept in self._folder.iterdir():
            if kept.stat().st_mtime < now_s - KEPT_DAYS * 86_400:
                kept.unlink(missing_ok=True)

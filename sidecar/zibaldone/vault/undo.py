"""Every version of a file that a write of ours displaced, kept for 30 days outside the vault and outside git."""

from __future__ import annotations

import hashlib
import json
import os
import time
from pathlib import Path

KEPT_DAYS = 30


class UndoStore:
    """A folder with one file per displaced version: a JSON line (path, time), then the bytes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._forget_old(time.time())

    def keep(self, rel: str, data: bytes) -> None:
        """Keep `data`, the version of `rel` that is about to be displaced; on disk when this returns.

        Raises:
            OSError: it cannot be kept, so nothing may be displaced.
        """
        now = time.time_ns()
        head = json.dumps({"path": rel, "at_ns": now}).encode()
        target = self._folder / f"{now:020d}-{hashlib.sha256(data).hexdigest()[:16]}"
        with target.open("xb") as file:
            file.write(head + b"\n" + data)
            file.flush()
            os.fsync(file.fileno())

    def _forget_old(self, now_s: float) -> None:
        oldest = int((now_s - KEPT_DAYS * 86_400) * 1e9)
        for kept in self._folder.iterdir():
            if kept.name.partition("-")[0].isdigit() and int(kept.name.partition("-")[0]) < oldest:
                kept.unlink(missing_ok=True)

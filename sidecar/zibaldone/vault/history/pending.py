"""Paths whose entry in the person's index is still to follow a commit of ours, remembered across a kill.

Written before the branch moves and cleared once the index has followed, so a process that dies between the
two leaves a note of it rather than a phantom staged change.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from zibaldone.vault.history.entries import Entry
from zibaldone.vault.history.index import IndexUpdate

_FILE = "index-pending.json"


class PendingIndex:
    """A small JSON file in the state folder: path -> entries that count as unchanged, entry to set."""

    def __init__(self, state_dir: Path) -> None:
        self._path = state_dir / _FILE

    def read(self) -> dict[str, IndexUpdate]:
        """What is pending; an unreadable file counts as nothing (the worst is a phantom in `git status`)."""
        try:
            raw = json.loads(self._path.read_text(encoding="utf-8"))
            return {
                path: IndexUpdate(tuple(_entry(one) for one in item["known"]), _entry(item["to"]))
                for path, item in raw.items()
            }
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return {}

    def merge(self, updates: Mapping[str, IndexUpdate]) -> dict[str, IndexUpdate]:
        """`updates`; where a path is pending already, its older entries count as unchanged too."""
        pending = self.read()
        merged = dict(updates)
        for path, update in updates.items():
            if path in pending:
                older = (*pending[path].known, pending[path].to)
                merged[path] = IndexUpdate(tuple(dict.fromkeys((*older, *update.known))), update.to)
        return merged

    def write(self, updates: Mapping[str, IndexUpdate]) -> None:
        """Make `updates` all that is pending; durable when it returns."""
        if not updates:
            self._path.unlink(missing_ok=True)
            return
        raw = {path: {"known": update.known, "to": update.to} for path, update in updates.items()}
        temporary = self._path.with_suffix(".tmp")
        with temporary.open("w", encoding="utf-8") as file:
            json.dump(raw, file)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(self._path)


def _entry(raw: list[str] | None) -> Entry | None:
    return None if raw is None else Entry(str(raw[0]), str(raw[1]))

"""What the vault's Obsidian is set to. It syncs and anyone may write it, so only what is harmless is taken from it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

_FOLDER = ".obsidian"
_MOST_BYTES = 1 << 20

TrashOption = Literal["system", "local", "none"]
TRASH = ".trash"


def read_app_json(root: Path) -> Mapping[str, object]:
    """Obsidian's settings of the vault, as `read_settings`."""
    return read_settings(root, "app.json")


def read_settings(root: Path, name: str) -> Mapping[str, object]:
    """A file of settings of Obsidian or of a plugin; empty where there is none, or none that can be read."""
    path = root / _FOLDER / name
    try:
        if not path.is_file() or path.stat().st_size > _MOST_BYTES:
            return {}
        found = json.loads(path.read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def trash_option(app_json: Mapping[str, object]) -> TrashOption:
    """Where deleted files go. Obsidian's default is the system's trash."""
    match app_json.get("trashOption"):
        case "local":
            return "local"
        case "none":
            return "none"
        case _:
            return "system"

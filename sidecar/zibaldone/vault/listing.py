"""The paths of all files of the vault, whatever they are: what a link could lead to."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from zibaldone.vault.paths import path_problem


def list_files(root: Path, under: str = "") -> Iterator[str]:
    """Every file of the vault or of one folder in it, POSIX, relative to the vault and spelt as on disk, in order.

    As for Obsidian, what begins with a dot is no part of the vault. Folders that are links are not entered; one that is
    missing or cannot be read has no files.
    """
    top = root / under if under else root
    for where, folders, names in os.walk(top):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        above = Path(where).relative_to(root).as_posix()
        prefix = "" if above == "." else f"{above}/"
        for name in sorted(names):
            if not name.startswith(".") and path_problem(prefix + name) is None:
                yield prefix + name

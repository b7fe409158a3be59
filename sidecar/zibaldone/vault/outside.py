"""Folders outside the vault that the person named, read and never written.

A file there has the path `//NAME/rel`, a commit of a repository there `//NAME/@0123456789ab`. No path in a vault begins
so (`path_problem` refuses it), so what does not know of these folders cannot mistake one for a note.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from zibaldone.errors import NotFound, PathOutsideVault, VaultChanged
from zibaldone.vault.files import VaultFiles, sha256_hex
from zibaldone.vault.paths import is_markdown

_ROOT = "//"
_TEXTS = (".markdown", ".txt")


def is_outside(path: str) -> bool:
    return path.startswith(_ROOT)


def outside_path(name: str, rel: str) -> str:
    return f"{_ROOT}{name}/{rel}"


def split_outside(path: str) -> tuple[str, str]:
    """The folder's name and the path in it; `path` is one of `outside_path`."""
    name, _, rel = path.removeprefix(_ROOT).partition("/")
    return name, rel


def commit_path(name: str, sha: str) -> str:
    """Twelve digits: of a hundred thousand commits two begin alike with a chance of 2 in 100,000."""
    return outside_path(name, f"@{sha[:12]}")


def is_text(name: str) -> bool:
    """Whether a file of such a folder is read: unlike a vault it holds texts that were never meant for Obsidian."""
    return is_markdown(name) or name.lower().endswith(_TEXTS)


class ReadableFolder(Protocol):
    """A folder as its files are read. `reason_against(rel)` says why one is left out, or None."""

    @property
    def files(self) -> VaultFiles: ...

    def reason_against(self, rel: str) -> str | None: ...


class OutsideFiles:
    """Args:
    folders: those that can be read now, by name.
    """

    def __init__(self, folders: Callable[[], Mapping[str, ReadableFolder]]) -> None:
        self._folders = folders

    def read(self, path: str) -> bytes:
        """The content of `//NAME/rel`.

        Raises:
            NotFound: there is no such folder or file here, or the file is left out.
            PathOutsideVault, VaultChanged: as `VaultFiles.read_stable`.
        """
        name, rel = split_outside(path)
        folder = self._folders().get(name)
        if folder is None:
            raise NotFound(f"There is no connector {name}.", "`zib connectors list` names those there are.")
        data = folder.files.read_stable(rel)
        if reason := folder.reason_against(folder.files.real_path(rel)):
            raise NotFound(f"{path} is not read: {reason}.", "Name another file.")
        return data

    def digest(self, path: str) -> str | None:
        """SHA-256 of the content; None where the file is gone, "" where nothing on this machine can tell: a folder is
        named on each machine for itself, and a disk may not be there."""
        if split_outside(path)[0] not in self._folders():
            return ""
        try:
            return sha256_hex(self.read(path))
        except (NotFound, PathOutsideVault, VaultChanged, OSError):
            return None

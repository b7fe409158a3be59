"""Where each file of an import goes, and what is in its way. Pure.

Two paths are one on macOS, on Windows and in a link when they differ in case or in Unicode form only, so they are
compared that way here, whatever the file system: a vault that is fine on Linux stays fine where it is synced to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Literal, NamedTuple

from zibaldone.errors import InvalidRequest
from zibaldone.vault.paths import is_hidden, nfc, path_problem
from zibaldone.wiki.sources import safe_name


class Clash(NamedTuple):
    """`target` is where a file would go. `existing` is there (or goes there too): of the same name, of one that differs
    in case or Unicode form (`twin`), or a file where a folder is needed or the other way round (`file`)."""

    target: str
    existing: str
    kind: Literal["same", "twin", "file"]


@dataclass(slots=True)
class Placement:
    """`moves` is from each path in the import to its path in the vault."""

    moves: dict[str, str] = field(default_factory=dict)
    clashes: list[Clash] = field(default_factory=list)


def choose_folder(into: str | None, name: str, agent_folder: str) -> str:
    """The folder of the vault that an import goes to; empty for its root.

    Args:
        into: what the person asked for; None: the name of what is imported.

    Raises:
        InvalidRequest: it is hidden, leads out of the vault, is the agent's own or cannot be linked to.
    """
    wanted = safe_name(name) if into is None else nfc(into.strip().replace("\\", "/")).strip("/")
    if wanted in ("", ".") and into is not None:
        return ""
    parts = wanted.split("/")
    if path_problem(wanted) or is_hidden(wanted) or any(part != safe_name(part) for part in parts):
        raise InvalidRequest(f"{wanted!r} cannot be a folder for notes.", "Give a plain name: --into Garden.")
    if fold(parts[0]) == fold(agent_folder):
        raise InvalidRequest(
            f"{wanted} is in Zibaldone's own folder, and what is imported is yours.",
            "Give a folder of your own: --into Garden.",
        )
    return wanted


def place_files(wanted: Mapping[str, str], existing: Iterable[str], *, force: bool) -> Placement:
    """Where the files go, given where they would go in an empty vault.

    With `force` a file goes to the path of the one in its way, spelt as that is; of two that are imported together, the
    second gets a number, since neither is older than the other.
    """
    there: dict[str, str] = {}
    folders: dict[str, str] = {}
    for path in existing:
        there[fold(path)] = path
        for folder in _parents(path):
            folders.setdefault(fold(folder), folder)
    placed = Placement()
    taken: dict[str, str] = {}
    for source, target in sorted(wanted.items()):
        target = _spell_folder(target, folders)
        key = fold(target)
        blocked = next((there[fold(folder)] for folder in _parents(target) if fold(folder) in there), None)
        if blocked or key in folders:
            placed.clashes.append(Clash(target, blocked or folders[key], "file"))
        elif key in taken:
            placed.clashes.append(Clash(target, taken[key], "twin"))
            if force:
                target = _numbered(target, {*taken, *there})
        elif key in there:
            placed.clashes.append(Clash(target, there[key], "same" if nfc(there[key]) == nfc(target) else "twin"))
            target = there[key] if force else target
        taken[fold(target)] = target
        placed.moves[source] = target
    return placed


def fold(path: str) -> str:
    """A path as file systems that ignore case compare it."""
    return nfc(nfc(path).casefold())


def _parents(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[: depth + 1]) for depth in range(len(parts))]


def _spell_folder(target: str, folders: Mapping[str, str]) -> str:
    """With the folders that are there spelt as they are."""
    for folder in reversed(_parents(target)):
        if (spelt := folders.get(fold(folder))) is not None:
            return spelt + target[len(folder) :]
    return target


def _numbered(target: str, taken: set[str]) -> str:
    path = PurePosixPath(target)
    number = 2
    while fold(candidate := str(path.with_name(f"{path.stem} {number}{path.suffix}"))) in taken:
        number += 1
    return candidate

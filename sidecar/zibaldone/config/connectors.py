"""Folders outside the vault that the person wants searched too.

Kept beside the vault's other data on this machine, so that they follow a vault that is moved; never in the vault, which
syncs: a folder is one of this machine.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from zibaldone.config.places import VaultPlaces, data_dir
from zibaldone.errors import InvalidRequest, NotFound

_NAME = re.compile(r"\w(?:[\w .-]{0,38}\w)?")
_UNUSABLE = re.compile(r"[^\w .-]+")


def read_connectors(places: VaultPlaces) -> dict[str, Path]:
    """The folders (absolute) by name.

    Raises:
        InvalidRequest: the file cannot be read.
    """
    path = places.connectors_file
    try:
        known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    except (OSError, ValueError) as error:
        raise _unreadable(path, str(error)) from error
    if not isinstance(known, dict):
        raise _unreadable(path, "it is no object")
    return {str(name): Path(str(folder)) for name, folder in known.items()}


def add_connector(places: VaultPlaces, vault: Path, folder: Path, name: str | None) -> str:
    """Name a folder; its name, which is the folder's own where none is given. The same again changes nothing.

    Raises:
        InvalidRequest: the folder or the name cannot be used.
    """
    root = folder.expanduser().resolve()
    if not root.is_dir():
        raise InvalidRequest(f"{folder} is no folder.", "Give a folder of notes or texts, or another vault.")
    if root.is_relative_to(vault):
        raise InvalidRequest(f"{root} is in the vault, and searched as it is.", "Give a folder outside of it.")
    if vault.is_relative_to(root) or data_dir().resolve().is_relative_to(root):
        what = "this vault" if vault.is_relative_to(root) else "Zibaldone's own data"
        raise InvalidRequest(f"{root} holds {what}.", "Name the folder in it that is meant.")
    chosen = name if name is not None else _UNUSABLE.sub("-", root.name).strip("- .")[:40] or "folder"
    if not _NAME.fullmatch(chosen):
        raise InvalidRequest(
            f"{chosen!r} cannot be the name of a connector.", "Take up to 40 letters, digits, spaces, dots and dashes."
        )
    named = read_connectors(places)
    if other := next((one for one, path in named.items() if path == root and one != chosen), None):
        raise InvalidRequest(f"{root} is there already, as {other}.", f"`zib connectors remove {other}` first.")
    if named.get(chosen, root) != root:
        raise InvalidRequest(f"{chosen} is {named[chosen]} already.", "Give it another name with --name.")
    _write(places, {**named, chosen: root})
    return chosen


def remove_connector(places: VaultPlaces, name: str) -> Path:
    """Forget a folder; where it was. Nothing in it is touched.

    Raises:
        NotFound: there is none of this name.
    """
    named = read_connectors(places)
    folder = named.pop(name, None)
    if folder is None:
        raise NotFound(f"There is no connector {name}.", "`zib connectors list` names those there are.")
    _write(places, named)
    return folder


def _write(places: VaultPlaces, named: dict[str, Path]) -> None:
    path = places.connectors_file
    text = json.dumps({name: str(folder) for name, folder in named.items()}, indent=2, ensure_ascii=False)
    new = path.with_suffix(".new")
    new.write_text(f"{text}\n", encoding="utf-8")
    new.replace(path)


def _unreadable(path: Path, problem: str) -> InvalidRequest:
    return InvalidRequest(f"{path} cannot be read: {problem}.", "Correct the file, or remove it.")

"""Folders and repositories outside the vault that the person wants searched too.

Kept beside the vault's other data on this machine, so that they follow a vault that is moved; never in the vault, which
syncs: a folder is one of this machine. The file has each by its name: its path, or an object with `path` and `history`.

A folder that is a repository too is both: its texts as they are now, and its commits for how they came to be so. A
bare repository has commits alone.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError

from zibaldone.config.places import VaultPlaces, data_dir
from zibaldone.errors import InvalidRequest, NotFound

# What the vault's own commits have for a name, beside those of the connectors.
OWN_HISTORY = "history"
_NAME = re.compile(r"\w(?:[\w .-]{0,38}\w)?")
_UNUSABLE = re.compile(r"[^\w .-]+")


class HistoryOptions(BaseModel):
    """What is read of a repository's history: the newest `max_commits` (0: none) by these `authors` (names or e-mail
    addresses as the commits have them, in any case; none: by all), merge commits only where `merges` says so."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    authors: tuple[str, ...] = ()
    merges: bool = False
    max_commits: int = Field(default=1000, ge=0)


class NamedFolder(BaseModel):
    """A folder (absolute), and what is read of its history where it has one."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: Path
    history: HistoryOptions = HistoryOptions()


def _spell_out(folder: object) -> object:
    return {"path": folder} if isinstance(folder, str) else folder


_FILE = TypeAdapter(dict[str, Annotated[NamedFolder, BeforeValidator(_spell_out)]])


def read_connectors(places: VaultPlaces) -> dict[str, NamedFolder]:
    """The folders by name.

    Raises:
        InvalidRequest: the file cannot be read.
    """
    path = places.connectors_file
    try:
        return _FILE.validate_json(path.read_bytes()) if path.exists() else {}
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise _unreadable(path, f"{where}: {first['msg']}" if where else first["msg"]) from error
    except OSError as error:
        raise _unreadable(path, str(error)) from error


def is_repository(folder: Path) -> bool:
    """Whether a folder is the root of a work tree (also of a submodule or a further one), or a bare repository."""
    return (folder / ".git").exists() or is_bare_repository(folder)


def is_bare_repository(folder: Path) -> bool:
    return (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir()


def add_connector(
    places: VaultPlaces, vault: Path, folder: Path, name: str | None, history: HistoryOptions | None = None
) -> str:
    """Name a folder; its name, which is the folder's own where none is given. The same again changes nothing but what
    is read of its history.

    Args:
        history: what is to be read of it; None: what was, or the default. Only of a repository.

    Raises:
        InvalidRequest: the folder, the name or the history cannot be used.
    """
    root = _usable_folder(folder, vault)
    if history is not None and not is_repository(root):
        raise InvalidRequest(f"{root} is no git repository.", "Name the folder that has `.git` in it.")
    chosen = _usable_name(name if name is not None else _name_of(root))
    named = read_connectors(places)
    known = named.get(chosen)
    if other := next((one for one, at in named.items() if at.path == root and one != chosen), None):
        raise InvalidRequest(f"{root} is there already, as {other}.", f"`zib connectors remove {other}` first.")
    if known is not None and known.path != root:
        raise InvalidRequest(f"{chosen} is {known.path} already.", "Give it another name with --name.")
    kept = known.history if known else HistoryOptions()
    _write(places, {**named, chosen: NamedFolder(path=root, history=history or kept)})
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
    return folder.path


def _usable_folder(folder: Path, vault: Path) -> Path:
    root = folder.expanduser().resolve()
    if not root.is_dir():
        raise InvalidRequest(
            f"{folder} is no folder.", "Give a folder of notes or texts, a repository, or another vault."
        )
    if root.name == ".git":
        raise InvalidRequest(f"{root} is git's own folder.", f"Give the repository: {root.parent}.")
    if root.is_relative_to(vault):
        raise InvalidRequest(f"{root} is in the vault, and searched as it is.", "Give a folder outside of it.")
    if vault.is_relative_to(root) or data_dir().resolve().is_relative_to(root):
        what = "this vault" if vault.is_relative_to(root) else "Zibaldone's own data"
        raise InvalidRequest(f"{root} holds {what}.", "Name the folder in it that is meant.")
    return root


def _name_of(root: Path) -> str:
    return _UNUSABLE.sub("-", root.name.removesuffix(".git")).strip("- .")[:40] or "folder"


def _usable_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise InvalidRequest(
            f"{name!r} cannot be the name of a connector.", "Take up to 40 letters, digits, spaces, dots and dashes."
        )
    if name.casefold() == OWN_HISTORY:
        raise InvalidRequest(f"{name} is what the vault's own commits are called.", "Give it another name with --name.")
    return name


def _write(places: VaultPlaces, named: dict[str, NamedFolder]) -> None:
    path = places.connectors_file
    short = {name: _write_short(folder) for name, folder in named.items()}
    new = path.with_suffix(".new")
    new.write_text(f"{json.dumps(short, indent=2, ensure_ascii=False)}\n", encoding="utf-8")
    new.replace(path)


def _write_short(folder: NamedFolder) -> object:
    """The path alone where nothing else was said."""
    written = folder.model_dump(mode="json", exclude_defaults=True)
    return written if "history" in written else written["path"]


def _unreadable(path: Path, problem: str) -> InvalidRequest:
    return InvalidRequest(f"{path} cannot be read: {problem}.", "Correct the file, or remove it.")

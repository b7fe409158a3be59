"""The commits of the sample, with dates and people of their own, so that their ids are the same everywhere."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from zibaldone.vault.history.git import PLAIN_PATHSPECS, Git


def commit_vault(folder: Path, contents: Mapping[str, bytes]) -> None:
    """A note that begins with a date is there from the first commit after it; what drifted says what it said then."""
    told = _read_commits()
    repository = _begin(folder)
    (folder / ".obsidian").mkdir()  # which makes a vault of it; Obsidian fills it
    for commit in told["vault"]:
        then = {path: data for path, data in contents.items() if not _is_later(path, commit["when"])}
        then |= {path: _encode(text) for path, text in commit.get("versions", {}).items()}
        _commit(repository, commit, told["authors"]["nora"], then)


def commit_repository(folder: Path) -> int:
    """How many commits there are."""
    told = _read_commits()
    repository = _begin(folder)
    for commit in told["repository"]:
        changed = {path: _encode(text) for path, text in commit["files"].items()}
        _commit(repository, commit, told["authors"][commit["author"]], changed)
    return len(told["repository"])


def _read_commits() -> dict[str, Any]:
    return tomllib.loads((files(__package__) / "commits.toml").read_text(encoding="utf-8"))


def _is_later(path: str, when: str) -> bool:
    """Whether the note is named after a day that was still to come."""
    name = path.rpartition("/")[2]
    return name[:4].isdigit() and name[:10] > when[:10]


def _encode(text: str) -> bytes:
    return text.removeprefix("\n").encode()


def _begin(folder: Path) -> Git:
    folder.mkdir()
    repository = Git(folder)
    repository.run("init", "--quiet", "--initial-branch=main", "--object-format=sha1", "--template=")
    return repository


def _commit(repository: Git, told: Mapping[str, Any], author: str, written: Mapping[str, bytes]) -> None:
    for path, data in written.items():
        (repository.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (repository.folder / path).write_bytes(data)
    repository.run("add", "--all", ".", env=PLAIN_PATHSPECS)
    name, _, address = author.removesuffix(">").partition(" <")
    who = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER")
           for what, value in (("NAME", name), ("EMAIL", address), ("DATE", told["when"]))}  # fmt: skip
    repository.run("commit", "--quiet", "--message", told["message"].strip(), env=who)

"""Entries of trees and index files: what git has for a path. Paths are those of the whole work tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from zibaldone.vault.history.git import Git

_PATHS_PER_CALL = 200
_ABSENT_MODE = "0"


class Entry(NamedTuple):
    """Mode and object id of a path; None stands for a path that is not there."""

    mode: str
    object_id: str


class Conflicted(NamedTuple):
    """The path is unmerged in the index: nobody's to touch but the person's."""


def tree_entries(git: Git, commit: str | None, paths: Sequence[str]) -> dict[str, Entry | None]:
    """What `commit` (None: no commit yet) has for each of `paths`.

    Raises:
        GitUnavailable: git fails.
    """
    found: dict[str, Entry | None] = dict.fromkeys(paths)
    for some in _batches(paths) if commit is not None else ():
        for line in git.run("ls-tree", "-z", "--full-tree", str(commit), "--", *some).fields():
            meta, _, path = line.partition("\t")
            mode, _, object_id = meta.split(" ")
            if path in found:
                found[path] = Entry(mode, object_id)
    return found


def index_entries(git: Git, index: Path, prefix: str, paths: Sequence[str]) -> dict[str, Entry | Conflicted | None]:
    """What the index file has for each of `paths`, all of which begin with `prefix`.

    Raises:
        GitUnavailable: git fails.
    """
    found: dict[str, Entry | Conflicted | None] = dict.fromkeys(paths)
    for some in _batches(paths):
        listed = git.run(
            "ls-files",
            "--stage",
            "-z",
            "--full-name",
            "--",
            *(path.removeprefix(prefix) for path in some),
            env={"GIT_INDEX_FILE": str(index)},
        )
        for line in listed.fields():
            meta, _, path = line.partition("\t")
            mode, object_id, stage = meta.split(" ")
            if path in found:
                found[path] = Entry(mode, object_id) if stage == "0" else Conflicted()
    return found


def set_entries(
    git: Git, index: Path, entries: Mapping[str, Entry | None], head: str | None, *, whole: bool = False
) -> None:
    """Set or remove entries of an index file.

    Args:
        head: the commit that they are for; its id is as long as all ids of the repository.
        whole: write the index without a shared part (`core.splitIndex`).

    Raises:
        GitUnavailable: git fails.
    """
    zero = null_id(head)
    lines = [
        f"{_ABSENT_MODE} {zero}\t{path}\0" if entry is None else f"{entry.mode} {entry.object_id}\t{path}\0"
        for path, entry in entries.items()
    ]
    git.run(
        "update-index",
        "-z",
        "--index-info",
        stdin="".join(lines).encode("utf-8", "surrogateescape"),
        env={"GIT_INDEX_FILE": str(index)},
        config=(("core.splitIndex", "false"),) if whole else (),
    )


def null_id(like: str | None) -> str:
    """The object id that stands for nothing, as long as `like` (SHA-1 or SHA-256)."""
    return "0" * (40 if like is None else len(like))


def _batches(paths: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(paths), _PATHS_PER_CALL):
        yield paths[start : start + _PATHS_PER_CALL]

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


IndexEntry = Entry | Conflicted | None


def index_entries(git: Git, prefix: str, paths: Sequence[str]) -> dict[str, IndexEntry]:
    """What the person's index has for each of `paths`. `prefix` is the place in the work tree where git is run.

    Raises:
        GitUnavailable: git fails.
    """
    found: dict[str, IndexEntry] = dict.fromkeys(paths)
    to_the_top = "../" * prefix.count("/")
    for some in _batches(paths):
        listed = git.run("ls-files", "--stage", "-z", "--full-name", "--", *(to_the_top + path for path in some))
        for line in listed.fields():
            meta, _, path = line.partition("\t")
            mode, object_id, stage = meta.split(" ")
            if path in found:
                found[path] = Entry(mode, object_id) if stage == "0" else Conflicted()
    return found


def set_entries(git: Git, index: Path, entries: Mapping[str, Entry | None], absent: str) -> None:
    """Set or remove entries of an index file. `absent` is the repository's id for what is not there.

    Raises:
        GitUnavailable: git fails.
    """
    lines = [
        f"{_ABSENT_MODE} {absent}\t{path}\0" if entry is None else f"{entry.mode} {entry.object_id}\t{path}\0"
        for path, entry in entries.items()
    ]
    git.run(
        "update-index",
        "-z",
        "--index-info",
        stdin="".join(lines).encode("utf-8", "surrogateescape"),
        env={"GIT_INDEX_FILE": str(index)},
    )


def _batches(paths: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(paths), _PATHS_PER_CALL):
        yield paths[start : start + _PATHS_PER_CALL]

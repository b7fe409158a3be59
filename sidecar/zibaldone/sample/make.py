"""The order in which a sample is made: place -> vault -> repository -> questions."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from zibaldone.errors import InvalidRequest
from zibaldone.sample.history import commit_repository, commit_vault

REPOSITORY = "benchlog"  # its connector has the same name, so that the questions' URIs hold
_MARKER = ".zibaldone-sample"
_MADE = ("vault", REPOSITORY, "questions.jsonl", _MARKER)
_MARK = "Made by `zib sample`; `zib sample --force` throws what it made away and makes it anew.\n"


@dataclass(frozen=True, slots=True)
class Sample:
    """Where the parts are, and how many there are of each."""

    folder: Path
    vault: Path
    repository: Path
    questions: Path
    notes: int
    attachments: int
    commits: int
    asked: int


def make_sample(folder: Path, *, force: bool) -> Sample:
    """The same sample, to the ids of its commits, each time; nothing outside of `folder` is touched.

    Args:
        folder: absolute; made where it is missing.
        force: what an earlier call made there is thrown away first, with all that was changed in it since.

    Raises:
        InvalidRequest: something else is there, or a sample and no `force`.
        GitUnavailable: git is missing, too old or fails.
    """
    _clear_place(folder, force=force)
    (folder / _MARKER).write_text(_MARK, encoding="utf-8")
    vault, repository, questions = (folder / name for name in _MADE[:3])
    contents = read_vault()
    commits = commit_repository(repository)
    commit_vault(vault, contents)
    text = (files(__package__) / "questions.jsonl").read_text(encoding="utf-8")
    questions.write_text(text, encoding="utf-8")
    notes = sum(path.endswith(".md") for path in contents)
    return Sample(folder, vault, repository, questions, notes, len(contents) - notes, commits, len(text.splitlines()))


def read_vault() -> dict[str, bytes]:
    """The files of the vault as they are in the end, by their path."""
    with_folders = files(__package__) / "vault"
    found = {f"{folder.name}/{file.name}": file for folder in with_folders.iterdir() if folder.is_dir()
             for file in folder.iterdir()}  # fmt: skip
    found |= {file.name: file for file in with_folders.iterdir() if file.is_file()}
    return {path: found[path].read_bytes() for path in sorted(found)}


def _clear_place(folder: Path, *, force: bool) -> None:
    """An empty folder, or one in which nothing of ours is left."""
    folder.mkdir(parents=True, exist_ok=True)
    present = sorted(path.name for path in folder.iterdir())
    if present and not (folder / _MARKER).is_file():
        raise InvalidRequest(
            f"{folder} holds {present[0]} and is no sample.", "Give another PATH, one that is empty or not there."
        )
    if present and not force:
        raise InvalidRequest(f"A sample is in {folder} already.", "Use it, or make it anew with --force.")
    for path in (folder / name for name in _MADE):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)

"""Commits that have to wait, one small file each, in a folder that survives a kill.

An entry holds paths, the hash of each content, message and time; the content itself is in the vault, where it
is read when its turn comes. Enqueue before committing and drain at once: then nothing is forgotten whatever
happens in between. Draining twice, or after a kill, commits nothing twice: what HEAD has already is no change.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from zibaldone.errors import DeadlineExceeded, GitUnavailable, NotFound, PathOutsideVault, VaultChanged
from zibaldone.vault.files import VaultFiles, sha256_hex
from zibaldone.vault.history.commit import CommitEngine, Deferred, NothingToCommit, Outcome
from zibaldone.vault.history.state import RepositoryState


@dataclass(frozen=True, slots=True)
class Drained:
    """What became of one entry. It is gone from the queue unless `outcome` is `Deferred`.

    `notes` are sentences about paths that were dropped or had changed; none of an entry that waits on.
    """

    id: str
    outcome: Outcome
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Entry:
    paths: dict[str, str | None]
    message: str
    when: datetime


class CommitQueue:
    """The queue of one vault.

    Args:
        folder: its private folder, outside the vault.
        files: the vault's files.
        agent_folder: what is in this folder is committed as it is then; any other file only as enqueued.
    """

    def __init__(self, folder: Path, files: VaultFiles, agent_folder: str = "Zibaldone") -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._folder = folder
        self._files = files
        self._own = f"{agent_folder}/"

    def __len__(self) -> int:
        return len(self._entries())

    def enqueue(self, paths: Mapping[str, str | None], message: str, when: datetime) -> str:
        """Add a commit, durably; its id. The same commit again (paths, message, time) is the same entry.

        Args:
            paths: SHA-256 of the content by vault path; None where the commit removes the path.
            when: with a time zone; becomes the author's date.

        Raises:
            OSError: the state folder cannot be written.
        """
        record = {"paths": dict(sorted(paths.items())), "message": message, "when": when.isoformat()}
        text = json.dumps(record, ensure_ascii=True)
        # In order of time; the digest makes the same entry the same file.
        name = f"{int(when.timestamp() * 1000):015d}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
        temporary = self._folder / f"{name}.tmp"
        with temporary.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(self._folder / f"{name}.json")
        _sync(self._folder)
        return name

    def drain(self, engine: CommitEngine) -> list[Drained]:
        """Commit what waits, oldest first, until the repository says not now. Never raises for git's sake:
        where it fails, the entry stays and the outcome is `Deferred` with what git said.

        Raises:
            OSError: the state folder or the vault cannot be read.
        """
        done: list[Drained] = []
        waiting = [(path, _read(path)) for path in self._entries()]
        ours = {version for _, entry in waiting if entry for version in entry.paths.items()}
        for path, entry in waiting:
            if entry is None:
                path.replace(path.with_suffix(".damaged"))
                note = f"an unreadable entry was set aside as {path.stem}.damaged"
                done.append(Drained(path.stem, NothingToCommit(), (note,)))
                continue
            changes, notes = self._contents(entry, ours)
            try:
                outcome = _commit(engine, entry, changes)
            except (GitUnavailable, DeadlineExceeded, PathOutsideVault) as error:
                # Of this entry perhaps; the next one may be fine.
                done.append(Drained(path.stem, Deferred(RepositoryState.READY, error.message)))
                continue
            if isinstance(outcome, Deferred):  # its files are looked at again when its turn comes
                done.append(Drained(path.stem, outcome))
                break
            done.append(Drained(path.stem, outcome, notes))
            path.unlink(missing_ok=True)
        return done

    def _contents(
        self, entry: _Entry, ours: Collection[tuple[str, str | None]]
    ) -> tuple[dict[str, bytes | None], tuple[str, ...]]:
        """What is to be committed, and what is to be said of it; `ours` are the versions that all entries wrote."""
        changes: dict[str, bytes | None] = {}
        notes: list[str] = []
        for path, expected in entry.paths.items():
            try:
                data = self._files.read_stable(path)
            except NotFound:
                data = None
            except (PathOutsideVault, VaultChanged) as error:
                notes.append(f"{path} was not committed: {error.message}")
                continue
            found = None if data is None else sha256_hex(data)
            own = data is not None and path.startswith(self._own)
            if found == expected or own:
                changes[path] = data
            if found == expected or (path, found) in ours:  # another entry's version is committed with that entry
                continue
            if own:
                notes.append(f"{path} had changed since; it was committed as it is now")
            elif data is None:
                notes.append(f"{path} was not committed: it is gone")
            else:
                notes.append(f"{path} was not committed: it was edited since, and that edit is not ours")
        return changes, tuple(notes)

    def _entries(self) -> list[Path]:
        return sorted(self._folder.glob("*.json"))


def _commit(engine: CommitEngine, entry: _Entry, changes: Mapping[str, bytes | None]) -> Outcome:
    if changes:
        return engine.commit(changes, entry.message, entry.when)
    # In the middle of a merge a file may be gone for a while.
    state = engine.state()
    return NothingToCommit() if state.can_commit else Deferred(state, state.sentence)


def _read(path: Path) -> _Entry | None:
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        paths = {str(one): None if sha is None else str(sha) for one, sha in raw["paths"].items()}
        return _Entry(paths, str(raw["message"]), datetime.fromisoformat(raw["when"]))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _sync(folder: Path) -> None:
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

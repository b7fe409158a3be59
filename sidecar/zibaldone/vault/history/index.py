"""The person's own index, changed only under git's own lock, and only entries that are still as they were.

`index.lock` is taken as a hard link to a small file of ours, so a lock that a killed process of ours left can
be told from anybody else's: it is the same file. Any other `index.lock` is never touched.

The file says first what it is called, then which entries are about to change. So a kill between the index and the
branch leaves a note of it rather than a phantom staged change. A kill takes nothing from a file that was written,
and after a power cut git's own files are no newer: none of it is flushed to the disk.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from zibaldone.vault.history.entries import Conflicted, Entry, IndexEntry, index_entries, set_entries
from zibaldone.vault.history.git import Git
from zibaldone.vault.history.state import Checkout

_NO_LINKS = {errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EACCES}


class IndexLocked(Exception):
    """Somebody else holds the lock of the index."""


@dataclass(frozen=True, slots=True)
class IndexUpdate:
    """Set a path to `to` where the index has one of `known` for it: what we know it to be unchanged from."""

    known: tuple[Entry | None, ...]
    to: Entry | None


class HeldIndex:
    """The index while we hold its lock: nobody else changes it."""

    def __init__(self, git: Git, checkout: Checkout, ours: Path) -> None:
        self._git = git
        self._checkout = checkout
        self._mark = ours
        self._new = ours.with_suffix(".index")
        self._prepared: dict[str, Entry | None] = {}  # as they are before it is applied
        self._applied: dict[str, Entry | None] = {}
        self._keeps_note = False

    def read(self, paths: Sequence[str]) -> dict[str, IndexEntry]:
        """What the index has for each of `paths`.

        Raises:
            GitUnavailable: git fails.
        """
        return index_entries(self._git, self._checkout.prefix, paths)

    def prepare(self, updates: Mapping[str, IndexUpdate], now: Mapping[str, IndexEntry]) -> None:
        """Make the new index beside the old one, and note what is about to change. `now`: what `read` has for the
        paths.

        Raises:
            GitUnavailable: git fails.
            OSError: the folder cannot be written.
        """
        for path, update in updates.items():
            before = now[path]
            if before in update.known and before != update.to and not isinstance(before, Conflicted):
                self._prepared[path] = before
        self._make_new({path: updates[path].to for path in self._prepared})
        if self._prepared:
            with self._mark.open("a", encoding="ascii") as file:
                file.write(_format_note({path: updates[path] for path in self._prepared}))

    def apply(self) -> None:
        """Put the prepared index in place.

        Raises:
            IndexLocked: it cannot be replaced (Windows: somebody has it open), or our lock was removed.
        """
        if self._prepared:
            self._replace()
        self._applied, self._prepared = self._prepared, {}

    def put_back(self) -> None:
        """Undo `apply`, where it came to that.

        Raises:
            GitUnavailable, IndexLocked, OSError: as the two.
        """
        if self._applied:
            self._keeps_note = True  # if it cannot be put back now, then by whoever finds the note
            self._make_new(self._applied)
            self._replace()
            self._keeps_note = False

    def _make_new(self, entries: Mapping[str, Entry | None]) -> None:
        if not entries:
            return
        if self._checkout.index.exists():
            _link_or_copy(self._checkout.index, self._new)
        set_entries(self._git, self._new, entries, self._checkout.null_id)

    def _replace(self) -> None:
        if not _is_same(self._mark, self._checkout.index_lock):
            raise IndexLocked(f"{self._checkout.index_lock} was removed")
        try:
            self._new.replace(self._checkout.index)
        except OSError as error:
            raise IndexLocked(str(error)) from error

    def release(self) -> None:
        if _is_same(self._mark, self._checkout.index_lock):
            self._checkout.index_lock.unlink(missing_ok=True)
        self._new.unlink(missing_ok=True)
        if not self._keeps_note:
            self._mark.unlink(missing_ok=True)


@contextlib.contextmanager
def hold_index(git: Git, checkout: Checkout, owner: str) -> Iterator[HeldIndex]:
    """Hold the lock of the person's index. Nothing of ours is left behind, whatever happens.

    Args:
        owner: names our temporary files, so that `release_stale_lock` finds them after a crash.

    Raises:
        IndexLocked: somebody else holds it.
        OSError: git's folder cannot be written.
    """
    ours = checkout.git_dir / f"{_name(owner)}{secrets.token_hex(4)}.lock"
    held = HeldIndex(git, checkout, ours)
    try:
        ours.write_bytes(_called(ours))
        _take(ours, checkout.index_lock)
        yield held
    finally:
        held.release()


def release_stale_lock(checkout: Checkout, owner: str) -> None:
    """Remove what a killed process of this `owner` left: its temporary files, and a lock that is one of them. What
    has a note in it stays, see `read_notes`.

    Only the vault's owner may call this, and not while it holds the lock.
    """
    for ours in _files(checkout, owner):
        if _is_same(ours, checkout.index_lock):
            checkout.index_lock.unlink(missing_ok=True)
        if not _parse_note(ours):
            ours.unlink(missing_ok=True)


def read_notes(checkout: Checkout, owner: str) -> dict[str, IndexUpdate]:
    """Entries that a killed process of this `owner` was about to change, or had changed."""
    return {path: update for ours in _files(checkout, owner) for path, update in _parse_note(ours).items()}


def remove_notes(checkout: Checkout, owner: str) -> None:
    """They are seen to."""
    for ours in _files(checkout, owner):
        ours.unlink(missing_ok=True)


def _format_note(updates: Mapping[str, IndexUpdate]) -> str:
    return json.dumps({path: {"known": update.known, "to": update.to} for path, update in updates.items()}) + "\n"


def _parse_note(mark: Path) -> dict[str, IndexUpdate]:
    """Empty where there is none, or not a whole one: then nothing had been changed."""
    try:
        raw = json.loads(mark.read_text(encoding="ascii").split("\n")[1])
        return {
            path: IndexUpdate(tuple(_entry(one) for one in item["known"]), _entry(item["to"]))
            for path, item in raw.items()
        }
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return {}


def _entry(raw: Sequence[str] | None) -> Entry | None:
    return None if raw is None else Entry(str(raw[0]), str(raw[1]))


def _files(checkout: Checkout, owner: str) -> list[Path]:
    return sorted(checkout.git_dir.glob(f"{_name(owner)}*"))


def _name(owner: str) -> str:
    return f"zibaldone-{owner}-"


def _link_or_copy(index: Path, new: Path) -> None:
    """git replaces the file that it changes, so a link will do. A copy needs the time of the original: what changed
    at that time or later, git compares again by content (racy-git)."""
    new.unlink(missing_ok=True)
    try:
        os.link(index, new)
    except OSError:
        shutil.copy2(index, new)


def _take(ours: Path, lock: Path) -> None:
    try:
        os.link(ours, lock)
    except FileExistsError as error:
        raise IndexLocked(str(lock)) from error
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        _take_by_copy(ours, lock)


def _take_by_copy(ours: Path, lock: Path) -> None:
    """For file systems without hard links; a stale lock is then known by its content."""
    try:
        with lock.open("xb") as file:
            file.write(_called(ours))
    except FileExistsError as error:
        raise IndexLocked(str(lock)) from error


def _is_same(ours: Path, lock: Path) -> bool:
    try:
        return ours.samefile(lock) or _called(ours) == lock.read_bytes()
    except OSError:
        return False


def _called(ours: Path) -> bytes:
    return f"{ours.name}\n".encode("ascii")

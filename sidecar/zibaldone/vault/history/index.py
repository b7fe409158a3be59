"""The person's own index, changed only under git's own lock, and only entries that are still as they were.

`index.lock` is taken as a hard link to a small file of ours, so a lock that a killed process of ours left can
be told from anybody else's: it is the same file. Any other `index.lock` is never touched.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from zibaldone.vault.history.entries import Entry, index_entries, set_entries
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
        self._changed = False

    def prepare(self, updates: Mapping[str, IndexUpdate]) -> None:
        """Make the new index beside the old one.

        Raises:
            GitUnavailable: git fails.
            OSError: the folder cannot be written.
        """
        index = self._checkout.index
        if index.exists():
            shutil.copy(index, self._new)
        now = index_entries(self._git, self._new, self._checkout.prefix, list(updates))
        entries = {
            path: update.to for path, update in updates.items() if now[path] in update.known and now[path] != update.to
        }
        if entries:
            set_entries(self._git, self._new, entries, self._checkout.head)
            self._changed = True

    def apply(self) -> None:
        """Put the prepared index in place.

        Raises:
            OSError: it cannot be replaced (Windows: somebody has it open), or our lock was removed.
        """
        if self._changed:
            if not _is_same(self._mark, self._checkout.index_lock):
                raise OSError(errno.EBUSY, "the lock was removed", str(self._checkout.index_lock))
            self._new.replace(self._checkout.index)
            self._changed = False

    def release(self) -> None:
        if _is_same(self._mark, self._checkout.index_lock):
            self._checkout.index_lock.unlink(missing_ok=True)
        self._new.unlink(missing_ok=True)
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
        ours.write_text(f"{ours.name}\n", encoding="ascii")
        _take(ours, checkout.index_lock)
        yield held
    finally:
        held.release()


def release_stale_lock(checkout: Checkout, owner: str) -> None:
    """Remove what a killed process of this `owner` left: its temporary files, and a lock that is one of them.

    Only the vault's owner may call this, and not while it holds the lock.
    """
    for ours in sorted(checkout.git_dir.glob(f"{_name(owner)}*")):
        if _is_same(ours, checkout.index_lock):
            checkout.index_lock.unlink(missing_ok=True)
        ours.unlink(missing_ok=True)


def _name(owner: str) -> str:
    return f"zibaldone-{owner}-"


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
            file.write(ours.read_bytes())
    except FileExistsError as error:
        raise IndexLocked(str(lock)) from error


def _is_same(ours: Path, lock: Path) -> bool:
    try:
        return ours.samefile(lock) or ours.read_bytes() == lock.read_bytes()
    except OSError:
        return False

"""One owning process per vault, under an OS lock.

The lock is the only truth about ownership: it ends with the process, whatever ends that. Run files and
pids are hints that may be stale or planted.
"""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING

from zibaldone.config.places import VaultPlaces
from zibaldone.errors import VaultBusy

if TYPE_CHECKING:
    from filelock import BaseFileLock


class Ownership:
    """Held until `release` or the end of the process."""

    def __init__(self, lock: BaseFileLock) -> None:
        self._lock = lock

    def release(self) -> None:
        self._lock.release()

    def __enter__(self) -> Ownership:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def acquire_owner(places: VaultPlaces) -> Ownership:
    """Become the vault's owner, at once or not at all. Raises `VaultBusy`."""
    from filelock import FileLock, Timeout

    lock = FileLock(places.lock, timeout=0, mode=0o600, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        raise VaultBusy(
            "Another Zibaldone process is at work on this vault.",
            "Wait until it has finished, or stop it, and try again.",
        ) from None
    return Ownership(lock)

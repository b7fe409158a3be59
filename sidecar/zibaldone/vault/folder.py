"""One folder of the vault, held open.

On POSIX every operation goes through the folder's descriptor, which was reached from the vault's root without
following a single symlink: whatever is swapped for a link meanwhile, nothing outside is read or written.
On Windows, which has no such calls, the same operations use full paths.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from zibaldone.vault.exchange import exchange, rename_new
from zibaldone.vault.paths import TEMP_SUFFIX

_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_WALK = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_DIRECTORY", 0)
_NAME_BYTES = 255


class NotAFile(OSError):
    """The name is there, but is a folder, a link, a pipe or a device."""


class Folder:
    """Operations on the names in one folder. Raises `OSError`s as the system does."""

    def __init__(self, path: Path, descriptor: int | None) -> None:
        self._path = path
        self._fd = descriptor

    def read(self, name: str, max_bytes: int | None = None) -> tuple[bytes, os.stat_result]:
        """The file's bytes (at most `max_bytes`) and what `fstat` said before they were read.

        Raises:
            NotAFile: the name is not a regular file.
        """
        with self._opened(name) as (descriptor, status):
            return _read_all(descriptor, max_bytes), status

    def read_settled(self, name: str) -> bytes | None:
        """The file's bytes once nobody has it open for writing; None if somebody keeps it open.

        A file that was displaced by `exchange` can still be written to by an editor that had opened it
        before; its bytes only count once that editor is done. Linux tells by granting a read lease. Elsewhere
        the bytes are returned as they are.
        """
        with self._opened(name) as (descriptor, _):
            return _read_all(descriptor) if _wait_for_writers(descriptor) else None

    def stat(self, name: str) -> os.stat_result:
        return os.stat(self._at(name), dir_fd=self._fd, follow_symlinks=False)

    def write_temporary(
        self, name: str, data: bytes, like: os.stat_result | None, durable: bool, mtime_ns: int | None = None
    ) -> str:
        """Write `data` under a temporary name for `name`, with the mode and owner of `like`; the name.

        Nothing is left behind where it fails.
        """
        temporary = temporary_name(name)
        descriptor = os.open(self._at(temporary), _NEW, 0o666, dir_fd=self._fd)
        try:
            try:
                view = memoryview(data)
                while view:
                    view = view[os.write(descriptor, view) :]
                if like is not None:
                    _take_after(descriptor, like)
                if mtime_ns is not None and os.utime in os.supports_fd:
                    os.utime(descriptor, ns=(mtime_ns, mtime_ns))
                if durable:
                    os.fsync(descriptor)
            finally:
                os.close(descriptor)
        except BaseException:
            self.unlink(temporary)
            raise
        return temporary

    def exchange(self, one: str, other: str) -> bool:
        return exchange(self._fd, one, other)

    def rename_new(self, source: str, target: str) -> None:
        rename_new(self._fd, self._at(source), self._at(target))

    def replace(self, source: str, target: str) -> None:
        os.replace(self._at(source), self._at(target), src_dir_fd=self._fd, dst_dir_fd=self._fd)

    def unlink(self, name: str) -> None:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._at(name), dir_fd=self._fd)

    def sync(self) -> None:
        """Make renames durable. Some file systems refuse to sync a folder; then there is nothing to do."""
        if self._fd is not None:
            with contextlib.suppress(OSError):
                os.fsync(self._fd)

    def _at(self, name: str) -> str:
        return name if self._fd is not None else str(self._path / name)

    @contextlib.contextmanager
    def _opened(self, name: str) -> Iterator[tuple[int, os.stat_result]]:
        try:
            descriptor = os.open(self._at(name), _READ, dir_fd=self._fd)
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.ENXIO) or (sys.platform == "win32" and self._is_folder(name)):
                raise NotAFile(error.errno, "not a regular file", name) from error
            raise
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise NotAFile(errno.EISDIR, "not a regular file", name)
            yield descriptor, status
        finally:
            os.close(descriptor)

    def _is_folder(self, name: str) -> bool:
        return (self._path / name).is_dir()


@contextlib.contextmanager
def open_folder(root: Path, parts: Sequence[str], *, create: bool = False) -> Iterator[Folder]:
    """The folder `parts` below `root`, reached without following symlinks; missing ones made on demand.

    Raises:
        FileNotFoundError: it does not exist and `create` is off.
        NotADirectoryError: a part is a file or (on POSIX) a symlink.
    """
    if sys.platform == "win32":
        path = root.joinpath(*parts)
        if create:
            path.mkdir(parents=True, exist_ok=True)
        yield Folder(path, None)
        return
    descriptor = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for part in parts:
            if create:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(part, dir_fd=descriptor)
            try:
                below = os.open(part, _WALK, dir_fd=descriptor)
            except OSError as error:
                if error.errno == errno.ELOOP:
                    raise NotADirectoryError(errno.ENOTDIR, "became a link", part) from error
                raise
            os.close(descriptor)
            descriptor = below
        yield Folder(root.joinpath(*parts), descriptor)
    finally:
        os.close(descriptor)


def temporary_name(name: str) -> str:
    """`.name.<random>.zibtmp`, cut to what a file system takes."""
    tail = f".{secrets.token_hex(4)}{TEMP_SUFFIX}"
    kept = name.encode("utf-8", "surrogateescape")[: _NAME_BYTES - len(tail) - 1]
    return f".{kept.decode('utf-8', 'ignore')}{tail}"


def temporary_target(temporary: str) -> str:
    """The name that `temporary_name` was made for (cut, where it was cut)."""
    return temporary.removesuffix(TEMP_SUFFIX).rpartition(".")[0].removeprefix(".")


def _read_all(descriptor: int, max_bytes: int | None = None) -> bytes:
    pieces: list[bytes] = []
    left = sys.maxsize if max_bytes is None else max_bytes
    while left > 0:
        piece = os.read(descriptor, min(left, 1 << 20))
        if not piece:
            break
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


def _take_after(descriptor: int, like: os.stat_result) -> None:
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):  # only root may give a file away
        if (os.geteuid(), os.getegid()) != (like.st_uid, like.st_gid):
            os.fchown(descriptor, like.st_uid, like.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(like.st_mode))


def _wait_for_writers(descriptor: int, attempts: int = 50, pause_s: float = 0.001) -> bool:
    """Whether nobody has the file open for writing (any more). True where the system cannot tell."""
    if sys.platform != "linux":
        return True
    import fcntl
    import signal

    try:
        # A broken lease sends a signal, SIGIO by default, which would end this process; SIGURG is ignored.
        fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)
        for attempt in range(attempts):
            try:
                fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
            except OSError as error:
                if error.errno != errno.EAGAIN:
                    return True
                if attempt + 1 < attempts:
                    time.sleep(pause_s)
            else:
                fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
                return True
    except OSError:
        return True
    return False

"""Reading and writing the vault's files so that nothing outside is touched and no save is lost.

Knows paths, bytes and hashes; knows nothing of Markdown, git or the index. Failures of the disk itself (no
space, no permission, I/O errors) are `OSError`s and leave the file as it was.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import overload

from zibaldone.domain.notes import FileStamp
from zibaldone.errors import NotFound, PathOutsideVault, VaultChanged
from zibaldone.vault.folder import Folder, NotAFile, open_folder, temporary_name, temporary_target
from zibaldone.vault.paths import is_hidden, is_temporary, nfc, path_problem

KeepDisplaced = Callable[[str, bytes], None]
_READ_ATTEMPTS = 5
_READ_PAUSE_S = 0.002
_PUT_BACK_ATTEMPTS = 20


@dataclass(frozen=True, slots=True)
class TooLarge:
    """The file is larger than the reader wants; sizes in bytes."""

    size: int
    limit: int


def sha256_hex(data: bytes) -> str:
    """The precondition of every write: SHA-256 of the content, as hex digits."""
    return hashlib.sha256(data).hexdigest()


def stamp_of(status: os.stat_result) -> FileStamp:
    return FileStamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


class VaultFiles:
    """The files of one vault, by POSIX path relative to its root.

    Args:
        root: the vault's folder.
        keep_displaced: called with path and bytes of each version before it is displaced (the undo store).
            Where it raises, nothing is written.
        durable: sync file and folder to the disk on each write. Off only in tests.
        hidden: also what is hidden, git's own folder excepted: what comes by git is the whole work tree.
    """

    def __init__(
        self, root: Path, keep_displaced: KeepDisplaced | None = None, *, durable: bool = True, hidden: bool = False
    ) -> None:
        self.root = root.resolve()
        self._keep: KeepDisplaced = keep_displaced or (lambda rel, data: None)
        self._durable = durable
        self._is_closed = _is_git if hidden else is_hidden

    def with_hidden(self) -> VaultFiles:
        """The same files, and the hidden ones."""
        return VaultFiles(self.root, self._keep, durable=self._durable, hidden=True)

    def resolve(self, rel: str) -> Path:
        """The absolute path of `rel`, symlinks followed, names spelt as on disk (NFC or NFD).

        The file need not exist. Hidden folders are refused too (a note is never there, `.git` and
        `.obsidian` are), except Obsidian's `.trash`.

        Raises:
            PathOutsideVault: `rel` is no relative POSIX path, leads outside or into a hidden folder.
        """
        return self.root.joinpath(*self._real_parts(rel))

    def real_path(self, rel: str) -> str:
        """`rel` as `resolve` finds it, relative again: what exclusions and git are asked about.

        Raises:
            PathOutsideVault: as `resolve`.
        """
        return "/".join(self._real_parts(rel))

    def exists(self, rel: str) -> bool:
        """Whether there is anything of this name, be it a folder or a link to nothing.

        Raises:
            PathOutsideVault: as `resolve`.
        """
        return os.path.lexists(self.resolve(rel)) or os.path.lexists(self.root / rel)

    def stamp(self, rel: str) -> FileStamp:
        """Size, times and inode of the file now.

        Raises:
            PathOutsideVault: as `resolve`.
            NotFound: there is no such file.
        """
        *parents, name = self._real_parts(rel)
        try:
            with open_folder(self.root, parents) as folder:
                return stamp_of(folder.stat(name))
        except (FileNotFoundError, NotADirectoryError) as error:
            raise _missing(rel) from error

    @overload
    def read_stable(self, rel: str) -> bytes: ...

    @overload
    def read_stable(self, rel: str, max_bytes: int) -> bytes | TooLarge: ...

    def read_stable(self, rel: str, max_bytes: int | None = None) -> bytes | TooLarge:
        """The content, from two equal reads with equal stamps; retried a few times, a few ms in all.

        Raises:
            PathOutsideVault: as `resolve`.
            NotFound: there is no such file, or it is a folder or device.
            VaultChanged: it keeps changing.
        """
        *parents, name = self._real_parts(rel)
        bound = None if max_bytes is None else max_bytes + 1
        previous: tuple[bytes, FileStamp] | None = None
        try:
            with open_folder(self.root, parents) as folder:
                for attempt in range(_READ_ATTEMPTS + 1):
                    data, status = folder.read(name, bound)
                    if max_bytes is not None and len(data) > max_bytes:
                        return TooLarge(max(status.st_size, len(data)), max_bytes)
                    current = (data, stamp_of(status))
                    if current == previous and current[1] == stamp_of(folder.stat(name)):
                        return data
                    previous = current
                    if attempt:
                        time.sleep(_READ_PAUSE_S)
        except NotAFile as error:
            raise NotFound(f"{rel} is not a regular file", "name a note") from error
        except (FileNotFoundError, NotADirectoryError) as error:
            raise _missing(rel) from error
        raise VaultChanged(f"{rel} is being written to", "try again in a moment")

    def write_atomic(self, rel: str, data: bytes, *, base_sha256: str | None, mtime_ns: int | None = None) -> None:
        """Make `data` the content of `rel`: all of it or nothing, and only over the version it was based on.

        The bytes go to a temporary file beside it, are synced, and then swapped with the file in one step
        (`exchange`), so that what was displaced can be looked at: a save that landed between the check and
        the swap is put back. Mode and owner are kept; where `rel` is a symlink, its target is written.
        Where no swap exists, the content is checked again just before the rename.

        Args:
            base_sha256: SHA-256 of the content that must be there now; None: nothing may be there (missing
                folders are made).
            mtime_ns: the time that the file is to have, where the system can set it; None: now.

        Raises:
            PathOutsideVault: as `resolve`, or a folder on the way became a symlink.
            VaultChanged: something else is there, or somebody keeps the file open for writing.
        """
        *parents, name = self._real_parts(rel)
        try:
            with open_folder(self.root, parents, create=base_sha256 is None) as folder:
                if base_sha256 is None:
                    self._create(folder, rel, name, data, mtime_ns)
                else:
                    self._overwrite(folder, rel, name, data, base_sha256, mtime_ns)
                if self._durable:
                    folder.sync()
        except NotAFile as error:
            raise _changed(rel) from error
        except NotADirectoryError as error:
            raise PathOutsideVault(f"a folder of {rel} is a file or a link", "check the path") from error
        except FileNotFoundError as error:
            raise _changed(rel) from error

    def remove(self, rel: str, *, base_sha256: str) -> None:
        """Delete the file if its content is still the base; the bytes are kept for undo first.

        Raises:
            PathOutsideVault: as `resolve`.
            VaultChanged: something else is there, or nothing.
        """
        *parents, name = self._real_parts(rel)
        try:
            with open_folder(self.root, parents) as folder:
                self._check(folder, rel, name, base_sha256)
                aside = temporary_name(name)
                folder.rename_new(name, aside)
                if self._is_base(folder, aside, base_sha256):
                    folder.unlink(aside)
                else:
                    self._return_to(folder, rel, aside, name)
                    raise _changed(rel)
                if self._durable:
                    folder.sync()
        except (NotAFile, FileNotFoundError, NotADirectoryError) as error:
            raise _changed(rel) from error

    def clean_up(self) -> list[str]:
        """Remove temporary files that a killed process of ours left; their paths.

        Only the vault's owner may call this, before it writes. Such a file can hold a save that was
        displaced when the process died, so its bytes go to the undo store first.
        """
        removed = []
        for where, folders, names in os.walk(self.root):
            parents = Path(where).relative_to(self.root).parts
            folders[:] = sorted(
                name for name in folders if not self._is_closed("/".join(_shown_parts((*parents, name))))
            )
            strays = [name for name in names if is_temporary(name)]
            if not strays:
                continue
            with open_folder(self.root, parents) as folder:
                for name in strays:
                    try:
                        data, _ = folder.read(name)
                    except OSError:
                        continue
                    self._keep("/".join((*parents, temporary_target(name))), data)
                    folder.unlink(name)
                    removed.append("/".join((*parents, name)))
        return removed

    def _create(self, folder: Folder, rel: str, name: str, data: bytes, mtime_ns: int | None) -> None:
        temporary = folder.write_temporary(name, data, None, self._durable, mtime_ns)
        try:
            folder.rename_new(temporary, name)
        except FileExistsError as error:
            raise _changed(rel) from error
        finally:
            folder.unlink(temporary)

    def _overwrite(self, folder: Folder, rel: str, name: str, data: bytes, base: str, mtime_ns: int | None) -> None:
        status = self._check(folder, rel, name, base)
        temporary = folder.write_temporary(name, data, status, self._durable, mtime_ns)
        ours = True
        try:
            if folder.exchange(temporary, name):
                ours = False
                if not self._is_base(folder, temporary, base):
                    self._put_back(folder, rel, temporary, name, data)
                    raise _changed(rel)
                folder.unlink(temporary)
            elif self._is_base(folder, name, base):
                folder.replace(temporary, name)
            else:
                raise _changed(rel)
        finally:
            if ours:
                folder.unlink(temporary)

    def _check(self, folder: Folder, rel: str, name: str, base: str) -> os.stat_result:
        current, status = folder.read(name)
        if sha256_hex(current) != base:
            raise _changed(rel)
        self._keep(rel, current)
        return status

    def _is_base(self, folder: Folder, name: str, base: str) -> bool:
        found = _settled(folder, name)
        return found is not None and sha256_hex(found) == base

    def _put_back(self, folder: Folder, rel: str, temporary: str, name: str, ours: bytes) -> None:
        """Return the save under `temporary` to `name`, unless a newer one has landed there meanwhile.

        Of several saves the newest ends up in place and the others in the undo store. In a storm of them
        the last one displaced may stay as a temporary file, which `clean_up` moves to the undo store.
        """
        expected: bytes | None = ours
        for _ in range(_PUT_BACK_ATTEMPTS):
            try:
                landing = _content(folder, temporary)
                folder.exchange(temporary, name)
            except FileNotFoundError:  # deleted or moved by the person: theirs to decide
                self._let_go(folder, rel, temporary)
                return
            # Somebody may have opened what is out now while it was in place, and be writing to it still.
            out = _settled(folder, temporary)
            if out is not None and out == expected:
                if out != ours:
                    self._keep(rel, out)
                folder.unlink(temporary)
                return
            expected = landing

    def _return_to(self, folder: Folder, rel: str, aside: str, name: str) -> None:
        try:
            folder.rename_new(aside, name)
        except FileExistsError:
            self._let_go(folder, rel, aside)

    def _let_go(self, folder: Folder, rel: str, temporary: str) -> None:
        content = _settled(folder, temporary)
        if content is not None:  # else it stays for `clean_up`
            self._keep(rel, content)
            folder.unlink(temporary)

    def _real_parts(self, rel: str) -> tuple[str, ...]:
        problem = path_problem(rel)
        if problem is not None:
            raise PathOutsideVault(f"the path {rel!r} {problem}", "use a path inside the vault")
        path = self.root
        for part in rel.split("/"):
            path = _spelt_on_disk(path, part)
        real = Path(os.path.realpath(path))
        if not real.is_relative_to(self.root) or real == self.root:
            raise PathOutsideVault(f"{rel} leads out of the vault", "use a path inside the vault")
        parts = real.relative_to(self.root).parts
        if self._is_closed("/".join(_shown_parts(parts))):
            raise PathOutsideVault(f"{rel} is in a hidden folder", "hidden folders are not read or written")
        return parts


def _is_git(rel: str) -> bool:
    return any(part.casefold() == ".git" for part in rel.split("/"))


def _shown_parts(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Without Obsidian's `.trash`, the one hidden folder that we write to."""
    return parts[1:] if parts[0] == ".trash" else parts


def _settled(folder: Folder, name: str) -> bytes | None:
    try:
        return folder.read_settled(name)
    except NotAFile:
        return None


def _content(folder: Folder, name: str) -> bytes | None:
    try:
        return folder.read(name)[0]
    except NotAFile:
        return None


def _spelt_on_disk(folder: Path, name: str) -> Path:
    path = folder / name
    if name.isascii() or os.path.lexists(path):
        return path
    wanted = nfc(name)
    try:
        twins = sorted(entry for entry in os.listdir(folder) if nfc(entry) == wanted)  # noqa: PTH208
    except OSError:
        return path
    return folder / twins[0] if twins else path


def _missing(rel: str) -> NotFound:
    return NotFound(f"there is no file {rel}", "check the path, or sync again")


def _changed(rel: str) -> VaultChanged:
    return VaultChanged(f"{rel} is not the version that the change was based on", "read it again and retry")

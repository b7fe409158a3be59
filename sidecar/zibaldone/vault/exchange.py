"""Two renames that the standard library lacks: swap two names at once, and rename only onto nothing.

Linux has both in `renameat2`, macOS in `renameatx_np`. Where neither is there (Windows, some file systems),
`exchange` says so and the caller falls back to checking just before an ordinary rename.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from functools import cache
from typing import Any

_UNSUPPORTED = {errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP, errno.EPERM, errno.EXDEV}
_SWAP = 2  # RENAME_EXCHANGE and RENAME_SWAP
_ONLY_NEW = 4 if sys.platform == "darwin" else 1  # RENAME_EXCL, RENAME_NOREPLACE


def exchange(folder_fd: int | None, one: str, other: str) -> bool:
    """Swap two existing names in a folder atomically; False where that cannot be done here.

    Raises:
        FileNotFoundError: one of the two does not exist.
        OSError: any other failure of the file system.
    """
    return folder_fd is not None and _rename(folder_fd, one, other, _SWAP)


def rename_new(folder_fd: int | None, source: str, target: str) -> None:
    """Rename `source` to `target`, never over an existing file. Names are in the folder of `folder_fd`,
    absolute where that is None.

    Raises:
        FileExistsError: `target` exists.
        OSError: any other failure of the file system.
    """
    if sys.platform == "win32":
        os.rename(source, target)  # noqa: PTH104  refuses an existing target there
        return
    if folder_fd is not None and _rename(folder_fd, source, target, _ONLY_NEW):
        return
    os.link(source, target, src_dir_fd=folder_fd, dst_dir_fd=folder_fd, follow_symlinks=False)
    os.unlink(source, dir_fd=folder_fd)


def _rename(folder_fd: int, source: str, target: str, flags: int) -> bool:
    call = _system_call()
    if call is None:
        return False
    if call(folder_fd, os.fsencode(source), folder_fd, os.fsencode(target), flags) == 0:
        return True
    code = ctypes.get_errno()
    if code in _UNSUPPORTED:
        return False
    raise OSError(code, os.strerror(code), target)


@cache
def _system_call() -> Any:
    name = {"linux": "renameat2", "darwin": "renameatx_np"}.get(sys.platform)
    if name is None:
        return None
    call = getattr(ctypes.CDLL(None, use_errno=True), name, None)
    if call is not None:
        call.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
        call.restype = ctypes.c_int
    return call

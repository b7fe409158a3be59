"""Git's objects: what their bytes and ids are, and their files.

An object that is not in a pack is a file of its own (gitrepository-layout(5)): compressed, named by the hash of
its content, never changed. So one can be written or read without git, and a commit needs five or so. What is in
a pack is left to git.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from zibaldone.vault.history.git import Git
from zibaldone.vault.history.state import Checkout

Kind = Literal["commit", "tree", "blob"]
# Git's own for objects that are files. Trees are mostly hashes, which do not get smaller.
_LEVELS: dict[Kind, int] = {"commit": 1, "tree": 0, "blob": 1}


@dataclass(frozen=True, slots=True)
class GitObject:
    """`id` is in hexadecimal."""

    kind: Kind
    data: bytes
    id: str


def make_object(kind: Kind, data: bytes, algorithm: str) -> GitObject:
    """The object and its id. `algorithm`: the repository's, `sha1` or `sha256`."""
    digest = hashlib.new(algorithm, _header(kind, data) + data, usedforsecurity=False)
    return GitObject(kind, data, digest.hexdigest())


def commit_text(tree: str, parent: str | None, author: str, committer: str, message: str) -> bytes:
    """A commit's bytes; `author` and `committer` as `format_signature` has them. NUL, which would end the
    message, is dropped, and what UTF-8 cannot say is replaced."""
    lines = [f"tree {tree}", *([f"parent {parent}"] if parent else []), f"author {author}", f"committer {committer}"]
    return "\n".join([*lines, "", message.replace("\0", "").strip(), ""]).encode("utf-8", "replace")


def format_signature(name: str, email: str, at: datetime) -> str:
    """Who and when, as commits have it; `at` with a time zone."""
    return f"{name} <{email}> {int(at.timestamp())} {at.strftime('%z')[:5]}"


def read_object(git: Git, checkout: Checkout, kind: Kind, object_id: str) -> bytes:
    """An object's content; git is asked where it has no (whole) file of its own.

    Raises:
        GitUnavailable: there is none, or it is damaged.
    """
    header, zero, data = _read_file(_file(checkout, object_id)).partition(b"\0")
    return data if header + zero == _header(kind, data) else git.run("cat-file", kind, object_id).stdout


def write_objects(git: Git, checkout: Checkout, objects: Iterable[GitObject]) -> None:
    """Store each, where it is not there already. Nothing refers to them yet.

    Raises:
        OSError: git's folder cannot be written.
    """
    durable = any(key.startswith("core.fsync") for key in git.keys)  # off in git, but where it is asked for
    for one in objects:
        path, content = _file(checkout, one.id), _header(one.kind, one.data) + one.data
        if _read_file(path) == content:
            with contextlib.suppress(OSError):  # somebody else's
                os.utime(path)  # as git does, so that it is not cleared away as old
        else:
            _write_file(path, zlib.compress(content, _LEVELS[one.kind]), durable=durable)


def _read_file(path: Path) -> bytes:
    """Header and content; empty where there is no such file, or not a whole one."""
    try:
        return zlib.decompress(path.read_bytes())
    except (OSError, zlib.error):
        return b""


def _write_file(path: Path, content: bytes, *, durable: bool) -> None:
    """Permissions follow those of the folder of all objects, which git made as `core.sharedRepository` has them."""
    mode = stat.S_IMODE(path.parent.parent.stat().st_mode)
    if not path.parent.is_dir():
        path.parent.mkdir(exist_ok=True)
        path.parent.chmod(mode)
    descriptor, name = tempfile.mkstemp(prefix="tmp_obj_", dir=path.parent)  # git clears such away after a kill
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            if durable:
                os.fsync(descriptor)
        temporary.chmod(mode & 0o444)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _file(checkout: Checkout, object_id: str) -> Path:
    return checkout.common_dir / "objects" / object_id[:2] / object_id[2:]


def _header(kind: Kind, data: bytes) -> bytes:
    return f"{kind} {len(data)}\0".encode()

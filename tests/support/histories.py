"""Repositories with many commits, made in one call of git."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from support.repositories import PERSON, make_repository


@dataclass(frozen=True)
class Made:
    """A commit to make: `files` are what changes (None: gone), `day` counts from 2025-01-01."""

    message: bytes
    files: Mapping[bytes, bytes | None] = field(default_factory=dict)
    author: bytes = b"Ada <ada@example.org>"
    day: int = 0


def make_history(root: Path, commits: Sequence[Made], *options: str) -> Path:
    """A repository whose `main` has these commits, one after the other, and is checked out."""
    make_repository(root, *options, first=False)
    stream = [b"reset refs/heads/main\n"]
    for commit in commits:
        when = b"%d +0100" % (1_735_729_200 + 86_400 * commit.day)
        stream.append(b"commit refs/heads/main\nauthor %s %s\n" % (commit.author, when))
        stream.append(
            b"committer Ada <ada@example.org> %s\ndata %d\n%s\n" % (when, len(commit.message), commit.message)
        )
        for path, content in commit.files.items():
            if content is None:
                stream.append(b"D %s\n" % _quote(path))
            else:
                stream.append(b"M 100644 inline %s\ndata %d\n%s\n" % (_quote(path), len(content), content))
    environment = {"PATH": os.environ["PATH"], "HOME": str(root), **PERSON}
    for arguments, given in ((("fast-import", "--quiet"), b"".join(stream)), (("reset", "-q", "--hard"), b"")):
        subprocess.run(["git", *arguments], cwd=root, env=environment, input=given, check=True, capture_output=True)
    return root


def _quote(path: bytes) -> bytes:
    escaped = path.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
    return b'"' + escaped + b'"'

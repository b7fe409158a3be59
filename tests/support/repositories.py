"""Real git repositories for the tests: made and inspected with the plain git of a person."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

PERSON = {
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "LC_ALL": "C",
}


def git(where: Path, *arguments: str, check: bool = True, **env: str) -> str:
    done = subprocess.run(
        ["git", "-c", "core.quotePath=false", *arguments],
        cwd=where,
        env={"PATH": os.environ["PATH"], "HOME": str(where), **PERSON, **env},
        capture_output=True,
        check=False,
    )
    if check and done.returncode != 0:
        raise AssertionError(f"git {arguments}: {done.stderr.decode()}")
    return done.stdout.decode("utf-8", "surrogateescape")


def make_repository(root: Path, *options: str, first: bool = True) -> Path:
    root.mkdir(parents=True, exist_ok=True)
    git(root, "init", "-q", "-b", "main", *options)
    if first:
        (root / "Home.md").write_bytes(b"# Home\n")
        git(root, "add", "-A")
        git(root, "commit", "-qm", "first")
    return root


def head(root: Path) -> str:
    return git(root, "rev-parse", "HEAD").strip()


def status(root: Path) -> str:
    return git(root, "status", "--porcelain")


def paths_of(root: Path, commit: str) -> list[str]:
    shown = git(root, "diff-tree", "--root", "--no-commit-id", "--name-only", "-r", "-z", commit)
    return shown.split("\0")[:-1]


def blob(root: Path, commit: str, path: str) -> bytes:
    return git(root, "cat-file", "blob", f"{commit}:{path}").encode("utf-8", "surrogateescape")


def snapshot(root: Path) -> dict[str, bytes]:
    """Everything that a person could see or lose: refs, HEAD, index, locks, work tree. Objects may come."""
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and "objects" not in path.relative_to(root).parts
    }

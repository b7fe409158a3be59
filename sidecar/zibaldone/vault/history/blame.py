"""Who wrote which line of a note, from git's history."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from zibaldone.vault.history.git import Git
from zibaldone.vault.history.state import RepositoryState, find_checkout

_LINE = re.compile(rb"([0-9a-f]{40,64}) \d+ (\d+)(?: \d+)?")
# Raw names, as the commits have them: a `.mailmap` is the repository's word against theirs.
_NAMES = ("log", "--no-walk=unsorted", "-z", "--no-mailmap", "--no-color", "--no-show-signature")
_FORMAT = "--format=tformat:%H%x02%at%x02%ae%x02%an"
_COMMITS_PER_CALL = 500


@dataclass(frozen=True, slots=True)
class LineAuthor:
    """`at` is the author's time in UTC."""

    sha: str
    at: datetime
    author: str
    email: str


@dataclass(frozen=True, slots=True)
class BlamedLine:
    """`written` is None for a line that is not committed."""

    text: str
    written: LineAuthor | None


def blame(git: Git, path: str, text: bytes, *, timeout_s: float = 30.0) -> list[BlamedLine]:
    """Each line of `text`, which is what the note at `path` holds now, with who committed it; through its renames.

    Raises:
        GitUnavailable: git fails.
        DeadlineExceeded: it took longer than `timeout_s`.
    """
    lines = text.decode("utf-8", "replace").split("\n")
    if lines[-1] == "":
        lines.pop()
    commits = _commits_by_line(git, path, text, timeout_s)
    authors = _authors(git, sorted(set(commits.values())), timeout_s)
    return [BlamedLine(line, authors.get(commits.get(number, ""))) for number, line in enumerate(lines, 1)]


def _commits_by_line(git: Git, path: str, text: bytes, timeout_s: float) -> dict[int, str]:
    """The commit of each line, counted from 1; none for a line that is not committed, or a note that is not."""
    checkout = find_checkout(git)
    if isinstance(checkout, RepositoryState) or checkout.head is None or not text:
        return {}
    if not git.run("ls-tree", "-z", "HEAD", "--", path).stdout:
        return {}
    shown = git.run(
        "blame",
        "--porcelain",
        "--no-textconv",
        "--ignore-revs-file=",  # an empty name clears those that the configuration lists
        "--contents",
        "-",
        "--",
        path,
        stdin=text,
        timeout_s=timeout_s,
    )
    found: dict[int, str] = {}
    for line in shown.stdout.split(b"\n"):
        head = _LINE.fullmatch(line)  # a line of the note itself comes behind a tab
        if head and head[1].strip(b"0"):
            found[int(head[2])] = head[1].decode()
    return found


def _authors(git: Git, commits: list[str], timeout_s: float) -> dict[str, LineAuthor]:
    found: dict[str, LineAuthor] = {}
    for start in range(0, len(commits), _COMMITS_PER_CALL):
        for author in _read(git, commits[start : start + _COMMITS_PER_CALL], timeout_s):
            found[author.sha] = author
    return found


def _read(git: Git, commits: list[str], timeout_s: float) -> Iterator[LineAuthor]:
    for field in git.run(*_NAMES, _FORMAT, *commits, timeout_s=timeout_s).fields():
        sha, at, email, author = field.split("\x02", 3)
        yield LineAuthor(sha, datetime.fromtimestamp(int(at), UTC), author, email)

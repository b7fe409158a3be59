"""What the vault held at a commit, and which commits changed its notes. Reads only; nothing is checked out.

Paths are the vault's. The history is that of the first parents: what a merge brought in came with the merge.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from zibaldone.vault.history.git import Git
from zibaldone.vault.history.state import RepositoryState, find_checkout

_WALK = (
    "log",
    "--first-parent",
    "--diff-merges=first-parent",
    "--root",
    "--raw",
    "-z",
    "-M",
    "--no-abbrev",
    "--relative",
    "--no-color",
    "--no-notes",
    "--no-ext-diff",
    "--no-textconv",
    "--no-show-signature",
    "--no-decorate",
)
_FILE = re.compile(r"100(?:644|755|664)")
_COMMIT = re.compile("\x01(?P<sha>[0-9a-f]{40,64})\x02(?P<at>\\d+)")
_CHANGE = re.compile(r":(?P<was>\d{6}) (?P<is>\d{6}) (?P<old>[0-9a-f]+) (?P<new>[0-9a-f]+) (?P<status>[A-Z])\d*")


@dataclass(frozen=True, slots=True)
class PastCommit:
    """`at` is the committer's time in UTC."""

    sha: str
    at: datetime


class PastFile(NamedTuple):
    """A file of a commit; `size` in bytes."""

    path: str
    blob: str
    size: int


class PastChange(NamedTuple):
    """What a commit did to a file. `old_path` differs from `path` where it was renamed; `old` is None for a file that
    came, `new` for one that went."""

    old_path: str
    path: str
    old: str | None
    new: str | None


class PastVersion(NamedTuple):
    """A file as a commit left it; `blob` is None where the commit took it away."""

    commit: PastCommit
    path: str
    blob: str | None


def commit_at(git: Git, until: datetime) -> PastCommit | None:
    """The last commit at or before a moment (committer's time); None where there is none.

    Raises:
        GitUnavailable: git fails.
    """
    return _last_commit(git, f"--min-age={max(0, int(until.timestamp()))}")


def first_commit(git: Git) -> PastCommit | None:
    """Where the history begins, as far as this clone has it. Raises `GitUnavailable`."""
    head = _head(git)
    if head is None:
        return None
    ends = git.run("log", "--first-parent", "--max-parents=0", "--format=tformat:%x01%H%x02%ct", head).text
    return _commit(ends.splitlines()[-1]) if ends else None


def is_in_repository(git: Git) -> bool:
    """Raises `GitUnavailable`."""
    return not isinstance(find_checkout(git), RepositoryState)


def list_files(git: Git, commit: str) -> list[PastFile]:
    """The vault's files at a commit, without links and submodules. Raises `GitUnavailable`."""
    found: list[PastFile] = []
    for line in git.run("ls-tree", "-r", "-l", "-z", commit).fields():
        meta, _, path = line.partition("\t")
        mode, kind, blob, size = meta.split()
        if kind == "blob" and _FILE.fullmatch(mode):
            found.append(PastFile(path, blob, int(size)))
    return found


def read_blobs(git: Git, blobs: Iterable[str]) -> dict[str, bytes]:
    """The content of each, as it was committed: no filter of the repository is run. Raises `GitUnavailable`."""
    wanted = list(dict.fromkeys(blobs))
    if not wanted:
        return {}
    given = git.run("cat-file", "--batch", stdin="".join(f"{blob}\n" for blob in wanted).encode()).stdout
    content: dict[str, bytes] = {}
    at = 0
    for blob in wanted:
        end = given.index(b"\n", at)
        header = given[at:end].split(b" ")
        at = end + 1
        if len(header) == 3 and header[1] == b"blob":
            size = int(header[2])
            content[blob] = given[at : at + size]
            at += size + 1
    return content


def walk_changes(
    git: Git, *, max_commits: int, timeout_s: float = 120.0
) -> Iterator[tuple[PastCommit, list[PastChange]]]:
    """What each commit did to the vault's files, the newest first; renames are git's guess by likeness.

    Raises:
        GitUnavailable: git fails.
        DeadlineExceeded: the log took longer than `timeout_s`.
    """
    head = _head(git)
    if head is None:
        return
    listed = git.run(
        *_WALK, f"--max-count={max_commits}", "--format=tformat:%x01%H%x02%ct", head, "--", ".", timeout_s=timeout_s
    )
    commit: PastCommit | None = None
    changes: list[PastChange] = []
    fields = iter(listed.stdout.decode("utf-8", "surrogateescape").split("\0"))
    for field in fields:
        field = field.lstrip("\n")
        if _COMMIT.fullmatch(field):
            if commit is not None:
                yield commit, changes
            commit, changes = _commit(field), []
        elif raw := _CHANGE.fullmatch(field):
            old_path = next(fields)
            path = next(fields) if raw["status"] in "RC" else old_path
            changes.append(PastChange(old_path, path, _blob(raw["was"], raw["old"]), _blob(raw["is"], raw["new"])))
    if commit is not None:
        yield commit, changes


def follow_notes(commits: Iterable[tuple[PastCommit, Sequence[PastChange]]]) -> list[list[PastVersion]]:
    """The versions of each file through its renames, the oldest first. One that comes back at the path where it was
    deleted is the same. Pure.

    Args:
        commits: as `walk_changes` gives them, but the oldest first.
    """
    files: list[list[PastVersion]] = []
    there: dict[str, list[PastVersion]] = {}
    gone: dict[str, list[PastVersion]] = {}
    for commit, changes in commits:
        before = {change.old_path: there.pop(change.old_path, None) for change in changes if change.old}
        for change in changes:
            file = before.get(change.old_path) if change.old else gone.pop(change.path, None)
            if file is None:
                file = []
                files.append(file)
            file.append(PastVersion(commit, change.path, change.new))
            (there if change.new else gone)[change.path] = file
    return files


def _last_commit(git: Git, *options: str) -> PastCommit | None:
    head = _head(git)
    if head is None:
        return None
    found = git.run("log", "--first-parent", "--max-count=1", "--format=tformat:%x01%H%x02%ct", *options, head).text
    return _commit(found) if found else None


def _head(git: Git) -> str | None:
    checkout = find_checkout(git)
    return None if isinstance(checkout, RepositoryState) else checkout.head


def _commit(line: str) -> PastCommit:
    sha, _, at = line.removeprefix("\x01").partition("\x02")
    return PastCommit(sha, datetime.fromtimestamp(int(at), UTC))


def _blob(mode: str, blob: str) -> str | None:
    return blob if _FILE.fullmatch(mode) else None

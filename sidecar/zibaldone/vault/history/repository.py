"""Making a repository for a vault, and reading its history."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from zibaldone.errors import GitUnavailable
from zibaldone.vault.history.git import PLAIN_PATHSPECS, Git
from zibaldone.vault.history.state import RepositoryState, find_checkout, read_shallow_edge

_LOG = (
    "log",
    "-z",
    "--name-only",
    "--no-renames",
    "--no-color",
    "--no-notes",
    "--no-decorate",
    "--no-show-signature",
    "--no-ext-diff",
    "--no-textconv",
    "--no-mailmap",
    "--relative",
)
_FORMAT = "--format=tformat:%x01%H%x02%at%x02%ae%x02%an%x02%s"
_HEAD = re.compile(
    "\x01(?P<sha>[0-9a-f]{40,64})\x02(?P<at>\\d+)\x02(?P<email>[^\x02]*)\x02(?P<author>[^\x02]*)\x02(?P<subject>.*)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class LoggedCommit:
    """A commit that touched the vault; `paths` are the vault's, `at` is the author's time in UTC."""

    sha: str
    at: datetime
    author: str
    email: str
    subject: str
    paths: tuple[str, ...]


def init_repository(root: Path) -> Git:
    """A repository for the vault at `root`: the one that it is in already, or a new one with branch `main`,
    no template and no hooks. A work tree that ignores the vault does not count as holding it.

    Raises:
        GitUnavailable: git is missing or fails, or the vault lies inside a bare repository or a `.git`.
    """
    git = Git(root)
    found = find_checkout(git)
    if found is RepositoryState.BARE:
        raise GitUnavailable(f"{root} is inside a bare repository", "keep the vault somewhere else")
    if found is not RepositoryState.NONE and not _is_ignored(git):
        return git
    git.run("init", "--quiet", "--template=", "--initial-branch=main", "--object-format=sha1")
    git.refresh()
    return git


def first_commit_dates(
    git: Git, paths: Collection[str] | None = None, *, max_commits: int = 50_000, timeout_s: float = 120.0
) -> dict[str, date]:
    """When each path was first committed (the author's date, in UTC), in one pass over the log.

    Renames are not followed: a renamed note counts from its rename. Commits at the edge of a shallow clone
    are passed over, since everything seems to begin there. No repository or no commit: no dates.

    Args:
        paths: the vault paths of interest; None: all.
        max_commits: how far back to look, from the newest.

    Raises:
        GitUnavailable: git fails.
        DeadlineExceeded: the log took longer than `timeout_s`.
    """
    wanted = None if paths is None else set(paths)
    edge = read_shallow_edge(git)
    dates: dict[str, date] = {}
    for commit in _log(git, ("--diff-filter=A", f"--max-count={max_commits}"), timeout_s):
        if commit.sha in edge:
            continue
        for path in commit.paths:
            if wanted is None or path in wanted:
                dates[path] = commit.at.date()  # newest first: the last one stays
    return dates


def log_paths(
    git: Git,
    *,
    since: datetime | None = None,
    not_by: str | None = None,
    max_commits: int = 200,
    timeout_s: float = 30.0,
) -> list[LoggedCommit]:
    """The newest commits that touched the vault, newest first, with the paths that each touched.

    Args:
        since: only commits of this time (committer's) or later.
        not_by: leave out commits with this author's e-mail address (the agent's, to see the person's).

    Raises:
        GitUnavailable: git fails.
        DeadlineExceeded: the log took longer than `timeout_s`.
    """
    options = [f"--max-count={max_commits}"]
    if since is not None:
        options.append(f"--since={int(since.timestamp())}")
    commits = _log(git, options, timeout_s)
    return [commit for commit in commits if commit.email != not_by]


def log_of(git: Git, path: str, *, max_commits: int = 200, timeout_s: float = 30.0) -> list[LoggedCommit]:
    """The newest commits that touched a note, newest first, through its renames: `paths` is what it was called then.

    Raises:
        GitUnavailable: git fails.
        DeadlineExceeded: the log took longer than `timeout_s`.
    """
    return list(_log(git, ("--follow", f"--max-count={max_commits}"), timeout_s, path))


def _log(git: Git, options: Collection[str], timeout_s: float, path: str = ".") -> Iterator[LoggedCommit]:
    checkout = find_checkout(git)
    if isinstance(checkout, RepositoryState) or checkout.head is None:
        return
    listed = git.run(*_LOG, _FORMAT, *options, checkout.head, "--", path, timeout_s=timeout_s)
    head: re.Match[str] | None = None
    paths: list[str] = []
    for field in listed.stdout.decode("utf-8", "surrogateescape").split("\0"):
        begins = _HEAD.fullmatch(field)
        if begins is None:
            path = field.removeprefix("\n")  # before the first path of a commit
            paths += [path] if path else []
            continue
        if head is not None:
            yield _commit(head, paths)
        head, paths = begins, []
    if head is not None:
        yield _commit(head, paths)


def _commit(head: re.Match[str], paths: list[str]) -> LoggedCommit:
    at = datetime.fromtimestamp(int(head["at"]), UTC)
    return LoggedCommit(head["sha"], at, head["author"], head["email"], head["subject"], tuple(paths))


def _is_ignored(git: Git) -> bool:
    return git.run("check-ignore", "--quiet", ".", env=PLAIN_PATHSPECS, ok=(0, 1, 128)).code == 0

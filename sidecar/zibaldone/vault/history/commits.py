"""The commits of a repository as evidence: which there are, and what they hold. Reads only.

Listing is one call, which ends as soon as it has enough. Reading takes as many commits as are asked for from one
process. Of the configuration of the repository, its hooks and drivers nothing is run (see `git`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from zibaldone.config.connectors import HistoryOptions
from zibaldone.domain.commits import Commit
from zibaldone.errors import DeadlineExceeded
from zibaldone.vault.history.commit import AUTHOR_EMAIL
from zibaldone.vault.history.git import PLAIN_PATHSPECS, Git, GitFailed
from zibaldone.vault.history.patches import FORMAT, PREFIXES, parse_commits
from zibaldone.vault.history.state import RepositoryState, find_checkout, read_head, read_shallow_edge
from zibaldone.vault.history.vendored import find_marked

COMMITS_PER_CALL = 100  # their ids are written at once, and have to fit into a pipe
_LOOK_BACK = 100_000  # a pass that looks for one author's commits takes a second at most
_LIST = (
    "log",
    f"--max-count={_LOOK_BACK}",
    "--format=tformat:%H%x00%ct%x00%ae%x00%an",
    "--no-mailmap",
    "--no-color",
    "--no-decorate",
    "--no-notes",
    "--no-show-signature",
    "--no-patch",
)
_READ = (
    "diff-tree",
    "--stdin",
    "--always",
    "--root",
    "--diff-merges=first-parent",
    "--raw",
    "--relative",
    "--no-color",
    "--no-notes",
    "--no-ext-diff",
    "--no-textconv",
    "--submodule=short",
    FORMAT,
    *PREFIXES,
)
_PATCH = ("--patch", "--unified=3", "--inter-hunk-context=0", "--find-renames", "-l1000")
# The last of git's files of attributes: what the repository says itself counts first.
_LANGUAGES = Path(__file__).with_name("languages.gitattributes")
_CONFIG = (
    ("core.attributesFile", str(_LANGUAGES)),
    ("diff.suppressBlankEmpty", "false"),
    ("core.bigFileThreshold", "20m"),  # what is larger is no text that somebody wrote
)
_UNKNOWN = "What it changed is not known: the clone is shallow, and ends here."


class CommitId(NamedTuple):
    """`at` is the committer's time in seconds since 1970."""

    sha: str
    at: int


def list_commits(git: Git, options: HistoryOptions, *, timeout_s: float = 120.0) -> list[CommitId]:
    """Those that a branch (of this clone, or as a remote had it) or HEAD leads to, the newest first, without the
    agent's. In a folder of a work tree, those that touched it. None where there is no repository.

    Raises:
        GitUnavailable: git fails.
        DeadlineExceeded: it took longer than `timeout_s`.
    """
    found = find_checkout(git)
    if found is RepositoryState.NONE:
        return []
    head = read_head(git) if isinstance(found, RepositoryState) else found.head
    inside = isinstance(found, RepositoryState) or not found.prefix
    arguments = (
        *_LIST,
        *(() if options.merges else ("--no-merges",)),
        *("--branches", "--remotes"),
        *((head,) if head else ()),
        *("--", *(() if inside else (".",))),
    )
    with closing(git.lines(*arguments, timeout_s=timeout_s)) as lines:
        return list(islice(_choose(lines, options), options.max_commits))


def _choose(lines: Iterator[bytes], options: HistoryOptions) -> Iterator[CommitId]:
    wanted = {name.casefold() for name in options.authors}
    for line in lines:
        sha, at, email, author = line.decode("utf-8", "replace").rstrip("\n").split("\0", 3)
        if email == AUTHOR_EMAIL or (wanted and not wanted & {email.casefold(), author.casefold()}):
            continue
        yield CommitId(sha, int(at) if at.isdigit() else 0)


def read_commits(
    git: Git,
    ids: Sequence[str],
    *,
    without: Collection[str] = (),
    leaves_out: Callable[[str], bool] = lambda path: False,
    timeout_s: float = 120.0,
) -> dict[str, Commit]:
    """Each by its id; one that cannot be read (it is gone, or damaged) is not among them. Of one whose patch cannot be
    read there is the message.

    Args:
        ids: full ones.
        without: pathspecs of files that are nobody's work here, `:(exclude)...`: they are not mentioned.
        leaves_out: see `parse_commits`.

    Raises:
        GitUnavailable: git cannot be run.
    """
    edge = read_shallow_edge(git)
    found: dict[str, Commit] = {}
    for start in range(0, len(ids), COMMITS_PER_CALL):
        found |= _read_batch(git, ids[start : start + COMMITS_PER_CALL], without, leaves_out, timeout_s)
    marked = find_marked(git, (file.path for commit in found.values() for file in commit.files))
    return {sha: _without_marked(_at_edge(commit) if sha in edge else commit, marked) for sha, commit in found.items()}


def _read_batch(
    git: Git,
    ids: Sequence[str],
    without: Collection[str],
    leaves_out: Callable[[str], bool],
    timeout_s: float,
) -> dict[str, Commit]:
    try:
        return _read(git, ids, _PATCH, without, leaves_out, timeout_s)
    except (GitFailed, DeadlineExceeded) as error:
        if len(ids) > 1:  # one bad commit ends the call for all
            one_by_one = [_read_batch(git, [sha], without, leaves_out, timeout_s) for sha in ids]
            return {sha: commit for read in one_by_one for sha, commit in read.items()}
        problem = f"Its patch cannot be read: {error.message}."
    try:
        read = _read(git, ids, (), without, leaves_out, timeout_s)
    except (GitFailed, DeadlineExceeded):
        return {}
    return {sha: replace(commit, problems=(*commit.problems, problem)) for sha, commit in read.items()}


def _read(
    git: Git,
    ids: Sequence[str],
    options: Sequence[str],
    without: Collection[str],
    leaves_out: Callable[[str], bool],
    timeout_s: float,
) -> dict[str, Commit]:
    lines = git.lines(
        *_READ,
        *options,
        "--",
        ".",
        *without,
        stdin="".join(f"{sha}\n" for sha in ids).encode("ascii"),
        env=PLAIN_PATHSPECS,
        config=_CONFIG,
        timeout_s=timeout_s,
    )
    with closing(lines):
        return {commit.sha: commit for commit in parse_commits(lines, leaves_out)}


def _at_edge(commit: Commit) -> Commit:
    return replace(commit, files=(), files_unnamed=0, problems=(_UNKNOWN,))


def _without_marked(commit: Commit, marked: frozenset[str]) -> Commit:
    if not any(file.path in marked for file in commit.files):
        return commit
    return replace(commit, files=tuple(file for file in commit.files if file.path not in marked))

"""What a repository is doing, so that nothing is committed in the middle of something of the person's."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from zibaldone.vault.history.git import Git


class RepositoryState(Enum):
    """Closed; `value` is the stable name for JSON, `sentence` is for the person."""

    NONE = "none"
    READY = "ready"
    UNBORN = "unborn"
    MERGING = "merging"
    REBASING = "rebasing"
    APPLYING = "applying"
    CHERRY_PICKING = "cherry-picking"
    REVERTING = "reverting"
    BISECTING = "bisecting"
    DETACHED = "detached"
    BARE = "bare"
    LOCKED = "locked"

    @property
    def can_commit(self) -> bool:
        return self in (RepositoryState.READY, RepositoryState.UNBORN)

    @property
    def sentence(self) -> str:
        return _SENTENCES[self]

    @property
    def remedy(self) -> str | None:
        """What lets commits be made again; None where they can be."""
        return None if self.can_commit else _REMEDIES.get(self, _FINISH)


_NAMES_BRANCH = re.compile(r"ref: (refs/heads/[^\n]+)\n")
_NAMES_COMMIT = re.compile(r"([0-9a-f]{40}|[0-9a-f]{64})\n")
_WAIT = "; changes are kept in a queue and committed when it is over"
_SENTENCES = {
    RepositoryState.NONE: "the vault is not in a git repository; run `zib init` to make one",
    RepositoryState.READY: "ready to commit",
    RepositoryState.UNBORN: "the repository has no commit yet; ready to make the first",
    RepositoryState.MERGING: f"a merge is going on{_WAIT}",
    RepositoryState.REBASING: f"a rebase is going on{_WAIT}",
    RepositoryState.APPLYING: f"patches are being applied (git am){_WAIT}",
    RepositoryState.CHERRY_PICKING: f"a cherry-pick is going on{_WAIT}",
    RepositoryState.REVERTING: f"a revert is going on{_WAIT}",
    RepositoryState.BISECTING: f"a bisect is going on{_WAIT}",
    RepositoryState.DETACHED: "no branch is checked out; changes are kept in a queue until one is",
    RepositoryState.BARE: "the repository is bare, it has no work tree; nothing can be committed",
    RepositoryState.LOCKED: f"another git command holds a lock{_WAIT}",
}
_FINISH = "Finish it or abort it, as `git status` says; what waits is committed then."
_REMEDIES = {
    RepositoryState.NONE: "`zib init` makes a repository.",
    RepositoryState.DETACHED: "Check out a branch (`git switch NAME`); what waits is committed then.",
    RepositoryState.BARE: "Use a clone that has a work tree.",
    RepositoryState.LOCKED: (
        "Wait until that command is over; where none runs, one was killed: remove the `.lock` file in `.git`."
    ),
}


@dataclass(frozen=True, slots=True)
class Checkout:
    """Where the vault's work tree keeps its things. `prefix` is the vault's place in the work tree, `` or
    ending in `/`. `branch` is the full ref that HEAD names, None when detached; `head` the commit, None when
    unborn; `algorithm` makes the object ids (`sha1`, `sha256`)."""

    git_dir: Path
    common_dir: Path
    prefix: str
    branch: str | None
    head: str | None
    algorithm: str

    @property
    def null_id(self) -> str:
        """The object id that stands for nothing."""
        return "0" * (64 if self.algorithm == "sha256" else 40)

    @property
    def config_files(self) -> tuple[Path, Path]:
        return self.common_dir / "config", self.git_dir / "config.worktree"

    @property
    def index(self) -> Path:
        return self.git_dir / "index"

    @property
    def index_lock(self) -> Path:
        return self.git_dir / "index.lock"


def find_checkout(git: Git) -> Checkout | RepositoryState:
    """The work tree that the vault is in, or `NONE` or `BARE` where there is none. One call of git, two while
    there is no commit.

    Raises:
        GitUnavailable: git cannot be run.
    """
    found = git.run(
        "rev-parse",
        "--revs-only",  # no HEAD yet: nothing is said of it, and that is no error
        "--is-bare-repository",
        "--is-inside-work-tree",
        "--show-object-format",
        "--path-format=absolute",
        "--git-dir",
        "--git-common-dir",
        "--show-prefix",
        "HEAD",
        "--symbolic-full-name",
        "HEAD",
        config=(("core.warnAmbiguousRefs", "false"),),
        ok=range(256),
    )
    lines = found.stdout.decode("utf-8", "surrogateescape").split("\n")[:-1]
    if lines[1:2] != ["true"]:
        return RepositoryState.BARE if lines[:1] == ["true"] else RepositoryState.NONE
    if found.code != 0 or len(lines) not in (6, 8):
        return RepositoryState.NONE
    _, _, algorithm, git_dir, common_dir, prefix = lines[:6]
    head, branch = lines[6:] or (None, read_branch(git))
    return Checkout(
        git_dir=Path(git_dir),
        common_dir=Path(common_dir),
        prefix=prefix,
        branch=None if branch == "HEAD" else branch,
        head=head,
        algorithm=algorithm,
    )


def look_again(git: Git, last: Checkout) -> Checkout | None:
    """`last` with the branch and the commit of now, as git's files have them; None where only git can say.

    For the plain case alone: git found its folder in the vault's root, where it begins to look, the configuration
    is what it was then, and the branch has a file of its own. A reftable, a packed or unborn branch, no branch, a
    worktree, a submodule and a vault inside of a repository are git's to read.
    """
    git_dir = git.folder / ".git"
    if {last.git_dir, last.common_dir} != {git_dir} or (git_dir / "commondir").exists():
        return None
    try:
        branch = _NAMES_BRANCH.fullmatch((git_dir / "HEAD").read_text(encoding="utf-8"))
        head = branch and _NAMES_COMMIT.fullmatch((git_dir / branch[1]).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
    if not branch or not head or not git.is_configured(last.config_files):
        return None
    return replace(last, branch=branch[1], head=head[1])


def read_branch(git: Git) -> str | None:
    """The full ref that HEAD names, None when detached.

    Raises:
        GitUnavailable: git cannot be run.
    """
    branch = git.run("symbolic-ref", "--quiet", "HEAD", ok=(0, 1))
    return branch.text if branch.code == 0 else None


def is_on_branch(git: Git, checkout: Checkout) -> bool:
    """HEAD still names the checkout's branch. Mostly its file says so; git is asked where it does not (other
    ways to keep refs, a chain of them)."""
    try:
        text = (checkout.git_dir / "HEAD").read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        text = ""
    return text == f"ref: {checkout.branch}\n" or read_branch(git) == checkout.branch


def read_head(git: Git) -> str | None:
    """The commit that HEAD names, None when there is none yet.

    Raises:
        GitUnavailable: git cannot be run.
    """
    head = git.run("rev-parse", "--quiet", "--verify", "HEAD", ok=(0, 1, 128))
    return head.text if head.code == 0 else None


def read_shallow_edge(git: Git) -> frozenset[str]:
    """The commits whose parents this clone does not have: all that they hold seems to begin there.

    Raises:
        GitUnavailable: git cannot be run.
    """
    listed = git.run("rev-parse", "--path-format=absolute", "--git-path", "shallow", ok=(0, 128)).text
    try:
        return frozenset(Path(listed).read_text(encoding="ascii").split())
    except (OSError, UnicodeDecodeError):
        return frozenset()


def repository_state(git: Git) -> RepositoryState:
    """What the repository at the vault is doing now. Reads only.

    Raises:
        GitUnavailable: git cannot be run.
    """
    checkout = find_checkout(git)
    return checkout if isinstance(checkout, RepositoryState) else checkout_state(checkout)


def checkout_state(checkout: Checkout) -> RepositoryState:
    """The state, from the marks that git leaves in its folder. Runs nothing."""
    busy = find_operation(checkout)
    if busy is not None:
        return busy
    if checkout.branch is None:
        return RepositoryState.DETACHED
    if any(lock.exists() for lock in _locks(checkout)):
        return RepositoryState.LOCKED
    return RepositoryState.UNBORN if checkout.head is None else RepositoryState.READY


def find_operation(checkout: Checkout) -> RepositoryState | None:
    """The merge, rebase or other operation that is going on, None where there is none. Runs nothing."""
    git_dir = checkout.git_dir
    if (git_dir / "rebase-apply" / "applying").exists():
        return RepositoryState.APPLYING
    if (git_dir / "rebase-merge").exists() or (git_dir / "rebase-apply").exists():
        return RepositoryState.REBASING
    if (git_dir / "MERGE_HEAD").exists():
        return RepositoryState.MERGING
    if (git_dir / "CHERRY_PICK_HEAD").exists():
        return RepositoryState.CHERRY_PICKING
    if (git_dir / "REVERT_HEAD").exists():
        return RepositoryState.REVERTING
    if (git_dir / "sequencer").exists():
        return _sequence(git_dir / "sequencer" / "todo")
    if (git_dir / "BISECT_LOG").exists():
        return RepositoryState.BISECTING
    return None


def _sequence(todo: Path) -> RepositoryState:
    try:
        first = todo.read_bytes()[:6]
    except OSError:
        first = b""
    return RepositoryState.REVERTING if first == b"revert" else RepositoryState.CHERRY_PICKING


def _locks(checkout: Checkout) -> tuple[Path, ...]:
    return (
        checkout.index_lock,
        checkout.git_dir / "HEAD.lock",
        checkout.common_dir / f"{checkout.branch}.lock",
    )

"""Commits of exactly the paths that changed, beside whatever the person or another tool does with the repository.

The trees that lead to our paths are read and made anew with them; then a compare-and-swap `update-ref`. When
HEAD has moved, all of it again on top of the new head. All the while the person's index is locked, as by
`git commit`. Once the branch is locked as well and can be moved, the entries of our paths in the index change,
where the person has not staged something of their own, and the branch moves: neither `git status` nor their next
commit ever sees half of it.

The working tree is never written. Content is stored as it is (no filters, no line ending conversion).

A commit costs what git's processes cost. It takes three: `ls-files` and `update-index`, since there are several
formats of the index, and `update-ref`, for its locks and the reflog. There is one more for a path that the index
does not have (is it ignored?), one where there are attributes (is it encrypted?), one for each object on the way
that is in a pack, and two where only git can say what the repository is and does (`look`).
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from zibaldone.errors import GitUnavailable
from zibaldone.vault.files import VaultFiles
from zibaldone.vault.history.entries import Entry, IndexEntry
from zibaldone.vault.history.git import Git, GitFailed
from zibaldone.vault.history.index import (
    HeldIndex,
    IndexLocked,
    IndexUpdate,
    hold_index,
    read_notes,
    release_stale_lock,
    remove_notes,
)
from zibaldone.vault.history.objects import GitObject, commit_text, format_signature, make_object, write_objects
from zibaldone.vault.history.rules import attribute_files, find_left_out
from zibaldone.vault.history.state import (
    Checkout,
    RepositoryState,
    checkout_state,
    find_checkout,
    find_operation,
    is_on_branch,
    look_again,
    read_head,
)
from zibaldone.vault.history.trees import Tree, entry_at, graft_entries, is_tree, read_folders
from zibaldone.vault.paths import nfc

AUTHOR_NAME = "Zibaldone"
AUTHOR_EMAIL = "zibaldone@localhost"
REFLOG_IDENTITY = {"GIT_COMMITTER_NAME": AUTHOR_NAME, "GIT_COMMITTER_EMAIL": AUTHOR_EMAIL}
_MOVES = 10
_PAUSE_S = 0.005
_FILE_MODES = ("100644", "100755")


@dataclass(frozen=True, slots=True)
class Committed:
    """`left_out`: paths that are not in the commit, with the reason."""

    sha: str
    left_out: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Deferred:
    """Not now, for a reason that passes; nothing was changed. `reason` is a sentence for the person."""

    state: RepositoryState
    reason: str


@dataclass(frozen=True, slots=True)
class NothingToCommit:
    """The last commit has all of it already, or every path was left out."""

    left_out: Mapping[str, str] = field(default_factory=dict)


Outcome = Committed | Deferred | NothingToCommit


class _HeadMoved(Exception):
    pass


class Staged(Exception):
    """The person staged something of their own at `paths`, which are those of the work tree."""

    def __init__(self, paths: Sequence[str]) -> None:
        super().__init__(*paths)
        self.paths = paths


class Busy(Exception):
    """The branch moved, or somebody holds a lock; nothing was changed."""


@dataclass(frozen=True, slots=True)
class _Request:
    """`changes` by canonical path; `when` with a time zone."""

    changes: Mapping[str, bytes | None]
    message: str
    when: datetime


class CommitEngine:
    """Commits for one vault. Safe to call from several threads; one commit at a time.

    Args:
        git: runs in the vault's root.
        state_dir: a path of this vault alone. Nothing is kept there: it names what is ours in git's folder, also
            after a kill.
        lock_wait_s: how long a foreign lock is waited for before a commit is deferred.
    """

    def __init__(self, git: Git, state_dir: Path, *, lock_wait_s: float = 0.3) -> None:
        self.git = git
        self._files = VaultFiles(git.folder)
        self._known: Checkout | None = None
        self._trees: dict[str, Tree] = {}  # of our last commit, by id: the next one mostly begins there
        self._lock_wait_s = lock_wait_s
        self._owner = hashlib.sha256(os.fsencode(state_dir.resolve())).hexdigest()[:12]
        self._one_at_a_time = threading.Lock()

    def commit(self, changes: Mapping[str, bytes | None], message: str, when: datetime | None = None) -> Outcome:
        """One commit that holds exactly `changes` on top of HEAD.

        Paths that git ignores, or that an encrypting filter (git-crypt and its like) would have to encrypt,
        are left out with a reason.

        Args:
            changes: content by vault path; None removes the path.
            message: subject, and body after an empty line.
            when: the author's date, with a time zone; None: now.

        Raises:
            PathOutsideVault: a path leads out of the vault.
            GitUnavailable: git is missing or a command fails for no known reason; nothing was changed.
            DeadlineExceeded: git hangs.
        """
        with self._one_at_a_time:
            try:
                wanted = {self._canonical(path): data for path, data in changes.items()}
                return self._persist(self._clean_up(), _Request(wanted, message, _aware(when)))
            except OSError as error:
                raise GitUnavailable(
                    f"the repository cannot be written: {error}", "check the disk and the permissions of .git"
                ) from error

    @contextlib.contextmanager
    def advance(
        self, checkout: Checkout, tip: str, changes: Mapping[str, tuple[Entry | None, Entry | None]], message: str
    ) -> Iterator[Callable[[], None]]:
        """The branch and the index, locked at the checkout's head; what this gives moves both to `tip`, at once. The
        files are the caller's to write meanwhile.

        Args:
            changes: what each path of the work tree that differs is in the head, and in `tip`.
            message: for the reflog.

        Raises:
            Staged: the index has something else than either for one of the paths.
            Busy: the branch moved, or there is a lock.
            GitUnavailable, OSError: as `commit`.
        """
        with self._one_at_a_time:
            self._clean_up()
            try:
                with hold_index(self.git, checkout, self._owner) as held:
                    index = held.read(list(changes))
                    if staged := [path for path, known in changes.items() if index[path] not in known]:
                        raise Staged(staged)
                    updates = {path: IndexUpdate((before,), after) for path, (before, after) in changes.items()}
                    yield lambda: self._publish(checkout, held, index, updates, tip, message)
            except (IndexLocked, _HeadMoved) as error:
                raise Busy from error

    def look(self) -> Checkout | RepositoryState:
        """The vault's work tree as it is now, or `NONE` or `BARE` where there is none. Reads only; what cannot
        have changed since the last look is not asked of git again.

        Raises:
            GitUnavailable: git fails.
        """
        if self._known is not None and (now := look_again(self.git, self._known)) is not None:
            return now
        found = find_checkout(self.git)
        self._known = None if isinstance(found, RepositoryState) else found
        if self._known is not None:
            self.git.refresh(self._known.config_files)
        return found

    def state(self) -> RepositoryState:
        """What the repository is doing now.

        Raises:
            GitUnavailable: git fails.
        """
        found = self.look()
        return found if isinstance(found, RepositoryState) else checkout_state(found)

    def changed_index_pending(self) -> int:
        """Put the person's index in order where a kill came between it and the branch; how many paths are left
        (somebody else has the lock).

        Raises:
            GitUnavailable: git fails.
        """
        with self._one_at_a_time:
            return self._catch_up(self._clean_up())

    def _persist(self, checkout: Checkout | RepositoryState, request: _Request) -> Outcome:
        """Attempts until one ends in something else than a moved head or a lock, within bounds."""
        deadline = time.monotonic() + self._lock_wait_s
        moves = 0
        while True:
            try:
                outcome = self._attempt(checkout, request)
            except _HeadMoved:
                moves += 1
                if moves == _MOVES:
                    return Deferred(RepositoryState.LOCKED, "the branch keeps moving; committed later")
                checkout = self.look()
                continue
            except IndexLocked:
                outcome = Deferred(RepositoryState.LOCKED, RepositoryState.LOCKED.sentence)
            locked = isinstance(outcome, Deferred) and outcome.state is RepositoryState.LOCKED
            if not locked or time.monotonic() > deadline:
                return outcome
            time.sleep(_PAUSE_S)
            checkout = self.look()

    def _attempt(self, checkout: Checkout | RepositoryState, request: _Request) -> Outcome:
        """One try on top of the checkout's head."""
        if isinstance(checkout, RepositoryState):
            return Deferred(checkout, checkout.sentence)
        state = checkout_state(checkout)
        if not state.can_commit:
            return Deferred(state, state.sentence)
        paths = [checkout.prefix + path for path in request.changes]
        with hold_index(self.git, checkout, self._owner) as held:
            index = held.read([*paths, *attribute_files(paths)])
            left_out = find_left_out(self.git, checkout, list(request.changes), index)
            folders = read_folders(self.git, checkout, paths, self._trees)
            updates, blobs = self._updates(checkout, request, left_out, folders)
            if not updates:
                return NothingToCommit(left_out)
            commit = self._write_commit(checkout, request, updates, blobs, folders)
            self._publish(checkout, held, index, updates, commit, f"commit: {request.message}")
        return Committed(commit, left_out)

    def _updates(
        self, checkout: Checkout, request: _Request, left_out: Mapping[str, str], folders: Mapping[str, Tree]
    ) -> tuple[dict[str, IndexUpdate], list[GitObject]]:
        """Paths (of the whole work tree) that HEAD has otherwise than wanted, and the blobs for them."""
        updates: dict[str, IndexUpdate] = {}
        blobs: list[GitObject] = []
        for path, data in request.changes.items():
            full = checkout.prefix + path
            before = entry_at(folders, full)
            if path in left_out or (data is None and is_tree(before)):  # a folder has taken a removed file's name
                continue
            blob = None if data is None else make_object("blob", data, checkout.algorithm)
            after = None if blob is None else Entry(self._mode(path, before), blob.id)
            if before != after:
                updates[full] = IndexUpdate((before,), after)
                blobs += [blob] if blob else []
        return updates, blobs

    def _write_commit(
        self,
        checkout: Checkout,
        request: _Request,
        updates: Mapping[str, IndexUpdate],
        blobs: Sequence[GitObject],
        folders: Mapping[str, Tree],
    ) -> str:
        """Store the commit with all that is new in it; its id. Nothing refers to it yet."""
        trees = graft_entries(folders, {path: one.to for path, one in updates.items()}, checkout.algorithm)
        author, committer = (format_signature(AUTHOR_NAME, AUTHOR_EMAIL, at) for at in (request.when, _aware(None)))
        self._trees = {one.id: tree for one, tree in trees}
        text = commit_text(trees[-1][0].id, checkout.head, author, committer, request.message)
        commit = make_object("commit", text, checkout.algorithm)
        write_objects(self.git, checkout, [*blobs, *(one for one, _ in trees), commit])
        return commit.id

    def _publish(
        self,
        checkout: Checkout,
        held: HeldIndex,
        index: Mapping[str, IndexEntry],
        updates: Mapping[str, IndexUpdate],
        commit: str,
        message: str,
    ) -> None:
        """The index and the branch, one right after the other, when nothing can hinder the second any more. In
        this order, since whoever reads the branch and then the index never finds the new one and the old other."""
        held.prepare(updates, index)
        try:
            with self._prepared_move(checkout, commit, message) as move:
                if find_operation(checkout) is not None or not is_on_branch(self.git, checkout):
                    raise _HeadMoved
                held.apply()
                move()
        except BaseException:
            if read_head(self.git) != commit:
                held.put_back()
            raise

    @contextlib.contextmanager
    def _prepared_move(self, checkout: Checkout, commit: str, message: str) -> Iterator[Callable[[], None]]:
        """The branch, locked at the checkout's head; what this gives moves it to `commit`."""
        subject = " ".join(message.replace("\0", "").split("\n", 1)[0].split())
        command = f"update HEAD {commit} {checkout.head or checkout.null_id}\n"
        try:
            with self.git.prepare_refs(command, subject, REFLOG_IDENTITY) as move:
                yield move
        except GitFailed as error:
            if read_head(self.git) != checkout.head:
                raise _HeadMoved from error
            if ".lock'" in str(error.result.stderr):
                raise IndexLocked(error.message) from error
            raise

    def _clean_up(self) -> Checkout | RepositoryState:
        """After a kill: our own lock and temporary files, an index that is not that of the branch."""
        checkout = self.look()
        if not isinstance(checkout, RepositoryState):
            release_stale_lock(checkout, self._owner)
            with contextlib.suppress(GitFailed):
                self._catch_up(checkout)
        return checkout

    def _catch_up(self, checkout: Checkout | RepositoryState) -> int:
        """Where a kill came between the index and the branch: the entries become those of the branch."""
        if isinstance(checkout, RepositoryState):
            return 0
        updates = read_notes(checkout, self._owner)
        if not updates or not checkout_state(checkout).can_commit:
            return len(updates)
        folders = read_folders(self.git, checkout, updates)
        due: dict[str, IndexUpdate] = {}
        for path, one in updates.items():
            ours = (*one.known, one.to)
            if (entry := entry_at(folders, path)) in ours:
                due[path] = IndexUpdate(ours, entry)
        try:
            with hold_index(self.git, checkout, self._owner) as held:
                held.prepare(due, held.read(list(due)))
                held.apply()
        except (IndexLocked, OSError):
            return len(due)
        remove_notes(checkout, self._owner)
        return 0

    def _canonical(self, rel: str) -> str:
        real = self._files.real_path(rel)
        return nfc(real) if sys.platform == "darwin" else real  # as git does (core.precomposeUnicode)

    def _mode(self, path: str, before: Entry | None) -> str:
        if before is not None and before.mode in _FILE_MODES:
            return before.mode
        try:
            executable = sys.platform != "win32" and bool((self.git.folder / path).stat().st_mode & 0o100)
        except OSError:
            executable = False
        return _FILE_MODES[executable]


def _aware(when: datetime | None) -> datetime:
    """None: now, here. Without a time zone: UTC."""
    if when is None:
        return datetime.now().astimezone()
    return when if when.tzinfo is not None else when.replace(tzinfo=UTC)

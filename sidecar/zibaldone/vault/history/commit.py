"""Commits of exactly the paths that changed, beside whatever the person or another tool does with the repository.

Blobs, a private index outside the repository, `write-tree`, `commit-tree`, and a compare-and-swap
`update-ref`; when HEAD has moved, all of it again on top of the new head. While the branch moves the person's
index is locked, and in the same moment the entries of our paths in it follow where the person has not staged
something of their own: neither `git status` nor their next commit ever sees half of it.

The working tree is never written. Content is stored as it is (no filters, no line ending conversion).
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from zibaldone.errors import GitUnavailable
from zibaldone.vault.files import VaultFiles
from zibaldone.vault.history.entries import Entry, null_id, set_entries, tree_entries
from zibaldone.vault.history.git import PLAIN_PATHSPECS, Git, GitFailed
from zibaldone.vault.history.index import HeldIndex, IndexLocked, IndexUpdate, hold_index, release_stale_lock
from zibaldone.vault.history.pending import PendingIndex
from zibaldone.vault.history.state import (
    Checkout,
    RepositoryState,
    checkout_state,
    find_checkout,
    find_operation,
    read_branch,
    read_head,
)
from zibaldone.vault.paths import nfc

AUTHOR_NAME = "Zibaldone"
AUTHOR_EMAIL = "zibaldone@localhost"
_MOVES = 10
_MOVES_BEFORE_HOLDING = 1
_PAUSE_S = 0.005
_FILE_MODES = ("100644", "100755")
_ENCRYPTING = re.compile(r"crypt|cipher|gpg|sops|\bage\b", re.IGNORECASE)


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


@dataclass(frozen=True, slots=True)
class _Request:
    """`changes` by canonical path; `blobs` remembers what is written already, over all attempts."""

    changes: Mapping[str, bytes | None]
    message: str
    when: datetime | None
    blobs: dict[str, str] = field(default_factory=dict)


class CommitEngine:
    """Commits for one vault. Safe to call from several threads; one commit at a time.

    Args:
        git: runs in the vault's root.
        state_dir: a private folder outside the vault, of this vault alone; for the private index and for
            what has to survive a kill.
        lock_wait_s: how long a foreign lock is waited for before a commit is deferred.
    """

    def __init__(
        self,
        git: Git,
        state_dir: Path,
        *,
        author_name: str = AUTHOR_NAME,
        author_email: str = AUTHOR_EMAIL,
        lock_wait_s: float = 0.3,
    ) -> None:
        state_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.git = git
        self._files = VaultFiles(git.folder)
        self._state_dir = state_dir.resolve()
        self._pending = PendingIndex(self._state_dir)
        self._name, self._email = author_name, author_email
        self._lock_wait_s = lock_wait_s
        self._owner = hashlib.sha256(os.fsencode(self._state_dir)).hexdigest()[:12]
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
                self.git.refresh()
                wanted = {self._canonical(path): data for path, data in changes.items()}
                return self._persist(self._clean_up(), _Request(wanted, message, when))
            except OSError as error:
                raise GitUnavailable(
                    f"the repository cannot be written: {error}", "check the disk and the permissions of .git"
                ) from error

    def changed_index_pending(self) -> int:
        """Let the person's index follow commits that it could not follow then (a kill, a lock); how many
        paths are still left.

        Raises:
            GitUnavailable: git fails.
        """
        with self._one_at_a_time:
            self.git.refresh()
            self._clean_up()
            return self._catch_up()

    def _persist(self, checkout: Checkout | RepositoryState, request: _Request) -> Outcome:
        """Attempts until one ends in something else than a moved head or a lock, within bounds."""
        deadline = time.monotonic() + self._lock_wait_s
        moves = 0
        while True:
            try:
                outcome = self._attempt(checkout, request, early=moves >= _MOVES_BEFORE_HOLDING)
            except _HeadMoved:
                moves += 1
                if moves == _MOVES:
                    return Deferred(RepositoryState.LOCKED, "the branch keeps moving; committed later")
                checkout = find_checkout(self.git)
                continue
            except IndexLocked:
                outcome = Deferred(RepositoryState.LOCKED, RepositoryState.LOCKED.sentence)
            locked = isinstance(outcome, Deferred) and outcome.state is RepositoryState.LOCKED
            if not locked or time.monotonic() > deadline:
                return outcome
            time.sleep(_PAUSE_S)
            checkout = find_checkout(self.git)

    def _attempt(self, checkout: Checkout | RepositoryState, request: _Request, *, early: bool) -> Outcome:
        """One try on top of the checkout's head. `early`: hold the index's lock from the start, so that no
        other `git commit` can move the head meanwhile."""
        if isinstance(checkout, RepositoryState):
            return Deferred(checkout, checkout.sentence)
        state = checkout_state(checkout)
        if not state.can_commit:
            return Deferred(state, state.sentence)
        with contextlib.ExitStack() as stack:
            held: HeldIndex | None = None
            if early:
                held = stack.enter_context(hold_index(self.git, checkout, self._owner))
                checkout = replace(checkout, head=read_head(self.git))
            left_out = self._left_out(list(request.changes))
            updates = self._updates(checkout, request, left_out)
            if not updates:
                return NothingToCommit(left_out)
            commit = self._write_commit(checkout, updates, request)
            if held is None:
                held = stack.enter_context(hold_index(self.git, checkout, self._owner))
            self._publish(checkout, held, updates, commit, request.message)
        return Committed(commit, left_out)

    def _publish(
        self,
        checkout: Checkout,
        held: HeldIndex,
        updates: Mapping[str, IndexUpdate],
        commit: str,
        message: str,
    ) -> None:
        """Under the lock: the branch moves, and the index follows."""
        pending = self._pending.read()
        due = self._pending.merge(updates)
        held.prepare(due)
        if find_operation(checkout) is not None or read_branch(self.git) != checkout.branch:
            raise _HeadMoved
        self._pending.write({**pending, **due})
        try:
            self._move_branch(checkout, commit, message)
        except BaseException:
            if read_head(self.git) != commit:
                self._pending.write(pending)
            raise
        with contextlib.suppress(OSError):  # then it stays pending and follows later
            held.apply()
            self._pending.write({path: one for path, one in pending.items() if path not in due})

    def _updates(self, checkout: Checkout, request: _Request, left_out: Mapping[str, str]) -> dict[str, IndexUpdate]:
        """Paths (of the whole work tree) that HEAD has otherwise than wanted."""
        wanted = {path: data for path, data in request.changes.items() if path not in left_out}
        head = tree_entries(self.git, checkout.head, [checkout.prefix + path for path in wanted])
        updates: dict[str, IndexUpdate] = {}
        for path, data in wanted.items():
            before, after = head[checkout.prefix + path], None
            if data is not None:
                if path not in request.blobs:
                    request.blobs[path] = self._write_blob(data)
                after = Entry(self._mode(path, before), request.blobs[path])
            if before != after:
                updates[checkout.prefix + path] = IndexUpdate((before,), after)
        return updates

    def _write_blob(self, data: bytes) -> str:
        return self.git.run("hash-object", "-w", "-t", "blob", "--no-filters", "--stdin", stdin=data).text

    def _write_commit(self, checkout: Checkout, updates: Mapping[str, IndexUpdate], request: _Request) -> str:
        index = self._state_dir / f"commit-{secrets.token_hex(4)}.index"
        env = {"GIT_INDEX_FILE": str(index)}
        try:
            if checkout.head is not None:
                whole = (("core.splitIndex", "false"), ("index.sparse", "false"))
                self.git.run("read-tree", checkout.head, env=env, config=whole)
            entries = {path: one.to for path, one in updates.items()}
            set_entries(self.git, index, entries, checkout.head, whole=True)
            tree = self.git.run("write-tree", "--missing-ok", env=env).text
        finally:
            index.unlink(missing_ok=True)
        parent = () if checkout.head is None else ("-p", checkout.head)
        text = request.message.replace("\0", "").strip() + "\n"
        return self.git.run(
            "commit-tree",
            "--no-gpg-sign",
            *parent,
            tree,
            stdin=text.encode("utf-8", "replace"),
            env=self._identity(request.when),
        ).text

    def _move_branch(self, checkout: Checkout, commit: str, message: str) -> None:
        old = checkout.head or null_id(commit)
        subject = " ".join(message.replace("\0", "").split("\n", 1)[0].split())
        try:
            self.git.run("update-ref", "-m", f"commit: {subject}", "HEAD", commit, old, env=self._identity(None))
        except GitFailed as error:
            if read_head(self.git) != checkout.head:
                raise _HeadMoved from error
            if ".lock'" in str(error.result.stderr):
                raise IndexLocked(error.message) from error
            raise

    def _catch_up(self) -> int:
        updates = self._pending.read()
        if not updates:
            return 0
        checkout = find_checkout(self.git)
        if isinstance(checkout, RepositoryState) or not checkout_state(checkout).can_commit:
            return len(updates)
        head = tree_entries(self.git, checkout.head, list(updates))
        due = {path: one for path, one in updates.items() if head[path] == one.to}
        try:
            with hold_index(self.git, checkout, self._owner) as held:
                held.prepare(due)
                held.apply()
        except (IndexLocked, OSError):
            return len(due)
        self._pending.write({})
        return 0

    def _clean_up(self) -> Checkout | RepositoryState:
        """After a kill: our own temporary files, our own lock, an index that did not follow."""
        for stray in self._state_dir.glob("commit-*.index*"):
            stray.unlink(missing_ok=True)
        checkout = find_checkout(self.git)
        if not isinstance(checkout, RepositoryState):
            release_stale_lock(checkout, self._owner)
            with contextlib.suppress(GitFailed):
                self._catch_up()
        return checkout

    def _left_out(self, paths: list[str]) -> dict[str, str]:
        stdin = "".join(f"./{path}\0" for path in paths).encode("utf-8", "surrogateescape")
        ignored = self.git.run("check-ignore", "-z", "--stdin", stdin=stdin, env=PLAIN_PATHSPECS, ok=(0, 1))
        attributes = self.git.run("check-attr", "-z", "--stdin", "filter", stdin=stdin).fields()
        reasons = {path.removeprefix("./"): "ignored by git (.gitignore)" for path in ignored.fields()}
        for path, value in zip(attributes[::3], attributes[2::3], strict=True):
            if _ENCRYPTING.search(value):
                reasons[path.removeprefix("./")] = f"encrypted by the filter {value}, which Zibaldone does not run"
        return reasons

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

    def _identity(self, when: datetime | None) -> dict[str, str]:
        env = {
            "GIT_AUTHOR_NAME": self._name,
            "GIT_AUTHOR_EMAIL": self._email,
            "GIT_COMMITTER_NAME": self._name,
            "GIT_COMMITTER_EMAIL": self._email,
        }
        if when is not None:
            aware = when if when.tzinfo is not None else when.replace(tzinfo=UTC)
            env["GIT_AUTHOR_DATE"] = f"{int(aware.timestamp())} {aware.strftime('%z')[:5]}"
        return env

"""Every change of the vault: journalled, written, committed, taken back. One at a time.

A change may span several notes and is made whole or not at all: its paths, hashes and contents are durable before the
first file is written, and what a kill left half done is finished at the next start. The commit follows: where git is
busy (a foreign lock, a merge) it waits in a durable queue, and what was written is in the vault all the same.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from zibaldone.config.places import VaultPlaces
from zibaldone.errors import (
    GitUnavailable,
    NotFound,
    PullRefused,
    UndoRefused,
    VaultBusy,
    VaultChanged,
    VaultUnwritable,
)
from zibaldone.store.changes import Change, ChangedPath, ChangeJournal
from zibaldone.vault.edit.merge import merge
from zibaldone.vault.files import VaultFiles, sha256_hex
from zibaldone.vault.history.commit import (
    Busy,
    CommitEngine,
    Committed,
    Deferred,
    NothingToCommit,
    Outcome,
    Staged,
)
from zibaldone.vault.history.entries import Entry
from zibaldone.vault.history.git import Git
from zibaldone.vault.history.queue import CommitQueue
from zibaldone.vault.history.state import Checkout, RepositoryState
from zibaldone.vault.obsidian import TRASH
from zibaldone.vault.undo import UndoStore

log = logging.getLogger(__name__)

PULL = "pull"  # the kind of a change that came from a remote
_ATTEMPTS = 5
_LOOKED_BACK = 50  # changes of a note that are searched for a text of ours

Read = Callable[[str], bytes | None]
# From a way to read notes to what each changed note is to hold (None: it is to go).
Plan = Callable[[Read], Mapping[str, bytes | None]]
# From a file as it is to the file as it was before an editor put a change into it.
Before = Callable[[bytes | None], bytes | None]


@dataclass(frozen=True, slots=True)
class Written:
    """A change that is in the vault. `commit` is None while it waits (`queued`), and where nothing could be committed;
    `reason` says why."""

    change_id: int
    paths: tuple[str, ...]
    commit: str | None = None
    queued: bool = False
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Incoming:
    """A commit `tip` that the vault is to be brought to. `entries` are by path of the work tree what the head and the
    tip have, `files` by path of the vault the contents."""

    checkout: Checkout
    tip: str
    entries: Mapping[str, tuple[Entry | None, Entry | None]]
    files: Mapping[str, tuple[bytes | None, bytes | None]]
    message: str


@dataclass(slots=True)
class _Draft:
    """What a plan read and wants; what is `there` was written by somebody else."""

    before: dict[str, bytes | None] = field(default_factory=dict)
    after: dict[str, bytes | None] = field(default_factory=dict)
    there: frozenset[str] = frozenset()


class VaultWriter:
    """The one who writes notes.

    Args:
        engine: None where there is no git; `no_git` says why.
        find_moved: from the SHA-256 of a note to the path that the index knows it by now.
    """

    def __init__(
        self,
        files: VaultFiles,
        undo: UndoStore,
        journal: ChangeJournal,
        queue: CommitQueue,
        engine: CommitEngine | None,
        no_git: str | None = None,
        find_moved: Callable[[str], str | None] = lambda sha256: None,
    ) -> None:
        self._files = files
        self._whole = files.with_hidden()
        self._undo = undo
        self._journal = journal
        self._queue = queue
        self._engine = engine
        self._no_git = no_git
        self._find_moved = find_moved
        self._one_at_a_time = threading.Lock()

    # -- changing --------------------------------------------------------------------------------------

    def change(
        self,
        kind: str,
        message: str,
        now: datetime,
        plan: Plan,
        *,
        mtimes_ns: Mapping[str, int] | None = None,
        there: Mapping[str, Before] | None = None,
    ) -> Written | None:
        """Do what `plan` wants; None where that is nothing. A plan is made again where a note changed meanwhile.

        Args:
            mtimes_ns: by path, the times that files are to have (those of an import are older than today).
            there: files that hold their part of the change already, since an editor put it in: what each of them was
                before. A plan reads them so; they are journalled and committed as they are on disk.

        Raises:
            GitUnavailable: there is nothing to commit to.
            VaultChanged: a note keeps changing.
            VaultUnwritable: a note cannot be written; all are as they were.
        """
        with self._one_at_a_time:
            engine = self._require_git()
            for attempt in range(_ATTEMPTS):
                draft = self._plan(plan, there or {})
                if not draft.after:
                    return None
                try:
                    change_id = self._write(draft, kind, message, now, mtimes_ns=mtimes_ns or {})
                except VaultChanged:
                    if attempt == _ATTEMPTS - 1:
                        raise
                else:
                    return self._commit(engine, change_id, draft, message, now)
            raise AssertionError(kind)

    def adopt(self, incoming: Incoming, now: datetime) -> None:
        """Bring the vault from the commit that is checked out to another one, which is there already: its files, and
        with them the branch and the index.

        Raises:
            PullRefused: a file that would change has changes that are not committed; nothing was changed.
            VaultBusy: the branch moved, git is at work, or a note is just being edited; nothing was changed.
            VaultUnwritable: as `change`.
        """
        with self._one_at_a_time:
            engine = self._require_git()
            draft = self._draft_of(incoming)
            try:
                with engine.advance(incoming.checkout, incoming.tip, incoming.entries, incoming.message) as publish:
                    change_id = self._write(draft, PULL, incoming.message, now) if draft.after else None
                    try:
                        publish()
                    except BaseException:
                        if change_id is not None:
                            self._abandon(change_id, draft)
                        raise
            except Staged as staged:
                raise _uncommitted(staged.paths) from staged
            except (Busy, VaultChanged) as error:
                raise VaultBusy("The vault was changed while a pull was being written.", "Try again.") from error
            if change_id is not None:
                self._journal.queued(change_id, incoming.tip)
                self._journal.committed(incoming.tip, incoming.tip)
                self._journal.end(change_id, "written")

    def take_back(self, change_id: int | None, now: datetime) -> Written:
        """Take back a change (None: the last one that stands), by a change of its own.

        Text that was written over it since is kept: where the two touch, nothing is done.

        Raises:
            NotFound: no such change.
            UndoRefused: it cannot be taken back whole; the message names the notes and says why.
        """
        with self._one_at_a_time:
            engine = self._require_git()
            change = self._journal.get(change_id) if change_id is not None else self._last()
            if change.state != "written":
                raise UndoRefused(f"Change {change.id} is {change.state} already.", "`zib changes` lists what stands.")
            draft, refused = self._reverse(change)
            if not draft.after:
                refused = refused or ["nothing of it stands any more"]
            if refused:
                raise UndoRefused(
                    f"Change {change.id} cannot be taken back: {'; '.join(refused)}.",
                    "What was written since is kept; edit the note yourself.",
                )
            message = f"undo: {change.message}"
            try:
                undone = self._write(draft, "undo", message, now, undoes=change.id)
            except VaultChanged as error:
                raise UndoRefused(
                    f"Change {change.id} cannot be taken back now: {error.message}.", error.hint
                ) from error
            return self._commit(engine, undone, draft, message, now)

    def changes(self, limit: int, *, before: int | None = None) -> list[Change]:
        """The newest first."""
        return self._journal.latest(limit, before=before)

    def removed(self, path: str) -> bool:
        """Whether the last change of ours that this note was part of took it away."""
        return any(
            one.path == path and one.after is None for change in self._journal.of_path(path, 1) for one in change.paths
        )

    def wrote(self, path: str, text: bytes) -> bool:
        """Whether all lines of this text came into the note by changes of ours, as far as versions are kept."""
        lines = {line.strip() for line in text.splitlines()}
        for change in self._journal.of_path(path, _LOOKED_BACK):
            [kept] = [one for one in change.paths if one.path == path]
            before = self._undo.find(kept.before) if kept.before else b""
            after = self._undo.find(kept.after) if kept.after else b""
            if before is not None and after is not None:
                lines -= {line.strip() for line in after.splitlines()} - {line.strip() for line in before.splitlines()}
        return not lines - {b""}

    # -- at start, and while git lets us ---------------------------------------------------------------

    def recover(self) -> None:
        """Finish what a kill left half done; the caller owns the vault."""
        with self._one_at_a_time:
            self._whole.clean_up()
            if self._engine:
                self._engine.changed_index_pending()
            for change in self._journal.begun():
                self._finish(change)

    def drain(self) -> None:
        """Commit what waits, as far as git lets us."""
        if self._engine and len(self._queue):
            with self._one_at_a_time:
                self._drain(self._engine)

    def queued(self) -> int:
        return len(self._queue)

    def state(self) -> str:
        """The repository's state, as `schemas.status.GitStatus` has it."""
        return self._engine.state().value if self._engine else "unavailable"

    def repository(self) -> CommitEngine:
        """Raises `GitUnavailable` where there is none."""
        return self._require_git()

    def describe(self) -> tuple[str, str | None]:
        """The repository's state in words, and what to do about it; None where a commit could be made now."""
        if self._engine is None:
            return self._no_git or "git is not available", "Install git, or mend what it complains of."
        state = self._engine.state()
        return state.sentence, state.remedy

    # -- the steps -------------------------------------------------------------------------------------

    def _require_git(self) -> CommitEngine:
        if self._engine is None:
            raise GitUnavailable(self._no_git or "git is not available.")
        state = self._engine.state()
        if state in (RepositoryState.NONE, RepositoryState.BARE):
            raise GitUnavailable(f"{state.sentence}.", "Run `zib init`.")
        return self._engine

    def _plan(self, plan: Plan, there: Mapping[str, Before]) -> _Draft:
        current = {path: self._read(path) for path in there}
        draft = _Draft({path: before(current[path]) for path, before in there.items()}, there=frozenset(there))

        def read(path: str) -> bytes | None:
            if path not in draft.before:
                draft.before[path] = self._read(path)
            return draft.before[path]

        for path, after in {**plan(read), **current}.items():
            if read(path) != after:
                draft.after[path] = after
        return draft

    def _write(
        self,
        draft: _Draft,
        kind: str,
        message: str,
        now: datetime,
        *,
        undoes: int | None = None,
        mtimes_ns: Mapping[str, int] | None = None,
    ) -> int:
        paths = [
            ChangedPath(path, _hash(draft.before[path]), _hash(after)) for path, after in sorted(draft.after.items())
        ]
        for path, after in draft.after.items():
            for version in (draft.before[path], after):
                if version is not None:
                    self._undo.keep(path, version)
        change_id = self._journal.begin(paths, kind, message, now, undoes=undoes)
        files = self._files_for(kind)
        done: list[str] = []
        try:
            for changed in paths:
                if changed.path in draft.there:
                    continue
                data, mtime_ns = draft.after[changed.path], (mtimes_ns or {}).get(changed.path)
                _put(files, changed.path, changed.before, data, mtime_ns)
                done.append(changed.path)
        except (VaultChanged, OSError) as error:
            self._put_back(files, draft, done)
            self._journal.end(change_id, "abandoned")
            if isinstance(error, VaultChanged):
                raise
            raise VaultUnwritable(
                f"{changed.path} cannot be written: {error.strerror or error}.",
                "See whether the vault's folder is read-only, the disk full, or the file locked.",
            ) from error
        return change_id

    def _abandon(self, change_id: int, draft: _Draft) -> None:
        """Take back what a pull has written."""
        self._put_back(self._whole, draft, sorted(draft.after))
        self._journal.end(change_id, "abandoned")

    def _put_back(self, files: VaultFiles, draft: _Draft, done: Sequence[str]) -> None:
        for path in reversed(done):
            self._put_one_back(files, path, _hash(draft.after[path]), draft.before[path])

    def _files_for(self, kind: str) -> VaultFiles:
        """What we write ourselves is never hidden; what others committed may be."""
        return self._whole if kind == PULL else self._files

    def _draft_of(self, incoming: Incoming) -> _Draft:
        """Files that are not what `incoming` has already, each of them as the head has it."""
        draft = _Draft()
        changed: list[str] = []
        for path, (was, wanted) in incoming.files.items():
            now = self._read(path, self._whole)
            if now == wanted:
                continue
            if now != was:
                changed.append(path)
            draft.before[path], draft.after[path] = now, wanted
        if changed:
            raise _uncommitted(changed)
        return draft

    def _put_one_back(self, files: VaultFiles, path: str, base: str | None, data: bytes | None) -> None:
        try:
            _put(files, path, base, data)
        except (VaultChanged, OSError) as error:
            log.warning(
                "%s was edited while a change of ours was being taken back; it stays as it is (%s)", path, error
            )

    def _commit(self, engine: CommitEngine, change_id: int, draft: _Draft, message: str, now: datetime) -> Written:
        # Queued first: a kill between here and the commit loses neither, and commits stand in the order of changes. The
        # change is over when it is queued; one that a kill leaves open is finished, and queued, at the next start.
        entry = self._queue.enqueue(_in_git({path: _hash(after) for path, after in draft.after.items()}), message, now)
        self._journal.queued(change_id, entry)
        self._journal.end(change_id, "written")
        paths = tuple(sorted(draft.after))
        match self._drain(engine).get(entry):
            case Committed(sha=sha):
                return Written(change_id, paths, commit=sha)
            case NothingToCommit(left_out=left_out):
                return Written(change_id, paths, reason="; ".join(left_out.values()) or "it holds nothing new")
            case Deferred(reason=reason):
                return Written(change_id, paths, queued=True, reason=reason)
            case None:  # an earlier one has to wait, and so does this
                return Written(change_id, paths, queued=True, reason=engine.state().sentence)

    def _finish(self, change: Change) -> None:
        """Roll a half-written change forward; where a note is neither the old nor the new version, it is left alone."""
        written: dict[str, str | None] = {}
        files = self._files_for(change.kind)
        for path in change.paths:
            current = _hash(self._read(path.path, files))
            data = self._undo.find(path.after) if path.after else None
            if current == path.before and (data is not None or path.after is None):
                try:
                    _put(files, path.path, path.before, data)
                    current = path.after
                except (VaultChanged, OSError) as error:
                    log.warning("%s could not be finished after a restart: %s", path.path, error)
            if current == path.after:
                written[path.path] = path.after
        self._journal.end(change.id, "written" if written else "abandoned")
        if written:
            self._journal.queued(change.id, self._queue.enqueue(_in_git(written), change.message, change.at))

    def _last(self) -> Change:
        before = None
        while page := self._journal.latest(50, before=before):
            for change in page:
                if change.state == "written" and change.undoes is None and change.kind != PULL:
                    return change
            before = page[-1].id
        raise NotFound("There is no change to take back.", "`zib changes` lists them.")

    def _reverse(self, change: Change) -> tuple[_Draft, list[str]]:
        """What takes the change back, and why it cannot be."""
        draft = _Draft()
        refused: list[str] = []
        for path in change.paths:
            place, current = path.path, self._read(path.path)
            if current is None and path.after:
                place = self._find_moved(path.after) or self._find_renamed(path.path, change.id) or place
                current = self._read(place)
            if _hash(current) == path.before:
                continue
            shown = place if place == path.path else f"{path.path} (now {place})"
            before = self._undo.find(path.before) if path.before else None
            after = self._undo.find(path.after) if path.after else None
            if (path.before and before is None) or (path.after and after is None):
                refused.append(f"a version of {path.path} is not kept any more")
            elif _hash(current) == path.after:
                draft.before[place], draft.after[place] = current, before
            elif current is None:
                refused.append(f"{path.path} is gone")
            elif before is None or after is None:
                refused.append(f"{shown} was edited since")
            elif (merged := merge(after, current, before)) is None:
                refused.append(f"{shown} was edited since, in the same lines")
            elif merged != current:
                draft.before[place], draft.after[place] = current, merged
        return draft, refused

    def _find_renamed(self, path: str, since: int) -> str | None:
        """Where changes of ours that came after `since` took a note; None where none did, or it is gone from there."""
        for change in self._journal.of_path(path, _LOOKED_BACK):
            if change.id <= since:
                break
            if change.state == "written" and any(one.path == path and one.after is None for one in change.paths):
                made = [one.path for one in change.paths if one.before is None and not _is_in_trash(one.path)]
                if len(made) != 1:
                    break
                return made[0] if self._read(made[0]) is not None else self._find_renamed(made[0], change.id)
        return None

    def _read(self, path: str, files: VaultFiles | None = None) -> bytes | None:
        try:
            return (files or self._files).read_stable(path)
        except NotFound:
            return None

    def _drain(self, engine: CommitEngine) -> dict[str, Outcome | None]:
        outcomes: dict[str, Outcome | None] = {}
        for drained in self._queue.drain(engine):
            outcomes[drained.id] = drained.outcome
            if isinstance(drained.outcome, Committed):
                self._journal.committed(drained.id, drained.outcome.sha)
            for note in drained.notes:
                log.warning("a queued commit: %s", note)
        return outcomes


def open_writer(
    vault: Path,
    files: VaultFiles,
    undo: UndoStore,
    journal: ChangeJournal,
    places: VaultPlaces,
    folder: str,
    find_moved: Callable[[str], str | None],
) -> VaultWriter:
    """The writer of a vault; without git it changes nothing and says why."""
    queue = CommitQueue(places.queue, files, folder)
    try:
        engine, no_git = CommitEngine(Git(vault), places.commits), None
    except GitUnavailable as error:
        engine, no_git = None, error.message
    return VaultWriter(files, undo, journal, queue, engine, no_git, find_moved)


def _put(files: VaultFiles, path: str, base: str | None, data: bytes | None, mtime_ns: int | None = None) -> None:
    if data is not None and mtime_ns is not None:
        files.write_atomic(path, data, base_sha256=base, mtime_ns=mtime_ns)
    elif data is not None:
        files.write_atomic(path, data, base_sha256=base)
    elif base is not None:
        files.remove(path, base_sha256=base)


def _uncommitted(paths: Sequence[str]) -> PullRefused:
    return PullRefused(
        f"You have changes that are not committed in {', '.join(paths)}, which the remote changed too.",
        "Commit them, or put them aside, and pull again.",
    )


def _in_git(paths: Mapping[str, str | None]) -> dict[str, str | None]:
    """Without what lies in the trash: it is part of the change, and no part of its commit."""
    return {path: sha256 for path, sha256 in paths.items() if not _is_in_trash(path)}


def _is_in_trash(path: str) -> bool:
    return path.startswith(f"{TRASH}/")


def _hash(data: bytes | None) -> str | None:
    return None if data is None else sha256_hex(data)

"""What is written into the vault: an entry in the log at the end of a turn, a line of the memory. One commit each.

The note is written first and the commit follows: where git is busy (a foreign lock, a merge) the commit waits in a
durable queue, and what was written is in the vault all the same.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from zibaldone.config.places import VaultPlaces
from zibaldone.config.settings import Settings
from zibaldone.errors import GitUnavailable, InvalidRequest, NotFound, VaultChanged, ZibaldoneError
from zibaldone.profile.page import MOST_CHARS, Entry, add_entry, memory_path
from zibaldone.schemas.ask import Answer, Writeback
from zibaldone.schemas.memory import Remembered, RememberRequest
from zibaldone.vault.files import VaultFiles, sha256_hex
from zibaldone.vault.history.commit import CommitEngine, Committed, Deferred, NothingToCommit, Outcome
from zibaldone.vault.history.git import Git
from zibaldone.vault.history.queue import CommitQueue
from zibaldone.vault.history.state import RepositoryState, checkout_state, find_checkout
from zibaldone.vault.log import LogEntry, append_log_entry, log_path

log = logging.getLogger(__name__)

_WRITE_ATTEMPTS = 5
_TOPIC_CHARS = 60


def open_recorder(vault: Path, files: VaultFiles, places: VaultPlaces, settings: Settings) -> Recorder:
    """The recorder of a vault; without git it records nothing and says why."""
    queue = CommitQueue(places.queue, files, settings.folder)
    try:
        engine = CommitEngine(Git(vault), places.commits)
    except GitUnavailable as error:
        return Recorder(files, None, queue, settings, error.message)
    return Recorder(files, engine, queue, settings, None)


@dataclass(frozen=True, slots=True)
class _Written:
    """A change of one note, made. `commit` is None while it waits (`queued`), and where nothing could be committed."""

    commit: str | None = None
    queued: bool = False
    reason: str | None = None


class Recorder:
    """Writes and commits, one change at a time."""

    def __init__(
        self,
        files: VaultFiles,
        engine: CommitEngine | None,
        queue: CommitQueue,
        settings: Settings,
        no_git: str | None,
    ) -> None:
        self._files = files
        self._engine = engine
        self._queue = queue
        self._settings = settings
        self._no_git = no_git
        self._one_at_a_time = threading.Lock()

    async def record(self, answer: Answer, *, wanted: bool) -> tuple[Writeback | None, str | None]:
        """What was written (None: nothing), and a sentence where the person should know something about it."""
        if not wanted or self._settings.writeback == "off":
            return None, None
        if self._settings.read_only:
            return None, "Not recorded: read-only mode."
        try:
            return await asyncio.to_thread(self._record, answer, datetime.now().astimezone())
        except (OSError, ZibaldoneError) as error:  # the answer is not lost because its record could not be written
            return None, f"Not recorded: {error}"

    async def remember(self, request: RememberRequest) -> Remembered:
        """Add what the person wants remembered to their memory.

        Raises:
            InvalidRequest: the statement is too long, or nothing may be written or remembered.
            GitUnavailable: nothing can be committed.
            VaultChanged: the page is being written to by somebody else.
        """
        if self._settings.read_only or not self._settings.memory.enabled:
            setting = "read_only" if self._settings.read_only else "memory.enabled"
            raise InvalidRequest(f"Not remembered: the setting {setting} forbids it.", "`zib config show` says where.")
        if len(request.text) > MOST_CHARS:
            raise InvalidRequest(
                f"The statement has {len(request.text)} characters, and an entry at most {MOST_CHARS}.",
                "Select one statement.",
            )
        return await asyncio.to_thread(self._remember, request, datetime.now().astimezone())

    async def drain(self) -> None:
        """Commit what waits, as far as git lets us."""
        waiting = await asyncio.to_thread(self.queued)
        if self._engine and waiting:
            await asyncio.to_thread(self._drain, self._engine)

    async def recover(self) -> None:
        """At start: what a kill left half done in the repository's index or beside a note is put in order."""
        await asyncio.to_thread(self._files.clean_up)
        if self._engine:
            await asyncio.to_thread(self._engine.changed_index_pending)

    def queued(self) -> int:
        return len(self._queue)

    def state(self) -> str:
        """The repository's state, as `schemas.status.GitStatus` has it."""
        return self._state().value if self._engine else "unavailable"

    def describe(self) -> tuple[str, bool]:
        """The repository's state in words, and whether a commit could be made now."""
        if self._engine is None:
            return self._no_git or "git is not available", False
        state = self._state()
        return state.sentence, state.can_commit

    def _state(self) -> RepositoryState:
        assert self._engine is not None
        found = find_checkout(self._engine.git)
        return found if isinstance(found, RepositoryState) else checkout_state(found)

    def _record(self, answer: Answer, now: datetime) -> tuple[Writeback | None, str | None]:
        path = log_path(self._settings.folder, now.date())
        entry = LogEntry(now, answer.question, answer.answer, answer.citations, answer.abstention_reason)
        done = self._change(path, lambda old: append_log_entry(old, entry), f"log: {_topic(answer.question)}", now)
        assert done is not None
        writeback = Writeback(kind="log", path=path, commit=done.commit, queued=done.queued, reason=done.reason)
        remark = None if done.commit or done.queued else f"{path} is written, not committed: {done.reason}."
        return writeback, remark

    def _remember(self, request: RememberRequest, now: datetime) -> Remembered:
        path = memory_path(self._settings.folder, request.type)
        entry = Entry(request.text, now.date(), _source(request))
        done = self._change(
            path, lambda old: add_entry(old, request.type, entry), f"remember: {_topic(request.text)}", now
        )
        if done is None:
            return Remembered(path=path, commit=None, already=True)
        return Remembered(path=path, commit=done.commit, queued=done.queued, reason=done.reason)

    def _change(
        self, path: str, change: Callable[[bytes | None], bytes | None], message: str, now: datetime
    ) -> _Written | None:
        """Write what `change` makes of the note and commit it; None where it has nothing to write.

        Raises:
            GitUnavailable: there is nothing to commit to.
        """
        with self._one_at_a_time:
            if self._engine is None:
                raise GitUnavailable(self._no_git or "git is not available.")
            if self._state() in (RepositoryState.NONE, RepositoryState.BARE):
                raise GitUnavailable(f"{self._state().sentence}.", "Run `zib init`.")
            data = self._write(path, change)
            if data is None:
                return None
            # Queued first: a kill between here and the commit loses neither, and commits stand in the order of turns.
            entry = self._queue.enqueue({path: sha256_hex(data)}, message, now)
            match self._drain(self._engine).get(entry):
                case Committed(sha=sha):
                    return _Written(commit=sha)
                case NothingToCommit(left_out=left_out):
                    return _Written(reason=left_out.get(path, "it holds nothing new"))
                case Deferred(reason=reason):
                    return _Written(queued=True, reason=reason)
                case None:  # an earlier one has to wait, and so does this
                    return _Written(queued=True, reason=self._state().sentence)

    def _write(self, path: str, change: Callable[[bytes | None], bytes | None]) -> bytes | None:
        for attempt in range(_WRITE_ATTEMPTS):
            existing = self._read(path)
            data = change(existing)
            if data is None:
                return None
            try:
                self._files.write_atomic(path, data, base_sha256=None if existing is None else sha256_hex(existing))
            except VaultChanged:
                if attempt == _WRITE_ATTEMPTS - 1:
                    raise
            else:
                return data
        raise AssertionError(path)

    def _read(self, path: str) -> bytes | None:
        try:
            return self._files.read_stable(path)
        except NotFound:
            return None

    def _drain(self, engine: CommitEngine) -> dict[str, Outcome | None]:
        outcomes: dict[str, Outcome | None] = {}
        for drained in self._queue.drain(engine):
            outcomes[drained.id] = drained.outcome
            for note in drained.notes:
                log.warning("a queued commit: %s", note)
        return outcomes


def _topic(question: str) -> str:
    words = " ".join(question.split())
    return words if len(words) <= _TOPIC_CHARS else f"{words[: _TOPIC_CHARS - 1].rstrip()}…"


def _source(request: RememberRequest) -> str | None:
    """`Daily/2026-03-02.md:14-16`."""
    if request.note_path is None or request.line_start is None:
        return request.note_path
    last = request.line_end or request.line_start
    lines = f"{request.line_start}" if last == request.line_start else f"{request.line_start}-{last}"
    return f"{request.note_path}:{lines}"

"""The end of a turn: one log entry, one commit.

The note is written first and the commit follows: where git is busy (a foreign lock, a merge) the commit waits in a
durable queue, and what was answered is in the vault all the same.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from datetime import datetime
from pathlib import Path

from zibaldone.config.places import VaultPlaces
from zibaldone.config.settings import Settings
from zibaldone.errors import GitUnavailable, NotFound, VaultChanged, ZibaldoneError
from zibaldone.schemas.ask import Answer, Writeback
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


class Recorder:
    """Writes log entries and commits them, one at a time."""

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
        with self._one_at_a_time:
            if self._engine is None:
                return None, f"Not recorded: {self._no_git}"
            if self._state() in (RepositoryState.NONE, RepositoryState.BARE):
                return None, f"Not recorded: {self._state().sentence}."
            path = log_path(self._settings.folder, now.date())
            data = self._append(path, answer, now)
            # Queued first: a kill between here and the commit loses neither, and commits stand in the order of turns.
            message = f"log: {_topic(answer.question)}"
            entry = self._queue.enqueue({path: sha256_hex(data)}, message, now)
            match self._drain(self._engine).get(entry):
                case Committed(sha=sha):
                    return Writeback(kind="log", path=path, commit=sha), None
                case NothingToCommit(left_out=left_out):
                    reason = left_out.get(path, "it holds nothing new")
                    remark = f"{path} is written, not committed: {reason}."
                    return Writeback(kind="log", path=path, reason=reason), remark
                case Deferred(reason=reason):
                    return Writeback(kind="log", path=path, queued=True, reason=reason), None
                case None:  # an earlier one has to wait, and so does this
                    return Writeback(kind="log", path=path, queued=True, reason=self._state().sentence), None

    def _append(self, path: str, answer: Answer, now: datetime) -> bytes:
        entry = LogEntry(now, answer.question, answer.answer, answer.citations, answer.abstention_reason)
        for attempt in range(_WRITE_ATTEMPTS):
            existing = self._read(path)
            data = append_log_entry(existing, entry)
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

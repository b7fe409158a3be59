"""What is recorded in the vault: a turn, on a page and in the log; a line of the memory. One commit each."""

from __future__ import annotations

import asyncio
from datetime import datetime

from zibaldone.config.settings import Settings
from zibaldone.errors import InvalidRequest, WritebackError, ZibaldoneError
from zibaldone.inference.roles import ChatModel, Embedder
from zibaldone.profile.page import MOST_CHARS, Entry, add_entry, memory_path
from zibaldone.runtime.compact import Compactor, log_entry
from zibaldone.runtime.wiki import one_line
from zibaldone.runtime.writer import VaultWriter
from zibaldone.schemas.ask import NO_MODEL, Answer, Writeback
from zibaldone.schemas.memory import Remembered, RememberRequest
from zibaldone.vault.log import append_log_entry, log_path


class Recorder:
    """Decides what is written where; the writer does it."""

    def __init__(self, writer: VaultWriter, compactor: Compactor, settings: Settings) -> None:
        self._writer = writer
        self._compactor = compactor
        self._settings = settings

    async def record(
        self, answer: Answer, chat: ChatModel | None, embedder: Embedder | None, *, wanted: bool
    ) -> tuple[Writeback | None, str | None]:
        """What was written (None: nothing was to be), and a sentence where the person should know something about it.

        Raises:
            WritebackError: it should have been written, and could not be.
        """
        if not wanted or self._settings.writeback == "off":
            return None, None
        if self._settings.read_only:
            return None, "Not recorded: read-only mode."
        now = datetime.now().astimezone()
        try:
            written, remark = await self._write(answer, now, chat, embedder)
        except ZibaldoneError as error:
            raise WritebackError(f"The answer is not recorded: {error.message.rstrip('.')}.", error.hint) from error
        except OSError as error:
            raise WritebackError(f"The answer is not recorded: {error}.", "`zib doctor` may tell why.") from error
        if not written.commit and not written.queued:
            remark = f"{written.path} is written, not committed: {written.reason}."
        return written, remark

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

    async def _write(
        self, answer: Answer, now: datetime, chat: ChatModel | None, embedder: Embedder | None
    ) -> tuple[Writeback, str | None]:
        remark = None
        is_answered = not answer.abstained and answer.model != NO_MODEL
        if self._settings.writeback == "full" and chat is not None and is_answered:
            try:
                reason = await asyncio.to_thread(self._compactor.reason_against, answer)
                written = None if reason else await self._compactor.compact(answer, now, chat, embedder)
                if written is not None:
                    return written, None
                remark = f"No page was written: {reason}." if reason else None
            except (OSError, ZibaldoneError) as error:  # the log can take it
                remark = f"No page was written: {error}"
        return await asyncio.to_thread(self._log, answer, now), remark

    def _log(self, answer: Answer, now: datetime) -> Writeback:
        path = log_path(self._settings.folder, now.date())
        entry = log_entry(answer, now)
        done = self._writer.change(
            "log",
            f"log: {one_line(answer.question)}",
            now,
            lambda read: {path: append_log_entry(read(path), entry)},
        )
        assert done is not None
        return Writeback(kind="log", path=path, commit=done.commit, queued=done.queued, reason=done.reason)

    def _remember(self, request: RememberRequest, now: datetime) -> Remembered:
        path = memory_path(self._settings.folder, request.type)
        entry = Entry(request.text, now.date(), _source(request))
        done = self._writer.change(
            "remember",
            f"remember: {one_line(request.text)}",
            now,
            lambda read: {path: add_entry(read(path), request.type, entry) or read(path)},
        )
        if done is None:
            return Remembered(path=path, commit=None, already=True)
        return Remembered(path=path, commit=done.commit, queued=done.queued, reason=done.reason)


def _source(request: RememberRequest) -> str | None:
    """`Daily/2026-03-02.md:14-16`."""
    if request.note_path is None or request.line_start is None:
        return request.note_path
    last = request.line_end or request.line_start
    lines = f"{request.line_start}" if last == request.line_start else f"{request.line_start}-{last}"
    return f"{request.note_path}:{lines}"

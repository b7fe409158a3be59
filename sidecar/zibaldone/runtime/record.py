"""What is recorded of a turn in the vault: on a page and in the log, in one commit."""

from __future__ import annotations

import asyncio
from datetime import datetime

from zibaldone.config.settings import Settings
from zibaldone.errors import WritebackError, ZibaldoneError
from zibaldone.inference.roles import ChatModel, Embedder
from zibaldone.runtime.compact import Compactor, log_entry
from zibaldone.runtime.wiki import one_line
from zibaldone.runtime.writer import VaultWriter
from zibaldone.schemas.ask import NO_MODEL, Answer, Writeback
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
        return Writeback(
            kind="log", path=path, commit=done.commit, queued=done.queued, reason=done.reason, change=done.change_id
        )

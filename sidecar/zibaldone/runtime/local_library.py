"""Sources and imports in this process: leaves the event loop for the disk, and tells the indexer what changed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from datetime import datetime

from zibaldone.config.settings import Settings
from zibaldone.errors import InvalidRequest
from zibaldone.runtime.importing import Importer
from zibaldone.runtime.ingest_pages import SourcePages
from zibaldone.runtime.sources import SourceShelf
from zibaldone.runtime.writer import VaultWriter
from zibaldone.schemas.sources import (
    Collected,
    CollectRequest,
    ImportReport,
    ImportRequest,
    IngestedFile,
    IngestReport,
    IngestRequest,
    Sources,
    StaleEntry,
    StalePages,
)
from zibaldone.vault.files import VaultFiles


class LocalLibrary:
    """See `runtime.engine.Library`.

    Args:
        shelf: also what the wiki asks about registered sources.
        hint: these paths may have changed.
        pages: who writes pages from sources.
    """

    def __init__(
        self,
        shelf: SourceShelf,
        files: VaultFiles,
        writer: VaultWriter,
        settings: Settings,
        hint: Callable[[Iterable[str]], None],
        pages: SourcePages,
    ) -> None:
        self._shelf = shelf
        self._importer = Importer(files.root, files, writer, settings.folder)
        self._settings = settings
        self._hint = hint
        self._pages = pages

    async def add(self, request: IngestRequest) -> IngestReport:
        self._require_writable()
        report = await asyncio.to_thread(self._shelf.add, request, _now())
        files = []
        for file in report.files:
            if file.source is not None and not request.register_only:
                file = await self._pages.write(file, request.prompt, _now())
            files.append(file)
        if any(file.supersedes for file in files):
            stale = (await self.stale()).stale
            files = [file.model_copy(update={"left_stale": _left_stale(file, stale)}) for file in files]
        return IngestReport(files=files)

    async def list(self) -> Sources:
        return await asyncio.to_thread(self._shelf.list)

    async def collect(self, request: CollectRequest) -> Collected:
        if request.apply:
            self._require_writable()
        return await asyncio.to_thread(self._shelf.collect, request, _now())

    async def stale(self) -> StalePages:
        return await asyncio.to_thread(self._shelf.stale)

    async def import_folder(self, request: ImportRequest) -> ImportReport:
        if not request.dry_run:
            self._require_writable()
        report = await asyncio.to_thread(self._importer.run, request, _now())
        if report.written:
            pages = [f"{self._settings.folder}/pages"] if report.pages else []
            self._hint([*([report.into] if report.into else []), *pages])
        return report

    def _require_writable(self) -> None:
        if self._settings.read_only:
            raise InvalidRequest("Nothing in the vault is changed in read-only mode.", "Set read_only = false.")


def _left_stale(file: IngestedFile, stale: Iterable[StaleEntry]) -> list[str]:
    newest = file.source.path if file.source and file.supersedes else None
    return sorted({entry.page for entry in stale if newest and entry.newest == newest})


def _now() -> datetime:
    return datetime.now().astimezone()

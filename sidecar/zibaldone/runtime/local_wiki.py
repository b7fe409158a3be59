"""The wiki in this process: leaves the event loop for the disk, and tells the indexer what changed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from zibaldone.config.settings import Settings
from zibaldone.errors import ModelMissing, ZibaldoneError
from zibaldone.inference.roles import Embedder
from zibaldone.runtime.compact import Compactor
from zibaldone.runtime.ingest_pages import FindReader, Index, SourcePages
from zibaldone.runtime.proposals import ProposalDesk
from zibaldone.runtime.sources import SourceShelf
from zibaldone.runtime.wiki import Vault, WikiDesk
from zibaldone.runtime.wiki_history import PageHistorian
from zibaldone.runtime.wiki_links import LinkKeeper
from zibaldone.runtime.wiki_similar import Neighbours, one_of
from zibaldone.runtime.wiki_sources import ReadSources, SourceDesk
from zibaldone.runtime.wiki_upkeep import Upkeep
from zibaldone.runtime.writer import Read, VaultWriter
from zibaldone.schemas.wiki import (
    AppendPageRequest,
    Backlinks,
    ExtendPageRequest,
    LintReport,
    LintRequest,
    LogRequest,
    PageBlame,
    PageContent,
    PageHistory,
    Pages,
    RenamePageRequest,
    SimilarPages,
    SimilarRequest,
    WikiChange,
    WritePageRequest,
)
from zibaldone.store.cache_db import ContentCache
from zibaldone.store.index_db import IndexStore
from zibaldone.vault.exclusions import Exclusions
from zibaldone.vault.files import VaultFiles
from zibaldone.vault.outside import OutsideFiles

FindEmbedder = Callable[[], Awaitable[tuple[Embedder | None, ZibaldoneError | None]]]


@dataclass(frozen=True, slots=True)
class Indexing:
    """What the wiki asks of the indexer.

    Args:
        hint: these paths may have changed.
        catch_up: see what changed while nobody looked.
    """

    hint: Callable[[Iterable[str]], None]
    catch_up: Callable[[], Awaitable[None]]


class LocalWiki:
    """See `runtime.engine.Wiki`. Made by `open_wiki`."""

    def __init__(
        self,
        vault: Vault,
        desk: WikiDesk,
        links: LinkKeeper,
        upkeep: Upkeep,
        historian: PageHistorian,
        neighbours: Neighbours,
        compactor: Compactor,
        indexing: Indexing,
        find_embedder: FindEmbedder,
    ) -> None:
        self._vault = vault
        self._desk = desk
        self._links = links
        self._upkeep = upkeep
        self._historian = historian
        self._neighbours = neighbours
        self.compactor = compactor
        self._indexing = indexing
        self._find_embedder = find_embedder

    async def pages(self, prefix: str) -> Pages:
        return await asyncio.to_thread(self._desk.pages, prefix)

    async def page(self, slug: str) -> PageContent:
        return await asyncio.to_thread(self._desk.page, slug)

    async def write(self, request: WritePageRequest) -> WikiChange:
        return self._tell(await asyncio.to_thread(self._desk.write, request, _now()))

    async def extend(self, slug: str, request: ExtendPageRequest) -> WikiChange:
        return self._tell(await asyncio.to_thread(self._desk.extend, slug, request, _now()))

    async def append(self, slug: str, request: AppendPageRequest) -> WikiChange:
        return self._tell(await asyncio.to_thread(self._desk.append, slug, request, _now()))

    async def rename(self, slug: str, request: RenamePageRequest) -> WikiChange:
        return self._tell(await asyncio.to_thread(self._desk.rename, slug, request, _now()))

    async def delete(self, slug: str) -> WikiChange:
        return self._tell(await asyncio.to_thread(self._desk.delete, slug, _now()))

    async def log(self, request: LogRequest) -> WikiChange:
        return self._tell(await asyncio.to_thread(self._desk.log, request, _now()))

    async def backlinks(self, of: str) -> Backlinks:
        await self._indexing.catch_up()
        return await asyncio.to_thread(self._links.backlinks, of)

    async def history(self, slug: str, limit: int) -> PageHistory:
        return await asyncio.to_thread(self._historian.history, slug, limit)

    async def blame(self, slug: str) -> PageBlame:
        return await asyncio.to_thread(self._historian.blame, slug)

    async def lint(self, request: LintRequest) -> LintReport:
        report = await asyncio.to_thread(self._upkeep.run, request, _now())
        if report.fix:
            self._tell(report.fix)
        return report

    async def similar(self, request: SimilarRequest) -> SimilarPages:
        """Raises `ModelMissing` where there is no embedding model."""
        wanted = one_of(request.text, request.slug)
        await self._indexing.catch_up()
        embedder, missing = await self._find_embedder()
        if embedder is None:
            raise missing or ModelMissing("There is no embedding model.", "`zib models pull` fetches one.")
        if request.slug:
            return await asyncio.to_thread(self._neighbours.of_page, wanted, embedder, request.k)
        [vector] = await embedder.embed_passages([wanted])
        return await asyncio.to_thread(self._neighbours.of_vector, vector, embedder, request.k)

    def source_pages(self, shelf: SourceShelf, find_reader: FindReader, index: Index) -> SourcePages:
        """Who writes pages from the documents of this shelf."""
        return SourcePages(self._vault, self._desk, shelf, self.compactor, find_reader, index)

    def list_approved(self, read: Read, changes: Mapping[str, bytes | None]) -> Mapping[str, bytes | None]:
        """The index with the pages that a proposal changes; for the thread that writes."""
        return self._desk.list_in_index(read, changes)

    def _tell(self, done: WikiChange) -> WikiChange:
        if done.change is not None:
            self._indexing.hint(done.paths)
        return done


def open_wiki(
    files: VaultFiles,
    writer: VaultWriter,
    proposals: ProposalDesk,
    settings: Settings,
    exclusions: Callable[[], Exclusions],
    store: IndexStore,
    cache: ContentCache,
    indexing: Indexing,
    find_embedder: FindEmbedder,
    sources: ReadSources,
    outside: OutsideFiles,
) -> LocalWiki:
    """The wiki of a vault, with what it stands on."""
    vault = Vault(files.root, files, writer, proposals, settings)
    links = LinkKeeper(files.root, store, exclusions, settings.folder)
    source_desk = SourceDesk(files, exclusions, sources, outside)
    desk = WikiDesk(vault, source_desk, links)
    neighbours = Neighbours(store, cache, settings.folder)
    return LocalWiki(
        vault,
        desk,
        links,
        Upkeep(vault, desk, exclusions, sources, outside),
        PageHistorian(files.root, files, settings.folder),
        neighbours,
        Compactor(vault, desk, source_desk, neighbours, store),
        indexing,
        find_embedder,
    )


def _now() -> datetime:
    return datetime.now().astimezone()

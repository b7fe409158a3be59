"""Folders beside the vault: each with an index of its own, read and never written.

Another vault is searched together with this one, its pages and notes among ours; a folder of texts is where an answer
is looked for when the notes have none. What is known of a folder that is not there now is kept, and nothing is found
in it until it is back.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import shutil
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path

from zibaldone.config.connectors import HistoryOptions, NamedFolder, is_bare_repository, is_repository, read_connectors
from zibaldone.config.load import load_settings
from zibaldone.config.places import VaultPlaces
from zibaldone.config.settings import ChunkingSettings
from zibaldone.domain.notes import Modality, Origin
from zibaldone.errors import GitUnavailable, ZibaldoneError
from zibaldone.index.vectors import VectorIndex
from zibaldone.inference.roles import Embedder
from zibaldone.ingest.pipeline import SourceReader, ingest
from zibaldone.retrieval.union import Area
from zibaldone.runtime.documents import DocumentReader, Extractor
from zibaldone.runtime.history import read_history
from zibaldone.runtime.reader import FILES, read_folder, wanted_kinds
from zibaldone.schemas.connectors import ConnectorStatus
from zibaldone.schemas.sync import ConnectorReport, Progress, SyncRequest
from zibaldone.store.cache_db import ContentCache
from zibaldone.store.database import open_or_replace
from zibaldone.store.index_db import IndexStore
from zibaldone.vault.exclusions import Exclusions
from zibaldone.vault.files import VaultFiles
from zibaldone.vault.history.git import Git
from zibaldone.vault.history.vendored import is_vendored_folder, list_ignored
from zibaldone.vault.outside import is_text, outside_path


class Connector:
    """One folder. `place` is where its index is kept; `owner` is what the agent's folder is called in it."""

    def __init__(self, name: str, folder: NamedFolder, place: Path) -> None:
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        root = folder.path
        settings = load_settings(root).settings
        self.name = name
        self.root = root
        self.history = folder.history
        self.place = place
        self.owner = settings.folder
        self.is_vault = any((root / mark).is_dir() for mark in (".obsidian", settings.folder))
        self.files = VaultFiles(root)
        self.store = open_or_replace(IndexStore, place / "index.db")
        self.vectors: VectorIndex | None = None
        self._excluded = settings.exclusions

    @property
    def base(self) -> str:
        """What the paths of its files begin with."""
        return outside_path(self.name, "")

    def use_embedder(self, embedder: Embedder, index_url: str) -> None:
        if self.vectors is None:
            self.store.use_embedder(embedder.fingerprint)
            self.vectors = VectorIndex(self.place / "vectors", embedder.fingerprint, index_url)

    def exclusions(self) -> Exclusions:
        return Exclusions.read(self.root, self._excluded, self.owner)

    def reason_against(self, rel: str) -> str | None:
        return self.exclusions().reason(rel)

    def is_of(self, folder: NamedFolder | None) -> bool:
        return folder == NamedFolder(path=self.root, history=self.history)

    def passed_over(self) -> Callable[[str], bool]:
        """What of a project's work tree is nobody's text. In a vault every note is one, ignored by git or not."""
        if self.is_vault or not is_repository(self.root):
            return lambda path: False
        try:
            ignored = list_ignored(Git(self.root))
        except GitUnavailable:  # its texts are there all the same
            ignored = frozenset()
        return lambda path: path in ignored or is_vendored_folder(path.rpartition("/")[2])

    def readers(
        self,
        extractor: Extractor,
        cache: ContentCache,
        chunking: ChunkingSettings,
        kinds: frozenset[Modality],
        most_commits: int | None,
    ) -> Iterator[SourceReader]:
        """Its texts and files, and its commits, of these kinds. A bare repository has commits alone."""
        if not is_bare_repository(self.root):
            notes, files = read_folder(
                self.files,
                self.exclusions,
                chunking,
                DocumentReader(extractor, cache, chunking, self.store.embeds),
                base=self.base,
                written_by=Origin.CONNECTOR,
                is_note=is_text,
                passed_over=self.passed_over,
                kinds=kinds & FILES,
            )
            if Modality.TEXT in kinds:
                yield notes
            if kinds & FILES:
                yield files
        if Modality.CODE in kinds:
            history = self.history if is_repository(self.root) else HistoryOptions(max_commits=0)
            if most_commits is not None:
                history = history.model_copy(update={"max_commits": min(most_commits, history.max_commits)})
            exclusions = self.exclusions if self.is_vault else None
            yield read_history(self.root, self.name, history, chunking, exclusions=exclusions)

    def status(self) -> ConnectorStatus:
        known = [one for one in self.store.recorded().values() if one.skipped is None and not one.held]
        commits = sum(one.modality == Modality.CODE for one in known)
        return ConnectorStatus(
            name=self.name,
            path=str(self.root),
            kind="vault" if self.is_vault else "folder",
            is_there=self.root.is_dir(),
            is_repository=is_repository(self.root),
            notes=len(known) - commits,
            commits=commits,
            pending=self.store.pending_count(),
        )

    def close(self) -> None:
        if self.vectors:
            self.vectors.close()
        self.store.close()


class Connectors:
    """Those of one vault.

    Args:
        places: where they are named, and where their indexes are kept.
        index_url: the server that keeps their vectors, if any.
    """

    def __init__(
        self,
        places: VaultPlaces,
        cache: ContentCache,
        extractor: Extractor,
        chunking: ChunkingSettings,
        index_url: str,
    ) -> None:
        self._places = places
        self._cache = cache
        self._extractor = extractor
        self._chunking = chunking
        self._index_url = index_url
        self._lock = threading.Lock()
        self._open: dict[str, Connector] = {}
        self._there: dict[str, Connector] = {}

    def refresh(self) -> list[str]:
        """Look at what is named, and whether it is there; sentences about what cannot be used. Blocks for the disk."""
        with self._lock:
            try:
                named = read_connectors(self._places)
            except ZibaldoneError as error:
                return [f"{error.message} {error.hint}"]
            for name in [name for name, one in self._open.items() if not one.is_of(named.get(name))]:
                self._close(name)
            for name, folder in named.items():
                if name not in self._open:
                    place = self._places.connectors / _key(name, folder.path)
                    self._open[name] = Connector(name, folder, place)
            self._there = {name: one for name, one in self._open.items() if one.root.is_dir()}
            self._clear_away({_key(name, folder.path) for name, folder in named.items()})
            return [
                f"{name}: {one.root} is not there. What is known of it is kept, and nothing is found in it."
                for name, one in self._open.items()
                if name not in self._there
            ]

    def there(self) -> Mapping[str, Connector]:
        """Those whose folder was there when somebody last looked."""
        return self._there

    def areas(self, embedder: Embedder | None, *, vaults: bool) -> list[Area]:
        """The indexes of the other vaults, or of the folders of texts."""
        chosen = [one for one in self._there.values() if one.is_vault == vaults]
        return [Area(one.store, one.vectors if embedder else None) for one in chosen]

    def use_embedder(self, embedder: Embedder) -> None:
        """Open the vector indexes that belong to it. Blocks for the disk."""
        for connector in self._there.values():
            connector.use_embedder(embedder, self._index_url)

    async def sync(
        self,
        embedder: Embedder | None,
        request: SyncRequest,
        *,
        report: Callable[[Progress], None],
        wait_turn: Callable[[], Awaitable[None]],
    ) -> list[ConnectorReport]:
        """Bring the index of each in step with its folder; one that fails is said so, and the others go on."""
        if embedder:
            await asyncio.to_thread(self.use_embedder, embedder)
        return [
            await self._sync(connector, embedder, request, report, wait_turn)
            for connector in list(self._there.values())
        ]

    def clear(self) -> None:
        """Forget everything that is indexed (the start of a rebuild)."""
        for connector in self._open.values():
            connector.store.clear()

    def statuses(self) -> list[ConnectorStatus]:
        return [one.status() for one in self._open.values()]

    def close(self) -> None:
        with self._lock:
            for name in list(self._open):
                self._close(name)
            self._there = {}

    async def _sync(
        self,
        connector: Connector,
        embedder: Embedder | None,
        request: SyncRequest,
        report: Callable[[Progress], None],
        wait_turn: Callable[[], Awaitable[None]],
    ) -> ConnectorReport:
        kinds = wanted_kinds(request.only)

        def open_readers() -> list[SourceReader]:
            most = request.max_commits
            return list(connector.readers(self._extractor, self._cache, self._chunking, kinds, most))

        readers = await asyncio.to_thread(open_readers)
        try:
            done = await ingest(
                readers,
                connector.store,
                self._cache,
                connector.vectors if embedder else None,
                embedder,
                accept_deletions=request.accept_deletions,
                report=report,
                wait_turn=wait_turn,
            )
        except OSError as error:
            return ConnectorReport(name=connector.name, notes=[f"{connector.root} cannot be read: {error.strerror}."])
        return ConnectorReport(name=connector.name, **done.model_dump(exclude={"connectors"}))

    def _close(self, name: str) -> None:
        if connector := self._open.pop(name, None):
            connector.close()

    def _clear_away(self, kept: set[str]) -> None:
        """Remove indexes of folders that are no longer named."""
        place = self._places.connectors
        for old in place.iterdir() if place.is_dir() else ():
            if old.name not in kept:
                with contextlib.suppress(OSError):
                    shutil.rmtree(old)


def _key(name: str, root: Path) -> str:
    return hashlib.sha256(f"{name}\0".encode() + os.fsencode(root)).hexdigest()[:16]

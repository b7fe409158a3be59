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
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from zibaldone.config.connectors import read_connectors
from zibaldone.config.load import load_settings
from zibaldone.config.places import VaultPlaces
from zibaldone.config.settings import ChunkingSettings
from zibaldone.domain.notes import Origin
from zibaldone.errors import ZibaldoneError
from zibaldone.index.vectors import VectorIndex
from zibaldone.inference.roles import Embedder
from zibaldone.ingest.pipeline import ingest
from zibaldone.retrieval.union import Area
from zibaldone.runtime.documents import DocumentReader, Extractor
from zibaldone.runtime.reader import read_folder
from zibaldone.schemas.connectors import ConnectorStatus
from zibaldone.schemas.sync import ConnectorReport, Progress, SyncRequest
from zibaldone.store.cache_db import ContentCache
from zibaldone.store.database import open_or_replace
from zibaldone.store.index_db import IndexStore
from zibaldone.vault.exclusions import Exclusions
from zibaldone.vault.files import VaultFiles
from zibaldone.vault.outside import is_text, outside_path


class Connector:
    """One folder. `place` is where its index is kept; `owner` is what the agent's folder is called in it."""

    def __init__(self, name: str, root: Path, place: Path) -> None:
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        settings = load_settings(root).settings
        self.name = name
        self.root = root
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

    def status(self) -> ConnectorStatus:
        known = self.store.recorded().values()
        return ConnectorStatus(
            name=self.name,
            path=str(self.root),
            kind="vault" if self.is_vault else "folder",
            is_there=self.root.is_dir(),
            notes=sum(one.skipped is None and not one.held for one in known),
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
            for name in [name for name, one in self._open.items() if named.get(name) != one.root]:
                self._close(name)
            for name, root in named.items():
                if name not in self._open:
                    self._open[name] = Connector(name, root, self._places.connectors / _key(name, root))
            self._there = {name: one for name, one in self._open.items() if one.root.is_dir()}
            self._clear_away({_key(name, root) for name, root in named.items()})
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
        readers = read_folder(
            connector.files,
            connector.exclusions,
            self._chunking,
            DocumentReader(self._extractor, self._cache, self._chunking, connector.store.embeds),
            base=connector.base,
            written_by=Origin.CONNECTOR,
            is_note=is_text,
        )
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

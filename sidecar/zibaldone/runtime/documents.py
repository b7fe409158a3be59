"""Files that are no notes, on their way into the index: read out once for each content, chunked with what the notes
that show them say."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime
from pathlib import PurePosixPath
from typing import Protocol

from pydantic import TypeAdapter

from zibaldone.config.settings import ChunkingSettings
from zibaldone.domain.documents import Document, Unreadable
from zibaldone.domain.notes import FileStamp, Modality, Origin, Source
from zibaldone.ingest.dates import choose_date, stated_date
from zibaldone.ingest.derive import Derived, derive_document, deriver_fingerprint, skipped_source, source_uri
from zibaldone.ingest.extract.kinds import Kind, kind_of
from zibaldone.store.cache_db import ContentCache
from zibaldone.store.index_db import StoredEmbed

_READ: TypeAdapter[Document | Unreadable] = TypeAdapter(Document | Unreadable)
_MOST_CONTEXT = 3


class Extractor(Protocol):
    """Reads the content of one file; what it cannot read is `Unreadable`. Blocks.

    `eyes` names what recognises text in pictures, empty where nothing does.
    """

    @property
    def eyes(self) -> str: ...

    def read(self, data: bytes, name: str) -> Document | Unreadable: ...


class DocumentReader:
    """Those of one store. It is made for each sync: what notes say of a file is asked once.

    Args:
        embeds: the embeds of all notes, asked for when the first file is looked at.
    """

    def __init__(
        self,
        extractor: Extractor,
        cache: ContentCache,
        chunking: ChunkingSettings,
        embeds: Callable[[], Iterable[StoredEmbed]],
    ) -> None:
        self._extractor = extractor
        self._cache = cache
        self._chunking = chunking
        self._embeds = embeds
        self._contexts: Mapping[str, list[tuple[str, str]]] | None = None

    def derived_by(self, path: str) -> str:
        """The version of all that makes chunks of this file, and of what notes say of it."""
        kind = kind_of(path)
        context = "\n".join(self._context(path, kind)) if kind else ""
        digest = hashlib.sha256(context.encode("utf-8", "replace")).hexdigest()[:12] if context else ""
        return f"{deriver_fingerprint(self._chunking)}/{self._version(kind) if kind else ''}/{digest}"

    def derive(
        self,
        path: str,
        data: bytes,
        stamp: FileStamp,
        source_id: str,
        origin: Origin,
        first_commit: date | None,
    ) -> Derived:
        kind = kind_of(path)
        assert kind is not None, path
        sha256 = hashlib.sha256(data).hexdigest()
        read = self._read(data, sha256, path, kind)
        if isinstance(read, Unreadable):
            return Derived(
                skipped_source(
                    path,
                    read.reason,
                    stamp,
                    source_id=source_id,
                    origin=origin,
                    sha256=sha256,
                    derived_by=self.derived_by(path),
                    modality=kind.modality,
                )
            )
        name = PurePosixPath(path)
        stated = stated_date({}, name.stem, ())
        mtime = datetime.fromtimestamp(stamp.mtime_ns / 1e9, UTC).date()
        when, date_source = choose_date(stated, first_commit, mtime)
        source = Source(
            id=source_id,
            path=path,
            uri=source_uri(path, kind.modality),
            origin=origin,
            title=name.stem,
            sha256=sha256,
            stamp=stamp,
            derived_by=self.derived_by(path),
            date=when,
            date_source=date_source,
            modality=kind.modality,
        )
        return derive_document(path, read, source, self._chunking, self._context(path, kind))

    def _version(self, kind: Kind) -> str:
        return f"{kind.fingerprint}-{self._extractor.eyes}" if kind.sees else kind.fingerprint

    def _read(self, data: bytes, sha256: str, path: str, kind: Kind) -> Document | Unreadable:
        known = self._cache.get_document(self._version(kind), sha256)
        if known is not None:
            return _READ.validate_json(known)
        read = self._extractor.read(data, PurePosixPath(path).name)
        self._cache.put_document(self._version(kind), sha256, _READ.dump_json(read).decode())
        return read

    def _context(self, path: str, kind: Kind) -> list[str]:
        """What the notes that show a picture are called, and what they call it: a picture has few words of its own."""
        if kind.modality is not Modality.IMAGE:
            return []
        if self._contexts is None:
            contexts: dict[str, list[tuple[str, str]]] = {}
            for embed in self._embeds():
                target = embed.target.casefold()
                said = " ".join(filter(None, (embed.title, embed.alias)))
                contexts.setdefault(target.rpartition("/")[2], []).append((target, said))
            self._contexts = contexts
        own = path.casefold()
        near = self._contexts.get(own.rpartition("/")[2], [])
        return list(dict.fromkeys(said for target, said in near if own.endswith(target.lstrip("./"))))[:_MOST_CONTEXT]

"""The sources that events are read from: the vault's notes, files and commits, and those beside it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from zibaldone.domain.notes import Chunk, DateSource, Origin, Recorded, Source
from zibaldone.hierarchy.projects import NoteLink
from zibaldone.retrieval.union import PassageStore
from zibaldone.store.index_db import IndexStore, StoredChunk
from zibaldone.vault.listing import list_files
from zibaldone.vault.outside import is_outside
from zibaldone.wiki.resolve import LinkResolver

_IDS_PER_CALL = 10_000


class Listed(NamedTuple):
    """A source by what a build compares: `version` stands for all that its events can depend on."""

    path: str
    version: str
    changed_ns: int


@dataclass(frozen=True, slots=True)
class SourcePassages:
    """A source as it is indexed, its passages in reading order."""

    source: Source
    chunks: tuple[Chunk, ...]


class SourceList:
    """`store` gives what is indexed of all folders, as it is now."""

    def __init__(self, store: Callable[[], PassageStore]) -> None:
        self._store = store

    def list(self) -> list[Listed]:
        """What somebody wrote, and not the agent; the most recently changed first. Files that vanished are absent."""
        store = self._store()
        recorded = store.recorded()
        found = [
            Listed(note.path, _version(recorded[note.path]), recorded[note.path].mtime_ns)
            for note in store.notes()
            if note.origin != Origin.AGENT and note.path in recorded
        ]
        return sorted(found, key=lambda one: (-one.changed_ns, one.path))

    def read(self, path: str) -> SourcePassages | None:
        """None where it is gone meanwhile, or has no text."""
        store = self._store()
        known = store.recorded().get(path)
        chunk_ids = store.chunk_ids_of([path])
        stored = store.chunks(chunk_ids)
        chunks = [stored[id_] for id_ in chunk_ids if id_ in stored]
        if known is None or not chunks:
            return None
        tags = next((note.tags for note in store.notes() if note.path == path), ())
        return SourcePassages(
            _source(known, chunks[0], tags), tuple(_chunk(number, one) for number, one in enumerate(chunks))
        )


def note_links(store: IndexStore, root: Path) -> list[NoteLink]:
    """What the vault's own notes link to. Looks at the names of all files."""
    resolver = LinkResolver(list_files(root))
    return [
        NoteLink(one.path, one.link.line, target)
        for one in store.links()
        if one.link.target and (target := resolver.resolve(one.link.target, one.path)) is not None
    ]


def live_passages(store: PassageStore, root: Path, ids: Collection[str]) -> dict[str, StoredChunk]:
    """Those of `ids` that are indexed, and whose file is where it was."""
    wanted = list(ids)
    found: dict[str, StoredChunk] = {}
    for start in range(0, len(wanted), _IDS_PER_CALL):
        found |= store.chunks(wanted[start : start + _IDS_PER_CALL])
    paths = {chunk.path for chunk in found.values()}
    there = {path for path in paths if is_outside(path) or (root / path).is_file()}
    return {id_: chunk for id_, chunk in found.items() if chunk.path in there}


def _version(recorded: Recorded) -> str:
    parts = (recorded.path, recorded.id, recorded.sha256, recorded.derived_by, recorded.date, recorded.date_source)
    return sha256("\0".join(parts).encode()).hexdigest()


def _source(known: Recorded, first: StoredChunk, tags: tuple[str, ...]) -> Source:
    return Source(
        id=known.id,
        path=known.path,
        uri=first.uri,
        origin=first.origin,
        title=first.title,
        sha256=known.sha256,
        stamp=known.stamp,
        derived_by=known.derived_by,
        date=date.fromisoformat(known.date),
        date_source=DateSource(known.date_source),
        aliases=first.aliases,
        tags=tags,
        modality=first.modality,
    )


def _chunk(ordinal: int, stored: StoredChunk) -> Chunk:
    return Chunk(
        id=stored.id,
        ordinal=ordinal,
        heading=stored.heading,
        line_start=stored.line_start,
        line_end=stored.line_end,
        text=stored.text,
        embed_text=stored.embed_text,
        content_hash=stored.embed_hash,
        tokens=stored.tokens,
        page=stored.page,
        place=stored.place,
        confidence=stored.confidence,
    )

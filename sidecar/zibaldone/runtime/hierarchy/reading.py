"""From a source to its events: by the embedding model, or without one by the words alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from zibaldone.domain.hierarchy import Event
from zibaldone.domain.notes import DateSource, Modality, Source
from zibaldone.errors import NotFound, PathOutsideVault, VaultChanged
from zibaldone.hierarchy.events.classify import EventClassifier, examples
from zibaldone.hierarchy.events.extract import LEAST, LEAST_BY_SHAPE, Candidate, make_events, read_candidates
from zibaldone.inference.roles import Embedder
from zibaldone.ingest.parse import Decoded, decode_note
from zibaldone.runtime.hierarchy.sources import SourcePassages
from zibaldone.runtime.hierarchy.vectors import TextVectors
from zibaldone.store.hierarchy import StoredEvent

# Raised whenever the same source would give other events.
READER_VERSION = 2
NO_MODEL = "none"


class EventReader:
    """`read` gives the content of a note, or raises `NotFound`."""

    def __init__(self, vectors: TextVectors, read: Callable[[str], bytes]) -> None:
        self._vectors = vectors
        self._read = read
        self._fitted: tuple[str, EventClassifier] | None = None

    @staticmethod
    def version(embedder: Embedder | None) -> str:
        return f"{READER_VERSION}:{embedder.fingerprint if embedder else NO_MODEL}"

    async def events_of(self, passages: SourcePassages, embedder: Embedder | None) -> list[StoredEvent]:
        """Raises what the embedder raises."""
        candidates = await asyncio.to_thread(self._candidates, passages)
        classifier = await self._classifier(embedder)
        sentences = [one.sentence for one in candidates]
        said = [one.said for one in sentences]
        vectors = await self._vectors.embed(said, embedder) if embedder and said else None

        def make() -> list[StoredEvent]:
            opinions = classifier.judge(sentences, vectors)
            least = LEAST_BY_SHAPE if vectors is None else LEAST
            events = make_events(passages.source, candidates, opinions, least)
            return _with_texts(_without_file_times(events, passages.source), passages)

        return await asyncio.to_thread(make)

    def _candidates(self, passages: SourcePassages) -> list[Candidate]:
        lines = self._lines(passages.source.path) if passages.source.modality is Modality.TEXT else []
        return read_candidates(passages.source, passages.chunks, lines)

    def _lines(self, path: str) -> list[str]:
        try:
            decoded = decode_note(self._read(path))
        except (NotFound, PathOutsideVault, VaultChanged, OSError):
            return []
        return decoded.text.splitlines() if isinstance(decoded, Decoded) else []

    async def _classifier(self, embedder: Embedder | None) -> EventClassifier:
        """Fitted once for an embedder."""
        version = self.version(embedder)
        if self._fitted is None or self._fitted[0] != version:
            known = await asyncio.to_thread(examples)
            vectors = await self._vectors.embed([one.said for one, _ in known], embedder) if embedder else None
            self._fitted = version, await asyncio.to_thread(EventClassifier, vectors)
        return self._fitted[1]


def _without_file_times(events: Sequence[Event], source: Source) -> list[Event]:
    """When a file was written last is no day on which something happened: a copy of a vault is all of today."""
    if source.date_source is not DateSource.MTIME:
        return list(events)
    return [one if one.day_is_stated else replace(one, day=None) for one in events]


def _with_texts(events: Sequence[Event], passages: SourcePassages) -> list[StoredEvent]:
    """An event is embedded with where it stands, as a passage is: a few words say too little by themselves."""
    places = {chunk.id: chunk.embed_text.partition("\n")[0] for chunk in passages.chunks}
    return [StoredEvent(one, f"{places[one.chunk_id]}\n{' '.join(one.quote.split())}") for one in events]

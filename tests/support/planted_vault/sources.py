"""The notes of a planted year as the index reads them, with the sentences that are asked about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from zibaldone.config.settings import Settings
from zibaldone.domain.notes import Chunk, FileStamp, Origin, Source
from zibaldone.hierarchy.events.extract import Candidate, read_candidates
from zibaldone.ingest.derive import derive_note
from zibaldone.ingest.frontmatter import split_lines


@dataclass(frozen=True)
class PlantedSource:
    source: Source
    chunks: tuple[Chunk, ...]
    candidates: list[Candidate]


def read_sources(notes: Mapping[str, str]) -> list[PlantedSource]:
    return [read_source(path, text) for path, text in notes.items()]


def read_source(path: str, text: str) -> PlantedSource:
    """The source's id is made of its path."""
    found = derive_note(
        path,
        text.encode(),
        FileStamp(len(text), 0, 0, 0),
        source_id=f"source {path}",
        origin=Origin.PERSON,
        first_commit=None,
        settings=Settings().chunking,
    )
    return PlantedSource(found.source, found.chunks, read_candidates(found.source, found.chunks, split_lines(text)))

"""One source's bytes, or what was read out of them, to its row, chunks, links and agenda. Pure; the only place that
knows what derives what."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import PurePosixPath

from zibaldone.config.settings import ChunkingSettings
from zibaldone.domain.agenda import AgendaEntry
from zibaldone.domain.documents import Document, Part
from zibaldone.domain.notes import (
    Block,
    Chunk,
    DateSource,
    FileStamp,
    Link,
    Modality,
    Origin,
    ParsedNote,
    Section,
    Source,
)
from zibaldone.ingest.agenda import AGENDA_VERSION, read_entries
from zibaldone.ingest.chunk import CHUNKER_VERSION, chunk_note
from zibaldone.ingest.dates import choose_date
from zibaldone.ingest.frontmatter import split_lines
from zibaldone.ingest.parse import PARSER_VERSION, SkipReason, decode_note, parse_note

MAX_NOTE_BYTES = 20_000_000
# The property by which the agent's log is known wherever it lies, so that it never becomes evidence for itself.
AGENT_MARK = "Zibaldone"
_SCHEMES = {
    Modality.TEXT: "note",
    Modality.CODE: "git",
    Modality.PDF: "pdf",
    Modality.IMAGE: "image",
    Modality.CANVAS: "canvas",
    Modality.DOCUMENT: "doc",
}
# Properties of a page that are about the page.
BOOKKEEPING = frozenset({"slug", "provenance"})


@dataclass(frozen=True, slots=True)
class Derived:
    source: Source
    chunks: tuple[Chunk, ...] = ()
    links: tuple[Link, ...] = ()
    agenda: tuple[AgendaEntry, ...] = ()


def deriver_fingerprint(settings: ChunkingSettings) -> str:
    """Versions of all that turns bytes into chunks: when it changes, notes are derived again (and only embedded
    again where the text of a chunk came out different)."""
    sizes = f"{settings.min_tokens}-{settings.max_tokens}"
    return f"parse{PARSER_VERSION}/chunk{CHUNKER_VERSION}/{sizes}/agenda{AGENDA_VERSION}"


def derive_note(
    path: str,
    data: bytes,
    stamp: FileStamp,
    *,
    source_id: str,
    origin: Origin,
    first_commit: date | None,
    settings: ChunkingSettings,
) -> Derived:
    """Never raises for what a note holds: what cannot be indexed becomes a source with the reason in `skipped`."""
    sha256 = hashlib.sha256(data).hexdigest()
    derived_by = deriver_fingerprint(settings)

    def skip(reason: str) -> Derived:
        return Derived(
            skipped_source(
                path, reason, stamp, source_id=source_id, origin=origin, sha256=sha256, derived_by=derived_by
            )
        )

    if len(data) > MAX_NOTE_BYTES:
        return skip(f"larger than {MAX_NOTE_BYTES // 1_000_000} MB")
    decoded = decode_note(data)
    if isinstance(decoded, SkipReason):
        return skip(decoded.reason)
    text, decode_problems = decoded
    note = parse_note(path, text, BOOKKEEPING if origin is Origin.AGENT else ())
    if origin is not Origin.AGENT and note.properties.get("written_by") == AGENT_MARK:
        return skip("written by Zibaldone")
    chunks = tuple(chunk_note(path, note, settings, source_id))
    mtime = datetime.fromtimestamp(stamp.mtime_ns / 1e9, UTC).date()
    when, date_source = choose_date(note.stated_date, first_commit, mtime)
    source = Source(
        id=source_id,
        path=path,
        uri=note_uri(path),
        origin=origin,
        title=note.title,
        sha256=sha256,
        stamp=stamp,
        derived_by=derived_by,
        date=when,
        date_source=date_source,
        aliases=note.aliases,
        tags=note.tags,
        skipped=None if chunks else "empty",
        problems=(*decode_problems, *note.problems),
    )
    agenda = read_entries(note, split_lines(text)) if origin is Origin.PERSON else ()
    return Derived(source, chunks, note.links, agenda)


def derive_document(
    path: str,
    document: Document,
    source: Source,
    settings: ChunkingSettings,
    context: Sequence[str] = (),
) -> Derived:
    """Chunks of what was read out of a file; `source` is its row without title and date.

    `context` are lines about the file from elsewhere (of the notes that embed it): they are searched with each chunk,
    and are none of its text.
    """
    title = document.title or source.title
    seen: Counter[tuple[object, ...]] = Counter()
    chunks: list[Chunk] = []
    for part in document.parts:
        identity = (part.page, part.place, part.heading)
        seen[identity] += 1
        note = ParsedNote(title, (), (), {}, document.stated_date, (_section(part),))
        for chunk in chunk_note(path, note, settings, f"{source.id}/{identity}/{seen[identity]}"):
            embed_text = "\n".join((chunk.embed_text, *context))
            chunks.append(
                replace(
                    chunk,
                    ordinal=len(chunks),
                    embed_text=embed_text,
                    page=part.page,
                    place=part.place,
                    confidence=part.confidence,
                )
            )
    row = replace(
        source,
        title=title,
        date=document.stated_date or source.date,
        date_source=DateSource.NOTE if document.stated_date else source.date_source,
        aliases=tuple(context),
        skipped=None if chunks else "holds no text",
        problems=document.problems,
    )
    return Derived(row, tuple(chunks), document.links)


def _section(part: Part) -> Section:
    """A part as a section of a note, its paragraphs as blocks."""
    lines = part.text.split("\n")
    blocks: list[Block] = []
    start = 0
    for number, line in enumerate([*lines, ""]):
        if line.strip():
            continue
        if number > start:
            blocks.append(Block("\n".join(lines[start:number]), start + 1, number))
        start = number + 1
    return Section(part.heading, 1, max(len(lines), 1), tuple(blocks))


def skipped_source(
    path: str,
    reason: str,
    stamp: FileStamp,
    *,
    source_id: str,
    origin: Origin = Origin.PERSON,
    sha256: str = "",
    derived_by: str = "",
    failed: bool = False,
    modality: Modality = Modality.TEXT,
) -> Source:
    """A row that says why a file is not indexed."""
    return Source(
        id=source_id,
        path=path,
        uri=source_uri(path, modality),
        origin=origin,
        title=PurePosixPath(path).stem,
        sha256=sha256,
        stamp=stamp,
        derived_by=derived_by,
        date=datetime.fromtimestamp(stamp.mtime_ns / 1e9, UTC).date(),
        date_source=DateSource.MTIME,
        skipped=reason,
        failed=failed,
        modality=modality,
    )


def note_uri(path: str) -> str:
    return source_uri(path, Modality.TEXT)


def source_uri(path: str, modality: Modality) -> str:
    return f"{_SCHEMES[modality]}:{path}"

"""One note's bytes to its source row, chunks, links and agenda. Pure; the only place that knows what derives what."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import PurePosixPath

from zibaldone.config.settings import ChunkingSettings
from zibaldone.domain.agenda import AgendaEntry
from zibaldone.domain.notes import Chunk, DateSource, FileStamp, Link, Origin, Source
from zibaldone.ingest.agenda import AGENDA_VERSION, read_entries
from zibaldone.ingest.chunk import CHUNKER_VERSION, chunk_note
from zibaldone.ingest.dates import choose_date
from zibaldone.ingest.frontmatter import split_lines
from zibaldone.ingest.parse import PARSER_VERSION, SkipReason, decode_note, parse_note

MAX_NOTE_BYTES = 20_000_000
# The property by which the agent's log is known wherever it lies, so that it never becomes evidence for itself.
AGENT_MARK = "Zibaldone"
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
) -> Source:
    """A row that says why a file is not indexed."""
    return Source(
        id=source_id,
        path=path,
        uri=note_uri(path),
        origin=origin,
        title=PurePosixPath(path).stem,
        sha256=sha256,
        stamp=stamp,
        derived_by=derived_by,
        date=datetime.fromtimestamp(stamp.mtime_ns / 1e9, UTC).date(),
        date_source=DateSource.MTIME,
        skipped=reason,
        failed=failed,
    )


def note_uri(path: str) -> str:
    return f"note:{path}"

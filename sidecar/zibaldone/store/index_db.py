"""The record of what is indexed: sources, their chunks and agenda, the lexical index, which vectors are published.

Chroma is behind this record, never ahead: a chunk is `embedded` only after its vector was acknowledged, and
a chunk that went leaves its id in `vector_deletes` until Chroma has forgotten it. So a kill at any point
leaves work to resume, never a wrong answer.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import log2
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zibaldone.domain.agenda import AgendaEntry, NotedEntry
from zibaldone.domain.day_terms import terms_of_days
from zibaldone.domain.lexicon import DEFAULT_LANGUAGE, document_terms, text_language
from zibaldone.domain.notes import Chunk, DateSource, FileStamp, Link, Modality, Origin, Recorded, Source
from zibaldone.store.database import Database

VERSION = 5
_SCHEMA = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sources(
    row INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, path TEXT UNIQUE NOT NULL,
    uri TEXT NOT NULL, origin TEXT NOT NULL, language TEXT,
    title TEXT NOT NULL, aliases TEXT NOT NULL, tags TEXT NOT NULL, sha256 TEXT NOT NULL,
    size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, ctime_ns INTEGER NOT NULL, inode INTEGER NOT NULL,
    derived_by TEXT NOT NULL, date TEXT NOT NULL, date_source TEXT NOT NULL,
    skipped TEXT, failed INTEGER NOT NULL, problems TEXT NOT NULL, modality TEXT NOT NULL,
    held INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX sources_sha256 ON sources(sha256);
CREATE INDEX sources_language ON sources(language) WHERE language IS NOT NULL;
CREATE INDEX sources_held ON sources(row) WHERE held = 1;
CREATE TABLE chunks(
    row INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL,
    source_id TEXT NOT NULL REFERENCES sources(id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL, heading TEXT NOT NULL, line_start INTEGER NOT NULL, line_end INTEGER NOT NULL,
    text TEXT NOT NULL, embed_text TEXT NOT NULL, embed_hash TEXT NOT NULL, tokens INTEGER NOT NULL,
    terms INTEGER NOT NULL, embedded INTEGER NOT NULL DEFAULT 0, page INTEGER, place TEXT NOT NULL, confidence REAL
);
CREATE INDEX chunks_source ON chunks(source_id);
CREATE INDEX chunks_pending ON chunks(row) WHERE embedded = 0;
CREATE TABLE links(
    source_id TEXT NOT NULL REFERENCES sources(id) ON DELETE CASCADE,
    target TEXT NOT NULL, heading TEXT, block TEXT, alias TEXT, embed INTEGER NOT NULL, line INTEGER NOT NULL
);
CREATE INDEX links_source ON links(source_id);
CREATE INDEX links_target ON links(target);
CREATE TABLE agenda(
    source_id TEXT NOT NULL REFERENCES sources(id) ON DELETE CASCADE,
    first_day TEXT, day TEXT, planned TEXT, start TEXT,
    kind TEXT NOT NULL, text TEXT NOT NULL, line INTEGER NOT NULL, time TEXT, priority TEXT
);
CREATE INDEX agenda_source ON agenda(source_id);
CREATE INDEX agenda_first_day ON agenda(first_day);
CREATE TABLE vector_deletes(chunk_id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE VIRTUAL TABLE chunks_fts USING fts5(
    title, heading, tags, body, dates,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co Mn Mc Me' tokenchars '_'"
);
CREATE TABLE totals(notes INTEGER NOT NULL, chunks INTEGER NOT NULL, terms INTEGER NOT NULL);
INSERT INTO totals VALUES (0, 0, 0);
CREATE TRIGGER chunk_added AFTER INSERT ON chunks BEGIN
    UPDATE totals SET notes = notes + (new.ordinal = 0), chunks = chunks + 1, terms = terms + new.terms;
END;
CREATE TRIGGER chunk_dropped AFTER DELETE ON chunks BEGIN
    UPDATE totals SET notes = notes - (old.ordinal = 0), chunks = chunks - 1, terms = terms - old.terms;
END
"""
# A chunk's row holds its note's, how long that is (its number of chunks, as a power of the fourth root of two) and its
# ordinal, so that the rows of a word alone tell the notes that it stands in.
_ORDINAL_BITS, _SIZE_BITS, _SIZE_STEPS = 20, 6, 4
NOTE_BITS = _ORDINAL_BITS + _SIZE_BITS
# Languages of less than this share of the notes are taken for misread.
_LEAST_SPOKEN = 0.05


@dataclass(frozen=True, slots=True)
class PendingChunk:
    """A chunk whose vector is not published yet."""

    id: str
    embed_text: str
    embed_hash: str
    row: int


def notes_of(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """The row of each chunk's note."""
    return rows >> NOTE_BITS


def note_sizes(rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """About how many chunks each chunk's note has."""
    steps = (rows >> _ORDINAL_BITS) & ((1 << _SIZE_BITS) - 1)
    return np.exp2(steps / _SIZE_STEPS)


def _chunk_row(source_row: int, chunk_count: int, ordinal: int) -> int:
    size = min(round(_SIZE_STEPS * log2(chunk_count)), (1 << _SIZE_BITS) - 1)
    return (source_row << _SIZE_BITS | size) << _ORDINAL_BITS | ordinal


class Totals(NamedTuple):
    """Of what is searched: notes, their chunks, and the terms of these."""

    notes: int
    chunks: int
    terms: int


class NoteRow(NamedTuple):
    """What a filter asks of a note; `date` is None where only the file's time is known."""

    row: int
    path: str
    tags: tuple[str, ...]
    origin: str
    date: date | None
    modality: str


class Sampled(NamedTuple):
    """A passage of which the vector is wanted."""

    id: str
    embed_hash: str
    source_id: str


class Candidate(NamedTuple):
    """What ranking needs of a chunk; `date` is ISO 8601 and the terms are joined by spaces, as they are stored."""

    row: int
    id: str
    embed_hash: str
    path: str
    origin: str
    date: str
    date_source: str
    confidence: float | None
    language: str | None
    title_terms: str
    heading_terms: str
    tag_terms: str
    body_terms: str
    date_terms: str

    @property
    def note(self) -> int:
        """The row of its note."""
        return self.row >> NOTE_BITS

    @property
    def note_chunks(self) -> int:
        """About how many chunks its note has."""
        return round(2 ** ((self.row >> _ORDINAL_BITS & ((1 << _SIZE_BITS) - 1)) / _SIZE_STEPS))


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk with what a hit needs of its source."""

    row: int
    id: str
    path: str
    uri: str
    title: str
    aliases: tuple[str, ...]
    origin: Origin
    date: date
    date_source: DateSource
    heading: tuple[str, ...]
    line_start: int
    line_end: int
    text: str
    embed_text: str
    embed_hash: str
    tokens: int
    modality: Modality
    page: int | None
    place: str
    confidence: float | None


@dataclass(frozen=True, slots=True)
class StoredLink:
    """A link with the note that it stands in."""

    path: str
    title: str
    origin: Origin
    link: Link


class StoredEmbed(NamedTuple):
    """That a note (of this title) shows a file, and what it calls it."""

    title: str
    target: str
    alias: str | None


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """A chunk by its embedded text alone, and the note that it is of."""

    row: int
    id: str
    path: str
    embed_hash: str


@dataclass(frozen=True, slots=True)
class Counts:
    indexed: int
    pending: int
    skipped: int
    failed: int
    chunks: int
    vectors: int


class IndexStore:
    """See the module. `path` is the database file; it is made on first use."""

    def __init__(self, path: Path) -> None:
        self._db = Database(path, _SCHEMA, VERSION, durable=False)
        self._all_recorded: tuple[int, Mapping[str, Recorded]] | None = None
        self._all_languages: tuple[int, tuple[str, ...]] | None = None
        self._all_notes: tuple[int, Sequence[NoteRow]] | None = None

    def compact(self) -> None:
        """Write the file anew, so that nothing of what was deleted stays in it."""
        with self._db.transaction() as connection:
            connection.execute("INSERT INTO chunks_fts(chunks_fts) VALUES ('optimize')")
        self._db.compact()

    def close(self) -> None:
        self._db.close()

    # -- sources ---------------------------------------------------------------------------------------

    def recorded(self, under: Sequence[str] = ()) -> Mapping[str, Recorded]:
        """What is recorded of all files by path, or of those equal to or below the given vault-relative paths."""
        select = (
            "SELECT path, id, sha256, size, mtime_ns, ctime_ns, inode, derived_by, date, date_source, skipped,"
            " failed, held, modality FROM sources"
        )
        if not under:  # most syncs find nothing new, and ask for what the one before was told
            written = self._db.written()
            if self._all_recorded is None or self._all_recorded[0] != written:
                self._all_recorded = written, {row[0]: Recorded._make(row) for row in self._db.rows(select)}
            return self._all_recorded[1]
        found: dict[str, Recorded] = {}
        for path in under:
            rows = self._db.rows(
                f"{select} WHERE path = ? OR (path >= ? AND path < ?)",
                (path, f"{path}/", f"{path}0"),
            )
            found.update((row[0], Recorded._make(row)) for row in rows)
        return found

    def chunk_count(self) -> int:
        return self.totals().chunks

    def totals(self) -> Totals:
        return Totals(*self._db.rows("SELECT notes, chunks, terms FROM totals")[0])

    def languages(self) -> tuple[str, ...]:
        """Those that the notes or the commits are in, as `domain.lexicon` names them. They are counted apart, or the
        commits of a program would outnumber the notes in another language."""
        written = self._db.written()
        if self._all_languages is None or self._all_languages[0] != written:
            select = (
                "SELECT modality = 'code' AS code, language, count(*) FROM sources WHERE language IS NOT NULL"
                " GROUP BY code, language"
            )
            counts = [(is_code, name, count) for is_code, name, count in self._db.rows(select)]
            all_of = {kind: sum(count for is_code, _, count in counts if is_code == kind) for kind in (0, 1)}
            spoken = [name for is_code, name, count in counts if count >= _LEAST_SPOKEN * all_of[is_code]]
            self._all_languages = written, tuple(dict.fromkeys(spoken))
        return self._all_languages[1]

    def sample(self, language: str, limit: int) -> list[Sampled]:
        """Embedded passages in a language, by their ids, which chance decides; none of commits, which are code."""
        rows = self._db.rows(
            "SELECT c.id, c.embed_hash, c.source_id FROM chunks c JOIN sources s ON s.id = c.source_id"
            " WHERE s.held = 0 AND s.language = ? AND s.modality <> 'code' AND c.embedded ORDER BY c.id LIMIT ?",
            (language, limit),
        )
        return [Sampled(*row) for row in rows]

    def source_count(self) -> int:
        return self._db.value("SELECT count(*) FROM sources")

    def has_source(self, source_id: str) -> bool:
        return self._db.value("SELECT count(*) FROM sources WHERE id = ?", (source_id,)) > 0

    def path_of(self, sha256: str) -> str | None:
        """Where the note with this content is; None where none has it, or several."""
        found = self._db.rows("SELECT path FROM sources WHERE sha256 = ? LIMIT 2", (sha256,))
        return str(found[0]["path"]) if len(found) == 1 else None

    def put_source(
        self, source: Source, chunks: Sequence[Chunk], links: Sequence[Link], agenda: Sequence[AgendaEntry] = ()
    ) -> int:
        """Record a source as it is now. Chunks whose embedded text is unchanged keep their vector.

        Returns the number of chunks that need a vector.
        """
        with self._db.transaction() as connection:
            old = {
                row["id"]: row
                for row in connection.execute(
                    "SELECT row, id, embed_hash, embedded FROM chunks WHERE source_id = ?", (source.id,)
                )
            }
            language = text_language(" ".join(chunk.text for chunk in chunks)) if chunks else None
            source_row = self._put_row(connection, source, language)
            connection.execute("DELETE FROM links WHERE source_id = ?", (source.id,))
            connection.executemany(
                "INSERT INTO links VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(source.id, x.target, x.heading, x.block, x.alias, x.embed, x.line) for x in links],
            )
            connection.execute("DELETE FROM agenda WHERE source_id = ?", (source.id,))
            connection.executemany(
                "INSERT INTO agenda VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [(source.id, *_agenda_row(entry)) for entry in agenda],
            )
            self._drop_chunks(connection, list(old.values()))
            fresh = 0
            for ordinal, (chunk, terms) in enumerate(zip(chunks, _terms_of(source, chunks, language), strict=True)):
                row = _chunk_row(source_row, len(chunks), ordinal)
                embed_hash = hashlib.sha256(chunk.embed_text.encode()).hexdigest()
                before = old.get(chunk.id)
                kept = bool(before and before["embed_hash"] == embed_hash and before["embedded"])
                fresh += not kept
                connection.execute(
                    "INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        row,
                        chunk.id,
                        source.id,
                        ordinal,
                        json.dumps(chunk.heading),
                        chunk.line_start,
                        chunk.line_end,
                        chunk.text,
                        chunk.embed_text,
                        embed_hash,
                        chunk.tokens,
                        sum(map(len, terms[:-1])),
                        kept,
                        chunk.page,
                        chunk.place,
                        chunk.confidence,
                    ),
                )
                connection.execute("DELETE FROM vector_deletes WHERE chunk_id = ?", (chunk.id,))
                connection.execute(
                    "INSERT INTO chunks_fts(rowid, title, heading, tags, body, dates) VALUES (?, ?, ?, ?, ?, ?)",
                    (row, *map(" ".join, terms)),
                )
            return fresh

    def restamp(self, stamps: Mapping[str, FileStamp]) -> None:
        """Remember new stat values of files (by source id) whose content did not change."""
        with self._db.transaction() as connection:
            connection.executemany(
                "UPDATE sources SET size = ?, mtime_ns = ?, ctime_ns = ?, inode = ?, held = 0 WHERE id = ?",
                [(s.size, s.mtime_ns, s.ctime_ns, s.inode, id_) for id_, s in stamps.items()],
            )

    def hold(self, source_ids: Iterable[str]) -> None:
        """Keep what is known of files that vanished, but answer nothing from it."""
        with self._db.transaction() as connection:
            connection.executemany("UPDATE sources SET held = 1 WHERE id = ?", [(x,) for x in source_ids])

    def delete_sources(self, source_ids: Iterable[str]) -> None:
        with self._db.transaction() as connection:
            for source_id in source_ids:
                rows = connection.execute("SELECT row, id FROM chunks WHERE source_id = ?", (source_id,)).fetchall()
                self._drop_chunks(connection, rows)
                connection.execute("DELETE FROM sources WHERE id = ?", (source_id,))

    def clear(self) -> None:
        """Forget everything that is indexed (the start of a rebuild)."""
        self.delete_sources([row["id"] for row in self._db.rows("SELECT id FROM sources")])

    def counts(self) -> Counts:
        """Of the person's notes (`indexed`, `pending`, `skipped`) and of all chunks and vectors."""
        own = "origin = 'person' AND held = 0 AND modality = 'text'"
        waiting = "EXISTS (SELECT 1 FROM chunks WHERE source_id = sources.id AND embedded = 0)"
        return Counts(
            indexed=self._db.value(f"SELECT count(*) FROM sources WHERE {own} AND skipped IS NULL"),
            pending=self._db.value(f"SELECT count(*) FROM sources WHERE {own} AND {waiting}"),
            skipped=self._db.value(f"SELECT count(*) FROM sources WHERE {own} AND skipped IS NOT NULL AND NOT failed"),
            failed=self._db.value(f"SELECT count(*) FROM sources WHERE {own} AND failed"),
            chunks=self._db.value("SELECT count(*) FROM chunks"),
            vectors=self.vector_count(),
        )

    def kinds(self) -> dict[str, int]:
        """How many sources that are no notes are indexed, by modality."""
        select = "SELECT modality, count(*) FROM sources WHERE skipped IS NULL AND held = 0 AND modality <> 'text'"
        return {row[0]: row[1] for row in self._db.rows(f"{select} GROUP BY modality ORDER BY modality")}

    def skipped(self) -> list[tuple[str, str]]:
        rows = self._db.rows("SELECT path, skipped FROM sources WHERE skipped IS NOT NULL ORDER BY path")
        return [(row["path"], row["skipped"]) for row in rows]

    def problems(self) -> list[tuple[str, str]]:
        """Sentences about parts of notes that could not be read; the rest of these notes is indexed."""
        rows = self._db.rows("SELECT path, problems FROM sources WHERE problems <> '[]' ORDER BY path")
        return [(row["path"], problem) for row in rows for problem in json.loads(row["problems"])]

    # -- vectors ---------------------------------------------------------------------------------------

    def use_embedder(self, fingerprint: str) -> int:
        """Declare which embedder the vectors are to be of; a change marks all chunks as not embedded.

        Returns the number of chunks that lost their vector by that.
        """
        with self._db.transaction() as connection:
            row = connection.execute("SELECT value FROM meta WHERE key = 'embedder'").fetchone()
            if row and row["value"] == fingerprint:
                return 0
            connection.execute("INSERT OR REPLACE INTO meta VALUES ('embedder', ?)", (fingerprint,))
            return connection.execute("UPDATE chunks SET embedded = 0 WHERE embedded = 1").rowcount

    def forget_vectors(self) -> None:
        """The vector index was lost: publish all vectors again (from the cache)."""
        with self._db.transaction() as connection:
            connection.execute("UPDATE chunks SET embedded = 0")
            connection.execute("DELETE FROM vector_deletes")

    def pending(self, limit: int, after_row: int = 0) -> list[PendingChunk]:
        rows = self._db.rows(
            "SELECT id, embed_text, embed_hash, row FROM chunks WHERE embedded = 0 AND row > ? ORDER BY row LIMIT ?",
            (after_row, limit),
        )
        return [PendingChunk(*row) for row in rows]

    def pending_count(self) -> int:
        return self._db.value("SELECT count(*) FROM chunks WHERE embedded = 0")

    def mark_embedded(self, chunks: Sequence[PendingChunk]) -> None:
        """Record acknowledged vectors; a chunk that changed meanwhile stays pending."""
        with self._db.transaction() as connection:
            connection.executemany(
                "UPDATE chunks SET embedded = 1 WHERE id = ? AND embed_hash = ?",
                [(c.id, c.embed_hash) for c in chunks],
            )

    def vector_count(self) -> int:
        """Chunks whose vector was acknowledged. Counted by indexes: the rows themselves hold the texts."""
        return self.chunk_count() - self.pending_count()

    def vector_deletes(self) -> list[str]:
        return [row["chunk_id"] for row in self._db.rows("SELECT chunk_id FROM vector_deletes LIMIT 1000")]

    def vectors_deleted(self, chunk_ids: Sequence[str]) -> None:
        with self._db.transaction() as connection:
            connection.executemany("DELETE FROM vector_deletes WHERE chunk_id = ?", [(x,) for x in chunk_ids])

    # -- reading ---------------------------------------------------------------------------------------

    def document_frequency(self, terms: Sequence[str]) -> dict[str, int]:
        """In how many chunks each term stands."""
        return {
            term: self._db.value("SELECT count(*) FROM chunks_fts WHERE chunks_fts MATCH ?", (_any_of([term]),))
            for term in terms
        }

    def rows_with(self, terms: Sequence[str], limit: int, *, titles: bool = False) -> NDArray[np.int64]:
        """The rows of chunks that hold any of the terms (in their title, headings, tags or body; or in their title
        only), the newest of them where there are more than `limit`."""
        sql = "SELECT rowid FROM chunks_fts WHERE chunks_fts MATCH ? ORDER BY rowid DESC LIMIT ?"
        match = f"title : ({_any_of(terms)})" if titles else _any_of(terms)
        # As one text: thousands of rows, each an object, take five times as long.
        [(joined,)] = self._db.rows(f"SELECT group_concat(rowid, ' ') FROM ({sql})", (match, limit))
        return np.fromstring(joined or "", np.int64, sep=" ")

    def notes(self) -> Sequence[NoteRow]:
        """What filters ask of every note that is searched."""
        written = self._db.written()
        if self._all_notes is None or self._all_notes[0] != written:
            select = (
                "SELECT row, path, tags, origin, date, date_source, modality FROM sources"
                " WHERE held = 0 AND skipped IS NULL"
            )
            self._all_notes = (
                written,
                [
                    NoteRow(
                        row["row"],
                        row["path"],
                        _texts(row["tags"]),
                        row["origin"],
                        None if row["date_source"] == DateSource.MTIME else date.fromisoformat(row["date"]),
                        row["modality"],
                    )
                    for row in self._db.rows(select)
                ],
            )
        return self._all_notes[1]

    def ids_within(self, notes: NDArray[np.int64] | None, passages: NDArray[np.int64] | None) -> set[str]:
        """Ids of the chunks of some notes, of some passages, or of what is of both. None: all."""
        if passages is not None:
            kept = passages if notes is None else passages[np.isin(notes_of(passages), notes)]
            return set(self.candidates(rows=kept.tolist()))
        allowed = None if notes is None else frozenset(notes.tolist())
        rows = self._db.rows("SELECT row, id FROM chunks")
        return {row["id"] for row in rows if allowed is None or row["row"] >> NOTE_BITS in allowed}

    def held_notes(self) -> NDArray[np.int64]:
        """The rows of the notes whose file vanished."""
        return np.fromiter((row[0] for row in self._db.rows("SELECT row FROM sources WHERE held = 1")), np.int64)

    def title_frequency(self, terms: Sequence[str]) -> dict[str, int]:
        """How many passages of the person's notes stand below a title (or in a folder) with each term."""
        sql = (
            "SELECT count(*) FROM chunks_fts f JOIN chunks c ON c.row = f.rowid JOIN sources s ON s.id = c.source_id"
            " WHERE chunks_fts MATCH ? AND s.origin = 'person'"
        )
        return {term: self._db.value(sql, (f"title : {_any_of([term])}",)) for term in terms}

    def candidates(self, chunk_ids: Sequence[str] = (), rows: Sequence[int] = ()) -> dict[str, Candidate]:
        """As `chunks`, without the texts: a search ranks many more passages than it shows."""
        select = (
            "SELECT c.row, c.id, c.embed_hash, s.path, s.origin, s.date, s.date_source, c.confidence, s.language,"
            " f.title, f.heading, f.tags, f.body, f.dates FROM chunks c JOIN chunks_fts f ON f.rowid = c.row"
        )
        found = [*self._live(select, "c.id", chunk_ids), *self._live(select, "c.row", rows)]
        return {row[1]: Candidate(*row) for row in found}

    def chunks(self, chunk_ids: Sequence[str] = (), rows: Sequence[int] = ()) -> dict[str, StoredChunk]:
        """Chunks by id, given as ids or as rows. One that is unknown, or whose file vanished, is absent."""
        select = (
            "SELECT c.row, c.id, c.heading, c.line_start, c.line_end, c.text, c.embed_text, c.embed_hash, c.tokens,"
            " c.page, c.place, c.confidence, s.path, s.uri, s.title, s.aliases, s.origin, s.date, s.date_source,"
            " s.modality FROM chunks c"
        )
        found = [*self._live(select, "c.id", chunk_ids), *self._live(select, "c.row", rows)]
        return {row["id"]: _stored(row) for row in found}

    def _live(self, select: str, column: str, values: Sequence[object]) -> list[sqlite3.Row]:
        """Rows of chunks whose file is there. Asked for two columns at once SQLite would read the whole table."""
        if not values:
            return []
        sql = f"{select} JOIN sources s ON s.id = c.source_id WHERE s.held = 0 AND {column} IN ({_marks(values)})"
        return self._db.rows(sql, tuple(values))

    def chunk_ids_of(self, paths: Sequence[str]) -> list[str]:
        """Ids of all chunks of the given sources, in reading order."""
        rows = self._db.rows(
            "SELECT c.id FROM chunks c JOIN sources s ON s.id = c.source_id"
            f" WHERE s.held = 0 AND s.path IN ({_marks(paths)})"
            " ORDER BY s.path, c.ordinal",
            tuple(paths),
        )
        return [row["id"] for row in rows]

    def links(self) -> list[StoredLink]:
        """Every link of every note, by path and line. It is not resolved: see `wiki.resolve`."""
        rows = self._db.rows(
            "SELECT s.path, s.title, s.origin, l.target, l.heading, l.block, l.alias, l.embed, l.line FROM links l"
            " JOIN sources s ON s.id = l.source_id WHERE s.held = 0 ORDER BY s.path, l.line"
        )
        return [
            StoredLink(
                row["path"],
                row["title"],
                Origin(row["origin"]),
                Link(row["target"], row["line"], row["heading"], row["block"], row["alias"], bool(row["embed"])),
            )
            for row in rows
        ]

    def embeds(self) -> list[StoredEmbed]:
        """Every file that a note shows, by path and line."""
        rows = self._db.rows(
            "SELECT s.title, l.target, l.alias FROM links l JOIN sources s ON s.id = l.source_id"
            " WHERE l.embed = 1 AND s.held = 0 AND s.modality = 'text' ORDER BY s.path, l.line"
        )
        return [StoredEmbed(*row) for row in rows]

    def aliases(self) -> list[tuple[str, str]]:
        """Each other name of a note, with the note's path."""
        rows = self._db.rows(
            "SELECT path, aliases FROM sources WHERE aliases <> '[]' AND modality = 'text' ORDER BY path"
        )
        return [(row["path"], alias) for row in rows for alias in json.loads(row["aliases"])]

    def uncovered(self) -> tuple[set[str], dict[str, str], dict[str, str]]:
        """Of the person's notes those that wait for vectors, and why others are skipped or failed."""
        own = "origin = 'person' AND held = 0"
        waiting = "EXISTS (SELECT 1 FROM chunks WHERE source_id = sources.id AND embedded = 0)"
        pending = {row["path"] for row in self._db.rows(f"SELECT path FROM sources WHERE {own} AND {waiting}")}
        rows = self._db.rows(f"SELECT path, skipped, failed FROM sources WHERE {own} AND skipped IS NOT NULL")
        skipped = {row["path"]: row["skipped"] for row in rows if not row["failed"]}
        return pending, skipped, {row["path"]: row["skipped"] for row in rows if row["failed"]}

    def passages(self, folder: str | None = None) -> list[StoredPassage]:
        """The chunks of all notes, or of those below a folder, in reading order. Files that are no notes have none."""
        below = "" if folder is None else " AND s.path >= ? AND s.path < ?"
        rows = self._db.rows(
            "SELECT c.row, c.id, s.path, c.embed_hash FROM sources s JOIN chunks c ON c.source_id = s.id"
            f" WHERE s.held = 0 AND s.modality = 'text'{below} ORDER BY s.path, c.ordinal",
            () if folder is None else (f"{folder}/", f"{folder}0"),
        )
        return [StoredPassage(*row) for row in rows]

    # -- agenda ----------------------------------------------------------------------------------------

    def dated_entries(self, until: date) -> list[NotedEntry]:
        """What has a day of its own, up to `until`."""
        return self._entries("a.first_day <= ?", until.isoformat())

    def undated_entries(self, paths: Sequence[str]) -> list[NotedEntry]:
        """What has no day of its own, in these notes."""
        return self._entries("a.first_day IS NULL AND s.path IN (SELECT value FROM json_each(?))", json.dumps(paths))

    def paths_of_undated_entries(self) -> list[str]:
        rows = self._db.rows(
            "SELECT path FROM sources WHERE id IN (SELECT source_id FROM agenda WHERE first_day IS NULL)"
        )
        return [row["path"] for row in rows]

    def _entries(self, where: str, parameter: str) -> list[NotedEntry]:
        rows = self._db.rows(
            "SELECT s.path, s.title, a.kind, a.text, a.line, a.day, a.planned, a.start, a.time, a.priority"
            f" FROM agenda a JOIN sources s ON s.id = a.source_id WHERE s.held = 0 AND {where}",
            (parameter,),
        )
        return [
            NotedEntry(
                path, title, AgendaEntry(kind, text, line, _day(day), _day(planned), _day(start), time, priority)
            )
            for path, title, kind, text, line, day, planned, start, time, priority in rows
        ]

    # -- rows ------------------------------------------------------------------------------------------

    @staticmethod
    def _put_row(connection: sqlite3.Connection, source: Source, language: str | None) -> int:
        """The row of the source."""
        values = (
            source.id,
            source.path,
            source.uri,
            source.origin,
            language,
            source.title,
            json.dumps(source.aliases),
            json.dumps(source.tags),
            source.sha256,
            source.stamp.size,
            source.stamp.mtime_ns,
            source.stamp.ctime_ns,
            source.stamp.inode,
            source.derived_by,
            source.date.isoformat(),
            source.date_source,
            source.skipped,
            source.failed,
            json.dumps(source.problems),
            source.modality,
        )
        connection.execute(
            "INSERT INTO sources VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)"
            " ON CONFLICT(id) DO UPDATE"
            " SET path = excluded.path, uri = excluded.uri, origin = excluded.origin, language = excluded.language,"
            " title = excluded.title,"
            " aliases = excluded.aliases, tags = excluded.tags, sha256 = excluded.sha256, size = excluded.size,"
            " mtime_ns = excluded.mtime_ns, ctime_ns = excluded.ctime_ns, inode = excluded.inode,"
            " derived_by = excluded.derived_by, date = excluded.date, date_source = excluded.date_source,"
            " skipped = excluded.skipped, failed = excluded.failed, problems = excluded.problems,"
            " modality = excluded.modality, held = 0",
            values,
        )
        return int(connection.execute("SELECT row FROM sources WHERE id = ?", (source.id,)).fetchone()[0])

    @staticmethod
    def _drop_chunks(connection: sqlite3.Connection, rows: Sequence[sqlite3.Row]) -> None:
        connection.executemany("DELETE FROM chunks_fts WHERE rowid = ?", [(row["row"],) for row in rows])
        connection.executemany("DELETE FROM chunks WHERE row = ?", [(row["row"],) for row in rows])
        connection.executemany("INSERT OR IGNORE INTO vector_deletes VALUES (?)", [(row["id"],) for row in rows])


def _terms_of(source: Source, chunks: Sequence[Chunk], language: str | None) -> Iterator[tuple[list[str], ...]]:
    """The terms of title, headings, tags and body of each chunk, and those of its days: a file's times are none."""

    def read(*texts: str) -> list[str]:
        return [term for text in texts for term in document_terms(text, language or DEFAULT_LANGUAGE)]

    title = read(source.title, *source.aliases, source.path.removesuffix(".md"))
    tags = read(*source.tags)
    dated = () if source.date_source is DateSource.MTIME else (source.date,)
    for chunk in chunks:
        yield title, read(*chunk.heading), tags, read(chunk.text), terms_of_days((*dated, *chunk.dates))


def _agenda_row(entry: AgendaEntry) -> tuple[object, ...]:
    days = (entry.first_day, entry.day, entry.planned, entry.start)
    return *(day and day.isoformat() for day in days), entry.kind, entry.text, entry.line, entry.time, entry.priority


def _day(column: str | None) -> date | None:
    return date.fromisoformat(column) if column else None


def _texts(column: str) -> tuple[str, ...]:
    return () if column == "[]" else tuple(json.loads(column))


def _any_of(terms: Sequence[str]) -> str:
    """An FTS5 expression; each term is quoted, so that nothing in it is taken for an operator."""
    return " OR ".join('"' + term.replace('"', '""') + '"' for term in terms)


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" for _ in values)


def _stored(row: sqlite3.Row) -> StoredChunk:
    return StoredChunk(
        row=row["row"],
        id=row["id"],
        path=row["path"],
        uri=row["uri"],
        title=row["title"],
        aliases=_texts(row["aliases"]),
        origin=Origin(row["origin"]),
        date=date.fromisoformat(row["date"]),
        date_source=DateSource(row["date_source"]),
        heading=_texts(row["heading"]),
        line_start=row["line_start"],
        line_end=row["line_end"],
        text=row["text"],
        embed_text=row["embed_text"],
        embed_hash=row["embed_hash"],
        tokens=row["tokens"],
        modality=Modality(row["modality"]),
        page=row["page"],
        place=row["place"],
        confidence=row["confidence"],
    )

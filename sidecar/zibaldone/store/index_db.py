"""The record of what is indexed: sources, their chunks, the lexical index and which vectors are published.

Chroma is behind this record, never ahead: a chunk is `embedded` only after its vector was acknowledged, and
a chunk that went leaves its id in `vector_deletes` until Chroma has forgotten it. So a kill at any point
leaves work to resume, never a wrong answer.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import NamedTuple

from zibaldone.domain.notes import Chunk, DateSource, FileStamp, Link, Origin, Recorded, Source
from zibaldone.domain.words import search_terms
from zibaldone.store.database import Database

VERSION = 2
_SCHEMA = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sources(
    row INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, path TEXT UNIQUE NOT NULL,
    uri TEXT NOT NULL, origin TEXT NOT NULL,
    title TEXT NOT NULL, aliases TEXT NOT NULL, tags TEXT NOT NULL, sha256 TEXT NOT NULL,
    size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, ctime_ns INTEGER NOT NULL, inode INTEGER NOT NULL,
    derived_by TEXT NOT NULL, date TEXT NOT NULL, date_source TEXT NOT NULL,
    skipped TEXT, failed INTEGER NOT NULL, problems TEXT NOT NULL, held INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX sources_sha256 ON sources(sha256);
CREATE TABLE chunks(
    row INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL,
    source_id TEXT NOT NULL REFERENCES sources(id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL, heading TEXT NOT NULL, line_start INTEGER NOT NULL, line_end INTEGER NOT NULL,
    text TEXT NOT NULL, embed_text TEXT NOT NULL, embed_hash TEXT NOT NULL, tokens INTEGER NOT NULL,
    embedded INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX chunks_source ON chunks(source_id);
CREATE INDEX chunks_pending ON chunks(row) WHERE embedded = 0;
CREATE TABLE links(
    source_id TEXT NOT NULL REFERENCES sources(id) ON DELETE CASCADE,
    target TEXT NOT NULL, heading TEXT, block TEXT, alias TEXT, embed INTEGER NOT NULL, line INTEGER NOT NULL
);
CREATE INDEX links_source ON links(source_id);
CREATE INDEX links_target ON links(target);
CREATE TABLE vector_deletes(chunk_id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE VIRTUAL TABLE chunks_fts USING fts5(title, heading, tags, body, tokenize = {TOKENS});
CREATE VIRTUAL TABLE sources_fts USING fts5(title, heading, tags, body, detail = column, tokenize = {TOKENS})
""".replace("{TOKENS}", "\"unicode61 remove_diacritics 0 categories 'L* N* Co Mn Mc Me' tokenchars '_'\"")

# Weights of title, heading, tags and body in BM25: a word in the title says more about a note than one in it.
_BM25 = "bm25({table}, 4.0, 2.0, 2.0, 1.0)"


@dataclass(frozen=True, slots=True)
class PendingChunk:
    """A chunk whose vector is not published yet."""

    id: str
    embed_text: str
    embed_hash: str
    row: int


class Candidate(NamedTuple):
    """What ranking needs of a chunk; `aliases` is a JSON list and `date` ISO 8601, as they are stored."""

    row: int
    id: str
    embed_hash: str
    source_row: int
    path: str
    title: str
    aliases: str
    date: str


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


@dataclass(frozen=True, slots=True)
class StoredLink:
    """A link with the note that it stands in."""

    path: str
    title: str
    origin: Origin
    link: Link


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

    def close(self) -> None:
        self._db.close()

    # -- sources ---------------------------------------------------------------------------------------

    def recorded(self, under: Sequence[str] = ()) -> Mapping[str, Recorded]:
        """What is recorded of all files by path, or of those equal to or below the given vault-relative paths."""
        select = (
            "SELECT path, id, sha256, size, mtime_ns, ctime_ns, inode, derived_by, date, date_source, skipped,"
            " failed, held FROM sources"
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
        return self._db.value("SELECT count(*) FROM chunks")

    def source_count(self) -> int:
        return self._db.value("SELECT count(*) FROM sources")

    def has_source(self, source_id: str) -> bool:
        return self._db.value("SELECT count(*) FROM sources WHERE id = ?", (source_id,)) > 0

    def path_of(self, sha256: str) -> str | None:
        """Where the note with this content is; None where none has it, or several."""
        found = self._db.rows("SELECT path FROM sources WHERE sha256 = ? LIMIT 2", (sha256,))
        return str(found[0]["path"]) if len(found) == 1 else None

    def put_source(self, source: Source, chunks: Sequence[Chunk], links: Sequence[Link]) -> int:
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
            source_row = self._put_row(connection, source)
            connection.execute("DELETE FROM links WHERE source_id = ?", (source.id,))
            connection.executemany(
                "INSERT INTO links VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(source.id, x.target, x.heading, x.block, x.alias, x.embed, x.line) for x in links],
            )
            self._drop_chunks(connection, list(old.values()))
            fresh = 0
            about = (_terms(source.title, *source.aliases, source.path.removesuffix(".md")), _terms(*source.tags))
            words: list[tuple[str, str]] = []  # of the heading and the body of each chunk
            for chunk in chunks:
                embed_hash = hashlib.sha256(chunk.embed_text.encode()).hexdigest()
                before = old.get(chunk.id)
                kept = bool(before and before["embed_hash"] == embed_hash and before["embedded"])
                fresh += not kept
                cursor = connection.execute(
                    "INSERT INTO chunks(id, source_id, ordinal, heading, line_start, line_end, text, embed_text,"
                    " embed_hash, tokens, embedded) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        chunk.id,
                        source.id,
                        chunk.ordinal,
                        json.dumps(chunk.heading),
                        chunk.line_start,
                        chunk.line_end,
                        chunk.text,
                        chunk.embed_text,
                        embed_hash,
                        chunk.tokens,
                        kept,
                    ),
                )
                connection.execute("DELETE FROM vector_deletes WHERE chunk_id = ?", (chunk.id,))
                words.append((_terms(*chunk.heading), _terms(chunk.text)))
                connection.execute(
                    "INSERT INTO chunks_fts(rowid, title, heading, tags, body) VALUES (?, ?, ?, ?, ?)",
                    (cursor.lastrowid, about[0], words[-1][0], about[1], words[-1][1]),
                )
            connection.execute("DELETE FROM sources_fts WHERE rowid = ?", (source_row,))
            if words:
                headings = dict.fromkeys(heading for heading, _ in words)
                connection.execute(
                    "INSERT INTO sources_fts(rowid, title, heading, tags, body) VALUES (?, ?, ?, ?, ?)",
                    (source_row, about[0], " ".join(headings), about[1], " ".join(body for _, body in words)),
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
                connection.execute(
                    "DELETE FROM sources_fts WHERE rowid = (SELECT row FROM sources WHERE id = ?)", (source_id,)
                )
                connection.execute("DELETE FROM sources WHERE id = ?", (source_id,))

    def clear(self) -> None:
        """Forget everything that is indexed (the start of a rebuild)."""
        self.delete_sources([row["id"] for row in self._db.rows("SELECT id FROM sources")])

    def counts(self) -> Counts:
        """Of the person's notes (`indexed`, `pending`, `skipped`) and of all chunks and vectors."""
        own = "origin = 'person' AND held = 0"
        waiting = "EXISTS (SELECT 1 FROM chunks WHERE source_id = sources.id AND embedded = 0)"
        return Counts(
            indexed=self._db.value(f"SELECT count(*) FROM sources WHERE {own} AND skipped IS NULL"),
            pending=self._db.value(f"SELECT count(*) FROM sources WHERE {own} AND {waiting}"),
            skipped=self._db.value(f"SELECT count(*) FROM sources WHERE {own} AND skipped IS NOT NULL AND NOT failed"),
            failed=self._db.value(f"SELECT count(*) FROM sources WHERE {own} AND failed"),
            chunks=self._db.value("SELECT count(*) FROM chunks"),
            vectors=self.vector_count(),
        )

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

    def match_terms(self, terms: Sequence[str]) -> dict[int, float]:
        """BM25 (higher is better) of every chunk that holds any of the terms, by the chunk's row. One pass over the
        lexical index, without its rows' texts: the best of them, and the scores of others, are taken from it."""
        return self._match("chunks_fts", terms)

    def match_sources(self, terms: Sequence[str]) -> dict[int, float]:
        """The same for whole notes, by the note's row."""
        return self._match("sources_fts", terms)

    def _match(self, table: str, terms: Sequence[str]) -> dict[int, float]:
        if not terms:
            return {}
        sql = f"SELECT rowid, -{_BM25.format(table=table)} FROM {table} WHERE {table} MATCH ?"
        return dict(self._db.rows(sql, (_any_of(terms),)))  # type: ignore[arg-type]  # a row is a pair

    def rows_of(self, source_rows: Sequence[int]) -> dict[int, int]:
        """The note's row of each chunk of these notes, by the chunk's."""
        chunks = "SELECT c.row, s.row FROM sources s JOIN chunks c ON c.source_id = s.id"
        sql = f"{chunks} WHERE s.row IN ({_marks(source_rows)})"
        return dict(self._db.rows(sql, tuple(source_rows)))  # type: ignore[arg-type]  # a row is a pair

    def document_frequency(self, terms: Sequence[str]) -> dict[str, int]:
        """In how many chunks each term stands."""
        return {
            term: self._db.value("SELECT count(*) FROM chunks_fts WHERE chunks_fts MATCH ?", (_any_of([term]),))
            for term in terms
        }

    def holders(self, terms: Sequence[str], *, titles: bool = False) -> dict[str, frozenset[int]]:
        """The rows of the chunks in which each term stands (title, headings and tags included), or in whose title."""
        sql = "SELECT rowid FROM chunks_fts WHERE chunks_fts MATCH ?"
        column = "title : " if titles else ""
        return {
            term: frozenset(row[0] for row in self._db.rows(sql, (f"{column}{_any_of([term])}",))) for term in terms
        }

    def title_frequency(self, terms: Sequence[str]) -> dict[str, int]:
        """How many passages of the person's notes stand below a title (or in a folder) with each term."""
        sql = (
            "SELECT count(*) FROM chunks_fts f JOIN chunks c ON c.row = f.rowid JOIN sources s ON s.id = c.source_id"
            " WHERE chunks_fts MATCH ? AND s.origin = 'person'"
        )
        return {term: self._db.value(sql, (f"title : {_any_of([term])}",)) for term in terms}

    def candidates(self, chunk_ids: Sequence[str] = (), rows: Sequence[int] = ()) -> dict[str, Candidate]:
        """As `chunks`, without the texts: a search ranks many more passages than it shows."""
        select = "SELECT c.row, c.id, c.embed_hash, s.row, s.path, s.title, s.aliases, s.date FROM chunks c"
        found = [*self._live(select, "c.id", chunk_ids), *self._live(select, "c.row", rows)]
        return {row[1]: Candidate(*row) for row in found}

    def chunks(self, chunk_ids: Sequence[str] = (), rows: Sequence[int] = ()) -> dict[str, StoredChunk]:
        """Chunks by id, given as ids or as rows. One that is unknown, or whose file vanished, is absent."""
        select = (
            "SELECT c.row, c.id, c.heading, c.line_start, c.line_end, c.text, c.embed_text, c.embed_hash, c.tokens,"
            " s.path, s.uri, s.title, s.aliases, s.origin, s.date, s.date_source FROM chunks c"
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

    def passages(self, folder: str | None = None) -> list[StoredPassage]:
        """The chunks of all notes, or of those below a folder, in reading order."""
        below = "" if folder is None else " AND s.path >= ? AND s.path < ?"
        rows = self._db.rows(
            "SELECT c.row, c.id, s.path, c.embed_hash FROM sources s JOIN chunks c ON c.source_id = s.id"
            f" WHERE s.held = 0{below} ORDER BY s.path, c.ordinal",
            () if folder is None else (f"{folder}/", f"{folder}0"),
        )
        return [StoredPassage(*row) for row in rows]

    # -- rows ------------------------------------------------------------------------------------------

    @staticmethod
    def _put_row(connection: sqlite3.Connection, source: Source) -> int:
        """The row of the source."""
        values = (
            source.id,
            source.path,
            source.uri,
            source.origin,
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
        )
        connection.execute(
            "INSERT INTO sources VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)"
            " ON CONFLICT(id) DO UPDATE"
            " SET path = excluded.path, uri = excluded.uri, origin = excluded.origin, title = excluded.title,"
            " aliases = excluded.aliases, tags = excluded.tags, sha256 = excluded.sha256, size = excluded.size,"
            " mtime_ns = excluded.mtime_ns, ctime_ns = excluded.ctime_ns, inode = excluded.inode,"
            " derived_by = excluded.derived_by, date = excluded.date, date_source = excluded.date_source,"
            " skipped = excluded.skipped, failed = excluded.failed, problems = excluded.problems, held = 0",
            values,
        )
        return int(connection.execute("SELECT row FROM sources WHERE id = ?", (source.id,)).fetchone()[0])

    @staticmethod
    def _drop_chunks(connection: sqlite3.Connection, rows: Sequence[sqlite3.Row]) -> None:
        connection.executemany("DELETE FROM chunks_fts WHERE rowid = ?", [(row["row"],) for row in rows])
        connection.executemany("DELETE FROM chunks WHERE row = ?", [(row["row"],) for row in rows])
        connection.executemany("INSERT OR IGNORE INTO vector_deletes VALUES (?)", [(row["id"],) for row in rows])


def _terms(*texts: str) -> str:
    return " ".join(term for text in texts for term in search_terms(text))


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
    )

"""The record never claims more than was acknowledged."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from zibaldone.domain.lexicon import question_terms
from zibaldone.domain.notes import Chunk, DateSource, FileStamp, Origin, Source
from zibaldone.errors import StoreDamaged, StoreNewer
from zibaldone.store.database import Database, open_or_replace
from zibaldone.store.index_db import IndexStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[IndexStore]:
    opened = IndexStore(tmp_path / "index.db")
    yield opened
    opened.close()


def source(path: str = "a.md", **changes: object) -> Source:
    fields = {
        "id": path,
        "path": path,
        "uri": f"note:{path}",
        "origin": Origin.PERSON,
        "title": path.removesuffix(".md"),
        "sha256": "0",
        "stamp": FileStamp(1, 1, 1, 1),
        "derived_by": "1",
        "date": date(2026, 1, 1),
        "date_source": DateSource.NOTE,
    }
    return Source(**{**fields, **changes})  # type: ignore[arg-type]


def chunk(number: int, text: str) -> Chunk:
    return Chunk(f"c{number}", number, (), number, number, text, f"a\n{text}", text, 3)


def test_an_unchanged_chunk_keeps_its_vector_and_a_gone_one_is_to_be_forgotten(store: IndexStore) -> None:
    assert store.put_source(source(), [chunk(1, "one"), chunk(2, "two")], ()) == 2
    store.mark_embedded(store.pending(10))
    assert store.put_source(source(sha256="1"), [chunk(1, "one"), chunk(3, "three")], ()) == 1
    assert [pending.id for pending in store.pending(10)] == ["c3"]
    assert store.vector_deletes() == ["c2"]


def test_a_chunk_that_changed_while_it_was_embedded_stays_pending(store: IndexStore) -> None:
    store.put_source(source(), [chunk(1, "one")], ())
    taken = store.pending(10)
    store.put_source(source(sha256="1"), [chunk(1, "other")], ())
    store.mark_embedded(taken)
    assert [pending.embed_text for pending in store.pending(10)] == ["a\nother"]


def test_held_sources_are_not_answered_from(store: IndexStore) -> None:
    store.put_source(source(), [chunk(1, "zebra")], ())
    (row,) = store.rows_with(["zebra"], 9).tolist()
    assert list(store.chunks(rows=[row])) == ["c1"]
    store.hold(["a.md"])
    assert store.chunks(["c1"]) == store.chunks(rows=[row]) == {}
    store.restamp({"a.md": FileStamp(2, 2, 2, 2)})
    assert list(store.chunks(["c1"])) == list(store.chunks(rows=[row])) == ["c1"]


def test_what_is_recorded_is_told_as_it_is_after_each_write(store: IndexStore) -> None:
    assert store.recorded() == {}
    store.put_source(source(), [chunk(1, "zebra")], ())
    assert store.recorded() is store.recorded()  # and is not read anew where nothing was written
    before = store.recorded()["a.md"]
    store.restamp({before.id: FileStamp(2, 3, 4, 5)})
    assert store.recorded()["a.md"].stamp == FileStamp(2, 3, 4, 5)
    store.hold([before.id])
    assert store.recorded()["a.md"].held
    store.clear()
    assert store.recorded() == store.recorded(["a.md"]) == {}


def test_titles_aliases_tags_and_headings_are_found(store: IndexStore) -> None:
    store.put_source(source("Quarterly Zebra.md", aliases=("Streifen",), tags=("area/work",)), [chunk(1, "body")], ())
    for word in ("zebra", "streifen", "work"):
        assert len(store.rows_with([form for asked in question_terms(word, ()) for form in asked.forms], 9)), word


@pytest.mark.parametrize("term", ['"', "*", "AND", "-", "NEAR(", "a:b", "'"])
def test_no_term_is_taken_for_an_operator(store: IndexStore, term: str) -> None:
    store.put_source(source(), [chunk(1, "body")], ())
    store.rows_with([term], 9)
    store.rows_with([term], 9, titles=True)
    store.document_frequency([term])


def test_a_damaged_database_is_set_aside_and_made_anew(tmp_path: Path) -> None:
    (tmp_path / "index.db").write_bytes(b"no database" * 1000)
    with pytest.raises(StoreDamaged, match="cannot be read"):
        IndexStore(tmp_path / "index.db")
    open_or_replace(IndexStore, tmp_path / "index.db").close()
    assert (tmp_path / "index.db.damaged").read_bytes() == b"no database" * 1000


def test_a_newer_database_is_left_alone(tmp_path: Path) -> None:
    Database(tmp_path / "new.db", "CREATE TABLE t(x)", 99, durable=False).close()
    with pytest.raises(StoreNewer, match="version 99"):
        open_or_replace(IndexStore, tmp_path / "new.db")

"""Several indexes give what one index of all would give, but for the ids of rows."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from zibaldone.config.settings import ChunkingSettings
from zibaldone.domain.notes import FileStamp, Origin
from zibaldone.ingest.derive import derive_note
from zibaldone.retrieval.union import Area, UnionStore, UnionVectors, unite
from zibaldone.store.index_db import IndexStore

NOTES = {
    f"N{number}.md": f"# Note {number}\n\nThe {word} stands by the hedge.\n" for number, word in enumerate("abcdefgh")
}
STAMP = FileStamp(1, 1, 1, 1)
TERMS = ["hedge", "c", "nothing"]


def fill(path: Path, notes: dict[str, str]) -> IndexStore:
    store = IndexStore(path)
    for rel, text in notes.items():
        derived = derive_note(
            rel,
            text.encode(),
            STAMP,
            source_id=rel,
            origin=Origin.PERSON,
            first_commit=date(2026, 1, 1),
            settings=ChunkingSettings(),
        )
        store.put_source(derived.source, derived.chunks, derived.links)
    return store


def test_a_union_finds_what_one_index_finds(tmp_path: Path) -> None:
    whole = fill(tmp_path / "whole.db", NOTES)
    parts = [fill(tmp_path / f"{n}.db", dict(list(NOTES.items())[n::3])) for n in range(3)]
    union = UnionStore(parts)
    assert union.chunk_count() == whole.chunk_count()
    assert union.document_frequency(TERMS) == whole.document_frequency(TERMS)
    assert union.recorded().keys() == whole.recorded().keys()
    found, wanted = union.match_terms(TERMS), whole.match_terms(TERMS)
    scored = {one.id: found[one.row] for one in union.candidates(rows=list(found)).values()}
    alone = {one.id: wanted[one.row] for one in whole.candidates(rows=list(wanted)).values()}
    assert scored == {id_: pytest.approx(score, rel=0.01) for id_, score in alone.items()}
    assert max(scored, key=scored.__getitem__) == max(alone, key=alone.__getitem__)
    ids = union.chunk_ids_of(["N2.md", "N4.md"])
    assert sorted(ids) == sorted(whole.chunk_ids_of(["N2.md", "N4.md"]))
    by_row = union.chunks(rows=[one.row for one in union.chunks(ids).values()])
    assert by_row == union.chunks(ids)


def test_one_area_is_itself(tmp_path: Path) -> None:
    store = fill(tmp_path / "one.db", NOTES)
    assert unite([Area(store, None)]) == (store, None)


def test_the_nearest_of_several_indexes_are_in_order() -> None:
    class Fixed:
        def __init__(self, *found: tuple[str, float]) -> None:
            self.found = list(found)

        def nearest(self, vector: object, limit: int) -> list[tuple[str, float]]:
            return self.found[:limit]

    union = UnionVectors([Fixed(("a", 0.9), ("b", 0.2)), Fixed(("c", 0.5))])
    assert union.nearest(None, 2) == [("a", 0.9), ("c", 0.5)]  # type: ignore[arg-type]

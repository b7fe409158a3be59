"""Several indexes give what one index of all would give, but for the ids of rows."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from zibaldone.config.settings import ChunkingSettings
from zibaldone.domain.notes import FileStamp, Origin
from zibaldone.ingest.derive import derive_note
from zibaldone.retrieval.lexical import find_worded, look_up, score_words
from zibaldone.retrieval.query.syntax import Query
from zibaldone.retrieval.scope import open_scope
from zibaldone.retrieval.union import Area, SearchStore, UnionStore, UnionVectors, unite
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


def find(store: SearchStore) -> dict[str, float]:
    words = look_up("the hedge and c", None, store)
    rows = find_worded(words, store, open_scope(Query(""), (), store))
    scores = score_words(words, list(store.candidates(rows=rows).values()))
    return {id_: pytest.approx(score.bm25) for id_, score in scores.items()}


def test_a_union_finds_what_one_index_finds(tmp_path: Path) -> None:
    whole = fill(tmp_path / "whole.db", NOTES)
    parts = [fill(tmp_path / f"{n}.db", dict(list(NOTES.items())[n::3])) for n in range(3)]
    union = UnionStore(parts)
    assert union.totals() == whole.totals()
    assert union.languages() == whole.languages()
    assert union.document_frequency(TERMS) == whole.document_frequency(TERMS)
    assert union.recorded().keys() == whole.recorded().keys()
    assert find(union) == find(whole)
    below = {note.path: note.row for note in union.notes() if note.path in ("N2.md", "N4.md")}
    assert union.ids_within(np.array(list(below.values())), None) == set(union.chunk_ids_of(list(below)))
    parts[1].hold(["N4.md"])
    assert union.held_notes().tolist() == [below["N4.md"]]
    parts[1].restamp({"N4.md": STAMP})
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

        def nearest(self, vector: object, limit: int, within: Collection[str] | None = None) -> list[tuple[str, float]]:
            return [one for one in self.found if within is None or one[0] in within][:limit]

    union = UnionVectors([Fixed(("a", 0.9), ("b", 0.2)), Fixed(("c", 0.5))])
    assert union.nearest(None, 2) == [("a", 0.9), ("c", 0.5)]  # type: ignore[arg-type]
    assert union.nearest(None, 2, {"b", "c"}) == [("c", 0.5), ("b", 0.2)]  # type: ignore[arg-type]

"""A vault that grows without being embedded: every passage has a vector, and few of them by a model."""

from __future__ import annotations

import contextlib
from pathlib import Path

from zibaldone.bench.notes import SECTIONS, write_long_notes
from zibaldone.bench.questions import find_topics
from zibaldone.bench.scaling import embed_some, grow
from zibaldone.bench.workbench import Workbench
from zibaldone.config.settings import ModelSettings, Settings

SETTINGS = Settings(models=ModelSettings(chat="fake-chat", embed="fake-embed"))


def test_all_is_searchable_and_only_the_first_notes_are_embedded(tmp_path: Path) -> None:
    bench = Workbench(tmp_path, SETTINGS, lambda folder: write_long_notes(folder, 6), lambda _: None)
    with contextlib.closing(bench):
        embedded = embed_some(bench, 1)
        assert embedded.vectors.shape[0] == SECTIONS
        for notes in (3, 6):
            assert grow(bench, notes, embedded) == notes * SECTIONS
        topic = find_topics(bench, 6)[-1]
        hits = bench.serve().call("POST", "/v1/search", {"query": topic.question})["hits"]
        assert hits[0]["title"] == topic.title
        assert hits[0]["components"]["semantic"] > 0


def test_long_notes_are_the_same_for_the_same_seed_and_have_a_passage_for_each_heading(tmp_path: Path) -> None:
    for name, count in (("few", 3), ("more", 5)):
        write_long_notes(tmp_path / name, count)
    few, more = ({path.name: path.read_bytes() for path in (tmp_path / name).rglob("*.md")} for name in ("few", "more"))
    assert len(few) == 3
    assert few.items() <= more.items()
    assert all(text.count(b"\n## ") == SECTIONS for text in more.values())

"""The commits of a repository in the index: read once, gone when rewritten, and nothing of what the person excludes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from support.histories import Made, make_history
from support.repositories import git, head
from zibaldone.config.connectors import HistoryOptions
from zibaldone.config.settings import ChunkingSettings, ExclusionSettings
from zibaldone.domain.notes import FileStamp
from zibaldone.ingest.pipeline import SourceReader, ingest
from zibaldone.runtime.history import read_history
from zibaldone.schemas.sync import SyncReport
from zibaldone.store.cache_db import ContentCache
from zibaldone.store.index_db import IndexStore, StoredChunk
from zibaldone.vault.exclusions import Exclusions

DIARY = [
    Made(b"Count the mites", {b"Bees.md": b"# Bees\n\nThere were 31 mites.\n", b"Private/me.md": b"a secret\n"}, day=0),
    Made(b"Write about me", {b"Private/me.md": b"another secret\n", b".obsidian/app.json": b"{}\n"}, day=1),
    Made(b"Count again", {b"Bees.md": b"# Bees\n\nThere were 12 mites.\n", b"Zibaldone/pages/b.md": b"ours\n"}, day=2),
    Made(b"compact: b", {b"Zibaldone/pages/b.md": b"more\n"}, b"Zibaldone <zibaldone@localhost>", day=3),
]


class Index:
    """A store that takes in a repository, what it holds then, and how many commits were read for it."""

    def __init__(self, folder: Path, root: Path) -> None:
        folder.mkdir()
        self.store = IndexStore(folder / "index.db")
        self.cache = ContentCache(folder / "cache.db")
        self.root = root
        self.reads = 0

    def take_in(self, under: Sequence[str] = (), private: str | None = None, **options: object) -> SyncReport:
        async def go_on() -> None: ...

        rules = ExclusionSettings(folders=(private,) if private else ())
        reader = read_history(
            self.root,
            "diary",
            HistoryOptions.model_validate(options),
            ChunkingSettings(),
            exclusions=None if private is None else lambda: Exclusions.read(self.root, rules),
        )
        readers = [self._counting(reader)]
        done = ingest(readers, self.store, self.cache, None, None, under=under, report=lambda _: None, wait_turn=go_on)
        return asyncio.run(done)

    def _counting(self, reader: SourceReader) -> SourceReader:
        def read(path: str) -> tuple[bytes, FileStamp]:
            self.reads += 1
            return reader.read(path)

        return replace(reader, read=read)

    def chunks(self) -> list[StoredChunk]:
        return list(self.store.chunks([chunk.id for chunk in self.store.pending(10_000)]).values())

    def titles(self) -> set[str]:
        return {chunk.title for chunk in self.chunks()}


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    made = Index(tmp_path / "index", make_history(tmp_path / "diary", DIARY))
    with closing(made.store), closing(made.cache):
        yield made


def test_commits_are_read_once(index: Index) -> None:
    first = index.take_in()
    assert (first.added, index.reads) == (3, 3)
    again = index.take_in()
    assert (again.unchanged, again.added, index.reads) == (3, 0, 3)
    (index.root / "Bees.md").write_text("# Bees\n\nThere were 9 mites.\n")
    git(index.root, "commit", "-qam", "Once more")
    assert ((index.take_in()).added, index.reads) == (1, 4)


def test_a_hunk_is_a_passage_with_its_place(index: Index) -> None:
    index.take_in()
    [hunk] = [chunk for chunk in index.chunks() if "+There were 12 mites." in chunk.text]
    sha = git(index.root, "rev-list", "--grep=Count again", "main").strip()
    assert (hunk.path, hunk.uri) == (f"//diary/@{sha[:12]}", f"git:diary@{sha}")
    assert (hunk.place, hunk.heading, hunk.title) == ("Bees.md:1-3", ("Bees.md",), "Count again")
    assert (hunk.modality, hunk.date.isoformat(), hunk.date_source) == ("code", "2025-01-03", "git")


def test_rewritten_commits_are_gone_without_a_question(index: Index) -> None:
    (index.root / "Bees.md").unlink()
    git(index.root, "commit", "-qam", "A mistake")
    index.take_in()
    assert "A mistake" in index.titles()
    git(index.root, "commit", "-q", "--amend", "-m", "The bees are sold")
    report = index.take_in()
    assert (report.added, report.deleted, report.held) == (1, 1, 0)
    assert index.titles() & {"A mistake", "The bees are sold"} == {"The bees are sold"}
    git(index.root, "update-ref", "-d", "HEAD")
    assert (index.take_in()).deleted == 4
    assert index.chunks() == []


def test_of_a_vault_nothing_excluded_and_nothing_of_the_agents_is_evidence(index: Index) -> None:
    report = index.take_in(private="Private")
    assert {file.reason for file in report.skipped} == {"changes nothing but files that are left out"}
    texts = "\n".join(f"{chunk.title} {chunk.embed_text}" for chunk in index.chunks())
    assert "31 mites" in texts
    for word in ("secret", "Private", "Write about me", "obsidian", "ours", "Zibaldone"):
        assert word not in texts


def test_what_is_excluded_later_goes(index: Index) -> None:
    index.take_in(private="Elsewhere")
    assert any("secret" in chunk.text for chunk in index.chunks())
    index.take_in(private="Private")
    assert not any("secret" in chunk.text for chunk in index.chunks())


def test_fewer_commits_and_other_authors_count_at_once(index: Index) -> None:
    index.take_in()
    index.take_in(max_commits=1)
    assert index.titles() == {"Count again"}
    index.take_in(authors=["bo@example.org"])
    assert index.titles() == set()


def test_a_pass_over_notes_leaves_commits_alone(index: Index) -> None:
    index.take_in()
    report = index.take_in(under=["Bees.md"])
    assert (report.deleted, report.unchanged) == (0, 0)
    assert (index.take_in(under=[f"//diary/@{head(index.root)[:12]}"])).deleted == 0
    assert len(index.titles()) == 3


def test_a_repository_that_cannot_be_read_loses_nothing(index: Index) -> None:
    index.take_in()
    (index.root / ".git/config").write_text("[broken")
    [note] = index.take_in().notes
    assert note.startswith("git ")
    assert len(index.titles()) == 3

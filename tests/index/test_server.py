"""Vectors on a Chroma server: found there, gone from there, and done without while it does not answer."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import chromadb
import numpy as np
import pytest
from chromadb.config import Settings

from support.chroma import ChromaServer
from support.vaults import Vault, vault
from zibaldone.config.load import load_settings
from zibaldone.config.places import config_dir, vault_places
from zibaldone.errors import VectorServerFailed
from zibaldone.index.server import count_vectors
from zibaldone.index.vectors import VectorIndex
from zibaldone.schemas.search import SearchRequest, SearchResponse
from zibaldone.schemas.sync import Failed, SyncRequest

__all__ = ["vault"]

MITES = "How many mites did the colony by the hedge have?"
POINTS = np.eye(4, dtype=np.float32)


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChromaServer]:
    server = ChromaServer(tmp_path_factory.mktemp("server") / "chroma")
    server.start()
    yield server
    server.stop()


@pytest.fixture
def server(started: ChromaServer) -> ChromaServer:
    """Running, also after a test that killed it."""
    started.stop()
    started.start()
    return started


def semantic(query: str) -> SearchRequest:
    return SearchRequest(query=query, strategy="semantic")


def paths(found: SearchResponse) -> set[str]:
    return {hit.path for hit in found.hits}


async def test_a_vault_is_searched_through_a_server_and_by_words_without_it(vault: Vault, server: ChromaServer) -> None:
    places = vault_places(vault.root)
    async with vault.open(**{"index.url": server.url}) as asking:
        await asking.sync()
        count = (await asking.engine.status()).vectors
        assert count_vectors(places.vectors, server.url) == count > 0
        assert not (places.vectors / "chroma.sqlite3").exists()
        assert "Bees/Varroa.md" in paths(await asking.engine.search(semantic(MITES)))
        (vault.root / "Bees/Varroa.md").unlink()
        await asking.sync()
        assert "Bees/Varroa.md" not in paths(await asking.engine.search(semantic(MITES)))
        assert count_vectors(places.vectors, server.url) == (await asking.engine.status()).vectors < count

        server.stop()
        found = await asking.engine.search(SearchRequest(query="Regalrez for the captain"))
        assert found.hits[0].path == "Studio/Varnish.md"
        assert [note for note in found.notes if server.url in note] == found.notes
        assert len(found.notes) == 1
        assert "Studio/Varnish.md" in paths(await asking.engine.search(semantic("Regalrez for the captain")))
        vault.write("New.md", "# Kiln\n\nThe kiln fired the bowl at 1280 degrees.\n")
        failed = [event async for event in asking.engine.sync(SyncRequest())][-1]
        assert isinstance(failed, Failed)
        assert failed.error.code == "vector_server_failed"
        assert (await asking.engine.status()).notes.pending == 1
        assert (await asking.found("kiln bowl degrees"))[0] == "New.md"
        finding = next(one for one in (await asking.engine.doctor()).findings if one.name == "vector server")
        assert not finding.ok
        assert server.url in finding.detail

        server.start()
        assert (await asking.sync()).chunks_embedded == 0  # they were in the cache
        found = await asking.engine.search(semantic("At what temperature was the kiln fired?"))
        assert "New.md" in paths(found)
        assert found.notes == []
        finding = next(one for one in (await asking.engine.doctor()).findings if one.name == "vector server")
        assert finding.ok


async def test_a_command_that_finds_no_server_searches_by_words_and_drops_nothing(vault: Vault) -> None:
    async with vault.open() as asking:
        await asking.sync()
    vault.write("New.md", "# Kiln\n\nThe kiln fired the bowl at 1280 degrees.\n")
    with closing(socket.socket()) as unused:
        unused.bind(("127.0.0.1", 0))  # and does not listen
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        async with vault.open(**{"index.url": url}) as asking:
            found = await asking.engine.search(SearchRequest(query="Regalrez for the captain"))
    assert found.hits[0].path == "Studio/Varnish.md"
    assert [note for note in found.notes if url in note and "by words" in note]
    async with vault.open() as asking:
        assert "Bees/Varroa.md" in paths(await asking.engine.search(semantic(MITES)))


async def test_another_place_begins_empty_and_is_filled_from_the_cache(vault: Vault, server: ChromaServer) -> None:
    for flags in ({}, {"index.url": server.url}, {}, {"index.url": server.url}):
        async with vault.open(**flags) as asking:
            report = await asking.sync()
            status = await asking.engine.status()
            assert status.vectors == status.chunks > 0
            assert report.chunks_embedded + report.cache_hits == status.chunks
            assert "Bees/Varroa.md" in paths(await asking.engine.search(semantic(MITES)))


def test_vaults_share_a_server_and_clear_away_only_their_own(tmp_path: Path, server: ChromaServer) -> None:
    """Also two with the same embedder, at the same path on two machines."""
    foreign = chromadb.HttpClient("127.0.0.1", int(server.url.rpartition(":")[2]), settings=Settings(_env_file=None))
    foreign.get_or_create_collection("somebody-elses", embedding_function=None).upsert(["x"], [[1.0, 0.0]])
    one, other = (VectorIndex(tmp_path / name / "vectors", "fp", server.url) for name in ("one", "other"))
    one.upsert(["a", "b"], POINTS[:2])
    other.upsert(["c"], POINTS[2:3])
    assert [id_ for id_, _ in one.nearest(POINTS[2], 5)] != ["c"]
    assert (one.count(), other.count()) == (2, 1)
    changed = VectorIndex(tmp_path / "one" / "vectors", "another-fp", server.url)
    assert changed.is_new is False
    changed.upsert(["a"], POINTS[:1])
    assert count_vectors(tmp_path / "one" / "vectors", server.url) == 1
    assert (other.count(), foreign.get_collection("somebody-elses", embedding_function=None).count()) == (1, 1)
    with pytest.raises(VectorServerFailed):  # its collection is gone
        one.count()
    assert one.count() == 0
    one.close()


def test_no_text_goes_there(tmp_path: Path, server: ChromaServer) -> None:
    index = VectorIndex(tmp_path / "vectors", "fp", server.url)
    index.upsert(["a"], POINTS[:1])
    kept = index._collection.get(include=["documents", "metadatas", "uris"])
    assert (kept["documents"], kept["metadatas"], kept["uris"]) == ([None], [None], [None])


def test_a_server_that_accepts_and_never_answers_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zibaldone.index.server._CONNECT_S", 0.1)
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(VectorServerFailed, match=url):
            VectorIndex(tmp_path / "vectors", "fp", url).count()


def test_only_the_person_names_a_server(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    vault.write("Zibaldone/settings.toml", '[index]\nurl = "http://192.0.2.1:8000"\n')
    loaded = load_settings(vault.root)
    assert loaded.settings.index.url == ""
    assert any("index.url may not be set by a vault" in warning for warning in loaded.warnings)
    config_dir().mkdir(parents=True)
    (config_dir() / "config.toml").write_text('[index]\nurl = "http://127.0.0.1:8000"\n')
    assert load_settings(vault.root).settings.index.url == "http://127.0.0.1:8000"
    monkeypatch.setenv("ZIBALDONE_INDEX_URL", "http://192.0.2.1:8000")
    assert load_settings(vault.root).settings.index.url == "http://192.0.2.1:8000"


@pytest.mark.parametrize(
    "url", ["localhost:8000", "ftp://host", "http://", "http://ana:secret@host", "http://host/path"]
)
def test_what_is_no_address_is_not_taken(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZIBALDONE_INDEX_URL", url)
    loaded = load_settings(None)
    assert loaded.settings.index.url == ""
    assert loaded.warnings

"""The vector index: nearest among all and among some, its settings, and what must not decide for it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from zibaldone.index import vectors as module
from zibaldone.index.exact import NOTHING_NEAR, ExactVectors
from zibaldone.index.vectors import VectorIndex

COUNT, DIMENSIONS = 1500, 8
IDS = [f"{number:04d}" for number in range(COUNT)]


@pytest.fixture(scope="module")
def points() -> NDArray[np.float32]:
    drawn = np.random.default_rng(7).normal(size=(COUNT, DIMENSIONS)).astype(np.float32)
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


@pytest.fixture(scope="module")
def index(points: NDArray[np.float32], tmp_path_factory: pytest.TempPathFactory) -> VectorIndex:
    made = VectorIndex(tmp_path_factory.mktemp("index") / "vectors", "fp")
    made.upsert(IDS, points)
    return made


@pytest.mark.parametrize(
    "within",
    [
        None,
        [],
        ["unknown"],
        IDS[:3],
        IDS[:300],  # computed
        IDS[:1100],  # looked for
        [*IDS[:20], *(f"unknown {number}" for number in range(60_000))],
    ],
    ids=["all", "none", "unknown", "3", "300", "1100", "mostly unknown"],
)
def test_the_nearest_are_those_of_an_exact_search(
    index: VectorIndex, points: NDArray[np.float32], within: list[str] | None
) -> None:
    exact = ExactVectors(IDS, points)
    for vector in points[:5]:
        found, wanted = index.nearest(vector, 10, within), exact.nearest(vector, 10, within)
        assert [id_ for id_, _ in found] == [id_ for id_, _ in wanted]
        assert [cosine for _, cosine in found] == pytest.approx([cosine for _, cosine in wanted], abs=1e-5)


def test_where_the_nearest_are_not_allowed_the_search_goes_on(points: NDArray[np.float32], index: VectorIndex) -> None:
    order = [id_ for id_, _ in ExactVectors(IDS, points).nearest(points[0], COUNT)]
    assert [id_ for id_, _ in index.nearest(points[0], 10, order[100:])] == order[100:110]


def test_an_exact_search_among_some(points: NDArray[np.float32]) -> None:
    exact = ExactVectors(IDS, points)
    everything = [id_ for id_, _ in exact.nearest(points[3], COUNT)]
    some = set(IDS[::7])
    assert [id_ for id_, _ in exact.nearest(points[3], 20, some)] == [id_ for id_ in everything if id_ in some][:20]
    assert NOTHING_NEAR.nearest(points[3], 20, some) == []


def test_an_index_of_an_older_version_is_searched_as_a_new_one(tmp_path: Path, points: NDArray[np.float32]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_EF_SEARCH", 100)
        older = VectorIndex(tmp_path / "vectors", "fp")
        older.upsert(IDS[:5], points[:5])
        older.close()
    newer = VectorIndex(tmp_path / "vectors", "fp")
    assert newer.count() == 5
    assert newer._collection.configuration_json["hnsw"]["ef_search"] == module._EF_SEARCH


def test_an_env_file_of_the_working_folder_configures_nothing(
    tmp_path: Path, points: NDArray[np.float32], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_text(
        "chroma_api_impl=chromadb.api.fastapi.FastAPI\nchroma_server_host=192.0.2.1\nanonymized_telemetry=true\n"
    )
    monkeypatch.chdir(tmp_path)
    index = VectorIndex(tmp_path / "vectors", "fp")
    index.upsert(IDS[:5], points[:5])
    assert (tmp_path / "vectors" / "chroma.sqlite3").exists()
    assert not index._client.get_settings().anonymized_telemetry
    assert {path.name for path in tmp_path.iterdir()} == {".env", "vectors"}


def test_what_was_in_memory_stays_in_no_file(tmp_path: Path) -> None:
    """Chroma writes the room that it keeps for the first vectors as it finds it."""
    folder = tmp_path / "vectors"
    index = VectorIndex(folder, "fp")
    points = np.eye(DIMENSIONS, dtype=np.float32)
    index.upsert(IDS[:DIMENSIONS], points)
    index.close()
    [file] = folder.glob("*/data_level0.bin")
    size = file.stat().st_size
    file.write_bytes(b"a secret. ".ljust(size, b"."))

    index = VectorIndex(folder, "fp")
    assert index.nearest(points[3], 1)[0][0] == IDS[3]
    index.close()
    assert file.read_bytes() == bytes(size)
    index = VectorIndex(folder, "fp")
    index.upsert(IDS[DIMENSIONS:1100], np.tile(points, (137, 1))[: 1100 - DIMENSIONS])  # now Chroma writes the graph
    index.close()
    index = VectorIndex(folder, "fp")
    assert index.count() == 1100
    assert any(file.read_bytes())
    index.close()

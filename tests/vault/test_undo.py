"""Displaced versions are kept, and only for so long."""

from __future__ import annotations

import os
import time
from pathlib import Path

from zibaldone.vault.files import VaultFiles, sha256_hex
from zibaldone.vault.undo import UndoStore


def test_the_displaced_version_is_kept(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "a.md").write_bytes(b"before\nand after it")
    store = UndoStore(tmp_path / "undo")
    files = VaultFiles(vault, store.keep)
    files.write_atomic("a.md", b"after", base_sha256=sha256_hex(b"before\nand after it"))
    assert store.find(sha256_hex(b"before\nand after it")) == b"before\nand after it"
    assert store.find(sha256_hex(b"after")) is None


def test_old_versions_are_forgotten_and_those_that_were_displaced_again_are_not(tmp_path: Path) -> None:
    store = UndoStore(tmp_path)
    long_ago = time.time() - 31 * 86_400
    for data in (b"old", b"again"):
        store.keep("a.md", data)
        os.utime(tmp_path / sha256_hex(data), (long_ago, long_ago))
    store.keep("b.md", b"again")
    store = UndoStore(tmp_path)
    assert store.find(sha256_hex(b"old")) is None
    assert store.find(sha256_hex(b"again")) == b"again"


def test_a_damaged_version_is_none_and_one_can_be_let_go(tmp_path: Path) -> None:
    store = UndoStore(tmp_path)
    store.keep("a.md", b"text")
    (tmp_path / sha256_hex(b"text")).write_bytes(b"{}\ntex")
    assert store.find(sha256_hex(b"text")) is None
    store.forget(sha256_hex(b"text"))
    store.forget(sha256_hex(b"text"))
    assert list(tmp_path.iterdir()) == []

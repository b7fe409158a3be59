"""Displaced versions are kept, and only for so long."""

from __future__ import annotations

from pathlib import Path

from zibaldone.vault.files import VaultFiles, sha256_hex
from zibaldone.vault.undo import UndoStore


def test_the_displaced_version_is_kept(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "a.md").write_bytes(b"before")
    files = VaultFiles(vault, UndoStore(tmp_path / "undo").keep)
    files.write_atomic("a.md", b"after", base_sha256=sha256_hex(b"before"))
    kept = [path.read_bytes().partition(b"\n")[2] for path in (tmp_path / "undo").iterdir()]
    assert kept == [b"before"]


def test_old_versions_are_forgotten(tmp_path: Path) -> None:
    UndoStore(tmp_path).keep("a.md", b"new")
    (tmp_path / f"{1:020d}-aa").write_bytes(b"{}\nold")
    UndoStore(tmp_path)
    assert [path.read_bytes().partition(b"\n")[2] for path in tmp_path.iterdir()] == [b"new"]

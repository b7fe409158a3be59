from __future__ import annotations

from pathlib import Path

import pytest

from zibaldone.errors import VaultNotFound
from zibaldone.vault.locate import find_vault


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "My Vault"
    (root / ".obsidian").mkdir(parents=True)
    (root / "a/b").mkdir(parents=True)
    return root


def test_the_order_of_precedence(vault: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    env = {"ZIBALDONE_VAULT": str(other)}
    assert find_vault(vault, env, tmp_path) == vault
    assert find_vault(None, env, vault) == other
    assert find_vault(None, {}, vault / "a/b") == vault
    assert find_vault(None, {"ZIBALDONE_VAULT": " "}, vault) == vault


def test_the_ways_of_naming_a_folder(vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "link").symlink_to(vault)
    for named in ("My Vault", "My Vault/", "./My Vault", "~/My Vault", "link", str(vault) + "/"):
        assert find_vault(Path(named), {}, tmp_path) == vault
        assert find_vault(None, {"ZIBALDONE_VAULT": named}, tmp_path) == vault


def test_the_nearest_mark_wins(vault: Path) -> None:
    (vault / "a/Zibaldone/pages").mkdir(parents=True)
    assert find_vault(None, {}, vault / "a/b") == vault / "a"
    assert find_vault(None, {}, vault / "a/Zibaldone/pages") == vault / "a"


def test_no_vault(vault: Path, tmp_path: Path) -> None:
    (vault / "note.md").write_text("x")
    for named in ("missing", "My Vault/note.md", "~nobody-of-this-name/x", "nul\0"):
        with pytest.raises(VaultNotFound) as caught:
            find_vault(Path(named), {}, tmp_path)
        assert caught.value.hint
    with pytest.raises(VaultNotFound, match="at or above"):
        find_vault(None, {}, tmp_path)

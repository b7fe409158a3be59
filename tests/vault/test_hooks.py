"""Hooks: they tell, never fail, run what was there before, and go without a trace."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from support.repositories import git, head, make_repository, snapshot
from zibaldone.errors import InvalidRequest
from zibaldone.vault.history.hooks import NAMES, Hooks, find_hooks


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nobody's settings: what the person's git reads is here."""
    place = tmp_path / "home"
    place.mkdir()
    monkeypatch.setenv("HOME", str(place))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return place


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "it's a vault")


@pytest.fixture
def hint(tmp_path: Path) -> Path:
    folder = tmp_path / "data $HOME 'of mine'"
    folder.mkdir()
    return folder / "hint"


def commit(vault: Path, name: str = "Note.md") -> None:
    (vault / name).write_text("text\n", encoding="utf-8")
    git(vault, "add", "-A")
    git(vault, "commit", "-qm", name)


def own_hook(vault: Path, text: str, mode: int = 0o755) -> Path:
    path = vault / ".git/hooks/post-commit"
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)
    return path


def test_a_commit_a_merge_and_a_checkout_leave_a_hint(vault: Path, hint: Path) -> None:
    find_hooks(vault, hint).install()
    assert not hint.exists()
    commit(vault)
    assert hint.read_bytes() == b""
    hint.unlink()
    git(vault, "checkout", "-qb", "side")
    assert hint.exists()
    commit(vault, "Side.md")
    git(vault, "checkout", "-q", "main")
    hint.unlink()
    git(vault, "merge", "-q", "side")
    assert hint.exists()


def test_without_the_data_folder_a_commit_is_made_all_the_same_and_nothing_is_said(vault: Path, hint: Path) -> None:
    find_hooks(vault, hint).install()
    hint.parent.rmdir()
    commit(vault)
    assert "Note.md" in git(vault, "show", "--name-only", "HEAD")
    assert git(vault, "checkout", "-b", "side", check=False) == ""


def test_the_hook_that_was_there_runs_with_its_arguments_and_its_exit_code(vault: Path, hint: Path) -> None:
    path = vault / ".git/hooks/post-checkout"
    path.write_text('#!/bin/sh\necho "$0 $@" >> "$PWD/../said"\nexit 3\n', encoding="utf-8")
    path.chmod(0o755)
    find_hooks(vault, hint).install()
    with pytest.raises(AssertionError):  # the exit code of the hook is that of the checkout
        git(vault, "checkout", "-qb", "side")
    assert (vault.parent / "said").read_text(encoding="utf-8").split()[-3:] == [head(vault), head(vault), "1"]
    assert hint.exists()


def test_one_that_could_not_run_still_does_not(vault: Path, hint: Path) -> None:
    own_hook(vault, "#!/bin/sh\ntouch ../ran\n", 0o644)
    find_hooks(vault, hint).install()
    commit(vault)
    assert hint.exists()
    assert not (vault.parent / "ran").exists()


@pytest.mark.parametrize("before", ["none", "script", "not executable", "link", "binary"])
def test_uninstalling_restores_exactly_what_was_there(vault: Path, hint: Path, before: str) -> None:
    path = vault / ".git/hooks/post-commit"
    if before == "link":
        path.symlink_to("../../Home.md")
    elif before != "none":
        path.write_bytes(b"\x7fELF\xff\x00" if before == "binary" else b"#!/bin/sh\ntrue")
        path.chmod(0o644 if before == "not executable" else 0o755)
    was = snapshot(vault), path.is_symlink(), path.lstat().st_mode if before != "none" else None
    hooks = find_hooks(vault, hint)
    hooks.install()
    hooks.install()
    assert [path.name for path in hooks.uninstall()] == list(NAMES)
    assert (snapshot(vault), path.is_symlink(), path.lstat().st_mode if before != "none" else None) == was
    assert hooks.uninstall() == []


def test_the_hooks_of_a_configured_folder_outside_are_used(vault: Path, hint: Path, tmp_path: Path) -> None:
    folder = tmp_path / "hooks"
    git(vault, "config", "core.hooksPath", "../hooks")
    hooks = find_hooks(vault, hint)
    hooks.install()
    assert sorted(path.name for path in folder.iterdir()) == sorted(NAMES)
    commit(vault)
    assert hint.exists()
    hooks.uninstall()
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("value", [".husky", "/dev/null"])
def test_shared_or_switched_off_hooks_are_refused(vault: Path, hint: Path, value: str) -> None:
    git(vault, "config", "core.hooksPath", value)
    before = snapshot(vault)
    with pytest.raises(InvalidRequest, match=r"core\.hooksPath"):
        find_hooks(vault, hint).install()
    assert snapshot(vault) == before


def test_hooks_of_every_repository_are_refused(vault: Path, hint: Path, home: Path) -> None:
    (home / ".gitconfig").write_text("[core]\n\thooksPath = ~/hooks\n", encoding="utf-8")
    with pytest.raises(InvalidRequest, match="every repository"):
        find_hooks(vault, hint)
    git(vault, "config", "core.hooksPath", ".git/hooks")
    assert find_hooks(vault, hint).folder == vault / ".git/hooks"


def test_no_repository_is_refused(tmp_path: Path, hint: Path) -> None:
    with pytest.raises(InvalidRequest, match="not in a git repository"):
        find_hooks(tmp_path, hint)


def test_work_trees_share_a_hook_and_each_has_its_line(vault: Path, hint: Path, tmp_path: Path) -> None:
    other, there = tmp_path / "other", tmp_path / "other-hint"
    git(vault, "worktree", "add", "-q", str(other))
    mine, theirs = find_hooks(vault, hint), find_hooks(other, there)
    assert theirs.folder.samefile(mine.folder)
    mine.install()
    theirs.install()
    commit(other)
    assert hint.exists()
    assert there.exists()
    mine.uninstall()
    hint.unlink()
    there.unlink()
    commit(vault, "Other.md")
    assert there.exists()
    assert not hint.exists()
    theirs.uninstall()
    assert not any((mine.folder / name).exists() for name in NAMES)


def test_what_was_changed_by_hand_is_left_alone(vault: Path, hint: Path) -> None:
    hooks = find_hooks(vault, hint)
    own_hook(vault, "#!/bin/sh\ntrue\n")
    hooks.install()
    path = vault / ".git/hooks/post-commit"
    for text, said in ((path.read_text(encoding="utf-8") + "more\n", "by hand"), ("#!/bin/sh\nmine\n", "replaced")):
        path.write_text(text, encoding="utf-8")
        before = snapshot(vault)
        for act in (hooks.install, hooks.uninstall):
            with pytest.raises(InvalidRequest, match=said):
                act()
        assert snapshot(vault) == before


def test_a_folder_that_cannot_be_written_leaves_all_as_it_was(vault: Path, hint: Path) -> None:
    blocked = Hooks(vault / "Home.md", hint)
    before = snapshot(vault)
    with pytest.raises(OSError, match=r"Home\.md"):
        blocked.install()
    assert snapshot(vault) == before
    assert os.path.lexists(vault / "Home.md")

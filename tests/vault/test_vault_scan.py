"""What is scanned, what is left out and why; hints of changes."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from zibaldone.config.settings import ExclusionSettings
from zibaldone.vault.exclusions import KEPT, Exclusions
from zibaldone.vault.files import VaultFiles
from zibaldone.vault.paths import is_temporary
from zibaldone.vault.scan import FoundNote, SkippedNote, scan_notes
from zibaldone.vault.watch import watch_vault


def excluding(root: Path, *folders: str, include: tuple[str, ...] = ()) -> Exclusions:
    return Exclusions.read(root, ExclusionSettings(folders=folders, include=include))


@pytest.mark.parametrize(
    ("entry", "out", "in_"),
    [
        ("Private", ["Private/a.md", "Private/b/c.md"], ["Privateer.md", "Privates/x.md", "a/Private/x.md"]),
        ("Private/", ["Private/a.md"], ["Private.md"]),
        ("/Private", ["Private/a.md"], ["Private.md"]),
        ("private", ["Private/a.md", "private/a.md"], ["privateer.md"]),
        ("Priv", ["Priv/a.md"], ["Private/a.md"]),
        ("Work/Clients", ["Work/Clients/x.md"], ["Work/x.md", "Clients/x.md"]),
        ("Work\\Clients", ["Work/Clients/x.md"], ["Work/x.md"]),
        ("Work/secret.md", ["Work/secret.md"], ["Work/secret.md.md", "Work/open.md"]),
        ("Gro\u0308ße", ["Größe/x.md"], []),
        ("", [], ["a.md", "Private/a.md"]),
        ("/", [], ["a.md"]),
        ("..", [], ["a.md"]),
    ],
)
def test_folders_of_the_settings(tmp_path: Path, entry: str, out: list[str], in_: list[str]) -> None:
    (tmp_path / "Private").mkdir()
    exclusions = excluding(tmp_path, entry)
    for rel in out:
        assert entry in str(exclusions.reason(rel)), rel
    for rel in in_:
        assert exclusions.reason(rel) is None, rel


def test_case_counts_where_both_spellings_exist(tmp_path: Path) -> None:
    (tmp_path / "Private").mkdir()
    (tmp_path / "private").mkdir()
    exclusions = excluding(tmp_path, "private")
    assert exclusions.reason("private/a.md") is not None
    assert exclusions.reason("Private/a.md") is None


def test_hidden_and_our_own(tmp_path: Path) -> None:
    exclusions = excluding(tmp_path)
    for rel in (".trash/a.md", ".obsidian/x.md", "a/.git/x.md", ".hidden.md", "a/.x.md"):
        assert "hidden" in str(exclusions.reason(rel))
    for rel in ("Zibaldone/AGENTS.md", "Zibaldone/log/2026-03-02.md", "zibaldone/memory/user.md", "Zibaldone/pages"):
        assert exclusions.reason(rel) == KEPT
    for rel in ("Zibaldone/pages/x.md", "Zibaldone.md", "a/Zibaldone/log/x.md"):
        assert exclusions.reason(rel) is None
    assert Exclusions.read(tmp_path, ExclusionSettings(), "Agent").reason("Agent/log/x.md") == KEPT


def test_include_list(tmp_path: Path) -> None:
    exclusions = excluding(tmp_path, "Work/Clients", include=("Work",))
    assert exclusions.reason("Work/a.md") is None
    assert exclusions.reason("Zibaldone/pages/a.md") is None
    for rel in ("Home.md", "Workshop/a.md", "Work/Clients/a.md"):
        assert exclusions.reason(rel) is not None


def obsidian(root: Path, *filters: object) -> Exclusions:
    (root / ".obsidian").mkdir(exist_ok=True)
    (root / ".obsidian/app.json").write_text(json.dumps({"userIgnoreFilters": filters}), encoding="utf-8")
    return Exclusions.read(root, ExclusionSettings())


@pytest.mark.parametrize(
    ("entry", "out", "in_"),
    [
        ("Private/", ["Private/a.md", "private/a.md"], ["Privateer.md", "a/Private/a.md"]),
        ("Private", ["Private/a.md"], ["Privateer.md"]),
        ("Priv", ["Private/a.md", "Privateer.md"], ["a/Priv.md"]),
        ("README.md", ["README.md"], ["a/README.md"]),
        ("/\\d{4}-\\d{2}/", ["Daily/2026-03-02.md"], ["Daily/x.md"]),
        ("/^a.*/", ["abc/x.md"], ["b/a.md"]),
        ("/(?<year>\\d{4})/", ["2026.md"], ["x.md"]),
    ],
)
def test_obsidians_list(tmp_path: Path, entry: str, out: list[str], in_: list[str]) -> None:
    (tmp_path / "Private").mkdir()
    exclusions = obsidian(tmp_path, entry)
    assert exclusions.problems == ()
    for rel in out:
        assert "Obsidian" in str(exclusions.reason(rel)), rel
    for rel in in_:
        assert exclusions.reason(rel) is None, rel
    off = Exclusions.read(tmp_path, ExclusionSettings(use_obsidian=False))
    assert all(off.reason(rel) is None for rel in out)


@pytest.mark.parametrize("entry", ["/(/", "/(a+)+$/", "/(a*)*b/", "/" + "a" * 1000 + "/"])
def test_unusable_expressions_are_reported(tmp_path: Path, entry: str) -> None:
    exclusions = obsidian(tmp_path, entry, 7, "", "Private/")
    assert len(exclusions.problems) == 1
    assert exclusions.reason("a" * 40 + "!.md") is None
    assert exclusions.reason("Private/x.md") is not None


@pytest.mark.parametrize("content", [b"{", b"\xff", b"[" * 100_000, b'{"userIgnoreFilters": 3}', b" " * (1 << 21)])
def test_an_unreadable_list_is_reported(tmp_path: Path, content: bytes) -> None:
    (tmp_path / ".obsidian").mkdir()
    (tmp_path / ".obsidian/app.json").write_bytes(content)
    assert len(Exclusions.read(tmp_path, ExclusionSettings()).problems) == 1


def test_a_list_of_another_kind_is_no_list(tmp_path: Path) -> None:
    (tmp_path / ".obsidian").mkdir()
    for content in (b"[]", b"{}", b'\xef\xbb\xbf{"userIgnoreFilters": null}'):
        (tmp_path / ".obsidian/app.json").write_bytes(content)
        assert Exclusions.read(tmp_path, ExclusionSettings()).problems == ()


def note(root: Path, rel: str) -> None:
    path = root / rel
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"x")


def test_the_scan(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    for rel in ("b.md", "a/z.md", "a/B.MD", "Private/p.md", "Zibaldone/log/l.md", "Zibaldone/pages/p.md"):
        note(root, rel)
    for rel in (".obsidian/x.md", ".trash/x.md", ".git/x.md", "a/.x.md.1.zibtmp", "a/x.txt", "日記/🌱 café.md"):
        note(root, rel)
    found = list(scan_notes(root, excluding(root, "Private")))
    assert [item.path for item in found] == [
        "Private/p.md", "Zibaldone/log/l.md", "Zibaldone/pages/p.md", "a/B.MD", "a/z.md", "b.md", "日記/🌱 café.md",
    ]  # fmt: skip
    assert [item.path for item in found if isinstance(item, SkippedNote)] == ["Private/p.md", "Zibaldone/log/l.md"]
    assert found == list(scan_notes(root, excluding(root, "Private")))
    stamp = found[5].stamp if isinstance(found[5], FoundNote) else None
    assert stamp == VaultFiles(root).stamp("b.md")


def test_odd_things_are_reported(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    outside = tmp_path / "outside"
    for rel in ("real.md", "Private/p.md", "dir.md/inside.md", "sub/x.md", "back\\slash.md"):
        note(root, rel)
    note(outside, "secret.md")
    (root / "broken.md").symlink_to("nothing.md")
    (root / "leaves.md").symlink_to(outside / "secret.md")
    (root / "leaves").symlink_to(outside)
    (root / "inner").symlink_to("sub")
    (root / "alias.md").symlink_to("real.md")
    (root / "peek.md").symlink_to("Private/p.md")
    (root / "cycle").symlink_to(".")
    os.mkfifo(root / "pipe.md")
    (root / os.fsdecode(b"bad\xff.md")).write_bytes(b"x")
    (root / os.fsdecode(b"bad\xfe")).mkdir()
    (root / os.fsdecode(b"bad\xfe") / "x.md").write_bytes(b"x")
    items = list(scan_notes(root, excluding(root, "Private")))
    assert [item.path for item in items if isinstance(item, FoundNote)] == [
        "alias.md", "dir.md/inside.md", "real.md", "sub/x.md",
    ]  # fmt: skip
    skipped = {item.path: item.reason for item in items if isinstance(item, SkippedNote)}
    assert skipped == {
        "Private/p.md": "excluded in the settings (Private)",
        "back\\slash.md": "its name contains a backslash",
        "bad\ufffd": "a folder whose name is not valid UTF-8",
        "bad\ufffd.md": "its name is not valid UTF-8",
        "broken.md": "a link to nothing",
        "cycle": "a link to a folder",
        "dir.md": "a folder, not a note",
        "inner": "a link to a folder",
        "leaves": "a link that leaves the vault",
        "leaves.md": "a link that leaves the vault",
        "peek.md": "a link to a note that is excluded in the settings (Private)",
        "pipe.md": "not a regular file",
    }
    json.dumps([item.path for item in items]).encode("utf-8")


def test_a_folder_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    note(tmp_path, "a/x.md")
    note(tmp_path, "b.md")
    scandir = os.scandir

    def refusing(path: str) -> object:
        if str(path).endswith("/a"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    assert [item.path for item in scan_notes(tmp_path, excluding(tmp_path))] == ["a", "b.md"]


def test_a_very_deep_vault(tmp_path: Path) -> None:
    folder = tmp_path
    for _ in range(1100):
        folder = folder / "d"
        folder.mkdir()
    (folder / "x.md").write_bytes(b"x")
    try:
        assert len(list(scan_notes(tmp_path, excluding(tmp_path)))) == 1
    finally:  # pytest's own removal is recursive and gives up here
        (folder / "x.md").unlink()
        for emptied in (folder, *folder.parents)[:1100]:
            emptied.rmdir()


def test_a_missing_vault_is_not_an_empty_one(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(scan_notes(tmp_path / "gone", excluding(tmp_path)))


async def test_watching_hints_at_notes_and_not_at_hidden_files(tmp_path: Path) -> None:
    stop = asyncio.Event()
    seen: set[str] = set()
    tick = asyncio.Event()

    async def keep_saving() -> None:
        while not stop.is_set():
            for rel in (".obsidian/workspace.json", ".x.md.1.zibtmp", "日記/a.md"):
                note(tmp_path, rel)
            tick.set()
            await asyncio.sleep(0.02)

    saving = asyncio.create_task(keep_saving())
    async with asyncio.timeout(30):
        async for paths in watch_vault(tmp_path, debounce_s=0.01, stop=stop):
            seen |= paths
            if "日記/a.md" in seen:
                break
    stop.set()
    await saving
    assert not any(path.startswith(".") or is_temporary(path) for path in seen)


async def test_watching_starts_again_when_it_fails(tmp_path: Path) -> None:
    stop = asyncio.Event()
    starts = 0

    async def failing(*paths: Path, **options: object) -> AsyncGenerator[set[tuple[int, str]], None]:
        nonlocal starts
        starts += 1
        if starts == 1:
            raise KeyError("the watch thread died")
        yield {(1, f"{tmp_path}/{starts}.md"), (1, "/elsewhere/x.md")}
        if starts == 3:
            stop.set()

    hints = [paths async for paths in watch_vault(tmp_path, retry_s=0.001, stop=stop, watcher=failing)]
    assert hints == [set(), {"2.md"}, set(), {"3.md"}]

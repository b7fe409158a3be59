"""Backup and restore: complete, verified, and nothing is lost on the way."""

from __future__ import annotations

import json
import sqlite3
import stat
import threading
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from zibaldone.config.places import VaultPlaces, vault_places
from zibaldone.errors import InvalidRequest, NeedsConfirmation
from zibaldone.runtime.backup import FOLDERS, read_manifest, restore_backup, write_backup
from zibaldone.runtime.owner import acquire_owner

NOW = datetime(2026, 3, 4, 9, 12, tzinfo=UTC)


@pytest.fixture
def places(vault: Path) -> VaultPlaces:
    places = vault_places(vault)
    for path, word in ((places.state_db, "state"), (places.index_db, "index")):
        with sqlite3.connect(path) as database:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("CREATE TABLE words (word TEXT)")
            database.execute("INSERT INTO words VALUES (?)", (word,))
            database.execute("PRAGMA user_version = 3")
        database.close()
    places.vectors.mkdir()
    (places.vectors / "chroma.sqlite3").write_text("vectors")
    return places


def words(path: Path) -> list[str]:
    database = sqlite3.connect(path)
    found = [row[0] for row in database.execute("SELECT word FROM words")]
    database.close()
    return found


def add_word(path: Path, word: str) -> None:
    database = sqlite3.connect(path)
    with database:
        database.execute("INSERT INTO words VALUES (?)", (word,))
    database.close()


def settings_file(vault: Path) -> Path:
    folder = vault / "Zibaldone"
    folder.mkdir(exist_ok=True)
    return folder / "settings.toml"


@pytest.fixture
def saved(places: VaultPlaces, vault: Path, tmp_path: Path) -> Path:
    settings_file(vault).write_text("retrieval.k = 4\n")
    target = tmp_path / "saved.zip"
    write_backup(places, vault, settings_file(vault), target, NOW)
    return target


def test_a_backup_holds_databases_settings_and_their_hashes(saved: Path, places: VaultPlaces) -> None:
    manifest = read_manifest(saved)
    assert list(manifest.files) == ["state.db", "index.db", "settings.toml"]
    assert manifest.files["state.db"].schema_version == 3
    assert manifest.created_at == "2026-03-04T09:12:00+00:00"
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600
    assert not list(places.root.glob("zibaldone-backup-*"))


def test_a_backup_comes_back(saved: Path, places: VaultPlaces, vault: Path) -> None:
    add_word(places.state_db, "later")
    with pytest.raises(NeedsConfirmation) as caught:
        restore_backup(saved, places, settings_file(vault), force=False, now=NOW)
    assert "--force" in caught.value.hint
    assert words(places.state_db) == ["state", "later"]

    settings_file(vault).unlink()
    done = restore_backup(saved, places, settings_file(vault), force=True, now=NOW)
    assert words(places.state_db) == ["state"]
    assert words(places.index_db) == ["index"]
    assert settings_file(vault).read_text() == "retrieval.k = 4\n"
    assert done.displaced is not None
    assert words(done.displaced / "state.db") == ["state", "later"]
    assert (done.displaced / "vectors" / "chroma.sqlite3").read_text() == "vectors"
    assert not places.vectors.exists()
    assert not list(places.root.glob("zibaldone-restore-*"))


def test_the_persons_settings_are_never_overwritten(saved: Path, places: VaultPlaces, vault: Path) -> None:
    settings_file(vault).write_text("retrieval.k = 5\n")
    done = restore_backup(saved, places, settings_file(vault), force=True, now=NOW)
    assert settings_file(vault).read_text() == "retrieval.k = 5\n"
    assert "left as they are" in done.notes[0]


def fill_folders(places: VaultPlaces, word: str) -> None:
    for folder in (places.undo, places.queue, places.commits):
        folder.mkdir(exist_ok=True)
        (folder / f"{word}.json").write_text(word)


def folder_names(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for name in FOLDERS for path in (root / name).glob("*"))


def test_what_no_rebuild_could_make_goes_along(places: VaultPlaces, vault: Path, tmp_path: Path) -> None:
    fill_folders(places, "one")
    (places.queue / "half.tmp").write_text("not whole")
    (places.undo / "link").symlink_to(vault)
    manifest = write_backup(places, vault, settings_file(vault), tmp_path / "b.zip", NOW)
    one = ["commits/one.json", "queue/one.json", "undo/one.json"]
    assert sorted(name for name in manifest.files if "/" in name) == one

    fill_folders(places, "two")
    done = restore_backup(tmp_path / "b.zip", places, settings_file(vault), force=True, now=NOW)
    assert folder_names(places.root) == one
    assert (places.undo / "one.json").read_text() == "one"
    assert done.files == ["state.db", "index.db", "undo", "queue", "commits"]
    assert done.displaced is not None
    assert "undo/two.json" in folder_names(done.displaced)

    empty = VaultPlaces(tmp_path / "empty")
    (empty.root / "queue").mkdir(parents=True)
    assert restore_backup(tmp_path / "b.zip", empty, settings_file(vault), force=False, now=NOW).displaced is None
    assert folder_names(empty.root) == one


@pytest.mark.parametrize("failing", range(8))
def test_a_move_that_fails_takes_the_others_back(
    places: VaultPlaces, vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: int
) -> None:
    fill_folders(places, "one")
    write_backup(places, vault, settings_file(vault), tmp_path / "b.zip", NOW)
    fill_folders(places, "two")
    add_word(places.state_db, "later")
    before = tree(places.root)
    moves = 0
    rename = Path.rename

    def fail_once(self: Path, target: Path) -> Path:
        nonlocal moves
        moves += 1
        if moves == failing + 1:
            raise OSError(28, "No space left on device")
        return rename(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", fail_once)
        with pytest.raises(OSError, match="No space"):
            restore_backup(tmp_path / "b.zip", places, settings_file(vault), force=True, now=NOW)
    assert tree(places.root) == before
    assert words(places.state_db) == ["state", "later"]


def tree(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes() if path.is_file() else b""
        for path in root.rglob("*")
        if not path.name.endswith(("-wal", "-shm"))
    }


def test_an_empty_place_needs_no_force(saved: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = restore_backup(saved, VaultPlaces(tmp_path / "empty"), tmp_path / "none.toml", force=False, now=NOW)
    assert done.displaced is None
    assert words(tmp_path / "empty" / "state.db") == ["state"]


def test_a_backup_while_another_connection_writes(places: VaultPlaces, vault: Path, tmp_path: Path) -> None:
    """Two tables' rows are written in one transaction: a backup never holds one without the other."""
    database = sqlite3.connect(places.state_db)
    database.execute("CREATE TABLE pairs (a INTEGER, b INTEGER)")
    database.commit()
    database.close()
    stop, written = threading.Event(), threading.Event()

    def write() -> None:
        own = sqlite3.connect(places.state_db, timeout=30)
        number = 0
        while not stop.is_set():
            number += 1
            with own:
                own.execute("INSERT INTO pairs VALUES (?, 0)", (number,))
                own.execute("UPDATE pairs SET b = a WHERE a = ?", (number,))
            written.set()
        own.close()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert written.wait(10)
        for number in range(5):
            target = tmp_path / f"{number}.zip"
            write_backup(places, vault, settings_file(vault), target, NOW)
            empty = tmp_path / str(number)
            empty.mkdir()
            restore_backup(target, VaultPlaces(empty), settings_file(vault), force=False, now=NOW)
            copy = sqlite3.connect(empty / "state.db")
            assert copy.execute("SELECT count(*) FROM pairs WHERE a <> b").fetchone() == (0,)
            assert copy.execute("SELECT count(*) FROM pairs").fetchone()[0] > 0
            copy.close()
    finally:
        stop.set()
        writer.join()


def lasting_files(places: VaultPlaces) -> list[str]:
    """Without those that SQLite makes and removes beside an open database."""
    return sorted(path.name for path in places.root.iterdir() if not path.name.endswith(("-wal", "-shm")))


def rewrite(source: Path, target: Path, **changed: bytes) -> Path:
    """A copy of a backup with other content under some names."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            key = name.replace(".", "_")
            new.writestr(name, changed.pop(key, old.read(name)))
        for key, content in changed.items():
            new.writestr(key, content)
    return target


def test_what_is_not_a_sound_backup_changes_nothing(
    saved: Path, places: VaultPlaces, vault: Path, tmp_path: Path
) -> None:
    with zipfile.ZipFile(saved) as archive:
        state = archive.read("state.db")
        manifest = json.loads(archive.read("manifest.json"))
    flipped = state[:200] + bytes([state[200] ^ 1]) + state[201:]
    outside = {**manifest, "files": {**manifest["files"], "../evil": manifest["files"]["state.db"]}}
    inside = {**manifest, "files": {**manifest["files"], "undo/../../evil": manifest["files"]["state.db"]}}
    dotted = {**manifest, "files": {**manifest["files"], "undo/..": manifest["files"]["state.db"]}}
    newer = {**manifest, "format": 2}
    other = tmp_path / "text.zip"
    other.write_text("no zip")
    bad = [
        rewrite(saved, tmp_path / "flipped.zip", state_db=flipped),
        rewrite(saved, tmp_path / "longer.zip", state_db=state + b"x" * 5_000_000),
        rewrite(saved, tmp_path / "shorter.zip", state_db=state[:-1]),
        rewrite(saved, tmp_path / "extra.zip", **{"../evil": b"x"}),
        rewrite(saved, tmp_path / "outside.zip", manifest_json=json.dumps(outside).encode(), **{"../evil": state}),
        rewrite(saved, tmp_path / "in.zip", manifest_json=json.dumps(inside).encode(), **{"undo/../../evil": state}),
        rewrite(saved, tmp_path / "dot.zip", manifest_json=json.dumps(dotted).encode(), **{"undo/..": state}),
        rewrite(saved, tmp_path / "newer.zip", manifest_json=json.dumps(newer).encode()),
        rewrite(saved, tmp_path / "broken.zip", manifest_json=b"{"),
        rewrite(saved, tmp_path / "huge.zip", manifest_json=b" " * 40_000_000),
        other,
    ]
    before = lasting_files(places)
    for path in bad:
        with pytest.raises(InvalidRequest):
            restore_backup(path, places, settings_file(vault), force=True, now=NOW)
        assert words(places.state_db) == ["state"]
    assert lasting_files(places) == before
    assert not (places.root.parent / "evil").exists()


def test_backup_and_restore_commands(zib, places: VaultPlaces, vault: Path, tmp_path: Path) -> None:
    document = json.loads(zib("backup", str(tmp_path / "b.zip"), "--json").out)
    assert document["path"] == str(tmp_path / "b.zip")
    assert "state.db" in document["files"]
    again = zib("backup", str(tmp_path / "b.zip"))
    assert (again.code, "exists already" in again.err) == (1, True)
    inside = zib("backup", str(vault / "b.zip"))
    assert (inside.code, "may sync" in inside.err) == (1, True)
    assert "backups/zibaldone-Notes-" in zib("backup").out.replace("\n", "")

    refused = zib("restore", str(tmp_path / "b.zip"))
    assert (refused.code, "--force" in refused.err) == (1, True)
    with acquire_owner(places):
        busy = zib("restore", str(tmp_path / "b.zip"), "--force", "--json")
        assert json.loads(busy.out)["error"]["code"] == "vault_busy"
        assert zib("backup", str(tmp_path / "c.zip")).code == 0
    assert zib("restore", str(tmp_path / "b.zip"), "--force").code == 0
    missing = zib("restore", str(tmp_path / "missing.zip"), "--force", "--json")
    assert json.loads(missing.out)["error"]["code"] == "not_found"


def test_nothing_to_back_up(zib, vault: Path, tmp_path: Path) -> None:
    ran = zib("backup", str(tmp_path / "b.zip"))
    assert (ran.code, "zib sync" in ran.err) == (1, True)

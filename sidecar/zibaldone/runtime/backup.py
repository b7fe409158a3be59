"""State and index of a vault in one zip file, and back.

Databases are copied by SQLite's own backup, which is safe while another process writes. The folders that no rebuild
could make again (displaced versions, waiting commits, commits under way) go along file by file. Vectors are left out:
they are refilled from the index and the embedding cache. The vault itself is the person's to back up; only its
settings file goes along.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import sqlite3
import tempfile
import zipfile
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from zibaldone import __version__
from zibaldone.config.places import VaultPlaces
from zibaldone.errors import InvalidRequest, NeedsConfirmation, NotFound, StoreDamaged

FORMAT = 1
MANIFEST = "manifest.json"
SETTINGS = "settings.toml"
DATABASES = ("state.db", "index.db")
FOLDERS = ("undo", "queue", "commits")
# A line of JSON for each file; the undo store of a month may hold tens of thousands.
_MOST_MANIFEST_BYTES = 32 * 1024 * 1024


class BackedUp(BaseModel):
    """`schema_version` is a database's `user_version`."""

    model_config = ConfigDict(frozen=True)

    sha256: str
    bytes: int
    schema_version: int | None = None


class Manifest(BaseModel):
    """`files` by name in the archive: a database, the settings, or `FOLDER/NAME`."""

    model_config = ConfigDict(frozen=True)

    format: int
    version: str
    created_at: str
    vault: str
    files: dict[str, BackedUp]


@dataclass(frozen=True, slots=True)
class Restored:
    """`displaced` is the folder where what was there before now lies."""

    manifest: Manifest
    files: list[str]
    displaced: Path | None
    notes: list[str]


def write_backup(places: VaultPlaces, vault: Path, settings_file: Path, target: Path, now: datetime) -> Manifest:
    """Write `target`, a zip file that does not exist yet. Safe while the vault's owner works.

    Raises:
        InvalidRequest: `target` exists or lies in the vault.
        NotFound: there is nothing to back up.
        StoreDamaged: a database cannot be read.
    """
    if target.exists():
        raise InvalidRequest(f"{target} exists already.", "Choose another name, or move it away.")
    if target.resolve().is_relative_to(vault):
        raise InvalidRequest(f"{target} lies in the vault, which may sync.", "Choose a place outside the vault.")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="zibaldone-backup-", dir=places.root) as name:
        folder = Path(name)
        found = _copy_databases(places, folder)
        if not found:
            raise NotFound(f"Nothing is recorded yet for {vault}.", "Run `zib sync` first.")
        found |= _copy_folders(places, folder)
        if settings_file.is_file():
            shutil.copyfile(settings_file, folder / SETTINGS)
            found[SETTINGS] = None
        manifest = Manifest(
            format=FORMAT,
            version=__version__,
            created_at=now.isoformat(timespec="seconds"),
            vault=str(vault),
            files={file: _describe(folder / file, schema) for file, schema in found.items()},
        )
        (folder / MANIFEST).write_text(manifest.model_dump_json(indent=2), encoding="utf-8")
        _zip(folder, [MANIFEST, *manifest.files], target)
    return manifest


def read_manifest(source: Path) -> Manifest:
    """Raises `InvalidRequest` for anything that is not one of our backups."""
    try:
        with zipfile.ZipFile(source) as archive:
            info = archive.getinfo(MANIFEST)
            if info.file_size > _MOST_MANIFEST_BYTES:
                raise ValueError("the manifest is too large")
            manifest = Manifest.model_validate_json(archive.read(info))
            names = set(archive.namelist())
    except FileNotFoundError:
        raise NotFound(f"There is no file {source}.", "Give the file that `zib backup` wrote.") from None
    except (OSError, KeyError, ValueError, zipfile.BadZipFile, ValidationError):
        raise InvalidRequest(f"{source} is not a backup by Zibaldone.", "Give a file by `zib backup`.") from None
    if manifest.format != FORMAT:
        raise InvalidRequest(
            f"{source} has format {manifest.format}, this program reads format {FORMAT}.", "Update Zibaldone."
        )
    if names != {MANIFEST, *manifest.files} or not all(map(_is_ours, manifest.files)):
        raise InvalidRequest(f"{source} holds other files than its manifest says.", "Use another backup.")
    return manifest


def restore_backup(source: Path, places: VaultPlaces, settings_file: Path, *, force: bool, now: datetime) -> Restored:
    """Put a backup in the place of the current state and index. The caller owns the vault.

    Everything is unpacked and verified before anything is moved; what is displaced is kept.

    Raises:
        InvalidRequest: not a backup, or its content does not match its manifest.
        OSError: a move failed; everything lies where it lay before.
        NeedsConfirmation: something would be displaced and `force` is not set.
    """
    manifest = read_manifest(source)
    with tempfile.TemporaryDirectory(prefix="zibaldone-restore-", dir=places.root) as name:
        folder = Path(name)
        _unpack(source, manifest, folder)
        present = [path for path in _current(places) if path.exists()]
        if present and not force:
            raise NeedsConfirmation(
                f"{places.root} already holds {', '.join(sorted(path.name for path in present))}.",
                "Add --force to replace it; what was there is kept in a folder beside.",
            )
        displaced = _replace(places, present, folder, now)
        restored = [name for name in (*DATABASES, *FOLDERS) if (places.root / name).exists()]
        notes = _restore_settings(folder / SETTINGS, settings_file, displaced)
    return Restored(manifest, restored, displaced, notes)


def _copy_databases(places: VaultPlaces, folder: Path) -> dict[str, int | None]:
    found: dict[str, int | None] = {}
    for name in DATABASES:
        path = places.root / name
        if not path.exists():
            continue
        try:
            with (
                closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=30)) as live,
                closing(sqlite3.connect(folder / name)) as copy,
            ):
                live.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")
                found[name] = copy.execute("PRAGMA user_version").fetchone()[0]
        except sqlite3.Error as error:
            raise StoreDamaged(f"{path} cannot be copied: {error}.", "Run `zib doctor`.") from error
    return found


def _copy_folders(places: VaultPlaces, folder: Path) -> dict[str, int | None]:
    """Each file whole or not at all: ours are written beside and renamed, and end by being unlinked."""
    found: dict[str, int | None] = {}
    for name in FOLDERS:
        for path in sorted((places.root / name).glob("*")):
            if path.is_symlink() or not path.is_file() or not _is_ours(f"{name}/{path.name}"):
                continue
            (folder / name).mkdir(exist_ok=True)
            with contextlib.suppress(FileNotFoundError):  # done with meanwhile
                shutil.copyfile(path, folder / name / path.name)
                found[f"{name}/{path.name}"] = None
    return found


def _is_ours(name: str) -> bool:
    """Whether a name in an archive is one that we write: nothing may lead out of the folder that is unpacked."""
    parent, separator, last = name.rpartition("/")
    if not separator:
        return name in (*DATABASES, SETTINGS)
    return parent in FOLDERS and last not in ("", ".", "..") and not last.endswith(".tmp") and "\\" not in last


def _describe(path: Path, schema_version: int | None) -> BackedUp:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return BackedUp(sha256=digest, bytes=path.stat().st_size, schema_version=schema_version)


def _zip(folder: Path, names: list[str], target: Path) -> None:
    unfinished = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
                for name in names:
                    archive.write(folder / name, name)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)


def _unpack(source: Path, manifest: Manifest, folder: Path) -> None:
    """Never writes more bytes than the manifest says, nor under another name."""
    with zipfile.ZipFile(source) as archive:
        for name, expected in manifest.files.items():
            digest = hashlib.sha256()
            size = 0
            (folder / name).parent.mkdir(exist_ok=True, mode=0o700)
            try:
                with archive.open(name) as packed, (folder / name).open("wb") as file:
                    while size <= expected.bytes and (block := packed.read(1 << 20)):
                        size += len(block)
                        digest.update(block)
                        file.write(block)
            except (zipfile.BadZipFile, OSError, EOFError, NotImplementedError, RuntimeError, ValueError):
                size = -1
            if size != expected.bytes or digest.hexdigest() != expected.sha256:
                raise _damaged(source, name)
            if name in DATABASES and not _is_sound(folder / name):
                raise _damaged(source, name)


def _is_sound(path: Path) -> bool:
    try:
        with closing(sqlite3.connect(path)) as database:
            return bool(database.execute("PRAGMA quick_check").fetchone()[0] == "ok")
    except sqlite3.Error:
        return False


def _damaged(source: Path, name: str) -> InvalidRequest:
    return InvalidRequest(f"{name} in {source} is damaged. Nothing was changed.", "Use another backup.")


def _current(places: VaultPlaces) -> list[Path]:
    """What a restore takes away. Folders that are empty hold nothing to lose."""
    databases = [places.root / f"{name}{end}" for name in DATABASES for end in ("", "-wal", "-shm")]
    folders = [places.root / name for name in FOLDERS if any((places.root / name).glob("*"))]
    return [*databases, places.vectors, *folders]


def _replace(places: VaultPlaces, present: list[Path], unpacked: Path, now: datetime) -> Path | None:
    """Move what is there into a folder beside (which is returned) and what was unpacked into its place: all or nothing.

    Raises:
        OSError: a move failed, and those before it were taken back.
    """
    displaced: Path | None = None
    if present:
        displaced = Path(tempfile.mkdtemp(prefix=f"displaced-{now:%Y%m%d-%H%M%S}-", dir=places.root))
    moves = [(path, displaced / path.name) for path in present if displaced]
    for name in (*DATABASES, *FOLDERS):
        if (unpacked / name).is_file():
            (unpacked / name).chmod(0o600)
        if (unpacked / name).exists():
            moves.append((unpacked / name, places.root / name))
    with contextlib.ExitStack() as undo:
        if displaced:
            undo.callback(displaced.rmdir)
        for source, target in moves:
            if target.is_dir():
                target.rmdir()  # an empty one, see `_current`
            source.rename(target)
            undo.callback(target.rename, source)
        undo.pop_all()
    return displaced


def _restore_settings(unpacked: Path, settings_file: Path, displaced: Path | None) -> list[str]:
    """The vault's own settings are the person's: they are put back only where they are missing."""
    if not unpacked.exists():
        return []
    if not settings_file.exists() and settings_file.parent.is_dir():
        shutil.copyfile(unpacked, settings_file)
        return [f"{settings_file} was missing and is back."]
    if settings_file.exists() and settings_file.read_bytes() == unpacked.read_bytes():
        return []
    if displaced is None:
        return ["The vault's settings were left as they are."]
    kept = displaced / f"backup-{SETTINGS}"
    shutil.copyfile(unpacked, kept)
    return [f"The vault's settings were left as they are; those of the backup are in {kept}."]


def default_name(vault: Path, now: datetime) -> str:
    name = "".join(char if char.isalnum() else "-" for char in vault.name)[:32]
    return f"zibaldone-{name}-{now:%Y%m%d-%H%M%S}.zip"


def as_document(manifest: Manifest, path: Path) -> str:
    """What `zib backup --json` prints."""
    return json.dumps({"path": str(path), **manifest.model_dump()}, indent=2, ensure_ascii=False)

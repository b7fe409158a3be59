"""Folders outside the vault. All of them are platformdirs', so `$XDG_DATA_HOME` and friends work.

data/            0700
  models/        GGUF files, shared by all vaults
  cache.db       embedding cache, shared by all vaults
  vaults/<key>/  one folder per vault: vault.json, owner.lock, run.json, token,
                 index.db, hierarchy.db, vectors/, past/, connectors/, state.db, undo/, queue/, commits/,
                 connectors.json, remotes.json, hint
config/          config.toml, .env
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from zibaldone.errors import InvalidRequest

_APP = "zibaldone"


def data_dir() -> Path:
    return _private(Path(platformdirs.user_data_dir(_APP)))


def config_dir() -> Path:
    return Path(platformdirs.user_config_dir(_APP))


def models_dir() -> Path:
    """Shared by all vaults; `$ZIBALDONE_MODELS_DIR` names another folder (a shared disk, a test)."""
    chosen = os.environ.get("ZIBALDONE_MODELS_DIR")
    return _private(Path(chosen) if chosen else data_dir() / "models")


@dataclass(frozen=True, slots=True)
class VaultPlaces:
    """Where one vault's index and state live."""

    root: Path

    @property
    def lock(self) -> Path:
        return self.root / "owner.lock"

    @property
    def run_file(self) -> Path:
        return self.root / "run.json"

    @property
    def token(self) -> Path:
        return self.root / "token"

    @property
    def index_db(self) -> Path:
        return self.root / "index.db"

    @property
    def hierarchy_db(self) -> Path:
        """Events, episodes and concepts; made again when missing."""
        return self.root / "hierarchy.db"

    @property
    def vectors(self) -> Path:
        return self.root / "vectors"

    @property
    def state_db(self) -> Path:
        return self.root / "state.db"

    @property
    def undo(self) -> Path:
        """Versions that a write displaced."""
        return self.root / "undo"

    @property
    def queue(self) -> Path:
        """Commits that wait for git."""
        return self.root / "queue"

    @property
    def commits(self) -> Path:
        """Names our locks in the repository; commits of older versions left notes here."""
        return self.root / "commits"

    @property
    def remotes(self) -> Path:
        """Addresses of git remotes that the person has used."""
        return self.root / "remotes.json"

    @property
    def hint(self) -> Path:
        """There after a git hook said that the work tree may have changed; empty."""
        return self.root / "hint"

    @property
    def past(self) -> Path:
        """Indexes of the vault at commits that were asked about; made again when missing."""
        return self.root / "past"

    @property
    def connectors_file(self) -> Path:
        """The folders beside the vault, by name."""
        return self.root / "connectors.json"

    @property
    def connectors(self) -> Path:
        """Indexes of the folders beside the vault, one folder each."""
        return self.root / "connectors"

    @property
    def cache_db(self) -> Path:
        """Shared by all vaults, keyed by content: a copy or clone of a vault embeds nothing again."""
        return self.root.parent.parent / "cache.db"


def vault_places(vault: Path) -> VaultPlaces:
    """The data folder of the vault at `vault` (absolute, resolved), made on first use.

    A folder is named after the vault's path. A vault that was moved is known again by its device and inode
    while the old path is gone, so that conversations and queued commits follow it. No id is kept in the
    vault: it would be copied with every clone.
    """
    if Path(platformdirs.user_data_dir(_APP)).resolve().is_relative_to(vault):
        raise InvalidRequest(
            f"The data folder {platformdirs.user_data_dir(_APP)} lies inside the vault {vault}, which may sync.",
            "Let $XDG_DATA_HOME name a folder outside of it.",
        )
    parent = _private(data_dir() / "vaults")
    place = parent / _key(vault)
    stat = vault.stat()
    identity = {"path": str(vault), "device": stat.st_dev, "inode": stat.st_ino}
    if not place.exists():
        moved = _find_moved(parent, identity)
        if moved is not None:
            moved.rename(place)
    _private(place)
    record = place / "vault.json"
    text = json.dumps(identity)
    if not record.exists() or record.read_text(encoding="utf-8") != text:
        record.write_text(text, encoding="utf-8")
    return VaultPlaces(place)


def _key(vault: Path) -> str:
    name = "".join(char if char.isalnum() else "-" for char in vault.name)[:32]
    return f"{name}-{hashlib.sha256(os.fsencode(vault)).hexdigest()[:12]}"


def _find_moved(parent: Path, identity: dict[str, object]) -> Path | None:
    for record in parent.glob("*/vault.json"):
        try:
            known = json.loads(record.read_text(encoding="utf-8"))
            same = (known["device"], known["inode"]) == (identity["device"], identity["inode"])
            if same and not Path(known["path"]).exists():
                return record.parent
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return None


def _private(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder

"""`zib doctor`: what could keep a vault from working, each with the remedy."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Sequence
from pathlib import Path

from zibaldone import __version__
from zibaldone.config.load import LoadedSettings
from zibaldone.config.places import VaultPlaces
from zibaldone.config.settings import IndexSettings
from zibaldone.errors import ZibaldoneError
from zibaldone.index.server import count_vectors
from zibaldone.runtime.writer import VaultWriter
from zibaldone.schemas.status import DoctorReport, Finding, RoleStatus
from zibaldone.store.index_db import IndexStore
from zibaldone.vault.history.git import Git

LOW_DISK_BYTES = 2_000_000_000


def examine(
    vault: Path,
    places: VaultPlaces,
    loaded: LoadedSettings,
    models: Sequence[RoleStatus],
    store: IndexStore,
    writer: VaultWriter,
) -> DoctorReport:
    """Look at everything; change nothing."""
    findings = [
        Finding(name="zibaldone", ok=True, detail=f"{__version__}, Python {platform.python_version()}"),
        _vault(vault),
        _git(vault),
        _repository(writer),
        *(_model(role) for role in models),
        _index(store),
        _pictures(loaded.settings.index),
        *_server(loaded.settings.index.url, places),
        _disk(places.root),
        *(
            Finding(name="settings", ok=False, detail=warning, remedy="Correct or remove it.")
            for warning in loaded.warnings
        ),
    ]
    return DoctorReport(findings=findings)


def _vault(vault: Path) -> Finding:
    if not os.access(vault, os.W_OK):
        remedy = "Answers work, but nothing can be recorded: make the folder writable, or set `read_only`."
        return Finding(name="vault", ok=False, detail=f"{vault} cannot be written to", remedy=remedy)
    if not (vault / ".obsidian").is_dir():
        remedy = "Fine for use without Obsidian; open the folder as a vault there to read it in Obsidian."
        return Finding(name="vault", ok=True, detail=f"{vault} (never opened in Obsidian)", remedy=remedy)
    return Finding(name="vault", ok=True, detail=str(vault))


def _git(vault: Path) -> Finding:
    try:
        version = Git(vault).run("version").text
    except ZibaldoneError as error:
        return Finding(name="git", ok=False, detail=error.message, remedy=error.hint)
    return Finding(name="git", ok=True, detail=version)


def _repository(writer: VaultWriter) -> Finding:
    sentence, remedy = writer.describe()
    queued = writer.queued()
    detail = f"{sentence}; {queued} commit(s) waiting" if queued else sentence
    return Finding(name="repository", ok=remedy is None, detail=detail, remedy=remedy)


def _model(role: RoleStatus) -> Finding:
    return Finding(
        name=f"model: {role.role}",
        ok=role.state not in ("missing", "failed"),
        detail=f"{role.model} ({role.state})",
        remedy=role.hint,
    )


def _index(store: IndexStore) -> Finding:
    counts = store.counts()
    detail = f"{counts.indexed} notes, {counts.chunks} passages, {counts.vectors} of them with a vector"
    complete = counts.chunks == counts.vectors and not counts.failed
    return Finding(name="index", ok=complete, detail=detail, remedy=None if complete else "`zib sync` completes it.")


def _pictures(settings: IndexSettings) -> Finding:
    from zibaldone.ingest.extract.ocr import find_engine

    engine, reason = find_engine(settings.ocr)
    return Finding(name="pictures", ok=True, detail=f"read by {engine.name}" if engine else reason)


def _server(url: str, places: VaultPlaces) -> list[Finding]:
    if not url:
        return []
    try:
        count = count_vectors(places.vectors, url)
    except ZibaldoneError as error:
        return [Finding(name="vector server", ok=False, detail=error.message, remedy=error.hint)]
    return [Finding(name="vector server", ok=True, detail=f"{url} answers and holds {count} vectors of this vault")]


def _disk(folder: Path) -> Finding:
    free = shutil.disk_usage(folder).free
    detail = f"{free / 1e9:.1f} GB free where the index is kept ({folder})"
    enough = free > LOW_DISK_BYTES
    return Finding(name="disk", ok=enough, detail=detail, remedy=None if enough else "Free some space.")

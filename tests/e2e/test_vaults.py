"""Real vaults: every note is indexed or skipped with a reason. With a scripted embedder, so that it is quick."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from support.sidecar import zib
from zibaldone.ingest.extract.kinds import kind_of

VAULTS = Path(__file__).parents[3] / "shared/data/vaults"
NAMES = (
    "dataview-test",
    "export-edge-cases",
    "foam",
    "garden-zh",
    "handbook",
    "kepano",
    "nexus",
    "tasks-demo",
    "zettelkasten",
)


@pytest.mark.parametrize("name", NAMES)
def test_every_note_is_indexed_or_skipped_with_a_reason(name: str, tmp_path: Path) -> None:
    if not (VAULTS / name).is_dir():
        pytest.skip(f"{VAULTS / name} is not there")
    vault = tmp_path / name
    shutil.copytree(VAULTS / name, vault, symlinks=True)
    zib(vault, "init", str(vault), "--yes")
    report = zib(vault, "sync")
    status = zib(vault, "status")
    theirs = [
        path
        for path in vault.rglob("*")
        if path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(vault).parts)
        and path.relative_to(vault).parts[0] != "Zibaldone"
    ]
    notes = [path for path in theirs if path.suffix == ".md"]
    files = [path for path in theirs if kind_of(path.name)]
    assert status["notes"]["indexed"] + status["notes"]["skipped"] == len(notes)
    assert status["notes"]["failed"] == 0
    assert all(skipped["reason"] for skipped in report["skipped"])
    assert status["chunks"] == status["vectors"]
    again = zib(vault, "sync")
    assert (again["added"], again["changed"], again["chunks_embedded"]) == (0, 0, 0)
    assert again["unchanged"] == len(notes) + len(files)
    unread = [one["path"] for one in report["skipped"] if kind_of(one["path"])]
    assert sum(status["kinds"].values()) + len(unread) == len(files)

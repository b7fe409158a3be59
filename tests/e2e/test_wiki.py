"""One page's life through `zib`: by the command alone, and through a sidecar that serves the vault."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from support.sidecar import SETTINGS, ZIB, serve, zib


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    (root / "Bees").mkdir(parents=True)
    (root / "Bees/Varroa.md").write_text("# Varroa\n\nTreat with oxalic acid in December.\n", encoding="utf-8")
    (root / "Home.md").write_text("See [[mites]].\n", encoding="utf-8")
    zib(root, "init", str(root), "--yes")
    return root


def give(vault: Path, text: str, *arguments: str) -> tuple[int, Any]:
    """A command that reads a text: its exit code and the JSON that it prints."""
    done = subprocess.run(
        [ZIB, "--vault", str(vault), *arguments, "--json"],
        input=text.encode(),
        capture_output=True,
        env={**os.environ, **SETTINGS},
        check=False,
    )
    return done.returncode, json.loads(done.stdout)


@pytest.mark.parametrize("served", [False, True], ids=["alone", "served"])
def test_a_page_from_writing_to_taking_back(vault: Path, served: bool) -> None:
    if served:
        with serve(vault):
            live(vault)
    else:
        live(vault)


def live(vault: Path) -> None:
    body = "Treat the quokka hive in December, says [[Varroa]].\n\n## Open\n\n- When?\n"
    code, done = give(vault, body, "page", "write", "--title", "Mites", "--provenance", "Bees/Varroa.md:3")
    assert (code, done["kind"], done["slug"]) == (0, "compact", "mites")
    code, failed = give(vault, body, "page", "write", "--title", "Mites")
    assert (code, failed["error"]["code"]) == (1, "invalid_request")
    code, failed = give(vault, body, "page", "write", "--title", "x", "--provenance", "Nowhere.pdf")
    assert (code, failed["error"]["code"]) == (1, "invalid_request")
    assert give(vault, "- Where?", "page", "append", "mites", "--section", "Open")[0] == 0

    zib(vault, "sync")
    hits = zib(vault, "search", "quokka")["hits"]
    assert ("Zibaldone/pages/mites.md", "agent") in {(hit["path"], hit["origin"]) for hit in hits}
    assert [page["slug"] for page in zib(vault, "similar", "the quokka hive")["pages"]] == ["mites"]
    assert [link["path"] for link in zib(vault, "backlinks", "mites")["backlinks"]] == ["Home.md"]

    renamed = zib(vault, "page", "rename", "mites", "bees:varroa-mite")
    zib(vault, "proposals", "apply", str(renamed["proposal"]))
    assert (vault / "Home.md").read_text(encoding="utf-8") == "See [[varroa-mite]].\n"
    report = zib(vault, "lint", "--all")
    assert (report["errors"], report["findings"]) == (0, [])
    history = zib(vault, "page", "history", "bees:varroa-mite")["commits"]
    subjects = ["rename: mites -> bees:varroa-mite", "append: mites", "compact: mites"]
    assert [(commit["by"], commit["subject"]) for commit in history] == [("agent", subject) for subject in subjects]
    assert {line["by"] for line in zib(vault, "page", "blame", "bees:varroa-mite")["lines"]} == {"agent"}

    page = vault / "Zibaldone/pages/bees/varroa-mite.md"
    before = page.read_bytes()
    deleted = zib(vault, "page", "delete", "bees:varroa-mite")
    assert not page.exists()
    zib(vault, "undo", str(deleted["change"]))
    assert page.read_bytes() == before
    assert zib(vault, "index", "rebuild")["fix"] is None
    assert give(vault, "Asked the club.", "log", "Mites")[1]["commit"]

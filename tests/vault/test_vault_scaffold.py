"""Whose the agent's folder is."""

from __future__ import annotations

from pathlib import Path

import pytest

from zibaldone.errors import InvalidRequest
from zibaldone.schemas.memory import MEMORY_TYPES
from zibaldone.vault.scaffold import check_folder


@pytest.mark.parametrize("kind", MEMORY_TYPES)
def test_a_folder_that_only_remembers_is_the_agents(tmp_path: Path, kind: str) -> None:
    page = tmp_path / "Zibaldone" / "memory" / f"{kind}.md"
    page.parent.mkdir(parents=True)
    page.write_text("- Leo is eight\n")
    check_folder(tmp_path, "Zibaldone")


def test_a_folder_of_notes_is_not(tmp_path: Path) -> None:
    (tmp_path / "Zibaldone").mkdir()
    check_folder(tmp_path, "Zibaldone")
    (tmp_path / "Zibaldone" / "Leopardi.md").write_text("# Leopardi\n")
    with pytest.raises(InvalidRequest, match="holds notes of yours"):
        check_folder(tmp_path, "Zibaldone")

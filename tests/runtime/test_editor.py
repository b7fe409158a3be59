"""A person's editor saves the notes that we write to, and edits what no size or time gives away."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from datetime import UTC, datetime
from itertools import count as count_up
from pathlib import Path

import pytest

from support.editor import STYLES, line
from support.vaults import Vault
from zibaldone.config.places import vault_places
from zibaldone.errors import VaultChanged
from zibaldone.runtime.writer import Read, open_writer
from zibaldone.store.state_db import StateStore
from zibaldone.vault.files import VaultFiles
from zibaldone.vault.undo import UndoStore

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("saves", "shortest_s", "longest_s"), [(150, 0.001, 0.05), pytest.param(2000, 0.005, 0.5, marks=pytest.mark.slow)]
)
def test_no_save_of_an_editor_is_lost(vault: Vault, saves: int, shortest_s: float, longest_s: float) -> None:
    """Three at once, one for each style, while we add to their notes as fast as we can. What each has typed is in the
    note or in the undo store, and no file of ours stays behind."""
    places = vault_places(vault.root)
    undo = UndoStore(places.undo)
    files = VaultFiles(vault.root, undo.keep)
    state = StateStore(places.state_db)
    writer = open_writer(vault.root, files, undo, state.changes, places, "Zibaldone", lambda _: None)
    notes = {style: f"Typed/{style}.md" for style in STYLES}
    share = -(-saves // len(STYLES))
    for rel in notes.values():
        vault.write(rel, "# Mine\n")

    def add(rel: str, number: int) -> bool:
        def plan(read: Read) -> dict[str, bytes | None]:
            return {rel: (read(rel) or b"") + b"ours %d\n" % number}

        try:
            return writer.change("test", f"add to {rel}", NOW, plan) is not None
        except VaultChanged:
            return False

    command = [sys.executable, "-m", "support.editor"]
    pace = [str(share), str(shortest_s), str(longest_s), str(saves)]
    editors = [
        subprocess.Popen([*command, style, str(vault.root / rel), *pace], cwd=Path(__file__).parents[1])
        for style, rel in notes.items()
    ]
    ours = 0
    for number in count_up():
        running = [editor for editor in editors if editor.poll() is None]
        ours += sum(add(rel, number) for rel in notes.values())
        if not running:
            break
    assert [editor.returncode for editor in editors] == [0] * len(editors)
    writer.recover()  # what a storm of saves left aside goes to the undo store
    state.close()
    assert ours > 0
    kept = b"".join(path.read_bytes() for path in places.undo.iterdir())
    for style, rel in notes.items():
        text = kept + (vault.root / rel).read_bytes()
        assert [number for number in range(share) if line(style, number) not in text] == []
    assert sorted(path.name for path in (vault.root / "Typed").iterdir()) == sorted(f"{style}.md" for style in STYLES)


@pytest.mark.parametrize("edits", [40, pytest.param(1000, marks=pytest.mark.slow)])
async def test_an_edit_that_size_and_time_do_not_show_is_noticed(vault: Vault, edits: int) -> None:
    """As many bytes as before, the time put back: in place or by a rename, one after each sync."""
    chance = random.Random(edits)
    rel = "Bees/Varroa.md"
    note = vault.root / rel
    async with vault.open() as asking:
        await asking.sync()
        for number in range(edits):
            before = note.stat()
            text = f"# Varroa\n\nThe colony had {number:08} mites.\n".ljust(before.st_size)[: before.st_size]
            target = note if chance.random() < 0.5 else note.with_name("note~")
            target.write_bytes(text.encode())
            target.replace(note)
            os.utime(note, ns=(before.st_atime_ns, before.st_mtime_ns))
            after = note.stat()
            assert (after.st_size, after.st_mtime_ns) == (before.st_size, before.st_mtime_ns)
            assert (await asking.sync()).changed == 1

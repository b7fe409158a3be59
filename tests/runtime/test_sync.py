"""The record follows the disk, and embeds nothing twice."""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path

import pytest

from support.vaults import NOTES, Vault
from zibaldone.errors import InvalidRequest
from zibaldone.schemas.search import SearchRequest


async def test_everything_is_counted_once(vault: Vault) -> None:
    async with vault.open() as asking:
        report = await asking.sync()
        assert (report.added, report.changed, report.deleted) == (3, 0, 0)
        assert [(s.path, s.reason) for s in report.skipped] == [("Empty.md", "empty")]
        assert report.chunks_embedded > 0
        status = await asking.engine.status()
        assert (status.notes.indexed, status.notes.skipped, status.notes.failed, status.notes.pending) == (3, 1, 0, 0)
        assert status.chunks == status.vectors


async def test_a_second_sync_does_nothing(vault: Vault) -> None:
    async with vault.open() as asking:
        await asking.sync()
        report = await asking.sync()
    assert (report.added, report.changed, report.renamed, report.deleted, report.chunks_embedded) == (0, 0, 0, 0, 0)
    assert report.unchanged == len(NOTES)


async def test_touching_changes_nothing(vault: Vault) -> None:
    async with vault.open() as asking:
        await asking.sync()
        for rel in NOTES:
            os.utime(vault.root / rel, (1, 1))
        report = await asking.sync()
        assert (report.changed, report.chunks_embedded, report.cache_hits) == (0, 0, 0)


async def test_a_moved_and_a_copied_vault_embed_nothing(vault: Vault, tmp_path: Path) -> None:
    async with vault.open(writeback="log") as asking:
        await asking.sync()
        await asking.ask("How many mites did the colony have?")
    moved = Vault(tmp_path / "elsewhere")
    vault.root.rename(moved.root)
    async with moved.open() as asking:
        report = await asking.sync()
        assert (report.added, report.unchanged, report.chunks_embedded) == (0, len(NOTES), 0)
        assert len((await asking.engine.conversations()).conversations) == 1
    copied = Vault(tmp_path / "copy")
    shutil.copytree(moved.root, copied.root)
    async with copied.open() as asking:
        report = await asking.sync()
        assert (report.added, report.chunks_embedded) == (3, 0)
        assert report.cache_hits > 0
        assert (await asking.engine.conversations()).conversations == []


async def test_rename_edit_and_delete(vault: Vault) -> None:
    async with vault.open() as asking:
        await asking.sync()
        (vault.root / "Bees/Varroa.md").rename(vault.root / "Bees/Mites.md")
        vault.write("Studio/Varnish.md", "# Varnish\n\nNow it is dammar after all.\n")
        (vault.root / "Küche/Suppe.md").unlink()
        report = await asking.sync()
        assert (report.renamed, report.changed, report.deleted, report.added) == (1, 1, 1, 0)
        found = await asking.found("mites")
        assert found[0] == "Bees/Mites.md"
        assert "Bees/Varroa.md" not in found
        assert "Küche/Suppe.md" not in await asking.found("Suppe Lorbeerblätter")
        texts = [hit.text for hit in (await asking.engine.search(_query("varnish captain"))).hits]
        assert not any("Regalrez" in text for text in texts)


async def test_a_new_note_at_a_path_that_was_renamed_away(vault: Vault) -> None:
    async with vault.open() as asking:
        await asking.sync()
        (vault.root / "Bees/Varroa.md").rename(vault.root / "Bees/Mites.md")
        await asking.sync()
        vault.write("Bees/Varroa.md", "# Varroa\n\nA different note about drones.\n")
        await asking.sync()
        assert set(await asking.found("mites drones")) >= {"Bees/Mites.md", "Bees/Varroa.md"}


async def test_many_vanished_at_once_are_held_until_asked(vault: Vault) -> None:
    for number in range(60):
        vault.write(f"Many/{number}.md", f"Note about zebra number {number}.\n")
    async with vault.open() as asking:
        await asking.sync()
        (vault.root / "Many").rename(vault.root.parent / "unmounted")
        report = await asking.sync()
        assert (report.held, report.deleted) == (60, 0)
        assert report.notes
        assert not [path for path in await asking.found("zebra") if path.startswith("Many/")]
        (vault.root.parent / "unmounted").rename(vault.root / "Many")
        report = await asking.sync()
        assert (report.added, report.chunks_embedded, report.cache_hits) == (0, 0, 0)
        assert await asking.found("zebra number 7")
        shutil.rmtree(vault.root / "Many")
        assert (await asking.sync(accept_deletions=True)).deleted == 60


async def test_one_bad_file_never_stops_the_rest(vault: Vault) -> None:
    (vault.root / "binary.md").write_bytes(b"\x00\x01" * 500)
    (vault.root / "folder.md").mkdir()
    (vault.root / "latin.md").write_bytes("Caf\xe9 im Hof".encode("latin-1"))
    async with vault.open() as asking:
        report = await asking.sync()
        reasons = {skipped.path: skipped.reason for skipped in report.skipped}
        assert {"binary.md", "folder.md"} <= set(reasons)
        assert "latin.md" in await asking.found("Hof")
        assert (await asking.engine.status()).problems


async def test_the_watcher_is_enough_while_the_sidecar_runs(vault: Vault) -> None:
    async with vault.open(watch=True) as asking:
        await asking.sync()
        vault.write("New.md", "The password of the wine cellar is Kirschbaum.\n")
        await _until(asking, "Kirschbaum", ["New.md"])
        (vault.root / "New.md").rename(vault.root / "Cellar.md")
        await _until(asking, "Kirschbaum", ["Cellar.md"])
        (vault.root / "Cellar.md").unlink()
        await _until(asking, "Kirschbaum", [])


async def test_the_log_is_no_evidence_wherever_it_lies(vault: Vault) -> None:
    async with vault.open(writeback="log") as asking:
        answer = await asking.ask("How many mites did the colony have?")
        assert answer.writeback is not None
        (vault.root / "Old").mkdir()
        (vault.root / answer.writeback.path).rename(vault.root / "Old/log.md")
        report = await asking.sync()
        assert {s.path: s.reason for s in report.skipped}["Old/log.md"] == "written by Zibaldone"


async def test_a_folder_of_the_persons_notes_is_not_taken(vault: Vault) -> None:
    with pytest.raises(InvalidRequest, match="Bees"):
        async with vault.open(folder="Bees"):
            pass
    (vault.root / "Zibaldone/AGENTS.md").unlink()  # as in a clone whose ignore file names it
    async with vault.open() as asking:
        assert (await asking.sync()).added == 3


async def test_excluded_folders_go_from_the_index(vault: Vault) -> None:
    async with vault.open() as asking:
        await asking.sync()
        assert "Bees/Varroa.md" in await asking.found("mites")
    async with vault.open(**{"exclusions.folders": ("Bees",)}) as asking:
        report = await asking.sync()
        assert {s.path: s.reason for s in report.skipped}["Bees/Varroa.md"].startswith("excluded")
        assert "Bees/Varroa.md" not in await asking.found("mites")


async def test_a_command_without_a_sidecar_sees_what_changed_before_it_answers(vault: Vault) -> None:
    async with vault.open() as asking:
        await asking.sync()
    vault.write("Late.md", "The ladder stands behind the Wacholder bush.\n")
    async with vault.open() as asking:
        assert (await asking.found("Wacholder"))[0] == "Late.md"


async def test_a_rebuild_embeds_nothing(vault: Vault) -> None:
    async with vault.open() as asking:
        await asking.sync()
        report = await asking.sync(rebuild=True)
        assert (report.added, report.chunks_embedded) == (3, 0)
        assert report.cache_hits > 0


async def test_a_damaged_vector_index_is_refilled_from_the_cache(vault: Vault) -> None:
    async with vault.open() as asking:
        await asking.sync()
        folder = vault_folder(vault) / "vectors"
    (folder / "chroma.sqlite3").write_bytes(b"not a database at all" * 50)
    async with vault.open() as asking:
        report = await asking.sync()
        assert report.chunks_embedded == 0
        status = await asking.engine.status()
        assert status.vectors == status.chunks
        assert (await asking.found("mites"))[0] == "Bees/Varroa.md"
        # The search opened the index and noticed; what was lost is there again after the next sync.
        await asking.sync()
        by_meaning = await asking.engine.search(SearchRequest(query="mites", strategy="semantic"))
        assert by_meaning.hits[0].path == "Bees/Varroa.md"


async def test_a_sync_that_finds_nothing_does_not_open_the_vector_index(vault: Vault) -> None:
    async with vault.open() as asking:
        await asking.sync()
    async with vault.open() as asking:
        await asking.sync()
        assert asking.engine._vectors is not None
        assert not asking.engine._vectors.is_open


async def test_another_embedder_says_what_it_costs(vault: Vault) -> None:
    from zibaldone.schemas.ask import Notice
    from zibaldone.schemas.sync import SyncRequest
    from zibaldone.store.index_db import IndexStore

    async with vault.open() as asking:
        await asking.sync()

    def use_another() -> None:
        store = IndexStore(vault_folder(vault) / "index.db")
        store.use_embedder("of another model")
        store.mark_embedded(store.pending(1000))
        store.close()

    await asyncio.to_thread(use_another)
    async with vault.open() as asking:
        events = [event async for event in asking.engine.sync(SyncRequest())]
        assert any(isinstance(event, Notice) and "embedded again" in event.message for event in events)


def vault_folder(vault: Vault) -> Path:
    from zibaldone.config.places import vault_places

    return vault_places(vault.root).root


def _query(text: str):  # type: ignore[no-untyped-def]
    return SearchRequest(query=text)


async def _until(asking, query: str, wanted: list[str]) -> None:  # type: ignore[no-untyped-def]
    async with asyncio.timeout(30):
        while [path for path in await asking.found(query) if path in ("New.md", "Cellar.md")] != wanted:
            await asyncio.sleep(0.02)

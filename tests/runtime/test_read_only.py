"""A vault that is only consulted: everything that reads works, and not a byte, name, mode or time of it changes."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.vaults import Vault
from zibaldone.errors import InvalidRequest
from zibaldone.schemas.changes import UndoRequest
from zibaldone.schemas.memory import MemoryRequest, RememberRequest
from zibaldone.schemas.wiki import LintRequest, LogRequest, SimilarRequest, WritePageRequest

QUESTION = "How many mites did the colony by the hedge have in July?"
State = dict[str, tuple[int, int, str]]


def state_of(root: Path) -> State:
    """Mode, mtime (ns) and content of all there is, git's folder too."""
    found: State = {}
    for path in [root, *sorted(root.rglob("*"))]:
        content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        found[str(path.relative_to(root))] = path.lstat().st_mode, path.lstat().st_mtime_ns, content
    return found


@contextlib.contextmanager
def without_write(root: Path) -> Iterator[None]:
    """As `chmod -R a-w`: nobody but root may write in it."""
    modes = {path: path.lstat().st_mode for path in [root, *root.rglob("*")]}
    for path, mode in modes.items():
        path.chmod(mode & ~0o222)
    try:
        yield
    finally:
        for path, mode in modes.items():
            path.chmod(mode)


@pytest.mark.parametrize("watch", [True, False])
async def test_everything_that_reads_works_and_nothing_is_written(vault: Vault, watch: bool) -> None:
    async with vault.open() as asking:
        answer = await asking.ask(QUESTION)
        assert answer.writeback is not None
        slug = answer.writeback.page
    assert slug is not None
    with without_write(vault.root):
        before = await asyncio.to_thread(state_of, vault.root)
        async with vault.open(watch=watch, read_only=True) as asking:
            await asking.sync()
            assert await asking.found("oxalic acid")
            answer = await asking.ask(QUESTION)
            assert (answer.abstained, answer.writeback, answer.writeback_error) == (False, None, None)
            engine, wiki = asking.engine, asking.engine.wiki
            assert [page.slug for page in (await wiki.pages("")).pages] == [slug]
            assert "14 mites" in (await wiki.page(slug)).body
            await wiki.lint(LintRequest(scope="all"))
            assert (await wiki.backlinks("Bees/Varroa.md")).backlinks
            await wiki.similar(SimilarRequest(text="mites"))
            assert (await wiki.history(slug, 5)).commits
            assert (await wiki.blame(slug)).lines
            assert (await engine.changes(5)).changes
            assert (await engine.status()).git.state == "ready"
            await engine.doctor()
            await engine.library.stale()
            for refused in (
                lambda: wiki.write(WritePageRequest(title="T", body="b\n")),
                lambda: wiki.log(LogRequest(topic="T", text="t\n")),
                lambda: engine.undo(UndoRequest()),
                lambda: engine.pull(),
                lambda: engine.push(),
            ):
                with pytest.raises(InvalidRequest, match="read-only"):
                    await refused()
            with pytest.raises(InvalidRequest, match="read_only"):
                await engine.memory.remember(RememberRequest(text="tea"))
            assert (await engine.memory.tell(MemoryRequest())).entries == []
        assert await asyncio.to_thread(state_of, vault.root) == before


async def test_commits_that_wait_go_on_waiting(vault: Vault) -> None:
    """Made before the vault was made read-only: they would be written into its repository."""
    lock = vault.root / ".git/index.lock"
    async with vault.open(writeback="log") as asking:
        lock.touch()
        answer = await asking.ask(QUESTION)
        assert answer.writeback is not None
        assert answer.writeback.queued
    lock.unlink()
    before = await asyncio.to_thread(state_of, vault.root)
    async with vault.open(read_only=True) as asking:
        await asking.ask(QUESTION)
        await asking.engine.status()
    assert await asyncio.to_thread(state_of, vault.root) == before
    async with vault.open() as asking:
        await asking.sync()
        assert (await asking.engine.status()).git.queued_commits in (0, 1)

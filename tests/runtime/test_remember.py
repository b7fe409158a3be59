"""What the person wants remembered: one line, one commit, never twice."""

from __future__ import annotations

import pytest

from support.vaults import Vault
from zibaldone.errors import GitUnavailable, InvalidRequest
from zibaldone.schemas.memory import RememberRequest

SELECTED = RememberRequest(text="Treat with oxalic acid.", note_path="Bees/Varroa.md", line_start=5, line_end=5)


async def test_a_selection_becomes_a_line_of_the_memory_and_one_commit(vault: Vault) -> None:
    before = vault.git("rev-parse", "HEAD")
    async with vault.open() as asking:
        done = await asking.engine.remember(SELECTED)
        again = await asking.engine.remember(SELECTED)
    assert (done.path, done.commit) == ("Zibaldone/memory/user.md", vault.git("rev-parse", "HEAD"))
    assert vault.git("rev-parse", "HEAD^") == before
    assert vault.git("show", "--name-only", "--format=%s", "HEAD").splitlines() == [
        "remember: Treat with oxalic acid.",
        "",
        done.path,
    ]
    [line] = [line for line in (vault.root / done.path).read_text().splitlines() if line.startswith("- ")]
    assert line.startswith("- Treat with oxalic acid. %%added ")
    assert line.endswith("from Bees/Varroa.md:5%%")
    assert (again.already, again.commit) == (True, None)


async def test_under_a_foreign_lock_it_is_written_and_its_commit_waits(vault: Vault) -> None:
    (vault.root / ".git/index.lock").write_bytes(b"")
    async with vault.open() as asking:
        done = await asking.engine.remember(SELECTED)
    assert (done.commit, done.queued) == (None, True)
    assert "oxalic" in (vault.root / done.path).read_text()


@pytest.mark.parametrize("setting", [{"read_only": True}, {"memory.enabled": False}])
async def test_a_setting_that_forbids_it_is_named(vault: Vault, setting: dict[str, object]) -> None:
    async with vault.open(**setting) as asking:
        with pytest.raises(InvalidRequest, match=next(iter(setting))):
            await asking.engine.remember(SELECTED)


async def test_a_whole_page_is_no_statement(vault: Vault) -> None:
    async with vault.open() as asking:
        with pytest.raises(InvalidRequest, match="1200 characters"):
            await asking.engine.remember(RememberRequest(text="word " * 240))


async def test_without_git_nothing_is_written(vault: Vault) -> None:
    (vault.root / ".git").rename(vault.root.parent / "elsewhere")
    async with vault.open() as asking:
        with pytest.raises(GitUnavailable):
            await asking.engine.remember(SELECTED)
    assert not (vault.root / "Zibaldone/memory").exists()

"""Forgetting: after it, nothing of ours holds the words."""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path

import pytest

from support.repositories import git
from support.vaults import Asking, Vault
from zibaldone.config.places import vault_places
from zibaldone.domain.words import fold
from zibaldone.errors import InvalidRequest, UndoRefused
from zibaldone.inference.fake import FakeChat
from zibaldone.runtime.memory import Statement
from zibaldone.schemas.changes import UndoRequest
from zibaldone.schemas.memory import ForgetRequest, MemoryRequest, RememberRequest
from zibaldone.schemas.wiki import LogRequest, WritePageRequest

OLD = "My secret word is zyxcanary alpha"
CANARY = "My secret word is zyxcanary bravo"
OTHER = "I keep bees by the hedge"


def holders(vault: Vault, word: str = "zyxcanary") -> list[str]:
    """Files of the vault (not of git) and of the data folder that hold the word, by name or content, in any case."""
    places = vault_places(vault.root)
    roots = {vault.root: ".git", places.cache_db.parent: None}
    found: set[str] = set()
    for root, left_out in roots.items():
        for path in sorted(root.rglob("*")):
            if path.is_file() and left_out not in path.relative_to(root).parts:
                data = path.read_bytes()
                forms = (word.encode(), word.encode("utf-16-le"), word.encode("utf-16-be"))
                if word in fold(path.name) or any(form in data.lower() for form in forms):
                    found.add(str(path.relative_to(root)))
    return sorted(found)


async def spread(vault: Vault, asking: Asking) -> str:
    """The words in all places of ours; the id of the entry that says them."""
    memory = asking.engine.memory
    asking.engine._models._chat = FakeChat(lambda _: f"{CANARY}. It is what you said [1].")
    await asking.sync()
    await memory.remember(RememberRequest(text=OTHER, type="user"))
    await memory.remember(RememberRequest(text=OLD, type="user"))
    entry = (await memory.remember(RememberRequest(text=f"{CANARY}, not zyxcanary alpha", type="user"))).entry
    assert entry.replaces
    await asking.ask(f"{CANARY.upper()}: how many mites did the colony by the hedge have?")
    await asking.engine.wiki.log(LogRequest(topic="Secrets", text=f"He said: {CANARY}."))
    page = WritePageRequest(title="Words", body=f"# Words\n\nHe said “{CANARY}”\\\nand {OLD.replace(' ', '  ')}.\n")
    await asking.engine.wiki.write(page)
    await asking.sync()
    wanted = {"Bees/Varroa.md": f"# Varroa\n\n{CANARY}.\n".encode()}
    now = datetime.now().astimezone()
    await asyncio.to_thread(asking.engine._desk.propose, f"Add that {CANARY}", f"You said: {CANARY}", wanted, now)
    git(vault.root, "add", ".")
    git(vault.root, "commit", "-qm", "notes")
    today = datetime.now().astimezone().date().isoformat()
    await asking.ask("What is the secret word?", as_of=today)  # an index of a day
    return entry.id


async def test_what_is_forgotten_is_nowhere_but_in_gits_history(vault: Vault) -> None:
    places = vault_places(vault.root)
    async with vault.open() as asking:
        id_ = await spread(vault, asking)
        before = holders(vault)
        for place in ("user.md", "archive.md", "/log/", "/pages/", "/undo/", "/past/", "index.db", "state.db"):
            assert [name for name in before if place in name], place

        done = await asking.engine.memory.forget(ForgetRequest(ids=[id_]))
        assert holders(vault) == []
        assert len(done.entries) == 2
        assert {"Zibaldone/memory/user.md", "displaced versions", "conversations", "proposals"} <= set(done.places)
        assert done.notes == []
        [newest, *_] = done.history
        assert vault.git("show", "-s", "--format=%s", newest.split()[0])
        assert [one.content for one in (await asking.engine.memory.tell(MemoryRequest(all=True))).entries] == [OTHER]
        await asking.sync()
        assert holders(vault) == []
    async with vault.open() as asking:
        await asking.sync()
        assert holders(vault) == []
    # What is derived is made anew from what is there.
    places.index_db.unlink()
    async with vault.open() as asking:
        await asking.sync()
        assert holders(vault) == []
        assert [one.content for one in (await asking.engine.memory.tell(MemoryRequest())).entries] == [OTHER]
    assert "zyxcanary" not in vault.git("show", "-s", "--format=%B", "HEAD")
    assert "zyxcanary" not in vault.git("ls-files")
    assert OTHER in (vault.root / "Zibaldone/memory/user.md").read_text()


async def test_nothing_brings_it_back_but_the_person(vault: Vault) -> None:
    async with vault.open() as asking:
        keeper = asking.engine.memory.keeper
        known = await keeper.remember(RememberRequest(text=CANARY, type="user"))
        await keeper.forget(ForgetRequest(ids=[known.entry.id]))
        for change in (None, known.change_id):
            with pytest.raises(UndoRefused):
                await asking.engine.undo(UndoRequest(change=change))
        with pytest.raises(InvalidRequest, match="you took this out"):
            await keeper.keep(Statement(CANARY.upper(), "user", "chat:a#1", is_explicit=False))
        assert holders(vault) == []
        await keeper.remember(RememberRequest(text=CANARY, type="user"))
        assert [one.content for one in (await keeper.tell(MemoryRequest())).entries] == [CANARY]


async def test_the_persons_own_note_is_left_as_it_is_and_named(vault: Vault) -> None:
    note = f"# Mine\n\n{CANARY}.\n"
    vault.write("Daily/2026-03-02.md", note)
    async with vault.open() as asking:
        id_ = await spread(vault, asking)
        done = await asking.engine.memory.forget(ForgetRequest(ids=[id_]))
        assert done.notes == ["Daily/2026-03-02.md"]
        assert (vault.root / "Daily/2026-03-02.md").read_text() == note
        assert "Daily/2026-03-02.md" in await asking.found("zyxcanary")
    # The note is indexed, so its words are; nothing else has them.
    assert {Path(name).name for name in holders(vault)} == {"2026-03-02.md", "index.db"}


async def test_a_word_alone_is_taken_out_of_the_memory_and_out_of_nothing_else(vault: Vault) -> None:
    """It could be any word of any note."""
    async with vault.open() as asking:
        entry = (await asking.engine.memory.remember(RememberRequest(text="Vegetarian", type="user"))).entry
        await asking.engine.wiki.log(LogRequest(topic="Food", text="A vegetarian came to dinner."))
        done = await asking.engine.memory.forget(ForgetRequest(ids=[entry.id]))
        assert done.entries == [entry.id]
        assert (await asking.engine.memory.tell(MemoryRequest(all=True))).entries == []
    logged = [name for name in holders(vault, "vegetarian") if name.startswith("Zibaldone")]
    assert [Path(name).parts[1] for name in logged] == ["log"]
    assert {Path(name).name for name in holders(vault, "vegetarian %%id")} == set()
    assert {Path(name).name for name in holders(vault, "remember: vegetarian")} == set()

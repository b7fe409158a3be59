"""The memory of the person over a real vault: what is kept, what gives way to what, what comes back."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from support.memories import NOON
from support.vaults import Asking, Vault
from zibaldone.errors import GitUnavailable, InvalidRequest, ModelFailed, NotFound
from zibaldone.inference.fake import FakeChat
from zibaldone.inference.roles import Message
from zibaldone.runtime.memory import MemoryKeeper, Statement
from zibaldone.schemas.changes import UndoRequest
from zibaldone.schemas.memory import (
    ClearRequest,
    EditMemoryRequest,
    ForgetRequest,
    KeepRequest,
    Memory,
    MemoryEntry,
    MemoryRequest,
    MemoryType,
    Remembered,
    RememberRequest,
)

PAGE = "Zibaldone/memory/user.md"
SELECTED = RememberRequest(
    text="Treat with  oxalic acid.", type="user", note_path="Bees/Varroa.md", line_start=5, line_end=5
)


@dataclass
class Opinions:
    """What the chat model thinks of two statements: the same, against each other, or neither."""

    same: set[tuple[str, str]] = field(default_factory=set)
    against: set[tuple[str, str]] = field(default_factory=set)
    fails: bool = False
    asked: int = 0

    def __call__(self, messages: Sequence[Message], labels: Sequence[str]) -> list[float]:
        self.asked += 1
        if self.fails:
            raise ModelFailed("It fell over.", "Try again.")
        old, new = messages[-1].content.removeprefix("A: ").split("\nB: ")
        system = messages[0].content
        if "say the same" in system:
            yes = (old, new) in self.same
        else:
            yes = ((old, new) in self.against) is ("untrue" in system)
        return [0.0, -9.0] if yes else [-9.0, 0.0]


@dataclass
class Knowing:
    """A memory whose clock stands where it is put, and whose model has opinions."""

    asking: Asking
    keeper: MemoryKeeper
    opinions: Opinions
    now: datetime = NOON

    async def say(self, text: str, kind: MemoryType | None = "user") -> Remembered:
        return await self.keeper.remember(RememberRequest(text=text, type=kind))

    async def infer(
        self, text: str, confidence: float = 0.8, kind: MemoryType = "user", source: str = ""
    ) -> Remembered:
        said = Statement(text, kind, source or f"chat:c#{text}", is_explicit=False, confidence=confidence)
        return await self.keeper.keep(said)

    async def tell(self, **request: object) -> Memory:
        return await self.keeper.tell(MemoryRequest.model_validate(request))

    async def contents(self) -> list[str]:
        return [entry.content for entry in (await self.tell()).entries]


@asynccontextmanager
async def knowing(vault: Vault, **flags: object) -> AsyncGenerator[Knowing, None]:
    async with vault.open(**flags) as asking:
        opinions = Opinions()
        asking.engine._models._chat = FakeChat(scores=opinions)
        known = Knowing(asking, asking.engine.memory.keeper, opinions)
        known.keeper._clock = lambda: known.now
        yield known


def head(vault: Vault) -> str:
    return vault.git("rev-parse", "HEAD")


def lines(vault: Vault, page: str = PAGE) -> list[str]:
    return [line for line in (vault.root / page).read_text().splitlines() if line.startswith("- ")]


async def test_a_selection_becomes_a_line_of_the_memory_and_one_commit(vault: Vault) -> None:
    before = head(vault)
    async with knowing(vault) as known:
        done = await known.keeper.remember(SELECTED)
    assert (done.path, done.commit) == (PAGE, head(vault))
    assert vault.git("rev-parse", "HEAD^") == before
    assert vault.git("show", "--name-only", "--format=%s", "HEAD").splitlines() == [
        "remember: Treat with oxalic acid.", "", PAGE
    ]  # fmt: skip
    assert lines(vault) == [
        f"- Treat with oxalic acid. %%id {done.entry.id}, added 2026-03-02, explicit, from note:Bees/Varroa.md:5%%"
    ]


async def test_a_repeat_confirms_without_a_commit(vault: Vault) -> None:
    async with knowing(vault) as known:
        first = await known.infer("Lives in Ulm", source="chat:a#1")
        commit, page = head(vault), (vault.root / PAGE).read_bytes()
        known.now += timedelta(days=3)
        again = await known.infer("lives in ULM!", source="chat:b#1")
        known.opinions.same.add(("Lives in Ulm", "Ulm is where I live"))
        third = await known.infer("Ulm is where I live", source="chat:c#1")
        [entry] = (await known.tell()).entries
    assert (head(vault), (vault.root / PAGE).read_bytes()) == (commit, page)
    assert [one.already for one in (first, again, third)] == [False, True, True]
    assert [one.commit for one in (again, third)] == [None, None]
    assert (entry.id, entry.content, entry.source_count) == (first.entry.id, "Lives in Ulm", 3)
    assert (entry.updated_at, entry.created_at) == (known.now.isoformat(), NOON.isoformat())
    assert 0.95 < entry.confidence < 1


async def test_what_was_inferred_becomes_explicit_when_it_is_said(vault: Vault) -> None:
    async with knowing(vault) as known:
        inferred = await known.infer("Lives in Ulm")
        said = await known.say("lives in Ulm")
        assert (said.entry.id, said.entry.is_explicit, said.already) == (inferred.entry.id, True, True)
        assert said.commit == head(vault)
        assert "explicit" in lines(vault)[0]
        (vault.root / PAGE).write_text((vault.root / PAGE).read_text() + "- Has two cats\n")
        assert [(one.content, one.is_explicit) for one in (await known.tell()).entries] == [
            ("lives in Ulm", True), ("Has two cats", True)
        ]  # fmt: skip


async def test_a_contradiction_retires_what_was_known_with_a_pointer(vault: Vault) -> None:
    async with knowing(vault) as known:
        old = (await known.say("I am 35 years old")).entry
        new = await known.say("I'm 36, not 35")
        assert new.entry.content == "I'm 36"
        assert ([one.id for one in new.retired], new.entry.replaces) == ([old.id], [old.id])
        assert await known.contents() == ["I'm 36"]
        [gone] = [one for one in (await known.tell(all=True)).entries if one.state == "retired"]
        assert (gone.id, gone.why) == (old.id, f"replaced by {new.entry.id}")
        events = (await known.keeper.history(new.entry.id)).events
        assert [(one.action, one.entry.content) for one in events] == [
            ("added", "I am 35 years old"), ("replaced", "I am 35 years old"), ("added", "I'm 36")
        ]  # fmt: skip
    assert lines(vault) == [f"- I'm 36 %%id {new.entry.id}, added 2026-03-02, explicit, replaces {old.id}, from cli%%"]
    assert lines(vault, "Zibaldone/memory/archive.md") == [
        f"- I am 35 years old %%id {old.id}, was user, added 2026-03-02, explicit, "
        f"retired: replaced by {new.entry.id}, from cli%%"
    ]
    assert vault.git("show", "--name-only", "--format=", "HEAD").splitlines() == ["Zibaldone/memory/archive.md", PAGE]


async def test_what_is_inferred_against_what_was_said_stays_beside_it_as_a_conflict(vault: Vault) -> None:
    async with knowing(vault) as known:
        said = (await known.say("I eat no meat")).entry
        known.opinions.against.add(("I eat no meat", "I eat meat every day"))
        done = await known.infer("I eat meat every day", 0.99)
        assert (done.retired, [one.id for one in done.conflicts]) == ([], [said.id])
        kept, other = (await known.tell()).entries
        assert (kept.content, kept.is_explicit, kept.conflicts_with) == (said.content, True, [other.id])
        assert (other.is_explicit, other.conflicts_with) == (False, [said.id])
        # The person decides.
        left = [line for line in (vault.root / PAGE).read_text().splitlines() if f"%%id {other.id}" not in line]
        (vault.root / PAGE).write_text("\n".join(left))
        [kept] = (await known.tell()).entries
        assert (kept.id, kept.conflicts_with) == (said.id, [])


async def test_the_person_settles_a_conflict_for_one_of_the_two(vault: Vault) -> None:
    async with knowing(vault) as known:
        said = (await known.say("I eat no meat")).entry
        known.opinions.against.add(("I eat no meat", "I eat meat every day"))
        other = (await known.infer("I eat meat every day", 0.99)).entry
        unrelated = (await known.say("I live in Ulm")).entry
        for id_, over in ((unrelated.id, []), (other.id, [unrelated.id])):
            with pytest.raises(InvalidRequest, match="contradict"):
                await known.keeper.prevail(id_, KeepRequest(over=over))
        done = await known.keeper.prevail(other.id, KeepRequest())
        assert [(one.id, one.why) for one in done.retired] == [(said.id, f"replaced by {other.id}")]
        assert (done.entry.conflicts_with, done.entry.replaces) == ([], [said.id])
        assert await known.contents() == ["I eat meat every day", "I live in Ulm"]
        assert done.commit
        await known.asking.engine.undo(UndoRequest(change=done.change_id))
        assert set(await known.contents()) == {"I eat no meat", "I eat meat every day", "I live in Ulm"}


async def test_a_fact_is_compared_with_what_the_person_is_at_and_a_wish_is_not(vault: Vault) -> None:
    async with knowing(vault) as known:
        first = await known.infer("I'm learning the viola", kind="context")
        for kind in ("user", "feedback"):
            text = f"The viola is what I learn, as a {kind}"
            known.opinions.same.add((first.entry.content, text))
            done = await known.infer(text, kind=kind)
            assert (done.entry.id == first.entry.id) is (kind == "user")
        over = "The viola is sold now"
        known.opinions.against.add((first.entry.content, over))
        assert not (await known.infer(over)).retired  # it fades by itself


async def test_no_inference_changes_what_was_said(vault: Vault) -> None:
    """500 of them, at random: repeats, contradictions and news, of any confidence."""
    chance = random.Random(6)
    explicit = ["I live in Ulm", "My dog is called Rex", "I am a nurse", "Leo is eight", "I play the viola"]
    kept = {"content", "type", "confidence", "is_explicit", "pinned", "decay_days", "state", "why", "created_at"}
    async with knowing(vault) as known:
        for text in explicit:
            await known.say(text)
        before = {one.id: one.model_dump(include=kept) for one in (await known.tell()).entries}
        for number in range(500):
            old = chance.choice(explicit)
            new = chance.choice([old, old.upper(), f"{old} {number % 40}", f"Not so: {old} {number % 40}"])
            known.opinions.same = {(old, new)} if chance.random() < 0.2 else set()
            if chance.random() < 0.5:
                known.opinions.against.add((old, new))
            await known.infer(new, chance.random(), source=f"chat:c#{number}")
        after = {one.id: one for one in (await known.tell(all=True)).entries}
        assert {id_: after[id_].model_dump(include=kept) for id_ in before} == before
        assert [one.id for one in after.values() if one.is_explicit] == list(before)


async def test_what_was_deleted_by_hand_comes_back_only_when_it_is_said(vault: Vault) -> None:
    async with knowing(vault) as known:
        await known.infer("Lives in Ulm")
        (vault.root / PAGE).write_text("# Nothing\n")
        assert await known.contents() == []
        with pytest.raises(InvalidRequest, match="you took this out"):
            await known.infer("lives in Ulm.")
        await known.infer("Lives in Bonn")
        await known.say("Lives in Ulm")
        assert await known.contents() == ["Lives in Bonn", "Lives in Ulm"]


async def test_a_type_is_cleared_and_an_undo_brings_it_back(vault: Vault) -> None:
    async with knowing(vault) as known:
        await known.say("Leo is eight")
        await known.say("Short answers", "feedback")
        await known.infer("Lives in Ulm")
        done = await known.keeper.clear(ClearRequest(type="user"))
        assert (done.type, done.entries, done.commit) == ("user", 2, head(vault))
        assert await known.contents() == ["Short answers"]
        assert len(lines(vault, "Zibaldone/memory/archive.md")) == 2
        with pytest.raises(InvalidRequest):
            await known.infer("Lives in Ulm")
        await known.asking.engine.undo(UndoRequest())
        assert await known.contents() == ["Leo is eight", "Lives in Ulm", "Short answers"]
        assert (await known.keeper.clear(ClearRequest(type="context"))).entries == 0


async def test_an_undo_takes_a_statement_back_and_no_inference_brings_it_again(vault: Vault) -> None:
    async with knowing(vault) as known:
        done = await known.infer("Lives in Ulm")
        await known.asking.engine.undo(UndoRequest(change=done.change_id))
        assert await known.contents() == []
        with pytest.raises(InvalidRequest):
            await known.infer("Lives in Ulm")


async def test_an_entry_is_edited_by_the_beginning_of_its_id(vault: Vault) -> None:
    async with knowing(vault) as known:
        entry = (await known.infer("Is moving in May")).entry
        edit = EditMemoryRequest(content=" Is moving\nin June ", type="context", pinned=True)
        done = await known.keeper.edit(entry.id[:5].upper(), edit)
        told = {"content", "type", "decay_days", "is_explicit", "pinned", "confidence"}
        assert done.entry.model_dump(include=told) == {
            "content": "Is moving in June", "type": "context", "decay_days": 14, "is_explicit": True, "pinned": True,
            "confidence": 1.0,
        }  # fmt: skip
        assert (lines(vault), len(lines(vault, "Zibaldone/memory/context.md"))) == ([], 1)
        for id_ in ("zzzz", "", entry.id[:2]):
            with pytest.raises(NotFound):
                await known.keeper.edit(id_, edit)
        with pytest.raises(InvalidRequest, match="1200 characters"):
            await known.keeper.edit(entry.id, EditMemoryRequest(content="x" * 1200))


async def test_a_focus_fades_unless_it_is_spoken_of_again(vault: Vault) -> None:
    async with knowing(vault) as known:
        await known.say("Preparing a talk", "context")
        move = (await known.say("Moving in May", "context")).entry
        await known.keeper.edit(
            (await known.say("Writing a thesis", "context")).entry.id, EditMemoryRequest(pinned=True)
        )
        known.now += timedelta(days=14)
        assert len(await known.contents()) == 3
        assert (await known.say("moving in May", "context")).already
        known.now += timedelta(days=1)
        told = await known.tell()
        assert [one.content for one in told.entries] == ["Moving in May", "Writing a thesis"]
        assert [one.content for one in told.expired] == ["Preparing a talk"]
        assert (told.entries[0].id, told.entries[0].expires_at) == (
            move.id,
            (known.now + timedelta(days=13)).isoformat(),
        )
        known.now -= timedelta(days=400)  # the clock was wrong
        assert (await known.tell()).expired == []
        known.now += timedelta(days=420)
        assert len((await known.tell()).expired) == 2
        assert (await known.say("Moving in May!", "context")).entry.id == move.id  # it is on again, and not there twice
        assert len((await known.tell()).expired) == 1


async def test_any_moment_of_the_past_is_told_as_it_was(vault: Vault) -> None:
    async with knowing(vault) as known:
        await known.say("Leo is seven")
        await known.say("Moving in May", "context")
        known.now += timedelta(days=20)
        known.opinions.against.add(("Leo is seven", "Leo is eight"))
        await known.say("Leo is eight")
        then = await known.tell(as_of="2026-03-02")
        assert [one.content for one in then.entries] == ["Leo is seven", "Moving in May"]
        assert [one.content for one in (await known.tell(as_of="2026-03-20T10:00")).expired] == ["Moving in May"]
        assert [one.content for one in (await known.tell()).entries] == ["Leo is eight"]
        assert (await known.tell(as_of="2026-03-02T11:59:59+00:00")).entries == []
        with pytest.raises(InvalidRequest, match="is not a day"):
            await known.tell(as_of="yesterday")


@pytest.mark.parametrize("setting", [{"read_only": True}, {"memory.enabled": False}])
async def test_a_setting_that_forbids_it_is_named(vault: Vault, setting: dict[str, object]) -> None:
    async with knowing(vault) as known:
        entry = (await known.say("Leo is eight")).entry
    commit = head(vault)
    async with knowing(vault, **setting) as known:
        for call in (
            known.say("I live in Ulm"),
            known.keeper.edit(entry.id, EditMemoryRequest(pinned=True)),
            known.keeper.clear(ClearRequest(type="user")),
            known.keeper.forget(ForgetRequest(ids=[entry.id])),
        ):
            with pytest.raises(InvalidRequest, match=next(iter(setting))):
                await call
        assert await known.contents() == ["Leo is eight"]
    assert head(vault) == commit


async def test_a_whole_page_is_no_statement(vault: Vault) -> None:
    async with knowing(vault) as known:
        with pytest.raises(InvalidRequest, match="1199 characters"):
            await known.say("word " * 240)


async def test_without_git_nothing_is_written(vault: Vault) -> None:
    (vault.root / ".git").rename(vault.root.parent / "elsewhere")
    async with knowing(vault) as known:
        with pytest.raises(GitUnavailable):
            await known.say("Leo is eight")
        assert await known.contents() == []
    assert not (vault.root / "Zibaldone/memory").exists()


async def test_under_a_foreign_lock_it_is_written_and_its_commit_waits(vault: Vault) -> None:
    (vault.root / ".git/index.lock").write_bytes(b"")
    async with knowing(vault) as known:
        done = await known.keeper.remember(SELECTED)
        assert (done.commit, done.queued) == (None, True)
        assert await known.contents() == ["Treat with oxalic acid."]
    assert "oxalic" in (vault.root / PAGE).read_text()


async def test_a_page_changed_by_hand_between_reading_and_writing_keeps_both(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with knowing(vault) as known:
        await known.say("Leo is eight")
        await known.say("Lives in Ulm")
        page: Path = vault.root / PAGE

        change = known.keeper._pages.change

        def change_later(*arguments: Any) -> object:
            text = page.read_text().replace("Leo is eight", "Leo is nine").replace("Lives in Ulm", "Lives in Bonn")
            page.write_text(text)
            return change(*arguments)

        monkeypatch.setattr(known.keeper._pages, "change", change_later)
        await known.say("Has two cats")
        assert sorted(await known.contents()) == ["Has two cats", "Leo is nine", "Lives in Bonn"]


async def test_many_at_once_are_kept_one_after_the_other(vault: Vault) -> None:
    async with knowing(vault) as known:
        await asyncio.gather(*(known.say(f"Fact {number % 5}") for number in range(15)))
        entries = (await known.tell()).entries
        assert sorted(one.content for one in entries) == [f"Fact {number}" for number in range(5)]
        assert [one.source_count for one in entries] == [3] * 5
    assert len(lines(vault)) == 5


async def test_a_model_that_fails_costs_nothing_but_the_comparison(vault: Vault) -> None:
    async with knowing(vault) as known:
        await known.say("I live in Ulm")
        known.opinions.fails = True
        await known.say("I live in Bonn")
        assert known.opinions.asked
        assert await known.contents() == ["I live in Ulm", "I live in Bonn"]


async def test_a_statement_without_a_type_is_told_by_its_meaning_and_doubted(vault: Vault) -> None:
    async with knowing(vault) as known:
        done = await known.say("Please answer all my questions briefly from now on", None)
        assert (done.entry.type, done.path) == ("feedback", "Zibaldone/memory/feedback.md")
        unsure = await known.say("qwertz uiop", None)
        assert unsure.unsure


async def test_pages_are_those_of_the_vault_after_a_start_with_an_empty_state(vault: Vault) -> None:
    async with knowing(vault) as known:
        await known.say("Leo is eight")
        await known.infer("Lives in Ulm")
        before: list[MemoryEntry] = (await known.tell()).entries
        for path in known.asking.engine._places.root.glob("state.db*"):
            path.unlink()
    async with knowing(vault) as known:
        after = (await known.tell()).entries
        assert [(one.id, one.content, one.is_explicit, one.confidence) for one in after] == [
            (one.id, one.content, one.is_explicit, one.confidence) for one in before
        ]


async def test_of_two_facts_in_one_sentence_only_the_one_that_is_over_ends(vault: Vault) -> None:
    async with knowing(vault) as known:
        both = await known.infer("I'm 35 and I live in Ulm.")
        done = await known.infer("I'm 36, not 35")
        assert [one.content for one in done.retired] == ["I'm 35"]
        assert done.entry.replaces == [done.retired[0].id]
        assert {one.id: one.content for one in (await known.tell()).entries} == {
            both.entry.id: "I live in Ulm.",
            done.entry.id: "I'm 36",
        }
        known.opinions.against.add(("I live in Ulm.", "I moved to Bonn"))
        assert [one.content for one in (await known.infer("I moved to Bonn")).retired] == ["I live in Ulm."]
        assert done.change_id is not None
    archived = [line.partition(" %%")[0] for line in lines(vault, "Zibaldone/memory/archive.md")]
    assert sorted(archived) == ["- I live in Ulm.", "- I'm 35"]


async def test_what_one_clause_says_again_confirms_the_whole(vault: Vault) -> None:
    async with knowing(vault) as known:
        both = await known.infer("I'm 35 and I live in Ulm.")
        known.opinions.same.add(("I live in Ulm.", "Ulm is my home"))
        again = await known.infer("Ulm is my home")
        assert (again.already, again.entry.id, again.entry.source_count) == (True, both.entry.id, 2)
        assert await known.contents() == ["I'm 35 and I live in Ulm."]

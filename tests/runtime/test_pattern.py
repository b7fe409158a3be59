"""The nightly run over a real vault: what it does, once; what it leaves alone; what it takes up again."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from support.memories import NOON
from support.nights import Nights, nights, problems, told
from support.vaults import Vault
from zibaldone.errors import InvalidRequest
from zibaldone.schemas.changes import UndoRequest
from zibaldone.schemas.memory import ForgetRequest, PatternRequest
from zibaldone.schemas.rules import RulesRequest

SURE, DOUBTED = 9.0, -2.3  # log odds; beside a vector that is sure, the second is a doubt
STEPS = ("review", "consolidate", "flush", "fade", "promote", "reflect")


def lines(night: Nights, page: str = "user") -> list[str]:
    text = night.files().get(f"memory/{page}.md", b"").decode()
    return [line for line in text.splitlines() if line.startswith("- ")]


# -- review --------------------------------------------------------------------------------------------


async def test_what_the_turns_missed_is_taken_in_as_it_was_said(vault: Vault) -> None:
    async with nights(vault) as night:
        night.judge.worth = dict.fromkeys(("My sister lives in Ghent.", "I play the viola.", "I am a nurse."), SURE)
        _, first = await night.write("My sister lives in Ghent. What is in the soup? I play the viola.")
        night.now += timedelta(hours=2)
        _, second = await night.write("I am a nurse. Nice weather today, isn't it. Thanks a lot then.")
        night.now += timedelta(hours=14)
        report = await night.run()
        entries = await night.entries()
        assert (report.state, problems(report)) == ("complete", {})
        assert [one.content for one in entries] == ["My sister lives in Ghent.", "I play the viola.", "I am a nurse."]
        assert [one.sources for one in entries] == [[first], [first], [second]]
        assert [datetime.fromisoformat(one.created_at) for one in entries] == [NOON, NOON, NOON + timedelta(hours=2)]
        assert not any(one.is_explicit for one in entries)
        assert told(report) == [f"noticed: {one.content}" for one in entries]
        assert "remember: I am a nurse." in night.subjects()


@pytest.mark.parametrize(
    "pasted",
    [
        "> I live in Rome now.",
        "Here is my note:\n\nI live in Rome now.",
        "```\nI live in Rome now.\n```",
        "“I live in Rome now.”",
        "What about this:\n- I live in Rome now.\n\nI live in Rome now.",
    ],
)
async def test_what_a_pasted_text_says_is_never_taken_in(vault: Vault, pasted: str) -> None:
    async with nights(vault) as night:
        night.judge.worth = {"I live in Rome now.": SURE, "I live in Rome now": SURE}
        await night.write(pasted)
        await night.run()
        assert await night.entries() == []


async def test_what_was_noticed_in_its_turn_is_not_taken_twice_and_the_rest_is(vault: Vault) -> None:
    async with nights(vault) as night:
        night.judge.worth = dict.fromkeys(("I'm 36.", "I'm 36, not 35.", "I play the viola.", "Ulm is home."), SURE)
        _, source = await night.write("I'm 36, not 35. I play the viola.\n! My dog is Rex")
        await night.infer("I'm 36, not 35.", source=source)
        await night.infer("My dog is Rex", source=source)
        # In its turn this one confirmed what stands in other words.
        _, other = await night.write("I think that Ulm is home.")
        night.judge.worth["I think that Ulm is home."] = SURE
        await night.infer("I live in Ulm", source=other)
        report = await night.run()
        assert told(report) == ["noticed: I play the viola."]
        assert [one.source_count for one in await night.entries()] == [1] * 4


async def test_what_was_doubtful_is_kept_when_it_was_said_in_two_conversations(vault: Vault) -> None:
    async with nights(vault) as night:
        night.judge.worth = {"I like old trains.": DOUBTED}
        first, _ = await night.write("I like old trains.")
        await night.write("I like old trains.", first)
        await night.run()
        assert await night.entries() == []
        await night.write("I like old trains.")
        await night.run()
        assert await night.contents() == ["I like old trains."]


async def test_of_what_was_said_on_one_day_the_last_word_holds(vault: Vault) -> None:
    """A repeat that the night takes in is as old as its message, and so is no news beside a later message."""
    async with nights(vault) as night:
        night.judge.worth = dict.fromkeys(("I live in Ulm.", "I live in Bonn."), SURE)
        night.judge.against = {("I live in Ulm.", "I live in Bonn.")}
        await night.infer("I live in Ulm.")
        night.now += timedelta(hours=1)
        await night.write("I live in Ulm.")
        night.now += timedelta(hours=1)
        await night.write("I live in Bonn.")
        night.now += timedelta(hours=14)
        await night.run()
        assert await night.contents() == ["I live in Bonn."]


async def test_what_is_older_than_what_is_known_is_no_news(vault: Vault) -> None:
    async with nights(vault) as night:
        night.judge.worth = {"I live in Ulm.": SURE}
        night.judge.against = {("I live in Bonn.", "I live in Ulm.")}
        await night.write("I live in Ulm.")
        night.now += timedelta(hours=1)
        await night.infer("I live in Bonn.")
        await night.run()
        assert await night.contents() == ["I live in Bonn."]


async def test_messages_that_get_the_numbers_of_deleted_ones_are_reviewed(vault: Vault) -> None:
    async with nights(vault) as night:
        night.judge.worth = {"I am a nurse.": SURE}
        gone, source = await night.write("Something or other.")
        await night.run()
        await night.asking.engine.delete_conversation(gone)
        _, again = await night.write("I am a nurse.")
        assert again.rpartition("#")[2] == source.rpartition("#")[2]
        await night.run()
        assert await night.contents() == ["I am a nurse."]


# -- consolidate ---------------------------------------------------------------------------------------


async def test_two_that_say_the_same_become_one_in_one_commit_that_can_be_undone(vault: Vault) -> None:
    async with nights(vault) as night:
        first = (await night.infer("I live in Ulm")).entry
        night.now += timedelta(days=1)
        second = (await night.infer("Ulm is where I live")).entry
        before = len(night.subjects())
        night.judge.same.add(("I live in Ulm", "Ulm is where I live"))
        report = await night.run()
        kept, gone = await night.entries()
        assert (report.state, told(report)) == ("complete", ["merged: Ulm is where I live"])
        assert (kept.id, kept.source_count, kept.replaces, kept.state) == (first.id, 2, [second.id], "active")
        assert (gone.id, gone.state, gone.why) == (second.id, "retired", f"merged into {first.id}")
        assert kept.updated_at == second.updated_at
        assert night.subjects()[: len(night.subjects()) - before] == ["remember: same"]
        await night.asking.engine.undo(UndoRequest())
        assert await night.contents() == ["I live in Ulm", "Ulm is where I live"]
        await night.run()  # the person wants both
        assert await night.contents() == ["I live in Ulm", "Ulm is where I live"]


async def test_each_operation_is_a_commit(vault: Vault) -> None:
    async with nights(vault) as night:
        for one in ("I live in Ulm", "Ulm is where I live", "My dog is Rex", "Rex is my dog and mine"):
            await night.infer(one)
        before = len(night.subjects())
        night.judge.same |= {("I live in Ulm", "Ulm is where I live"), ("My dog is Rex", "Rex is my dog and mine")}
        await night.run()
        assert await night.contents() == ["I live in Ulm", "My dog is Rex"]
        assert night.subjects()[: len(night.subjects()) - before] == ["remember: same"] * 2


async def test_what_was_said_last_takes_back_what_was_said_before_it(vault: Vault) -> None:
    async with nights(vault) as night:
        ulm = (await night.infer("I live in Ulm")).entry
        night.now += timedelta(days=1)
        bonn = (await night.infer("I live in Bonn")).entry
        night.now += timedelta(days=1)
        await night.infer("I live in Ulm", source="chat:d#9")  # back again
        night.judge.against = {("I live in Bonn", "I live in Ulm"), ("I live in Ulm", "I live in Bonn")}
        report = await night.run()
        kept, gone = await night.entries()
        assert (kept.id, kept.replaces, kept.state) == (ulm.id, [bonn.id], "active")
        assert (gone.id, gone.state, gone.why) == (bonn.id, "retired", f"replaced by {ulm.id}")
        assert told(report)[0] == "replaced: I live in Bonn"
        await night.asking.engine.undo(UndoRequest())
        assert await night.contents() == ["I live in Ulm", "I live in Bonn"]


async def test_what_was_said_expressly_is_never_taken_back_by_what_was_noticed(vault: Vault) -> None:
    async with nights(vault) as night:
        said = await night.say("I eat no meat")
        night.now += timedelta(days=1)
        await night.infer("I eat meat daily", 0.99)
        night.judge.against = {("I eat no meat", "I eat meat daily")}
        await night.run()
        kept, other = await night.entries()
        assert (kept.content, kept.state, kept.is_explicit) == (said.content, "active", True)
        assert (kept.conflicts_with, other.conflicts_with) == ([other.id], [kept.id])
        before = await night.everything()
        await night.run()
        assert await night.everything() == before


# -- what reaches the pages ----------------------------------------------------------------------------


async def test_confirmations_reach_the_lines_and_what_was_typed_stays_as_it_is(vault: Vault) -> None:
    async with nights(vault) as night:
        entry = (await night.infer("I live in Ulm", source="chat:a#1")).entry
        page = vault.root / "Zibaldone/memory/user.md"
        page.write_text(page.read_text() + "\n*   my own line,  typed\n")
        assert "my own line, typed" in await night.contents()
        night.now += timedelta(days=3)
        await night.infer("I live in Ulm", source="chat:b#1")
        await night.infer("my own line, typed", source="chat:b#2")
        before, count = night.files(), len(night.subjects())
        report = await night.run()
        assert told(report) == ["confirmed: I live in Ulm"]
        assert len(night.subjects()) == count + 1
        [line] = lines(night)
        assert line.startswith(f"- I live in Ulm %%id {entry.id}, added 2026-03-02, confirmed 2026-03-05, ")
        assert ", said 2 times, " in line
        after = night.files()
        assert {path for path in after if after[path] != before.get(path)} == {"memory/user.md"}
        assert page.read_text().endswith("\n*   my own line,  typed\n")


# -- fading --------------------------------------------------------------------------------------------


async def test_what_has_faded_is_archived_by_the_second_run_that_sees_it(vault: Vault) -> None:
    async with nights(vault) as night:
        await night.infer("I prepare a talk", kind="context")
        night.now += timedelta(days=15)
        report = await night.run()
        assert told(report) == []
        assert (await night.entries())[0].state == "active"
        night.now += timedelta(days=1)
        report = await night.run()
        assert told(report) == ["archived: I prepare a talk"]
        [entry] = await night.entries()
        assert (entry.state, entry.why) == ("archived", "faded")
        assert "archived: faded" in lines(night, "archive")[0]
        assert lines(night, "context") == []
        await night.asking.engine.undo(UndoRequest())
        assert await night.contents() == ["I prepare a talk"]


async def test_a_clock_that_is_a_year_ahead_for_one_run_takes_nothing_away(vault: Vault) -> None:
    async with nights(vault) as night:
        await night.infer("I prepare a talk", kind="context")
        night.now += timedelta(days=365)
        await night.run()
        night.now -= timedelta(days=364)
        await night.run()
        await night.run()
        assert [one.state for one in await night.entries()] == ["active"]
        night.now += timedelta(days=15)  # and it fades when its time has come
        await night.run()
        await night.run()
        assert [one.state for one in await night.entries()] == ["archived"]


# -- once, and taken up again --------------------------------------------------------------------------


async def prepare(night: Nights) -> None:
    """Something for each step to do."""
    night.judge.worth = dict.fromkeys(("My sister lives in Ghent.", "I play the viola."), SURE)
    await night.infer("I live in Ulm")
    await night.infer("My dog is Rex")
    await night.infer("I prepare a talk", kind="context")
    await night.say("Always answer in German", "feedback")
    night.now += timedelta(days=20)
    await night.run()  # sees for the first time what has faded
    await night.infer("Ulm is where I live")
    night.judge.same.add(("I live in Ulm", "Ulm is where I live"))
    await night.infer("My dog is Rex", source="chat:later#1")
    await night.say("Always be brief", "feedback")
    await night.write("My sister lives in Ghent. I play the viola.")


async def test_a_second_run_changes_nothing(vault: Vault) -> None:
    async with nights(vault) as night:
        await prepare(night)
        report = await night.run()
        assert {step.name for step in report.steps if step.changes} == {
            "review", "consolidate", "confirm", "fade", "rules"
        }  # fmt: skip
        before = await night.everything()
        again = await night.run()
        assert (told(again), again.state) == ([], "complete")
        assert await night.everything() == before


async def test_a_dry_run_says_what_a_run_would_do_and_changes_nothing(vault: Vault) -> None:
    async with nights(vault) as night:
        await prepare(night)
        before, last = await night.everything(), await night.rows("memory_runs")
        dry = await night.run(dry=True)
        assert (await night.everything(), await night.rows("memory_runs")) == (before, last)
        assert dry.dry_run
        done = await night.run()
        assert told(dry) == told(done)


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("step", STEPS)
async def test_a_run_that_was_interrupted_is_taken_up_by_the_next(
    vault: Vault, monkeypatch: pytest.MonkeyPatch, step: str, when: str
) -> None:
    """Cancelled before a step, and after it was done but not noted."""
    async with nights(vault) as night:
        await prepare(night)
        runner = night.asking.engine.memory.runner
        whole = getattr(runner, f"_{step}")

        async def cancelled(*arguments: Any) -> None:
            if when == "after":
                await whole(*arguments)
            raise asyncio.CancelledError

        monkeypatch.setattr(runner, f"_{step}", cancelled)
        with pytest.raises(asyncio.CancelledError):
            await night.run()
        monkeypatch.undo()
        report = await night.run()
        assert report.state == "complete"
        assert sorted((one.content, one.state, one.source_count) for one in await night.entries()) == [
            ("Always answer in German", "active", 1),
            ("Always be brief", "active", 1),
            ("I live in Ulm", "active", 2),
            ("I play the viola.", "active", 1),
            ("I prepare a talk", "archived", 1),
            ("My dog is Rex", "active", 2),
            ("My sister lives in Ghent.", "active", 1),
            ("Ulm is where I live", "retired", 1),
        ]
        rules = (await night.asking.engine.memory.rules(RulesRequest(layer="user"))).rules
        assert [rule.text for rule in rules] == ["Always answer in German", "Always be brief"]
        assert [line.partition(" %%")[0] for line in lines(night)] == [
            "- I live in Ulm", "- My dog is Rex", "- My sister lives in Ghent.", "- I play the viola."
        ]  # fmt: skip
        before = await night.everything()
        assert told(await night.run()) == []
        assert await night.everything() == before


# -- when ----------------------------------------------------------------------------------------------


async def test_each_night_is_run_once_whatever_the_clock_does(vault: Vault) -> None:
    async with nights(vault) as night:
        runner = night.asking.engine.memory.runner
        ran: list[str] = []

        async def at(*moment: int) -> None:
            night.now = datetime(*moment, tzinfo=UTC)  # type: ignore[misc,arg-type]
            if await runner.run_if_due():
                ran.append(night.now.isoformat()[:16])

        await at(2026, 3, 2, 3)  # the first start ever
        await at(2026, 3, 2, 4)
        await at(2026, 3, 2, 9)
        await at(2026, 3, 3, 3, 55)
        await at(2026, 3, 3, 11)  # slept through it
        await at(2026, 3, 3, 11, 5)
        await at(2027, 3, 3, 12)  # a year ahead
        await at(2026, 3, 3, 12)  # and back
        await at(2026, 3, 4, 4)
        await at(2025, 3, 4, 3)  # a year back, and again
        await at(2026, 3, 4, 5)
        await at(2026, 3, 9, 2)  # a week later: the last night of it
        await at(2026, 3, 9, 4)
        assert ran == [
            "2026-03-02T04:00", "2026-03-03T11:00", "2027-03-03T12:00", "2026-03-04T04:00", "2026-03-09T02:00",
            "2026-03-09T04:00",
        ]  # fmt: skip


async def test_one_that_was_asked_for_counts_for_its_night(vault: Vault) -> None:
    async with nights(vault) as night:
        await night.run()
        assert await night.asking.engine.memory.runner.run_if_due() is None


async def test_an_unexpected_failure_of_one_night_is_not_the_last(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with nights(vault) as night:
        runner = night.asking.engine.memory.runner
        left, again = iter(range(2)), asyncio.Event()

        async def fail() -> None:
            if next(left, None) is None:
                again.set()
            raise OSError("no space left")

        monkeypatch.setattr("zibaldone.runtime.pattern.CHECK_EVERY_S", 0)
        monkeypatch.setattr(runner, "run_if_due", fail)
        task = asyncio.create_task(runner.run_nightly())
        async with asyncio.timeout(60):
            await again.wait()
        task.cancel()


@pytest.mark.parametrize("setting", ["memory.nightly", "memory.enabled"])
async def test_nothing_is_run_that_is_switched_off(vault: Vault, setting: str) -> None:
    async with nights(vault, **{setting: False}) as night:
        assert await night.asking.engine.memory.runner.run_if_due() is None
        if setting == "memory.enabled":
            with pytest.raises(InvalidRequest, match=r"memory\.enabled"):
                await night.run()


async def test_a_run_in_a_conversation_waits_for_no_question_and_never_for_another_run(vault: Vault) -> None:
    async with nights(vault) as night:
        night.judge.worth = {"My sister lives in Ghent.": SURE}
        await night.write("My sister lives in Ghent.")
        async with asyncio.timeout(60):
            answer = await night.asking.ask("@pattern")
        assert "My sister lives in Ghent." in answer.answer
        assert "The memory is in order" in (await night.asking.ask("@pattern")).answer
        # A run of the night waits for the question to end, and the question asks for a run.
        runner = night.asking.engine.memory.runner
        with night.asking.engine._foreground.question():
            waiting = asyncio.create_task(runner.run(PatternRequest()))
            await asyncio.sleep(0)
            with pytest.raises(InvalidRequest, match="tidied already"):
                async with asyncio.timeout(60):
                    await runner.run(PatternRequest(), in_turn=True)
        await waiting


async def test_what_was_forgotten_is_in_no_report_and_no_table(vault: Vault) -> None:
    async with nights(vault) as night:
        night.judge.worth = {"Always call me Captain Quux.": SURE}
        night.kinds["Always call me Captain Quux."] = ("feedback", 0.95)
        entry = await night.say("Always call me Captain Quux.", "feedback")
        await night.write("Always call me Captain Quux.")
        await night.run()
        assert "Quux" in str(await night.rows("memory_promoted"))
        await night.asking.engine.memory.forget(ForgetRequest(ids=[entry.id]))
        await night.run()
        left = [night.files(), await night.rows(), await night.rows("memory_runs", "messages", "changes")]
        assert "Quux" not in str(left)

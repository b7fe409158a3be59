"""Rules over a real vault: they grow out of wishes, go with them, and a person's own lines are theirs."""

from __future__ import annotations

from datetime import timedelta

from support.nights import Nights, nights, told
from support.vaults import Vault
from zibaldone.schemas.changes import UndoRequest
from zibaldone.schemas.memory import EditMemoryRequest, ForgetRequest
from zibaldone.schemas.rules import RulesRequest

PAGE = "Zibaldone/rules/relay.md"


async def of_person(night: Nights) -> list[str]:
    return [rule.text for rule in (await night.asking.engine.memory.rules(RulesRequest(layer="user"))).rules]


async def test_a_strong_wish_is_promoted_in_one_commit_and_retired_with_its_entry(vault: Vault) -> None:
    async with nights(vault) as night:
        wish = await night.say("Always answer in German", "feedback")
        await night.say("Short answers are nice", "feedback")
        await night.say("Always list my deadlines by date", "feedback")
        before = len(night.subjects())
        report = await night.run()
        assert told(report) == [
            "new rule for relay: Always answer in German", "new rule for agenda: Always list my deadlines by date"
        ]  # fmt: skip
        assert night.subjects()[: len(night.subjects()) - before] == ["rules of the agents"]
        assert (
            f"- Always answer in German %%added 2026-03-02, rests on {wish.id}%%\n" in (vault.root / PAGE).read_text()
        )
        assert await of_person(night) == ["Always answer in German", "Always list my deadlines by date"]
        await night.asking.engine.memory.forget(ForgetRequest(ids=[wish.id]))
        report = await night.run()
        assert await of_person(night) == ["Always list my deadlines by date"]


async def test_what_was_noticed_on_several_days_is_promoted(vault: Vault) -> None:
    async with nights(vault) as night:
        for day in range(3):
            assert await of_person(night) == []
            await night.infer("Short answers", 0.9, "feedback", f"chat:{day}#1")
            night.now += timedelta(days=1)
            await night.run()
        assert await of_person(night) == ["Short answers"]


async def test_a_rule_that_the_person_took_out_or_reworded_stays_so(vault: Vault) -> None:
    async with nights(vault) as night:
        await night.say("Always answer in German", "feedback")
        await night.say("Never use tables", "feedback")
        await night.run()
        page = vault.root / PAGE
        text = page.read_text().replace("Never use tables", "Use tables for figures only")
        text = "".join(line for line in text.splitlines(keepends=True) if "German" not in line)
        page.write_text(f"{text}- mine,  typed\n")
        before = page.read_bytes()
        await night.run()
        assert page.read_bytes() == before
        assert await of_person(night) == ["Use tables for figures only", "mine, typed"]


async def test_an_undo_of_a_promotion_stays(vault: Vault) -> None:
    async with nights(vault) as night:
        await night.say("Always answer in German", "feedback")
        await night.run()
        await night.asking.engine.undo(UndoRequest())
        assert await of_person(night) == []
        await night.run()
        assert await of_person(night) == []


async def test_a_rule_follows_its_entry(vault: Vault) -> None:
    async with nights(vault) as night:
        wish = await night.say("Always answer in German", "feedback")
        await night.run()
        await night.asking.engine.memory.edit(wish.id, EditMemoryRequest(content="Always answer in French"))
        report = await night.run()
        assert told(report) == [
            "new rule for relay: Always answer in French", "rule for relay retired: Always answer in German"
        ]  # fmt: skip
        await night.asking.engine.memory.edit(wish.id, EditMemoryRequest(content="Maybe in French"))
        await night.run()  # no standing wish any more
        assert await of_person(night) == []


async def test_layers_and_agents_are_told_apart(vault: Vault) -> None:
    vault.write("Zibaldone/rules/common.md", "# My rules\n\n- Call me Ada\n\nSome text.\n")
    async with nights(vault) as night:
        tell = night.asking.engine.memory.rules
        assert [rule.text for rule in (await tell(RulesRequest(agent="common", layer="user"))).rules] == ["Call me Ada"]
        both = (await tell(RulesRequest(agent="common"))).rules
        assert {rule.layer for rule in both} == {"system", "user"}
        assert {rule.layer for rule in (await tell(RulesRequest(layer="system"))).rules} == {"system"}

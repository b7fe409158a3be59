"""The agenda over a vault on disk: what is saved appears, what is gone is gone, and the day is the person's own."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from support.vaults import Asking, Vault
from zibaldone.errors import InvalidRequest
from zibaldone.schemas.agenda import Agenda, AgendaAddRequest, AgendaRequest, AgendaSpan
from zibaldone.schemas.proposals import Decision, Proposal

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 3, 4, 9, 12, tzinfo=BERLIN)  # a Wednesday


async def look(asking: Asking, span: AgendaSpan = "ahead", now: datetime = NOW) -> Agenda:
    return await asyncio.to_thread(asking.engine._agenda.look, AgendaRequest(span=span), now)


async def propose(asking: Asking, text: str, day: str = "today") -> Proposal:
    return await asyncio.to_thread(asking.engine._agenda.propose, AgendaAddRequest(text=text, day=day), NOW)


def told(agenda: Agenda) -> list[tuple[str, str, str, int]]:
    return [(item.text, item.day, item.path, item.line) for item in agenda.items]


async def test_a_vault_is_walked(vault: Vault) -> None:
    vault.write("Projects/Kestrel.md", "# Kestrel\n\n- [ ] Offer ⏫ 📅 2026-03-02\n- [x] Done 📅 2026-03-02\n")
    vault.write("Daily/2026-03-04.md", "# Today\n\n09:30 Zahnarzt\n- [ ] Brot\n- [ ] Later 📅 2026-04-01\n")
    vault.write("Daily/2026-03-01.md", "- [ ] Old\n08:00 over\n")
    vault.write("Daily/2026-03-06.md", "- 10:00 Markt\n")
    vault.write("Areas/Tax.md", "---\ndue: 2026-03-08\n---\nTax.\n")
    vault.write("Meetings/Board.md", "---\ndate: 2026-03-09\ntags: [meeting]\ntime: 14:00\n---\n")
    vault.write("Undated.md", "- [ ] no day\n")
    vault.write("Zibaldone/pages/page.md", "# Page\n\n- [ ] by the agent 📅 2026-03-04\n")
    async with vault.open() as asking:
        await asking.sync()
        agenda = await look(asking)
        assert told(agenda) == [
            ("Offer", "2026-03-02", "Projects/Kestrel.md", 3),
            ("Old", "2026-03-01", "Daily/2026-03-01.md", 1),
            ("Zahnarzt", "2026-03-04", "Daily/2026-03-04.md", 3),
            ("Brot", "2026-03-04", "Daily/2026-03-04.md", 4),
            ("Markt", "2026-03-06", "Daily/2026-03-06.md", 1),
            ("Tax", "2026-03-08", "Areas/Tax.md", 2),
            ("Board", "2026-03-09", "Meetings/Board.md", 2),
        ]
        assert (agenda.today, agenda.until, agenda.items[6].time) == ("2026-03-04", "2026-03-11", "14:00")
        assert [item.text for item in (await look(asking, "today")).items] == ["Offer", "Old", "Zahnarzt", "Brot"]
        assert [item.text for item in (await look(asking, "week")).items][-1] == "Tax"
        assert [item.text for item in (await look(asking, "overdue")).items] == ["Offer", "Old"]


async def test_what_is_saved_appears_and_what_is_gone_is_gone(vault: Vault) -> None:
    async with vault.open() as asking:
        await asking.sync()
        assert (await look(asking)).items == []
        vault.write("Note.md", "- [ ] new 📅 2026-03-05\n")
        await asking.sync(paths=["Note.md"])
        assert told(await look(asking)) == [("new", "2026-03-05", "Note.md", 1)]
        vault.write("Note.md", "# Note\n\n- [ ] newer 📅 2026-03-06\n")
        await asking.sync(paths=["Note.md"])
        assert told(await look(asking)) == [("newer", "2026-03-06", "Note.md", 3)]
        (vault.root / "Note.md").rename(vault.root / "Moved.md")
        assert (await look(asking)).items == []  # before anything is synced
        await asking.sync()
        assert told(await look(asking)) == [("newer", "2026-03-06", "Moved.md", 3)]
        vault.write("Moved.md", "# Note\n\n- [x] newer 📅 2026-03-06\n")
        await asking.sync()
        assert (await look(asking)).items == []
        vault.write("2026-03-05.md", "- [ ] of a day\n")
        await asking.sync()
        assert told(await look(asking)) == [("of a day", "2026-03-05", "2026-03-05.md", 1)]
        (vault.root / "2026-03-05.md").rename(vault.root / "2026-03-06.md")
        await asking.sync()
        assert told(await look(asking)) == [("of a day", "2026-03-06", "2026-03-06.md", 1)]
        (vault.root / "2026-03-06.md").unlink()
        await asking.sync()
        assert (await look(asking)).items == []


async def test_a_command_sees_what_changed_before_it_answers_and_needs_no_model(vault: Vault) -> None:
    today = datetime.now().astimezone().date().isoformat()
    vault.write("Note.md", f"- [ ] today 📅 {today}\n")
    async with vault.open(**{"models.embed": "there is none"}) as asking:
        assert [item.text for item in (await asking.engine.agenda(AgendaRequest(span="today"))).items] == ["today"]
    async with vault.open() as asking:
        vault.write("Note.md", f"- [ ] changed 📅 {today}\n")
        assert [item.text for item in (await asking.engine.agenda(AgendaRequest())).items] == ["changed"]
        assert (await asking.engine.status()).vectors == 0
        await asking.engine._catch_up()
        assert (await asking.engine.status()).vectors > 0


async def test_settings_of_obsidian_count_at_once(vault: Vault) -> None:
    vault.write("Tage/04.03.2026.md", "- [ ] heute\n")
    vault.write("2026-03-04.md", "- [ ] by name\n")
    vault.write("Templates/Task.md", "- [ ] template 📅 2026-03-04\n")
    async with vault.open() as asking:
        await asking.sync()
        assert [item.text for item in (await look(asking, "today")).items] == ["by name", "template"]
        obsidian(vault, "daily-notes.json", {"folder": "Tage", "format": "DD.MM.YYYY"})
        obsidian(vault, "templates.json", {"folder": "Templates"})
        assert [item.text for item in (await look(asking, "today")).items] == ["heute"]


async def test_excluded_notes_are_not_asked(vault: Vault) -> None:
    vault.write("Private/x.md", "- [ ] secret 📅 2026-03-04\n")
    async with vault.open(**{"exclusions.folders": ("Private",)}) as asking:
        await asking.sync()
        assert (await look(asking)).items == []


async def test_notes_that_vanished_in_bulk_are_not_told(vault: Vault) -> None:
    for number in range(60):
        vault.write(f"Many/{number}.md", f"- [ ] task {number} 📅 2026-03-04\n")
    async with vault.open() as asking:
        await asking.sync()
        assert len((await look(asking)).items) == 60
        (vault.root / "Many").rename(vault.root.parent / "unmounted")
        await asking.sync()
        assert (await look(asking)).items == []
        (vault.root.parent / "unmounted").rename(vault.root / "Many")
        await asking.sync()
        assert len((await look(asking)).items) == 60


async def test_the_day_is_the_persons_own(vault: Vault) -> None:
    vault.write("Note.md", "- [ ] x 📅 2026-03-05\n")
    instant = datetime(2026, 3, 4, 23, 30, tzinfo=UTC)
    tokyo, honolulu = timezone(timedelta(hours=9)), timezone(timedelta(hours=-10))
    async with vault.open() as asking:
        await asking.sync()
        states = [
            (await look(asking, now=instant.astimezone(zone))).items[0].state for zone in (UTC, BERLIN, tokyo, honolulu)
        ]
        assert states == ["this_week", "today", "today", "this_week"]
        before, after = datetime(2026, 3, 5, 23, 59, 59, tzinfo=BERLIN), datetime(2026, 3, 6, tzinfo=BERLIN)
        assert [(await look(asking, now=now)).items[0].overdue_days for now in (before, after)] == [0, 1]


@pytest.mark.parametrize("day", ["2026-03-29", "2026-10-25"])
async def test_a_day_of_23_or_25_hours_is_one_day(vault: Vault, day: str) -> None:
    vault.write("Note.md", f"- [ ] x 📅 {day}\n")
    async with vault.open() as asking:
        await asking.sync()
        midnight = datetime.fromisoformat(day).replace(tzinfo=BERLIN)
        for hour in (0, 1, 2, 3, 4, 12, 23):
            for fold in (0, 1):
                now = midnight.replace(hour=hour, minute=59, fold=fold)
                assert (await look(asking, "today", now)).items[0].state == "today"
        following = (midnight + timedelta(1)).replace(minute=1)
        assert (await look(asking, "today", following)).items[0].overdue_days == 1
        assert (await look(asking, "ahead", midnight - timedelta(1))).items[0].day == day


@pytest.fixture
def in_auckland(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "Pacific/Auckland")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.skipif(os.name == "nt", reason="the zone of a process cannot be set there")
async def test_the_engine_asks_in_the_zone_of_this_machine(vault: Vault, in_auckland: None) -> None:
    before = datetime.now(ZoneInfo("Pacific/Auckland")).date()
    async with vault.open() as asking:
        found = await asking.engine.agenda(AgendaRequest())
    assert found.today in (before.isoformat(), datetime.now(ZoneInfo("Pacific/Auckland")).date().isoformat())


# -- adding ------------------------------------------------------------------------------------------


async def test_a_task_is_proposed_and_written_when_it_is_approved(vault: Vault) -> None:
    vault.write("Daily/2026-03-04.md", "# Today\r\n\r\n## Tasks\r\n- [ ] Brot\r\n\r\n## Notes\r\nText\r\n")
    before = (vault.root / "Daily/2026-03-04.md").read_bytes()
    async with vault.open() as asking:
        await asking.sync()
        made = await propose(asking, "Milch")
        assert [(file.path, file.state, file.hunks[0].new) for file in made.files] == [
            ("Daily/2026-03-04.md", "ready", "- [ ] Milch\r\n")
        ]
        assert (vault.root / "Daily/2026-03-04.md").read_bytes() == before
        decided = await asking.engine.apply_proposal(made.id, Decision())
        assert decided.commit
        after = (vault.root / "Daily/2026-03-04.md").read_bytes()
        assert after == before.replace(b"- [ ] Brot\r\n", b"- [ ] Brot\r\n- [ ] Milch\r\n")
        await asking.sync()
        assert [item.text for item in (await look(asking, "today")).items] == ["Brot", "Milch"]


async def test_what_waits_for_the_same_day_is_one_proposal(vault: Vault) -> None:
    async with vault.open() as asking:
        await asking.sync()
        first = await propose(asking, "one")
        second = await propose(asking, "two")
        other = await propose(asking, "three", "tomorrow")
        assert (first.id, second.revision > first.revision, other.id > first.id) == (second.id, True, True)
        await asking.engine.apply_proposal(first.id, Decision())
        assert (vault.root / "2026-03-04.md").read_text() == "- [ ] one\n- [ ] two\n"
        third = await propose(asking, "four")
        assert third.id > other.id
        await asking.engine.apply_proposal(third.id, Decision())
        assert (vault.root / "2026-03-04.md").read_text() == "- [ ] one\n- [ ] two\n- [ ] four\n"


async def test_a_missing_daily_note_begins_as_its_template(vault: Vault) -> None:
    obsidian(vault, "daily-notes.json", {"folder": "Tage", "format": "DD.MM.YYYY", "template": "Vorlagen/Tag"})
    vault.write("Vorlagen/Tag.md", "---\ndate: {{date:YYYY-MM-DD}}\n---\n# {{title}}\n\n## Aufgaben\n\n## Notizen\n")
    async with vault.open() as asking:
        await asking.sync()
        made = await propose(asking, "09:30 Zahnarzt", "2026-03-05")
        assert (made.paths, made.files[0].base_sha256) == (["Tage/05.03.2026.md"], None)
        assert not (vault.root / "Tage").exists()
        await asking.engine.apply_proposal(made.id, Decision())
        assert (vault.root / "Tage/05.03.2026.md").read_text() == (
            "---\ndate: 2026-03-05\n---\n# 05.03.2026\n\n## Aufgaben\n\n- [ ] 09:30 Zahnarzt\n\n## Notizen\n"
        )
        vault.write("Vorlagen/Tag.md", "<% tp.date.now() %>\n")
        made = await propose(asking, "x", "2026-03-06")
        assert made.files[0].hunks[0].new == "- [ ] x\n"


async def test_a_text_that_is_none_and_a_day_that_is_none(vault: Vault) -> None:
    async with vault.open() as asking:
        for text, day in (("- [ ]  ", "today"), ("x", "someday")):
            with pytest.raises(InvalidRequest):
                await propose(asking, text, day)
        assert (await asking.engine.proposals(all_states=True)).proposals == []


def obsidian(vault: Vault, name: str, value: object) -> None:
    (vault.root / ".obsidian").mkdir(exist_ok=True)
    Path(vault.root / ".obsidian" / name).write_text(json.dumps(value), encoding="utf-8")

"""The memory of a vault end to end: real files, real git, real SQLite, scripted models."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from support.diaries import diary_notes
from support.vaults import Asking, Vault
from zibaldone.config.places import vault_places
from zibaldone.errors import NotFound
from zibaldone.runtime.foreground import Foreground
from zibaldone.schemas.hierarchy import (
    BuildReport,
    BuildRequest,
    GradeRequest,
    MemoryBuilt,
    NodeEvidence,
    NodesRequest,
    RecallRequest,
    TimelineRequest,
    TouchRequest,
)
from zibaldone.schemas.search import SearchRequest
from zibaldone.schemas.sync import PauseRequest
from zibaldone.store.hierarchy import HierarchyStore
from zibaldone.store.state_db import StateStore

ALL = NodesRequest(top=1000)


@pytest.fixture
def vault(vault: Vault) -> Vault:
    for path, text in diary_notes().items():
        vault.write(path, text)
    return vault


async def build(asking: Asking, **request: object) -> BuildReport:
    await asking.sync()
    events = asking.engine.vault_memory.build(BuildRequest.model_validate(request))
    last = [event async for event in events][-1]
    assert isinstance(last, MemoryBuilt), last
    return last.report


async def all_evidence(asking: Asking) -> Iterator[NodeEvidence]:
    memory = asking.engine.vault_memory
    nodes = [
        *(await memory.concepts(ALL)).concepts,
        *(await memory.timeline(TimelineRequest(top=1000))).timeline,
        *(await memory.forgetting(ALL)).forgetting,
        *(await memory.drift(ALL)).drift,
        *(await memory.distill(ALL)).distill,
        *(await memory.recall(RecallRequest(top=1000, all=True))).recall,
    ]
    return (one for node in nodes for one in node.evidence)


async def test_what_happened_is_told_with_the_words_that_say_so(vault: Vault) -> None:
    async with vault.open() as asking:
        before = await asking.engine.vault_memory.concepts(ALL)
        assert before.notes == ["Nothing is built yet: `zib build-memory` does it."]
        report = await build(asking)
        assert report.read == len(diary_notes()) + 3
        assert report.events >= 10
        told = list(await all_evidence(asking))
        assert {one.path for one in told} >= {"Bread/2026-03-02.md", "Heizung/2026-10-20.md"}
        for one in told:
            lines = (vault.root / one.path).read_text().splitlines()
            assert one.quote in "\n".join(lines[one.line_start - 1 : one.line_end])
            assert one.source_uri == f"note:{one.path}"
        episodes = await asking.engine.vault_memory.timeline(TimelineRequest(since="2026-03-01", until="2026-03-31"))
        assert {(one.start, one.end, one.project) for one in episodes.timeline} == {
            ("2026-03-02", "2026-03-03", "Bread"),
            ("2026-03-10", "2026-03-11", "Heizung"),
        }


async def test_a_second_build_asks_nothing_and_changes_nothing(vault: Vault) -> None:
    async with vault.open() as asking:
        first = await build(asking)
        memory = asking.engine.vault_memory
        before = await memory.concepts(ALL), await memory.timeline(TimelineRequest()), await memory.drift(ALL)
        second = await build(asking)
        assert (second.read, second.changed, second.model_calls) == (0, 0, 0)
        assert second.events == first.events
        assert before == (await memory.concepts(ALL), await memory.timeline(TimelineRequest()), await memory.drift(ALL))


async def test_a_rebuild_of_everything_keeps_who_is_who_and_asks_no_model(vault: Vault) -> None:
    async with vault.open() as asking:
        await build(asking)
        before = await asking.engine.vault_memory.concepts(ALL)
        [card, *_] = (await asking.engine.vault_memory.recall(RecallRequest(top=1))).recall
        await asking.engine.vault_memory.grade(card.card, GradeRequest(grade="good"))
    places = vault_places(vault.root)
    for suffix in ("", "-wal", "-shm"):
        places.hierarchy_db.with_name(places.hierarchy_db.name + suffix).unlink(missing_ok=True)
    async with vault.open() as asking:
        report = await build(asking)
        assert report.read > 0
        assert report.model_calls == 0
        after = await asking.engine.vault_memory.concepts(ALL)
        assert [(one.node_id, one.title) for one in after.concepts] == [
            (one.node_id, one.title) for one in before.concepts
        ]
        kept = await asking.engine.vault_memory.recall(RecallRequest(top=100, all=True))
        assert (card.card, card.node_id) in {(one.card, one.node_id) for one in kept.recall}


async def answered_at_levels(asking: Asking) -> set[str]:
    """The notes that searches and answers at each level show, asked for what was in deleted and renamed ones."""
    paths: set[str] = set()
    for question in ("sourdough starter twice a day", "Wärmepumpe kaufen"):
        for level in ("event", "episode", "concept"):
            found = await asking.engine.search(SearchRequest(query=question, level=level, k=50))
            answer = await asking.ask(question, level=level, use_llm=False)
            paths |= {hit.path for hit in found.hits} | {one.path for one in answer.citations}
    return paths


async def test_deleted_renamed_and_edited_sources_leave_no_ghost(vault: Vault) -> None:
    async with vault.open() as asking:
        await build(asking)
        (vault.root / "Bread/2026-03-02.md").unlink()
        (vault.root / "Heizung/2026-03-10.md").rename(vault.root / "Heizung/Kauf.md")
        text = (vault.root / "Bread/2026-10-05.md").read_text()
        (vault.root / "Bread/2026-10-05.md").write_text(text.replace("# Bread", "New first line.\n\n# Bread", 1))
        await asking.sync()
        for one in await all_evidence(asking):  # before the memory is built again
            assert (vault.root / one.path).is_file()
        assert all((vault.root / path).is_file() for path in await answered_at_levels(asking))
        report = await build(asking)
        assert report.retired == 2
        told = list(await all_evidence(asking))
        assert "Heizung/Kauf.md" in {one.path for one in told}
        answered = await answered_at_levels(asking)
        assert "Heizung/Kauf.md" in answered
        assert all((vault.root / path).is_file() for path in answered)
        for one in told:
            assert one.quote in (vault.root / one.path).read_text()


SAID = "We decided to sell the old camper in June. What does the oven need?"


async def said_events(asking: Asking) -> list[NodeEvidence]:
    events = await asking.engine.vault_memory.timeline(TimelineRequest(top=1000, level="event"))
    return [one for node in events.timeline for one in node.evidence if one.path.startswith("//chat:")]


async def test_what_the_person_says_in_a_conversation_is_an_event_and_what_is_answered_is_none(vault: Vault) -> None:
    async with vault.open() as asking:
        first = await asking.ask(SAID)
        pasted = "We decided to leave the company."
        await asking.ask(f"Is this right?\n> {pasted}\nHere is a letter:\n{pasted}")
        await build(asking)
        [event] = await said_events(asking)
        assert event.quote == "We decided to sell the old camper in June."
        assert event.quote in SAID
        assert event.source_uri.startswith(f"chat:{first.conversation_id}#")
        today = datetime.now().astimezone()
        assert event.date == today.date().isoformat()  # "in June" is no day
        told = await asking.ask(f"What did I do in {today:%B %Y}?")
        assert event.path in {one.path for one in told.citations}
        found = await asking.engine.search(SearchRequest(query="old camper", level="concept", k=20))
        assert all(not hit.path.startswith("//") for hit in found.hits)
        assert (await build(asking)).read == 0
        assert all(one.source_uri.startswith("note:") for one in await all_evidence(asking) if one != event)


async def test_what_was_said_is_gone_with_its_conversation(vault: Vault) -> None:
    async with vault.open() as asking:
        answer = await asking.ask(SAID)
        await build(asking)
        assert await said_events(asking)
        await asking.engine.delete_conversation(answer.conversation_id or "")
        assert await said_events(asking) == []

    def left() -> list[str]:
        with closing(HierarchyStore(vault_places(vault.root).hierarchy_db)) as store:
            return [one.text for one in store.events() if "camper" in one.text]

    assert await asyncio.to_thread(left) == []


async def test_a_turn_that_a_copy_of_the_conversation_has_as_well_counts_once(vault: Vault) -> None:
    async with vault.open() as asking:
        first = await asking.ask(SAID)
        for _ in range(2):
            await asking.ask("And the oven?", conversation_id=first.conversation_id)
        await asking.ask("And the stove?", conversation_id=first.conversation_id, after_turns=1)
        assert len((await asking.engine.conversations()).conversations) == 2
        await build(asking)
        assert len(await said_events(asking)) == 1


async def test_nothing_is_read_in_conversations_where_nothing_is_remembered_of_them(vault: Vault) -> None:
    async with vault.open(**{"memory.enabled": False}) as asking:
        await asking.ask(SAID)
        await build(asking)
        assert await said_events(asking) == []


async def test_a_build_goes_on_where_it_was_stopped(vault: Vault) -> None:
    async with vault.open() as asking:
        first = await build(asking, limit=4)
        assert (first.read, first.left) == (4, len(diary_notes()) + 3 - 4)
        stats = await asking.engine.vault_memory.stats()
        assert (stats.left, stats.read) == (first.left, 4)
        assert stats.seconds_left is not None
    async with vault.open() as asking:
        second = await build(asking)
        assert (second.read, second.left) == (first.left, 0)


async def test_without_a_model_events_are_told_by_their_words(vault: Vault) -> None:
    async with vault.open() as asking:
        report = await build(asking, model="none")
        assert report.model_calls == 0
        assert report.events > 0
        assert (await build(asking, model="none")).read == 0
        named = await asking.engine.vault_memory.concepts(ALL)
        assert all(one.title for one in named.concepts)


async def test_cards_are_graded_and_come_again_later(vault: Vault) -> None:
    async with vault.open() as asking:
        await build(asking)
        memory = asking.engine.vault_memory
        first = await memory.recall(RecallRequest(top=2))
        assert len(first.recall) == 2
        for one in first.recall:
            words = " ".join(its.quote for its in one.evidence)
            assert one.answer.rstrip("…") in words
            assert one.generated_by == "none"
        assert (await memory.recall(RecallRequest(top=2))).recall == first.recall
        graded = await memory.grade(first.recall[0].card, GradeRequest(grade="easy"))
        assert graded.due > first.recall[0].due
        assert first.recall[0].card not in {one.card for one in (await memory.recall(RecallRequest(top=50))).recall}
        with pytest.raises(NotFound):
            await memory.grade("none", GradeRequest(grade="good"))


async def test_the_card_of_one_node_is_asked_for_alone_and_made_where_there_is_none(vault: Vault) -> None:
    async with vault.open() as asking:
        await build(asking)
        memory = asking.engine.vault_memory
        node = (await memory.forgetting(ALL)).forgetting[-1].node_id
        assert (await memory.stats()).cards == 0
        [card] = (await memory.recall(RecallRequest(node=node, all=True, top=1))).recall
        assert card.node_id == node
        assert (await memory.stats()).cards == 1
        await memory.grade(card.card, GradeRequest(grade="easy"))
        assert (await memory.recall(RecallRequest(node=node, all=True, top=1))).recall[0].card == card.card


async def test_use_is_counted_only_where_that_is_wanted(vault: Vault) -> None:
    async with vault.open() as asking:
        await build(asking)
        memory = asking.engine.vault_memory
        await asking.ask("Which oven thermostat?")
        await memory.touch(TouchRequest(targets=["0123456789abcdef"]))
        assert (await memory.usage(ALL)).usage == []
        await asking.ask("Which oven thermostat?", track=True)
        used = await memory.usage(ALL)
        assert {one.level for one in used.usage} == {"passage", "event", "episode", "concept"}
        assert (await memory.clear_usage()).cleared > 0
        assert (await memory.usage(ALL)).usage == []
    async with vault.open(**{"memory_of_vault.track": True}) as asking:
        await asking.ask("Which oven thermostat?", track=False)
        assert (await asking.engine.vault_memory.usage(ALL)).usage == []
        await asking.ask("Which oven thermostat?", accept=True)
        risks = await asking.engine.vault_memory.forgetting(ALL)
        touched = [
            one.last_touched
            for one in risks.forgetting
            if any("thermostat" in its.quote for its in one.evidence) and one.last_touched
        ]
        assert max(touched) > "2026-10-31"


async def test_a_search_at_a_level_reads_what_its_nodes_rest_on(vault: Vault) -> None:
    async with vault.open() as asking:
        await build(asking)
        for level in ("event", "episode", "concept"):
            found = await asking.engine.search(SearchRequest(query="Wärmepumpe", level=level, k=20))
            assert found.matched_nodes
            assert {node.level for node in found.matched_nodes} == {level}
            assert found.hits[0].path.startswith("Heizung/")
            assert sum(node.passages for node in found.matched_nodes) >= len(found.hits)
        answer = await asking.ask("Wärmepumpe", level="episode", use_llm=False)
        assert answer.matched_nodes
        assert all(one.path.startswith("Heizung/") for one in answer.citations)


@pytest.mark.parametrize(
    ("question", "paths"),
    [
        ("What did I do in March 2026?", {"Bread/2026-03-02.md", "Heizung/2026-03-10.md"}),
        ("Was habe ich im Oktober 2026 gemacht?", {"Bread/2026-10-05.md", "Heizung/2026-10-20.md"}),
        ("What changed in my view of the sourdough starter?", {"Bread/2026-03-02.md", "Bread/2026-10-05.md"}),
        ("What are the themes of my notes?", {"Heizung/2026-03-10.md"}),
    ],
)
async def test_a_broad_question_is_answered_from_the_level_that_it_is_about(
    vault: Vault, question: str, paths: set[str]
) -> None:
    async with vault.open() as asking:
        await build(asking)
        answer = await asking.ask(question)
        assert paths <= {one.path for one in answer.citations}
        assert all(one.quote in (vault.root / one.path).read_text() for one in answer.citations)
        assert answer.matched_nodes
        assert (answer.abstained, answer.model) == (False, "none")
        assert answer.writeback is None or answer.writeback.kind == "log"


async def test_notes_of_concepts_link_to_their_evidence_and_leave_the_persons_words_alone(vault: Vault) -> None:
    async with vault.open() as asking:
        await build(asking)
        done = await asking.engine.vault_memory.write_notes()
        assert done.written == len(done.paths)
        assert vault.git("show", "--format=", "--name-only", done.commit or "").count("\n") + 1 == done.written
        again = await asking.engine.vault_memory.write_notes()
        assert (again.written, again.unchanged) == (0, done.written)
        mine = vault.root / done.paths[0]
        mine.write_text(mine.read_text() + "\nMy own thoughts.\n")
        vault.write(
            "Bread/2026-03-04.md", "---\ndate: 2026-03-04\n---\n# Bread\n\nDecided to sell the sourdough loaf.\n"
        )
        for path in vault.root.glob("Heizung/*.md"):
            path.unlink()
        await asking.sync(accept_deletions=True)
        await build(asking)
        changed = await asking.engine.vault_memory.write_notes()
        assert changed.removed > 0
        assert mine.read_text().endswith("\nMy own thoughts.\n")
        left = [
            path.read_text() for kind in ("concepts", "episodes") for path in vault.root.glob(f"Zibaldone/{kind}/*")
        ]
        assert not [text for text in left if "Wärmepumpe" in text and "My own thoughts" not in text]


async def test_a_sidecar_builds_by_itself_and_can_be_paused(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zibaldone.runtime.hierarchy.builder.DEBOUNCE_S", 0.01)
    async with vault.open(watch=True) as asking:
        memory = asking.engine.vault_memory
        await _until(lambda stats: stats.left == 0 and stats.built_at is not None, asking)
        await memory.pause(PauseRequest(paused=True))
        await _until(lambda stats: stats.state == "paused", asking)
        vault.write("Bread/2026-11-01.md", "---\ndate: 2026-11-01\n---\n# Bread\n\nDecided to buy a new oven.\n")
        await asking.sync()
        assert (await memory.stats()).left == 1
        await memory.pause(PauseRequest(paused=False))
        await _until(lambda stats: stats.left == 0, asking)


async def _until(is_so, asking: Asking) -> None:
    async with asyncio.timeout(60):
        while not is_so(await asking.engine.vault_memory.stats()):
            await asyncio.sleep(0.02)


async def test_a_question_breaks_off_what_runs_in_the_background() -> None:
    foreground = Foreground()
    begun: list[int] = []
    running, stopped = asyncio.Event(), asyncio.Event()

    async def work() -> str:
        begun.append(len(begun))
        if len(begun) > 1:
            return "done"
        running.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return "never"

    task = asyncio.create_task(foreground.give_way(work))
    await running.wait()
    with foreground.question():
        await stopped.wait()
        assert not task.done()
    assert await task == "done"


def test_a_state_of_version_4_gets_identities(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    with closing(StateStore(path)) as state, state._db.transaction() as connection:
        for table in ("vault_groups", "successions", "recall_cards", "touches"):
            connection.execute(f"DROP TABLE {table}")
        connection.execute("PRAGMA user_version = 4")
    with closing(StateStore(path)) as state:
        assert state.identities.groups("concept") == []
        assert path.with_name("state.db.v4").exists()

"""What was true at each of twenty dates is what is answered as of it: facts change, notes move, go and return."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest

from support.repositories import git
from support.vaults import Vault
from zibaldone.config.load import load_settings
from zibaldone.runtime.prepare import prepare_vault
from zibaldone.schemas.ask import AskRequest, Failed

MITES = "How many mites a day did the colony by the hedge have?"
FEE = "What is the fee for the Tallinn workshop?"
DOOR = "Which colour has the garden door?"
Step = Callable[[Vault], None]


def writes(path: str, text: str) -> Step:
    return lambda vault: vault.write(path, text)


def moves(old: str, new: str) -> Step:
    def move(vault: Vault) -> None:
        (vault.root / new).parent.mkdir(parents=True, exist_ok=True)
        (vault.root / old).rename(vault.root / new)

    return move


def removes(path: str) -> Step:
    return lambda vault: (vault.root / path).unlink()


def mites(count: int) -> str:
    return f"# Varroa\n\nThe colony by the hedge had {count} mites a day.\n"


def fee(euros: int) -> str:
    return f"# Tallinn\n\nThe fee for the Tallinn workshop is {euros} euros.\n"


def door(colour: str) -> str:
    return f"# Garden\n\nThe garden door has the colour {colour}.\n"


# What happens on each day, the question of that day, and where its answer then stands with which words (None: nowhere).
STEPS: list[tuple[list[Step], str, tuple[str, str] | None]] = [
    ([writes("Bees/Varroa.md", mites(11))], MITES, ("Bees/Varroa.md", "11 mites")),
    ([writes("Work/Tallinn.md", fee(1000))], FEE, ("Work/Tallinn.md", "1000 euros")),
    ([writes("Bees/Varroa.md", mites(12))], MITES, ("Bees/Varroa.md", "12 mites")),
    ([moves("Work/Tallinn.md", "Projects/Tallinn.md")], FEE, ("Projects/Tallinn.md", "1000 euros")),
    ([writes("Projects/Tallinn.md", fee(1100))], FEE, ("Projects/Tallinn.md", "1100 euros")),
    ([removes("Bees/Varroa.md")], MITES, None),
    ([writes("House/Garden.md", door("green"))], DOOR, ("House/Garden.md", "green")),
    ([writes("Bees/Varroa.md", mites(12))], MITES, ("Bees/Varroa.md", "12 mites")),
    ([writes("House/Garden.md", door("blue"))], DOOR, ("House/Garden.md", "blue")),
    ([writes("Bees/Varroa.md", mites(13)), moves("Bees/Varroa.md", "Hives/Mites.md")], MITES, ("Hives/Mites.md", "13")),
    ([writes("Hives/Mites.md", mites(14))], MITES, ("Hives/Mites.md", "14 mites")),
    ([writes("House/Garden.md", "# Garden\n\nRoses.\n"), writes("House/Door.md", door("red"))], DOOR,
     ("House/Door.md", "red")),
    ([writes("Projects/Tallinn.md", fee(1200))], FEE, ("Projects/Tallinn.md", "1200 euros")),
    ([removes("House/Door.md")], DOOR, None),
    ([removes("Projects/Tallinn.md")], FEE, None),
    ([writes("Work/Tallinn.md", fee(1300))], FEE, ("Work/Tallinn.md", "1300 euros")),
    ([writes("House/Door.md", door("white"))], DOOR, ("House/Door.md", "white")),
    ([writes("Hives/Mites.md", mites(15))], MITES, ("Hives/Mites.md", "15 mites")),
    ([moves("House/Door.md", "Bees/Varroa.md")], DOOR, ("Bees/Varroa.md", "white")),
    ([writes("Hives/Mites.md", mites(16)), writes("Work/Tallinn.md", fee(1400))], FEE, ("Work/Tallinn.md", "1400")),
]  # fmt: skip
BEGIN = date(2026, 1, 3)


def day(number: int) -> str:
    return (BEGIN + timedelta(days=2 * number)).isoformat()


@pytest.fixture
def past(tmp_path: Path) -> Vault:
    """The vault after all twenty days; what it says now was never committed."""
    vault = Vault(tmp_path / "past")
    vault.write("Other.md", "# Other\n\nBread wants patience and a hot oven.\n")
    git(vault.root, "init", "-q", "-b", "main")
    for number, (steps, _, _) in enumerate(STEPS):
        for step in steps:
            step(vault)
        at = f"{day(number)}T12:00:00"
        git(vault.root, "add", "-A")
        git(vault.root, "commit", "-qm", f"day {number}", GIT_AUTHOR_DATE=at, GIT_COMMITTER_DATE=at)
    prepare_vault(vault.root, load_settings(vault.root).settings, confirm=lambda _: True)
    vault.write("Hives/Mites.md", mites(99))
    vault.write("Draft.md", "# Draft\n\nThe colony by the hedge had 98 mites a day.\n")
    return vault


async def test_at_each_of_twenty_dates_the_answer_is_what_was_true_then(past: Vault) -> None:
    commits = git(past.root, "log", "--reverse", "--format=%H", "--grep=^day").split()
    before = git(past.root, "rev-parse", "HEAD"), git(past.root, "status", "--porcelain")
    async with past.open() as asking:
        for number, (_, question, expected) in enumerate(STEPS):
            for when in {day(number), (date.fromisoformat(day(number)) + timedelta(days=1)).isoformat()}:
                answer = await asking.ask(question, as_of=when)
                assert any(commits[number][:7] in note for note in answer.notes), (when, answer.notes)
                assert answer.writeback is None
                assert all(hit.commit == commits[number] for hit in answer.hits)
                if expected is None:
                    assert answer.abstained, (when, answer.answer)
                    continue
                path, words = expected
                citation = answer.citations[0]
                assert (citation.path, citation.commit, citation.supported) == (path, commits[number], True), when
                assert words in citation.quote
                there = git(past.root, "show", f"{citation.commit}:{path}").splitlines()
                assert citation.quote in there[citation.line_start - 1 : citation.line_end]
                assert not any("98 mites" in hit.text or "99 mites" in hit.text for hit in answer.hits)
    assert before == (git(past.root, "rev-parse", "HEAD"), git(past.root, "status", "--porcelain"))


async def test_what_was_never_committed_is_said_and_not_seen(past: Vault) -> None:
    async with past.open() as asking:
        answer = await asking.ask(MITES, as_of=day(19))
        now = await asking.ask(MITES, writeback=False)
    assert "16 mites" in answer.citations[0].quote
    assert any("1 of the notes of now is not in git" in note for note in answer.notes)
    assert {hit.path for hit in now.hits} >= {"Draft.md"}
    assert all(citation.commit is None for citation in now.citations)


async def test_before_the_first_commit_nothing_is_known_and_that_is_said(past: Vault) -> None:
    async with past.open() as asking:
        answer = await asking.ask(MITES, as_of="2025-12-31")
    assert answer.abstention_reason == "weak_retrieval"
    assert answer.notes == [f"Nothing was committed by the end of 2025-12-31; its history begins on {day(0)} 12:00."]


@pytest.mark.parametrize("when", ["2026-13-01", "yesterday", "20260301", "2026-3-1", "", "9999-01-01"])
async def test_what_is_no_day_of_the_past_is_refused(past: Vault, when: str) -> None:
    async with past.open() as asking:
        events = [event async for event in asking.engine.ask(AskRequest(question=MITES, as_of=when))]
    assert [type(event) for event in events] == [Failed]
    assert isinstance(events[0], Failed)
    assert events[0].error.code == "invalid_request"
    assert events[0].error.message.count(".") == 1


async def test_what_is_excluded_now_is_not_read_from_the_past_either(past: Vault) -> None:
    async with past.open() as asking:
        assert "16" in (await asking.ask(MITES, as_of=day(19))).citations[0].quote
        past.write(".obsidian/app.json", '{"userIgnoreFilters": ["Hives/"]}')
        answer = await asking.ask(MITES, as_of=day(19))
    assert not any(hit.path.startswith("Hives/") for hit in answer.hits)


async def test_only_what_changed_is_embedded_and_only_the_latest_indexes_are_kept(past: Vault) -> None:
    async with past.open() as asking:
        await asking.sync()
        for number in range(10):
            await asking.ask(MITES, as_of=day(number), use_llm=False)
        kept = asking.engine._past._place
        assert len(list(kept.glob("*.db"))) == 6
        assert [path.name for path in kept.iterdir() if ".db" not in path.name] == []
        embedder = asking.engine._models.embedder()
        asked: list[str] = []
        embed = embedder.embed_passages
        embedder.embed_passages = lambda texts: asked.extend(texts) or embed(texts)  # type: ignore
        asked_again = await asking.ask(MITES, as_of=day(9), use_llm=False, strategy="bm25+semantic")
    assert asked_again.hits
    assert asked == []


async def test_a_vault_without_git_says_so(tmp_path: Path) -> None:
    vault = Vault(tmp_path / "bare")
    vault.write("Bees.md", mites(3))
    async with vault.open() as asking:
        last = (await asking.events(MITES, as_of="2026-01-01"))[-1]
    assert isinstance(last, Failed)
    assert last.error.code == "git_unavailable"

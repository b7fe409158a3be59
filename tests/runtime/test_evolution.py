"""The history of a topic over real git: renames, deletions, notes that nobody may read, with and without models."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

import pytest

from support.repositories import git
from support.vaults import Vault
from zibaldone.config.load import load_settings
from zibaldone.config.places import models_dir
from zibaldone.errors import GitUnavailable
from zibaldone.inference.fake import FakeChat
from zibaldone.runtime.prepare import prepare_vault
from zibaldone.schemas.evolution import Evolution, EvolutionRequest

ROOT = Path(__file__).parents[2]
MODELS = ("qwen2.5-coder-1.5b-instruct-q4_k_m.gguf", "multilingual-e5-small-q4_0.gguf")
TOPIC = "database of the archive app"


@pytest.fixture
def told(tmp_path: Path) -> Vault:
    vault = Vault(tmp_path / "told")
    git_days = iter(range(1, 29))

    def commit() -> None:
        at = f"2026-02-{next(git_days):02d}T12:00:00"
        git(vault.root, "add", "-A")
        git(vault.root, "commit", "-qm", "x", GIT_AUTHOR_DATE=at, GIT_COMMITTER_DATE=at)

    vault.write("App.md", "# Archive app\n\nThe database of the archive app is Postgres.\n\nMilk is out.\n")
    vault.write("Other.md", "# Other\n\nBread wants a hot oven.\n")
    git(vault.root, "init", "-q", "-b", "main")
    commit()
    vault.write("App.md", "# Archive app\n\nThe database of the archive app is Postgres.\n\nMilk was bought.\n")
    commit()
    (vault.root / "Done").mkdir()
    (vault.root / "App.md").rename(vault.root / "Done/App.md")
    commit()
    vault.write("Done/App.md", "# Archive app\n\nThe database of the archive app is SQLite.\n\nMilk was bought.\n")
    commit()
    vault.write("Old.md", "# Old\n\nThe database of the archive app was once a card index.\n")
    commit()
    (vault.root / "Old.md").unlink()
    commit()
    prepare_vault(vault.root, load_settings(vault.root).settings, confirm=lambda _: True)
    return vault


async def trace(vault: Vault, **request: object) -> Evolution:
    async with vault.open() as asking:
        return await asking.engine.evolution(EvolutionRequest.model_validate({"topic": TOPIC, **request}))


async def test_the_steps_run_from_oldest_to_newest_through_renames_and_deletions(told: Vault) -> None:
    found = await trace(told, use_llm=False)
    steps = [(step.kind, step.date, step.path) for step in found.steps]
    assert steps == [
        ("added", "2026-02-01", "App.md"),
        ("changed", "2026-02-04", "Done/App.md"),
        ("added", "2026-02-05", "Old.md"),
        ("removed", "2026-02-06", "Old.md"),
    ]
    assert found.summary is None
    assert found.model == "none"
    sides = [side for step in found.steps for side in (step.before, step.after) if side]
    for side in sides:
        there = git(told.root, "show", f"{side.commit}:{side.path}").splitlines()
        assert side.quote in " ".join(" ".join(there[side.line_start - 1 : side.line_end]).split())
    changed = found.steps[1]
    assert changed.before and changed.after
    assert ("Postgres" in changed.before.quote, "SQLite" in changed.after.quote) == (True, True)
    assert found.oldest == found.steps[0].after


async def test_the_summary_cites_commits_and_says_only_what_the_quotes_hold(told: Vault) -> None:
    async with told.open() as asking:
        asking.engine._models._chat = FakeChat(
            lambda messages: "It is Postgres." if "Postgres" in messages[-1].content else "It is Oracle since 1999."
        )
        found = await asking.engine.evolution(EvolutionRequest(topic=TOPIC))
    assert found.summary == (
        "2026-02-03: It is Postgres. [1] → 2026-02-04: The database of the archive app is SQLite. [2]"
    )
    head = git(told.root, "log", "--format=%H").split()
    assert [citation.commit in head for citation in found.citations] == [True, True]
    assert found.citations[1].commit == found.steps[1].commit


async def test_without_an_embedding_model_words_alone_are_compared(told: Vault) -> None:
    async with told.open(**{"models.embed": "no-such-model"}) as asking:
        found = await asking.engine.evolution(EvolutionRequest(topic=TOPIC, use_llm=False))
    assert ("changed", "Done/App.md") in [(step.kind, step.path) for step in found.steps]


async def test_what_is_excluded_now_has_no_history(told: Vault) -> None:
    told.write(".obsidian/app.json", json.dumps({"userIgnoreFilters": ["Done/", "App.md", "Old.md"]}))
    assert (await trace(told, use_llm=False)).steps == []


async def test_limit_keeps_the_nearest_and_nothing_is_written(told: Vault) -> None:
    before = git(told.root, "rev-parse", "HEAD"), git(told.root, "status", "--porcelain")
    assert len((await trace(told, limit=1)).steps) == 1
    assert before == (git(told.root, "rev-parse", "HEAD"), git(told.root, "status", "--porcelain"))


async def test_a_vault_without_git_has_no_history(tmp_path: Path) -> None:
    vault = Vault(tmp_path / "bare")
    vault.write("App.md", "# App\n\nPostgres.\n")
    with pytest.raises(GitUnavailable):
        await trace(vault)


@pytest.mark.slow
@pytest.mark.model
def test_eight_of_ten_changes_of_mind_are_found_with_the_default_models(tmp_path: Path) -> None:
    if missing := [name for name in MODELS if not (models_dir() / name).exists()]:
        pytest.skip(f"{', '.join(missing)} not there: run `zib models pull`")
    script = runpy.run_path(str(ROOT / "scripts/evolution.py"))
    vault = tmp_path / "vault"
    result = script["measure"](vault, script["write_vault"](vault, seed=1), llm=False)
    assert len(result["found"]) >= 8
    assert len(result["false"]) <= 3

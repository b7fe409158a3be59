"""Notes near to a note, its links and its place in the index."""

from __future__ import annotations

import pytest

from support.repositories import git
from support.vaults import Vault
from zibaldone.errors import NotFound
from zibaldone.inference.fake import FakeEmbedder
from zibaldone.schemas.proposals import Decision, SuggestLinksRequest
from zibaldone.schemas.related import RelatedRequest
from zibaldone.vault.outside import is_outside

OTHER = "# Mites\n\nThe colony by the hedge had 14 mites a day in July, as in June.\n"


async def test_related_notes_need_no_model(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    vault.write("Bees/Mites.md", OTHER)
    async with vault.open() as asking:
        await asking.sync()

        async def refuse(*_: object) -> None:
            raise AssertionError("a model was asked")

        for name in ("embed_passages", "embed_query"):
            monkeypatch.setattr(FakeEmbedder, name, refuse)
        found = await asking.engine.related(RelatedRequest(path="Bees/Varroa.md", k=2))
        nearest, other = found.notes
        assert nearest.path == "Bees/Mites.md"
        assert "14 mites" in nearest.text
        assert other.path != "Bees/Varroa.md"
        with pytest.raises(NotFound):
            await asking.engine.related(RelatedRequest(path="Nowhere.md"))


async def test_a_commit_is_no_related_note(vault: Vault) -> None:
    vault.write("Bees/Mites.md", OTHER)
    git(vault.root, "add", "--all")
    git(vault.root, "commit", "--quiet", "--message", "Count the mites in the colony by the hedge")
    async with vault.open() as asking:
        await asking.sync()
        assert any(is_outside(path) for path in await asking.found("count the mites by the hedge"))
        found = await asking.engine.related(RelatedRequest(path="Bees/Varroa.md", k=50))
        assert {note.path for note in found.notes} == {"Bees/Mites.md", "Studio/Varnish.md", "Küche/Suppe.md"}


async def test_coverage_names_each_note(vault: Vault) -> None:
    vault.write("Private/Diary.md", "# Diary\n\nNot for anybody.\n")
    async with vault.open(**{"exclusions.folders": ("Private",)}) as asking:
        await asking.sync()
        found = await asking.engine.coverage()
        assert set(found.indexed) == {"Bees/Varroa.md", "Studio/Varnish.md", "Küche/Suppe.md"}
        assert [one.path for one in found.skipped] == ["Empty.md", "Private/Diary.md"]
        assert all(one.reason for one in found.skipped)
        counts = (await asking.engine.status()).notes
        assert (len(found.indexed) + len(found.pending), len(found.skipped)) == (counts.indexed, counts.skipped)


async def test_links_are_proposed_and_written_when_approved(vault: Vault) -> None:
    vault.write("Plan.md", "# Plan\n\nAsk the hedge keeper about Varroa and the Suppe.\n\n- `Varroa`\n- [[Varnish]]\n")
    async with vault.open() as asking:
        await asking.sync()
        made = (await asking.engine.suggest_links(SuggestLinksRequest(path="Plan.md"))).proposal
        assert made
        assert made.files[0].hunks[0].new == "Ask the hedge keeper about [[Varroa]] and the [[Suppe]].\n"
        again = (await asking.engine.suggest_links(SuggestLinksRequest(path="Plan.md"))).proposal
        assert again
        assert again.id == made.id
        await asking.engine.apply_proposal(made.id, Decision())
        assert "[[Varroa]] and the [[Suppe]]" in (vault.root / "Plan.md").read_text(encoding="utf-8")
        assert (await asking.engine.suggest_links(SuggestLinksRequest(path="Plan.md"))).proposal is None

"""The divergent questions over a real vault, with scripted models."""

from __future__ import annotations

import pytest

from support.vaults import Vault
from zibaldone.errors import NotFound
from zibaldone.schemas.divergence import BridgesRequest, ContradictionsRequest, GapsRequest, Quote, WalkRequest
from zibaldone.schemas.sync import SyncRequest

LOG = """---
type: log
---

## 09:12 Which acid treats the mites?

No answer: the notes that were found hardly speak of this.

## 09:15 Which acid treats the mites of the colony?

> Oxalic acid [1].

## 09:20 Who built the hive of the colony?

No answer: the notes that were found hardly speak of this.
"""


def fill(vault: Vault) -> None:
    vault.write(
        "Bees/Frames.md", "# Frames\n\nThe Lindow hive by the hedge holds 9 frames.\n\nSee [[Queen rearing]].\n"
    )
    vault.write(
        "Bees/Visit.md",
        "# Visit\n\nToday:\n\n- By the hedge the Lindow hive holds 11 frames.\n- Propolis everywhere.\n",
    )
    vault.write("Studio/Ground.md", "# Ground\n\nAn old ground is thinned with propolis.\n\nIt is for [[Varnish]].\n")
    vault.write("Zibaldone/log/2026-03-04.md", LOG)


def stands(vault: Vault, quote: Quote) -> bool:
    lines = (vault.root / quote.path).read_text(encoding="utf-8").splitlines()
    return quote.text in "\n".join(lines[quote.line_start - 1 : quote.line_end])


async def test_a_contradiction_has_both_quotes(vault: Vault) -> None:
    fill(vault)
    async with vault.open() as asking:
        found = await asking.engine.divergence.contradictions(ContradictionsRequest(top=3, use_llm=False))
    first = found.contradictions[0]
    assert (first.verdict, first.kind, first.probability) == ("unjudged", "figure", None)
    assert {(quote.path, quote.line_start) for quote in first.quotes} == {("Bees/Frames.md", 3), ("Bees/Visit.md", 5)}
    assert all(stands(vault, quote) for quote in first.quotes)
    assert found.judged == 0


@pytest.mark.parametrize("model", ["fake-chat"])
async def test_a_fact_at_two_dates_has_changed(vault: Vault, model: str) -> None:
    vault.write("A.md", "---\ndate: 2025-01-02\n---\nThe Lindow hive by the hedge holds 9 frames.\n")
    vault.write("B.md", "---\ndate: 2026-01-02\n---\nThe Lindow hive by the hedge holds 11 frames.\n")
    async with vault.open(**{"models.chat": model}) as asking:
        found = await asking.engine.divergence.contradictions(ContradictionsRequest())
    assert [(one.verdict, one.dates) for one in found.contradictions] == [("changed", ["2025-01-02", "2026-01-02"])]
    assert found.judged >= 1


async def test_gaps_are_what_was_asked_and_linked_in_vain(vault: Vault) -> None:
    fill(vault)
    async with vault.open() as asking:
        found = await asking.engine.divergence.gaps(GapsRequest(topic="Bees"))
        by_words = await asking.engine.divergence.gaps(GapsRequest(topic="hive colony"))
    assert found.area == ["Bees/Frames.md", "Bees/Varroa.md", "Bees/Visit.md"]
    assert ("unresolved_link", "Queen rearing") in [(one.kind, one.subject) for one in found.gaps]
    asked = [one for one in by_words.gaps if one.kind == "unanswered"]
    assert [one.subject for one in asked] == ["Who built the hive of the colony?"]
    assert all(stands(vault, quote) for one in [*found.gaps, *by_words.gaps] for quote in one.quotes)


async def test_a_section_that_one_of_a_series_lacks(vault: Vault) -> None:
    for i in range(5):
        more = "\n## Dose\n\nA spoonful.\n" if i != 3 else ""
        vault.write(f"Herbs/Herb {i}.md", f"---\nkind: herb\n---\n# Herb {i}\n\nIt smells.\n{more}")
    async with vault.open() as asking:
        found = await asking.engine.divergence.gaps(GapsRequest(topic="Herbs"))
    assert "Herb 3: Dose" in [one.subject for one in found.gaps if one.kind == "missing_section"]


async def test_a_walk_can_be_repeated_and_says_why(vault: Vault) -> None:
    fill(vault)
    async with vault.open() as asking:
        walks = [
            await asking.engine.divergence.drift_walk(WalkRequest(note="Visit", steps=3, seed=5)) for _ in range(2)
        ]
    assert walks[0] == walks[1]
    reached = [walks[0].start, *(step.target for step in walks[0].steps)]
    assert reached[0] == "Bees/Visit.md"
    assert len(set(reached)) == len(reached)
    assert all(stands(vault, quote) for step in walks[0].steps for quote in step.quotes)


async def test_a_bridge_goes_over_what_is_shared(vault: Vault) -> None:
    fill(vault)
    async with vault.open() as asking:
        found = await asking.engine.divergence.bridges(BridgesRequest(a="Bees/Visit.md", b="Varnish"))
    [chain] = found.chains
    assert [(step.kind, step.target) for step in chain.steps] == [
        ("term", "Studio/Ground.md"),
        ("link", "Studio/Varnish.md"),
    ]


async def test_of_what_no_note_speaks_nothing_is_made_up(vault: Vault) -> None:
    fill(vault)
    async with vault.open(**{"models.embed": "no-such-model"}) as asking:
        with pytest.raises(NotFound, match="Qwertzuiop"):
            await asking.engine.divergence.gaps(GapsRequest(topic="Qwertzuiop"))
        with pytest.raises(NotFound, match="Nirgendwo"):
            await asking.engine.divergence.bridges(BridgesRequest(a="Bees", b="Nirgendwo"))


async def test_a_common_verb_is_no_bridge(vault: Vault) -> None:
    vault.write("One.md", "# One\n\nShe bought a lute.\n")
    vault.write("Two.md", "# Two\n\nThe parish bought coal.\n")
    async with vault.open(**{"models.embed": "no-such-model"}) as asking:
        found = await asking.engine.divergence.bridges(BridgesRequest(a="One", b="Two"))
    assert found.chains == []


async def test_without_an_embedding_model_words_and_links_are_left(vault: Vault) -> None:
    fill(vault)
    async with vault.open(**{"models.embed": "no-such-model"}) as asking:
        found = await asking.engine.divergence.contradictions(ContradictionsRequest())
        chain = await asking.engine.divergence.bridges(BridgesRequest(a="Visit", b="Ground"))
    assert found.contradictions == []
    assert found.notes
    assert chain.chains
    assert chain.notes


async def test_a_note_that_is_not_there_is_named(vault: Vault) -> None:
    async with vault.open() as asking:
        async for _ in asking.engine.sync(SyncRequest()):
            pass
        with pytest.raises(NotFound, match="Nowhere"):
            await asking.engine.divergence.drift_walk(WalkRequest(note="Nowhere"))

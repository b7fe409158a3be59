from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from support.planted_vault.measure import match_events, measure_events
from support.planted_vault.sources import PlantedSource, read_source, read_sources
from support.planted_vault.year import plant_year
from zibaldone.config.settings import Settings
from zibaldone.domain.hierarchy import Event, EventKind
from zibaldone.domain.notes import Modality, Origin
from zibaldone.hierarchy.events.classify import EventClassifier, classifier_fingerprint, examples
from zibaldone.hierarchy.events.extract import LEAST, LEAST_BY_SHAPE, make_events, read_candidates
from zibaldone.hierarchy.events.shapes import KINDS, NONE
from zibaldone.inference.fake import FakeEmbedder
from zibaldone.inference.models import open_embedder
from zibaldone.inference.roles import Embedder

NOTE = """\
---
date: 2025-03-04
status: Decided to stay.
---
# Allotment

Rain all day. Decided to leave the north bed fallow.
- Met Marta about the fence.
- [ ] pay the fee 📅 2025-04-01
- oats
"""


@pytest.fixture(scope="module")
def by_shape() -> EventClassifier:
    return EventClassifier()


def events_of(planted: PlantedSource, classifier: EventClassifier) -> list[Event]:
    opinions = classifier.judge([one.sentence for one in planted.candidates])
    return make_events(planted.source, planted.candidates, opinions, LEAST_BY_SHAPE)


def test_events_of_a_note_without_a_model(by_shape: EventClassifier) -> None:
    found = events_of(read_source("Projects/Allotment/march.md", NOTE), by_shape)
    assert [(one.kind, one.quote, one.line_start, f"{one.day}", one.day_is_stated, one.who) for one in found] == [
        (EventKind.DECISION, "Decided to leave the north bed fallow.", 7, "2025-03-04", False, ()),
        (EventKind.MEETING, "Met Marta about the fence.", 8, "2025-03-04", False, ("Marta",)),
        (EventKind.TASK, "pay the fee 📅 2025-04-01", 9, "2025-04-01", True, ()),
    ]
    assert found[0].title == "Decided to leave the north bed fallow"


def test_an_id_is_kept_while_other_lines_change_and_told_apart_where_words_repeat(by_shape: EventClassifier) -> None:
    before = events_of(read_source("a.md", NOTE), by_shape)
    longer = NOTE.replace("Rain all day.", "Much rain, all day and night.\nThe soil is heavy.\n\n")
    after = events_of(read_source("a.md", longer), by_shape)
    assert [one.id for one in after] == [one.id for one in before]
    assert [one.line_start for one in after] == [10, 11, 12] and len({one.id for one in before}) == 3
    twice = events_of(read_source("a.md", "Met Marta about the fence.\n\nMet Marta about the fence.\n"), by_shape)
    assert len({one.id for one in twice}) == 2


def test_a_commit_is_told_by_its_subject_and_the_agent_tells_nothing(by_shape: EventClassifier) -> None:
    planted = read_source("x.md", "Fix crash when the file is empty\n\nDecided to test it.\n")
    commit = replace(planted.source, modality=Modality.CODE, uri="git:shop@0123abcd", path="//shop/@0123abcd")
    candidates = read_candidates(commit, planted.chunks)
    found = make_events(commit, candidates, by_shape.judge([one.sentence for one in candidates]))
    assert [(one.kind, one.quote, one.project) for one in found] == [
        (EventKind.FIX, "Fix crash when the file is empty", "shop")
    ]
    assert read_candidates(replace(planted.source, origin=Origin.AGENT), planted.chunks) == []


def test_what_is_cut_into_two_passages_is_read_once() -> None:
    text = " ".join(f"Decided to paint wall number {n} in a colour that nobody has ever seen." for n in range(20))
    planted = read_source("walls.md", text)
    assert len(planted.chunks) > 1 and len(planted.candidates) == 20
    assert all(one.sentence.text in one.chunk.text for one in planted.candidates)


def test_vectors_are_weighed_with_the_shape() -> None:
    vectors = np.eye(len(examples()))
    [opinion] = EventClassifier(vectors).judge([examples()[0][0]], vectors[:1])
    assert set(opinion) == set(KINDS) and sum(opinion.values()) == pytest.approx(1)
    assert 1 - opinion[NONE] > LEAST
    assert classifier_fingerprint("e5") == classifier_fingerprint("e5") != classifier_fingerprint()


async def test_a_planted_year_is_found_word_for_word(by_shape: EventClassifier) -> None:
    year = plant_year(7, "held")
    sources = read_sources(year.notes)
    found = [event for one in sources for event in events_of(one, by_shape)]
    figures = measure_events(year.ledger, found, year.notes)
    assert figures.verbatim == 1.0
    assert figures.recall >= 0.8 and figures.precision >= 0.8


async def judge_by_meaning(sources: list[PlantedSource], embedder: Embedder) -> list[Event]:
    classifier = EventClassifier(await embedder.embed_passages([one.said for one, _ in examples()]))
    found = []
    for one in sources:
        said = [candidate.sentence for candidate in one.candidates]
        opinions = classifier.judge(said, await embedder.embed_passages([sentence.said for sentence in said]))
        found += make_events(one.source, one.candidates, opinions)
    return found


async def test_the_same_notes_give_the_same_events() -> None:
    sources = read_sources(dict(list(plant_year(3, "tuned").notes.items())[:12]))
    assert await judge_by_meaning(sources, FakeEmbedder()) == await judge_by_meaning(sources, FakeEmbedder())


@pytest.mark.model
async def test_the_default_embedder_finds_what_is_planted() -> None:
    year = plant_year(11, "held")
    notes = dict(list(year.notes.items())[:60])
    ledger = [entry for entry in year.ledger if entry.note in notes]
    embedder = open_embedder(Settings())
    try:
        found = await judge_by_meaning(read_sources(notes), embedder)
    finally:
        await embedder.close()
    figures = measure_events(ledger, found, notes)
    assert figures.verbatim == 1.0 and len(match_events(ledger, found)) == round(figures.recall * len(ledger))
    assert figures.recall >= 0.8 and figures.precision >= 0.85

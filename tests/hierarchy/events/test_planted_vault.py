from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from support.planted_vault.measure import label_groups, match_events, measure_episodes, measure_events, share_in_top
from support.planted_vault.tell import read_phrasings
from support.planted_vault.year import Year, plant_year
from zibaldone.domain.hierarchy import Event, EventKind


@pytest.fixture(scope="module")
def year() -> Year:
    return plant_year(5)


def as_events(year: Year) -> list[Event]:
    return [
        Event(str(n), one.note, one.note, "", "", EventKind(one.kind), one.text, one.text, one.line_start, one.line_end)
        for n, one in enumerate(year.ledger)
    ]


def test_the_ledger_is_as_large_as_it_says_and_every_line_is_there(year: Year) -> None:
    assert 380 <= len(year.ledger) <= 410
    assert len({one.episode for one in year.ledger}) == 60 and len({one.concept for one in year.ledger}) == 15
    assert (len(year.drifted), len(year.relearned), len(year.contradictions)) == (3, 2, 10)
    assert len(year.forgotten) + len(year.forgotten_episodes) == 10
    empty = set(year.notes) - {one.note for one in year.ledger}
    assert len(empty) / len(year.notes) == pytest.approx(0.3, abs=0.02)
    for one in year.ledger:
        lines = year.notes[one.note].split("\n")[one.line_start - 1 : one.line_end]
        assert one.text in " ".join(lines)


def test_a_seed_is_a_year_and_the_halves_share_no_phrasing(year: Year) -> None:
    assert plant_year(5) == year and plant_year(6) != year
    for language in ("en", "de"):
        for kind, templates in read_phrasings()["tuned"][language].items():
            held = read_phrasings()["held"][language][kind]
            both = {text for text in templates if not text.startswith("- [")} & set(held)
            assert not both and min(len(templates), len(held)) >= 3


def test_contradictions_are_two_claims_about_one_subject(year: Year) -> None:
    for one, other in year.contradictions:
        assert year.ledger[one].concept == year.ledger[other].concept
        assert year.ledger[one].episode != year.ledger[other].episode


def test_the_whole_ledger_is_perfect_and_each_line_is_found_once(year: Year) -> None:
    events = as_events(year)
    figures = measure_events(year.ledger, [*events, *events[:10]], year.notes)
    assert figures.recall == 1.0 and figures.precision == pytest.approx(len(events) / (len(events) + 10))
    elsewhere = [replace(one, line_start=900, line_end=900) for one in events]
    assert match_events(year.ledger, elsewhere) == {}


def test_groups_are_named_by_what_most_of_their_events_are_about(year: Year) -> None:
    events = as_events(year)
    truth = {event.id: str(one.episode) for event, one in zip(events, year.ledger, strict=True)}
    assert measure_episodes(year.ledger, events, truth) == 1.0
    first = Counter(one.concept for one in year.ledger).most_common(1)[0][0]
    group = [event.id for event, one in zip(events, year.ledger, strict=True) if one.concept == first]
    labels = label_groups(year.ledger, events, {"g": [*group, "unknown"]}, "concept")
    assert labels == {"g": first}
    assert share_in_top([first, "another"], ["g"], labels, 8) == 0.5


def test_a_year_is_written_with_its_ledger_beside_it(year: Year, tmp_path: Path) -> None:
    year.write(tmp_path / "vault")
    assert {path.relative_to(tmp_path / "vault").as_posix() for path in (tmp_path / "vault").rglob("*.md")} == set(
        year.notes
    )
    assert len(json.loads((tmp_path / "vault.ledger.json").read_text("utf-8"))["ledger"]) == len(year.ledger)

"""What is used, and what is important and was not touched for long."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from support.planted_year import plant_year
from zibaldone.domain.hierarchy import Concept, Episode
from zibaldone.hierarchy.forgetting import Remembered, gather_nodes, rank_risks
from zibaldone.hierarchy.usage import Touch, TouchKind, follow_touches, last_touches, spread_touches, strengths

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
TODAY = NOW.date()
ONE = plant_year(events=1).events[0]


def days_ago(days: int) -> datetime:
    return NOW - timedelta(days=days)


def test_use_counts_by_its_kind_and_fades_by_half_in_thirty_days() -> None:
    touches = [
        Touch("a", TouchKind.HIT, NOW),
        Touch("a", TouchKind.ACCEPTED, days_ago(30)),
        Touch("b", TouchKind.OPEN, days_ago(60)),
        Touch("c", TouchKind.HIT, days_ago(-5)),
    ]
    assert strengths(touches, NOW) == pytest.approx({"a": 2.5, "b": 0.5, "c": 1.0})


def test_what_is_touched_counts_for_all_that_is_over_it_once() -> None:
    above = {"chunk": ("event", "other"), "event": ("episode", "concept"), "other": ("episode",)}
    spread = spread_touches([Touch("chunk", TouchKind.OPEN, NOW), Touch("event", TouchKind.HIT, days_ago(2))], above)
    assert strengths(spread, NOW)["chunk"] == strengths(spread, NOW)["other"] == 2.0
    assert sorted(touch.target for touch in spread if touch.kind is TouchKind.OPEN) == [
        "chunk",
        "concept",
        "episode",
        "event",
        "other",
    ]
    assert last_touches(spread)["concept"] == NOW


def test_use_follows_to_the_heir() -> None:
    assert follow_touches([Touch("old", TouchKind.HIT, NOW)], {"old": "new"}) == [Touch("new", TouchKind.HIT, NOW)]


def test_risk_is_importance_times_staleness_and_says_all_three() -> None:
    nodes = [
        Remembered("fresh", "Fresh", 1.0, 5, TODAY),
        Remembered("stale", "Stale", 0.8, 5, TODAY - timedelta(days=30)),
        Remembered("unknown", "Unknown", 0.1, 1, None),
        Remembered("ungraphed", "Ungraphed", None, 2, None),
        Remembered("ahead", "Ahead", 1.0, 9, TODAY + timedelta(days=9)),
    ]
    risks = rank_risks(nodes, TODAY)
    assert [one.id for one in risks] == ["ungraphed", "stale", "unknown", "ahead", "fresh"]
    assert [one.risk for one in risks] == pytest.approx([2 / 3, 0.8 * 0.5 * 0.5, 0.1, 0, 0])
    assert (risks[1].importance, risks[1].staleness, risks[1].confidence) == (0.8, 0.25, 1.0)
    assert [one.id for one in rank_risks(nodes, TODAY, min_support=9)] == ["ahead"]


def test_a_pause_of_the_whole_vault_makes_nothing_as_stale_as_what_was_left_before() -> None:
    nodes = [
        Remembered("left", "Left", 0.9, 5, TODAY - timedelta(days=300)),
        *(Remembered(f"last {n}", "Last", 1.0, 5, TODAY - timedelta(days=n)) for n in (1, 2, 2, 4)),
    ]
    for pause in (0, 365, 3650):
        risks = rank_risks(nodes, TODAY + timedelta(days=pause))
        assert risks[0].id == "left"
        staleness = {one.id: one.staleness for one in risks}
        assert staleness["last 1"] < staleness["last 2"] < staleness["last 4"] < staleness["left"]
        assert staleness["left"] == pytest.approx(0.9, abs=0.01)


def test_of_what_was_touched_on_one_day_nothing_is_staler_than_another() -> None:
    nodes = [Remembered(name, name, 1.0, 5, TODAY - timedelta(days=300)) for name in "abc"]
    assert [one.staleness for one in rank_risks(nodes, TODAY)] == pytest.approx([0.5] * 3, abs=0.01)


def test_an_episode_about_one_concept_does_not_stand_beside_it() -> None:
    concepts = [Concept("c", "C", ("e1", "e2", "e3"), ()), Concept("d", "D", ("f1", "f2"), ())]
    episodes = [
        Episode("of-one", "folder: 2 events", "p", ("e1", "e2"), ()),
        Episode("of-many", "mixed", "p", ("e3", "f1"), ()),
    ]
    days = {"e1": 1, "e2": 2, "e3": 3, "f1": 4, "f2": 5}
    events = [replace(ONE, id=name, day=date(2026, 3, day)) for name, day in days.items()]
    nodes = gather_nodes(concepts, episodes, events, {"c": 1.0, "d": 0.5}, {"d": date(2026, 5, 30)})
    assert [(one.id, one.last_touched) for one in nodes] == [
        ("c", date(2026, 3, 3)),
        ("d", date(2026, 5, 30)),
        ("of-many", date(2026, 3, 3)),
    ]

"""The commands of the vault's memory over a scripted engine."""

from __future__ import annotations

import json

import pytest

from support.fakes import example
from zibaldone.schemas.hierarchy import (
    BuildRequest,
    GradeRequest,
    NodesRequest,
    RecallRequest,
    TimelineRequest,
)
from zibaldone.schemas.sync import PauseRequest

LISTS = {
    "concepts": ("Concepts.one", "Kestrel budget  (2 events, 1 episode)  2026-03-02 to 2026-03-04"),
    "timeline": ("Timeline.one", "Projects: Kestrel budget  (2 events)  2026-03-02 to 2026-03-04"),
    "forgetting": ("Forgetting.one", "risk 0.61 (importance 0.82, staleness 0.74, confidence 0.67)"),
    "drift": ("Drift.one", "taken up again on 2026-09-01 after 181 days (0.70)"),
    "distill": ("Distilled.one", "Kestrel budget  (1 of 2 passages)"),
    "recall": ("Recall.one", "When is the budget of Kestrel due?"),
    "usage": ("Usage.one", "Kestrel budget  (concept, 2.90 by 2 uses, last 2026-03-05)"),
    "memory-stats": ("MemoryStats.typical", "building: 120 of 156 sources read, 36 left, about 54 s"),
}


@pytest.mark.parametrize(("command", "shown"), LISTS.items(), ids=str)
def test_each_shows_what_it_found(zib, command: str, shown: tuple[str, str]) -> None:
    name, line = shown
    assert json.loads(zib(command, "--json").out) == example(name)
    ran = zib(command)
    assert ran.code == 0
    assert line in ran.out
    assert max(map(len, ran.out.splitlines())) <= 100


def test_options_reach_the_engine(zib, opened) -> None:
    zib("concepts", "--top", "3", "--min-support", "2")
    assert opened.calls == [("vault_memory.concepts", NodesRequest(top=3, min_support=2))]
    zib("timeline", "--level", "event", "--since", "2026-03-01", "--until", "2026-03-31", "--project", "Bread")
    wanted = TimelineRequest(top=50, level="event", since="2026-03-01", until="2026-03-31", project="Bread")
    assert opened.calls == [("vault_memory.timeline", wanted)]
    assert zib("timeline", "--since", "yesterday").code == 1
    zib("recall", "--regenerate", "--all", "--level", "concept")
    assert opened.calls == [("vault_memory.recall", RecallRequest(regenerate=True, all=True, level="concept"))]


def test_building_is_told(zib, opened) -> None:
    ran = zib("build-memory", "--level", "event", "--limit", "5", "--model", "none")
    assert opened.calls == [("vault_memory.build", BuildRequest(level="event", limit=5, model="none"))]
    assert "3 sources read, 1 gone, 152 unchanged in 4.2 s\n400 events, 60 episodes, 15 concepts\n" in ran.out
    assert "not read: Odd.md: The embedding model stopped." in ran.out
    assert json.loads(zib("build-memory", "--json").out) == example("BuildEventLine.built")["report"]
    zib("build-memory", "--pause")
    assert opened.calls == [("vault_memory.pause", PauseRequest(paused=True))]


def test_grading_clearing_and_writing(zib, opened) -> None:
    assert zib("recall", "grade", "00112233445566aa", "good").out == "due again on 2026-03-08\n"
    assert opened.calls == [("vault_memory.grade", ("00112233445566aa", GradeRequest(grade="good")))]
    assert zib("recall", "grade", "x", "perfect").code == 2
    assert zib("usage", "--clear").out == "2 uses forgotten\n"
    assert "74 notes written, 1 removed, 0 unchanged" in zib("concepts", "--write").out


def test_ask_and_search_at_a_level(zib, opened) -> None:
    zib("search", "Kestrel", "--level", "concept")
    assert opened.calls[0][1].level == "concept"
    zib("ask", "Kestrel?", "--level", "episode", "--no-track", "--accept")
    asked = opened.calls[0][1]
    assert (asked.level, asked.track, asked.accept) == ("episode", False, True)

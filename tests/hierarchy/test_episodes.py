"""Projects, episodes and their order."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from support.planted_year import plant_year
from zibaldone.domain.hierarchy import Event
from zibaldone.hierarchy.episodes import build_episodes
from zibaldone.hierarchy.lineage import Known
from zibaldone.hierarchy.projects import NoteLink, find_projects, folder_project
from zibaldone.hierarchy.timeline import order_episodes

ONE = plant_year(events=1).events[0]


def at(path: str, day: int | None = None, **fields: object) -> Event:
    when = None if day is None else date(2026, 3, day)
    return replace(ONE, id=f"{path}{day}{fields}", path=path, day=when, tags=(), **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("path", "project"),
    [
        ("Roof.md", ""),
        ("Home/Roof/Plan.md", "Home/Roof"),
        ("Home/2026/03/Plan.md", "Home"),
        ("Journal/2026/03-March/2026-03-04.md", ""),
        ("00 Inbox/Plan.md", ""),
        ("Täglich/Notiz.md", "Täglich"),
        ("Tagebuch/4.md", ""),
        ("3D printing/Plan.md", "3D printing"),
    ],
)
def test_a_folder_that_only_files_is_no_project(path: str, project: str) -> None:
    assert folder_project(path) == project


def test_a_diary_is_taken_apart_by_links_and_tags() -> None:
    events = [
        replace(at("Home/Roof/Plan.md", 1), tags=("roof",)),
        at("Journal/2026-03-04.md", 4, line_start=2, line_end=3),
        replace(at("Journal/2026-03-04.md", 4, line_start=5, line_end=5), tags=("roof",)),
        at("Journal/2026-03-04.md", 4, line_start=7, line_end=7),
        at("Journal/2026-03-05.md", 5),
        at("", 6, project="github.com/me/code"),
    ]
    links = [
        NoteLink("Journal/2026-03-04.md", 3, "Garden/Beds.md"),
        NoteLink("Journal/2026-03-04.md", 9, "Sourdough.md"),
        NoteLink("Journal/2026-03-04.md", 10, "Sourdough.md"),
    ]
    projects = find_projects(events, links)
    assert projects == ["Home/Roof", "Garden", "Home/Roof", "Sourdough", "Journal", "github.com/me/code"]


def test_an_episode_ends_at_a_pause_and_has_no_undated_events() -> None:
    events = [at("Roof/a.md", day) for day in (1, 2, 4, 5, None)] + [at("Garden/a.md", 2)]
    episodes = build_episodes(events, find_projects(events, ()), Known(), {}).episodes
    days = [(one.project, one.start and one.start.day, one.end and one.end.day, len(one.events)) for one in episodes]
    assert days == [("Garden", 2, 2, 1), ("Roof", None, None, 1), ("Roof", 1, 2, 2), ("Roof", 4, 5, 2)]
    wider = build_episodes(events, find_projects(events, ()), Known(), {}, gap_hours=48).episodes
    assert [len(one.events) for one in wider] == [1, 1, 4]


def test_an_episode_that_gains_an_event_is_the_same() -> None:
    events = [at("Roof/a.md", day) for day in (1, 2)]
    first = build_episodes(events, ["Roof"] * 2, Known(), {})
    named = {one.id: one for one in first.episodes}
    later = build_episodes([*events, at("Roof/a.md", 3)], ["Roof"] * 3, first.known, named)
    assert [one.id for one in later.episodes] == [one.id for one in first.episodes]
    assert later.episodes[0].title == first.episodes[0].title
    assert later.episodes[0].end == date(2026, 3, 3)


def test_a_timeline_is_in_order_and_of_the_days_asked_for() -> None:
    events = [at("Roof/a.md", day) for day in (10, None, 1, 2)] + [at("Garden/a.md", 2)]
    episodes = build_episodes(events, find_projects(events, ()), Known(), {}).episodes
    starts = [one.start and one.start.day for one in order_episodes(episodes)]
    assert starts == [1, 2, 10, None]
    march = order_episodes(episodes, since=date(2026, 3, 2), until=date(2026, 3, 9))
    assert [one.project for one in march] == ["Roof", "Garden"]
    assert [one.project for one in order_episodes(episodes, project="Garden")] == ["Garden"]
    assert len(order_episodes(episodes, min_support=2)) == 1

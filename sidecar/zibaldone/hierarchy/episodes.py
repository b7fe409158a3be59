"""Episodes: what was done on one project without a longer pause. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

from zibaldone.domain.hierarchy import Episode, Event, Succession
from zibaldone.hierarchy.lineage import Known, carry_over
from zibaldone.hierarchy.naming import keeps_name, name_groups

GAP_HOURS = 24


@dataclass(frozen=True, slots=True)
class Episodes:
    episodes: tuple[Episode, ...]
    known: Known
    heirs: Mapping[str, str] = field(default_factory=dict)
    successions: tuple[Succession, ...] = ()


def build_episodes(
    events: Sequence[Event],
    projects: Sequence[str],
    before: Known,
    named: Mapping[str, Episode],
    gap_hours: int = GAP_HOURS,
) -> Episodes:
    """`projects` has one for each event (see `projects.find_projects`); `before` and `named` (by id) are what the last
    build knew. An event's time is its day: two are apart by as many hours as their days."""
    groups = list(_group(events, projects, gap_hours))
    members = [tuple(event.id for event in group) for _, group in groups]
    carried = carry_over([frozenset(its) for its in members], before, "episode")
    titles = name_groups([[event.title for event in group] for _, group in groups], [event.title for event in events])
    episodes = [
        _named(Episode(name, title, project, its, its, group[0].day, group[-1].day), named.get(name))
        for name, title, its, (project, group) in zip(carried.ids, titles, members, groups, strict=True)
    ]
    return Episodes(tuple(episodes), carried.known, carried.heirs, carried.successions)


def _group(events: Sequence[Event], projects: Sequence[str], gap_hours: int) -> Iterator[tuple[str, list[Event]]]:
    by_project: dict[str, list[Event]] = defaultdict(list)
    for event, project in zip(events, projects, strict=True):
        by_project[project].append(event)
    for project, its in sorted(by_project.items()):
        undated = [event for event in its if event.day is None]
        if undated:
            yield project, sorted(undated, key=_place)
        for group in _runs([event for event in its if event.day is not None], timedelta(hours=gap_hours)):
            yield project, group


def _runs(dated: Sequence[Event], gap: timedelta) -> Iterator[list[Event]]:
    run: list[Event] = []
    for event in sorted(dated, key=lambda event: (event.day, *_place(event))):
        if run and event.day and run[-1].day and event.day - run[-1].day > gap:
            yield run
            run = []
        run.append(event)
    if run:
        yield run


def _place(event: Event) -> tuple[str, int, str]:
    return event.path, event.line_start, event.id


def _named(episode: Episode, before: Episode | None) -> Episode:
    if before is None or not keeps_name(before.named_for, episode.events):
        return episode
    return replace(episode, title=before.title, named_for=before.named_for)

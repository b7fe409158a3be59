"""Episodes in the order in which they happened. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from zibaldone.domain.hierarchy import Episode


def order_episodes(
    episodes: Iterable[Episode],
    since: date | None = None,
    until: date | None = None,
    project: str | None = None,
    min_support: int = 1,
) -> list[Episode]:
    """Those that touch the days from `since` to `until`, have to do with `project` and have at least `min_support`
    events, the oldest first. Those without days come last, and not at all where days are asked for."""
    chosen = [
        episode
        for episode in episodes
        if _touches(episode, since, until)
        and (project is None or episode.project == project)
        and len(episode.events) >= min_support
    ]
    return sorted(chosen, key=lambda one: (one.start or date.max, one.end or date.max, one.project, one.id))


def _touches(episode: Episode, since: date | None, until: date | None) -> bool:
    if episode.start is None or episode.end is None:
        return since is None and until is None
    return (since is None or episode.end >= since) and (until is None or episode.start <= until)

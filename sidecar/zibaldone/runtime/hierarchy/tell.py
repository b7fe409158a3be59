"""What the commands show of the memory of the vault. Pure: from what was built, and the passages that are there now.

An event whose passage is not there any more is not shown: a note that is gone, or was changed since the last build, is
no evidence. A node without any is not shown either.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date

from zibaldone.domain.hierarchy import Episode, Event, Touch
from zibaldone.domain.locators import file_locator, line_locator
from zibaldone.domain.notes import Modality
from zibaldone.hierarchy.events.anchor import follow_passage
from zibaldone.hierarchy.forgetting import Risk, confidence_of, gather_nodes, rank_risks
from zibaldone.hierarchy.timeline import order_episodes
from zibaldone.hierarchy.usage import last_touches, spread_touches
from zibaldone.runtime.hierarchy.levels import VaultLevels
from zibaldone.schemas.hierarchy import (
    ConceptNode,
    DriftingNode,
    DriftWindowShown,
    FadingNode,
    NodeEvidence,
    NodesRequest,
    RelatedConcept,
    RelearnedShown,
    TimelineNode,
    TimelineRequest,
)
from zibaldone.schemas.search import Level
from zibaldone.store.index_db import StoredChunk

# Related concepts that are shown of each, the closest.
_RELATED = 5
Live = Mapping[str, StoredChunk]


def show_concepts(view: VaultLevels, live: Live, request: NodesRequest) -> tuple[list[ConceptNode], int]:
    """The most important first; how many there are in all."""
    levels = view.levels
    episode_of = {event: one.id for one in levels.episodes for event in one.events}
    found = []
    shown = {one.id: events for one in levels.concepts if (events := live_events(view, live, one.events))}
    titles = {one.id: one.title for one in levels.concepts if one.id in shown}
    for one in levels.concepts:
        events = shown.get(one.id, [])
        if len(events) >= max(1, request.min_support):
            days = sorted(event.day for event in events if event.day)
            found.append(
                ConceptNode(
                    node_id=one.id,
                    level="concept",
                    title=one.title,
                    confidence=node_confidence(events),
                    evidence=show_evidence(events, live),
                    events=[event.id for event in events],
                    episodes=list(dict.fromkeys(episode_of[event.id] for event in events if event.id in episode_of)),
                    centrality=round(levels.importance.get(one.id, 0.0), 4),
                    first=_iso(days[0]) if days else None,
                    last=_iso(days[-1]) if days else None,
                    related=_related(view, one.id, titles),
                )
            )
    found.sort(key=lambda node: (-node.centrality, -len(node.events), node.node_id))
    return found[: request.top], len(found)


def show_timeline(view: VaultLevels, live: Live, request: TimelineRequest) -> tuple[list[TimelineNode], int]:
    since, until = (date.fromisoformat(day) if day else None for day in (request.since, request.until))
    episodes: Iterable[Episode] = view.levels.episodes
    if request.level == "event":
        episodes = [_single(event, one.project) for one in episodes for event in live_events(view, live, one.events)]
    found = []
    for one in order_episodes(episodes, since, until, request.project):
        events = live_events(view, live, one.events)
        if len(events) >= request.min_support and events:
            level: Level = "event" if request.level == "event" else "episode"
            found.append(
                TimelineNode(
                    node_id=one.id,
                    level=level,
                    title=one.title,
                    confidence=node_confidence(events) if level == "episode" else events[0].confidence,
                    evidence=show_evidence(events, live),
                    start=_iso(one.start),
                    end=_iso(one.end),
                    project=one.project,
                    events=[event.id for event in events],
                )
            )
    dated = [node for node in found if node.start is not None]
    undated = [node for node in found if node.start is None]
    newest = dated[-request.top :]
    return [*newest, *undated[: request.top - len(newest)]], len(found)


def show_fading(
    view: VaultLevels, live: Live, request: NodesRequest, risks: Sequence[Risk]
) -> tuple[list[FadingNode], int]:
    levels = node_levels(view)
    wanted = [risk for risk in risks if request.level in (None, levels[risk.id])]
    members = node_members(view)
    found = []
    for risk in wanted:
        events = live_events(view, live, members[risk.id])
        if events:
            found.append(
                FadingNode(
                    node_id=risk.id,
                    level=levels[risk.id],
                    title=risk.title,
                    confidence=round(risk.confidence, 4),
                    evidence=show_evidence(events, live),
                    risk=round(risk.risk, 4),
                    importance=round(risk.importance, 4),
                    staleness=round(risk.staleness, 4),
                    last_touched=_iso(risk.last_touched),
                )
            )
    return found[: request.top], len(found)


def show_drift(view: VaultLevels, live: Live, request: NodesRequest) -> tuple[list[DriftingNode], int]:
    members = node_members(view)
    found = []
    for one in view.levels.drifts:
        events = live_events(view, live, members.get(one.id, ()))
        if len(events) >= request.min_support and events:
            found.append(
                DriftingNode(
                    node_id=one.id,
                    level="concept",
                    title=one.title,
                    confidence=round(one.confidence, 4),
                    evidence=show_evidence(events, live),
                    overall_drift=round(one.overall_drift, 4),
                    relearning=[
                        RelearnedShown(
                            again=its.again,
                            before=its.before,
                            day=its.day.isoformat(),
                            pause_days=its.pause_days,
                            strength=round(its.strength, 4),
                        )
                        for its in one.relearning
                    ],
                    windows=[
                        DriftWindowShown(
                            start=its.start.isoformat(),
                            end=its.end.isoformat(),
                            drift=round(its.drift, 4),
                            expected=round(its.expected, 4),
                            support=its.support,
                            confidence=round(its.confidence, 4),
                        )
                        for its in one.windows
                    ],
                )
            )
    return found[: request.top], len(found)


def weigh_risks(
    view: VaultLevels, live: Live, touches: Iterable[Touch], today: date, min_support: int, half_life_days: float
) -> list[Risk]:
    """What is forgotten soonest first; use counts for the nodes above what was used, and for what is on no known day
    the last change of its source."""
    levels = view.levels
    last = last_touches(spread_touches(touches, nodes_above(view)))
    touched = {id_: at.date() for id_, at in last.items()}
    for one in view.groups:
        changed = [live[event.chunk_id].date for event in live_events(view, live, one.events) if event.day is None]
        if changed:
            touched[one.id] = max(*changed, touched.get(one.id, date.min))
    nodes = gather_nodes(levels.concepts, levels.episodes, view.events, levels.importance, touched)
    return rank_risks(nodes, today, min_support, half_life_days)


def live_events(view: VaultLevels, live: Live, ids: Iterable[str]) -> list[Event]:
    """In the order given, at the lines where they stand now; without those whose passage is not there."""
    events = (event for id_ in ids if (event := view.event(id_)) is not None and event.chunk_id in live)
    return [stand_now(event, live[event.chunk_id]) for event in events]


def stand_now(event: Event, chunk: StoredChunk) -> Event:
    """A note's lines may have moved since the event was read, while the words of its passage are the same."""
    if chunk.modality is not Modality.TEXT:
        return event
    return follow_passage(event, chunk.text, chunk.line_start, chunk.line_end)


def show_evidence(events: Iterable[Event], live: Live) -> list[NodeEvidence]:
    """Paths are those of now: a note that was renamed since the build is called as it is called."""
    return [
        NodeEvidence(
            source_uri=live[event.chunk_id].uri,
            path=live[event.chunk_id].path,
            locator=event_locator(event, live[event.chunk_id]),
            line_start=event.line_start,
            line_end=event.line_end,
            page=event.page,
            quote=event.quote,
            date=_iso(event.day),
            event_id=event.id,
        )
        for event in events
    ]


def event_locator(event: Event, chunk: StoredChunk) -> str:
    if chunk.modality is Modality.TEXT:
        return line_locator(event.line_start, event.line_end)
    return file_locator(event.page, event.place)


def node_members(view: VaultLevels) -> dict[str, tuple[str, ...]]:
    """The events of each episode and concept."""
    return {one.id: one.events for one in view.groups}


def node_levels(view: VaultLevels) -> dict[str, Level]:
    return {
        **dict.fromkeys((one.id for one in view.levels.episodes), "episode"),
        **dict.fromkeys((one.id for one in view.levels.concepts), "concept"),
    }


def nodes_above(view: VaultLevels) -> dict[str, list[str]]:
    """Of each event the episode and the concept that it is of."""
    above: dict[str, list[str]] = {}
    for node, events in node_members(view).items():
        for event in events:
            above.setdefault(event, []).append(node)
    return above


def node_confidence(events: Collection[Event]) -> float:
    """By how many events there are, and how sure they are."""
    sure = sum(event.confidence for event in events) / len(events)
    return round(confidence_of(len(events)) * sure, 4)


def _related(view: VaultLevels, id_: str, titles: Mapping[str, str]) -> list[RelatedConcept]:
    found: list[RelatedConcept] = []
    for relation in view.levels.relations:  # the closest first
        other = relation.b if relation.a == id_ else relation.a
        if id_ in (relation.a, relation.b) and other in titles and len(found) < _RELATED:
            found.append(RelatedConcept(node_id=other, title=titles[other], weight=round(relation.weight, 4)))
    return found


def _single(event: Event, project: str) -> Episode:
    return Episode(event.id, event.title, project, (event.id,), (event.id,), event.day, event.day)


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None

"""Retrieval at a level: nodes for a question, then the passages of their evidence, or an overview of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from zibaldone.agents.relay.broad import Broad
from zibaldone.agents.relay.overview import Overview, OverviewNode
from zibaldone.config.settings import MemoryOfVaultSettings
from zibaldone.domain.hierarchy import Event
from zibaldone.hierarchy.find import FoundNode, NodeWeights
from zibaldone.hierarchy.turns import choose_turns
from zibaldone.inference.roles import Embedder, Vectors
from zibaldone.retrieval.pipeline import recall_hits
from zibaldone.retrieval.query.times import TimeHint, find_time
from zibaldone.retrieval.union import PassageStore
from zibaldone.runtime.hierarchy.chats import searched
from zibaldone.runtime.hierarchy.cores import choose_cores, passage_vectors
from zibaldone.runtime.hierarchy.find import Matched, NodeAt, event_vectors, match_nodes, named_first, nodes_at
from zibaldone.runtime.hierarchy.gate import CoreGate
from zibaldone.runtime.hierarchy.levels import LevelKeeper, VaultLevels
from zibaldone.runtime.hierarchy.tell import Live, event_locator, stand_now
from zibaldone.schemas.ask import Citation
from zibaldone.schemas.search import (
    Level,
    MatchedNode,
    NodeComponents,
    Profile,
    SearchResponse,
    SearchTiming,
)
from zibaldone.store.cache_db import ContentCache

# What an overview shows: nodes, and of each so many quotes.
_NODES = 12
_QUOTES = {"themes": 2, "period": 3, "change": 10}
_TOPIC_QUOTES = 12
_YEARS_BACK = 30


@dataclass(frozen=True, slots=True)
class Drilled:
    """The passages (ids) under the nodes that matched."""

    nodes: list[MatchedNode]
    passages: list[str]


class NodeSearch:
    """All calls block for the disk. `live` gives of passages (ids) those that are there now."""

    def __init__(
        self,
        keeper: LevelKeeper,
        cache: ContentCache,
        gate: CoreGate,
        live: Callable[[Collection[str]], Live],
        everything: Callable[[], PassageStore],
        settings: MemoryOfVaultSettings,
    ) -> None:
        self._keeper = keeper
        self._cache = cache
        self._gate = gate
        self._live = live
        self._everything = everything
        self._settings = settings

    def drill(
        self, query: str, vector: Vectors | None, embedder: Embedder | None, level: Level, profile: Profile, today: date
    ) -> Drilled:
        """All passages of the matching nodes, or where this vault's gate is open those that stand for them."""
        view = self._keeper.read()
        live = searched(self._live({event.chunk_id for event in view.events}))
        nodes = self._nodes(view, live, level, find_time(query, today)) or self._nodes(view, live, level, None)
        matched = self._match(query, vector, embedder, view, nodes, profile, today)
        passages = {one.node.id: list(dict.fromkeys(e.chunk_id for e in one.node.events)) for one in matched}
        verdict = self._gate.verdict()
        if verdict is not None and verdict.is_open and level != "event":
            vectors = passage_vectors(live, self._cache, embedder)
            passages = choose_cores(passages, vectors, self._settings.core_ratio)
        shown = [_show(one, len(passages[one.node.id])) for one in matched]
        return Drilled(shown, list(dict.fromkeys(id_ for its in passages.values() for id_ in its)))

    def overview(
        self,
        question: str,
        broad: Broad,
        vector: Vectors | None,
        embedder: Embedder | None,
        level: Level | None,
        today: date,
    ) -> Overview | None:
        """None where the memory of the vault has nothing to say.

        Args:
            vector: that of the topic; None without a model or topic.
        """
        view = self._keeper.read()
        live = self._live({event.chunk_id for event in view.events})
        hint = find_time(question, today)
        nodes = self._nodes(view, live, level or broad.level, hint)
        if not nodes and broad.kind == "change":  # "today" is no time in which the view of something changed
            nodes = self._nodes(view, live, level or broad.level, None)
        if broad.topic:
            most = 2 if broad.kind == "change" else None
            matched = named_first(self._match(broad.topic, vector, embedder, view, nodes, "relevant", today, most))
        else:
            nodes = [node for node in nodes if len(node.events) > 1] or nodes
            nodes = sorted(nodes, key=lambda node: (-node.importance, -len(node.events), node.id))
            matched = [
                Matched(node, FoundNode(row, node.importance, NodeWeights(0.0, 0.0, 0.0, node.importance)))
                for row, node in enumerate(nodes[:_NODES])
            ]
        if broad.kind == "period":
            matched.sort(key=lambda one: (min(event.day or date.max for event in one.node.events), one.node.id))
        if not matched:
            return None
        return self._lay_out(question, broad, matched, live, view, embedder)

    def _nodes(self, view: VaultLevels, live: Live, level: Level, hint: TimeHint | None) -> list[NodeAt]:
        """Those of a level whose evidence is there, and of the time that is asked about."""
        if hint is None:
            return nodes_at(view, level, lambda event: event.chunk_id in live)
        days = [event.day for event in view.events if event.day and event.chunk_id in live]
        then = _days_of(hint, days)
        if then is None:
            return []
        return nodes_at(view, level, lambda e: e.chunk_id in live and e.day is not None and then[0] <= e.day <= then[1])

    def _match(
        self,
        query: str,
        vector: Vectors | None,
        embedder: Embedder | None,
        view: VaultLevels,
        nodes: Sequence[NodeAt],
        profile: str,
        today: date,
        most: int | None = None,
    ) -> list[Matched]:
        texts = {id_: one.text for id_, one in view.stored.items()}
        return match_nodes(query, vector, nodes, texts, self._cache, embedder, profile, today, most)

    def _lay_out(
        self,
        question: str,
        broad: Broad,
        matched: Sequence[Matched],
        live: Live,
        view: VaultLevels,
        embedder: Embedder | None,
    ) -> Overview:
        shown: list[OverviewNode] = []
        cited: list[str] = []
        for one in matched:
            events = self._choose(broad, one.node.events, len(matched), view, embedder)
            cited += [event.chunk_id for event in events]
            shown.append(OverviewNode(one.node.title, _about(one.node), [_cite(event, live) for event in events]))
        rest = [event.chunk_id for one in matched for event in one.node.events]
        hits = recall_hits(list(dict.fromkeys([*cited, *rest])), self._everything())
        found = SearchResponse(
            query=question,
            strategy="",
            profile="balanced",
            abstain=False,
            top_score=1.0,
            hits=hits,
            matched_nodes=[_show(one, len({event.chunk_id for event in one.node.events})) for one in matched],
            timing=SearchTiming(total_ms=0, embed_ms=0, lexical_ms=0, vector_ms=0),
        )
        return Overview(found, shown)

    def _choose(
        self, broad: Broad, events: Sequence[Event], nodes: int, view: VaultLevels, embedder: Embedder | None
    ) -> list[Event]:
        """Of a node's events those that are quoted: of themes the most central, of a change what was said twice, of a
        time some of each part of it. Of a topic more are shown where fewer nodes are about it."""
        most = _QUOTES[broad.kind]
        if broad.kind == "themes":
            return list(events[: max(most, _TOPIC_QUOTES // nodes) if broad.topic else most])
        known = None
        if broad.kind == "change" and embedder is not None:
            texts = {event.id: view.stored[event.id].text for event in events}
            known = event_vectors(events, texts, self._cache, embedder)
        vectors = np.stack([known[event.id] for event in events]) if known else np.empty((0, 0), np.float32)
        return choose_turns(events, vectors, most)


def _days_of(hint: TimeHint, days: Sequence[date]) -> tuple[date, date] | None:
    """The days that a question means, None where nothing happened then. Where it names no year, those of the last one
    in which something did."""
    for back in range(_YEARS_BACK if hint.of_any_year else 1):
        try:
            start = hint.start.replace(year=hint.start.year - back)
            end = hint.end.replace(year=hint.end.year - back)
        except ValueError:  # the 29th of February, or before the first year
            continue
        if any(start <= day <= end for day in days):
            return start, end
    return None


def _about(node: NodeAt) -> str:
    days = sorted(event.day for event in node.events if event.day)
    count = f"{len(node.events)} event{'' if len(node.events) == 1 else 's'}"
    if not days:
        return count
    when = days[0].isoformat() if days[0] == days[-1] else f"{days[0]} – {days[-1]}"
    return f"{when}, {count}"


def _cite(event: Event, live: Live) -> Citation:
    chunk = live[event.chunk_id]
    event = stand_now(event, chunk)
    return Citation(
        marker=0,
        path=chunk.path,
        source_uri=chunk.uri,
        heading=list(chunk.heading),
        locator=event_locator(event, chunk),
        line_start=event.line_start,
        line_end=event.line_end,
        page=event.page,
        modality=chunk.modality.value,
        quote=event.quote,
        supported=True,
    )


def _show(one: Matched, passages: int) -> MatchedNode:
    return MatchedNode(
        node_id=one.node.id,
        level=one.node.level,
        title=one.node.title,
        score=round(one.found.score, 4),
        components=NodeComponents(**{name: round(part, 4) for name, part in one.found.parts._asdict().items()}),
        events=len(one.node.events),
        passages=passages,
    )

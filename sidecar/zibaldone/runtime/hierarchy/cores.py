"""The passages that stand for all of a node, and what is said of it in short."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from zibaldone.hierarchy.distill import choose_core
from zibaldone.hierarchy.wording import word_vectors
from zibaldone.inference.roles import Embedder, Vectors
from zibaldone.runtime.hierarchy.levels import VaultLevels
from zibaldone.runtime.hierarchy.tell import (
    Live,
    live_events,
    node_confidence,
    node_levels,
    node_members,
    show_evidence,
)
from zibaldone.schemas.hierarchy import DistilledNode, NodesRequest
from zibaldone.store.cache_db import ContentCache

# Quotes of the most central events that sum a node up.
_SUMMED = 2


def passages_of(view: VaultLevels, live: Live) -> dict[str, list[str]]:
    """The passages of each episode and concept, those of its first events first."""
    return {
        id_: list(dict.fromkeys(event.chunk_id for event in live_events(view, live, events)))
        for id_, events in node_members(view).items()
    }


def passage_vectors(live: Live, cache: ContentCache, embedder: Embedder | None) -> dict[str, Vectors]:
    """By id. Without a model, or where some are not embedded yet, by their words."""
    if embedder is not None:
        known = cache.get(embedder.fingerprint, list({chunk.embed_hash for chunk in live.values()}))
        if all(chunk.embed_hash in known for chunk in live.values()):
            return {id_: known[chunk.embed_hash] for id_, chunk in live.items()}
    return dict(zip(live, word_vectors([chunk.text for chunk in live.values()]), strict=True))


def choose_cores(
    passages: Mapping[str, Sequence[str]], vectors: Mapping[str, Vectors], ratio: float
) -> dict[str, list[str]]:
    """Of each node the passages that stand for it, the most central first."""
    cores = {}
    for id_, its in passages.items():
        rows = choose_core(np.stack([vectors[one] for one in its]), ratio) if its else []
        cores[id_] = [its[row] for row in rows]
    return cores


def show_cores(
    view: VaultLevels,
    live: Live,
    request: NodesRequest,
    passages: Mapping[str, Sequence[str]],
    cores: Mapping[str, Sequence[str]],
) -> tuple[list[DistilledNode], int]:
    """The most important first."""
    levels, importance = node_levels(view), view.levels.importance
    members = node_members(view)
    titles = {one.id: one.title for one in view.groups}
    order = sorted(members, key=lambda id_: (-importance.get(id_, 0.0), -len(members[id_]), id_))
    found = []
    for id_ in order:
        events = live_events(view, live, members[id_])
        wanted = request.level in (None, levels[id_]) and len(events) >= request.min_support
        if not wanted or not cores[id_]:
            continue
        core = frozenset(cores[id_])
        quotes = [" ".join(event.quote.split()) for event in events if event.chunk_id in core]
        found.append(
            DistilledNode(
                node_id=id_,
                level=levels[id_],
                title=titles[id_],
                confidence=node_confidence(events),
                evidence=show_evidence(events, live),
                summary=" ".join(quotes[:_SUMMED]),
                core=list(cores[id_]),
                full=list(passages[id_]),
                ratio=round(len(core) / len(passages[id_]), 4),
            )
        )
    return found[: request.top], len(found)

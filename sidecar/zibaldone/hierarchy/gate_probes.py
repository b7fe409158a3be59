"""The questions by which it is measured whether stand-ins may be searched alone. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from zibaldone.domain.hierarchy import Event
from zibaldone.hierarchy.distill import Gate, decide_gate
from zibaldone.hierarchy.space import Vectors

# Questions that are asked, and passages that count as found for each.
MOST_PROBES, FOUND = 60, 10


@dataclass(frozen=True, slots=True)
class Probe:
    """An event of a node: whoever asks for it by its title has to find its source among the node's passages."""

    node: str
    event: Event


def choose_probes(nodes: Mapping[str, Sequence[Event]], most: int = MOST_PROBES) -> list[Probe]:
    """Events of nodes with several passages, always the same for the same events."""
    probes = [
        Probe(node, event)
        for node, events in nodes.items()
        if len({event.chunk_id for event in events}) > 1
        for event in events
    ]
    return sorted(probes, key=lambda one: blake2b(one.event.id.encode(), digest_size=8).digest())[:most]


def measure_gate(
    probes: Sequence[Probe],
    asked: Vectors,
    full: Mapping[str, Sequence[str]],
    cores: Mapping[str, Sequence[str]],
    vectors: Mapping[str, Vectors],
    sources: Mapping[str, str],
    most_lost: float,
) -> Gate:
    """
    Args:
        asked: (n, d), one for each probe.
        full: the passages (ids) of each node; `cores` those that stand for them.
        vectors: of each passage; `sources` where it stands.
    """
    recalls = [
        sum(_finds(probe, row, its[probe.node], vectors, sources) for probe, row in zip(probes, asked, strict=True))
        / max(1, len(probes))
        for its in (full, cores)
    ]
    sizes = [len({passage for its in passages.values() for passage in its}) for passages in (full, cores)]
    return decide_gate(recalls[0], recalls[1], sizes[0], sizes[1], most_lost)


def _finds(
    probe: Probe,
    asked: Vectors,
    passages: Sequence[str],
    vectors: Mapping[str, Vectors],
    sources: Mapping[str, str],
) -> bool:
    """Whether one of the passages nearest to the question is of the source that it is about."""
    rows = np.argsort(-(np.stack([vectors[one] for one in passages]) @ asked), kind="stable")[:FOUND]
    return any(sources[passages[row]] == probe.event.path for row in rows)

"""Whether stand-ins may be searched alone: where notes say a thing twice, and not where each says its own."""

from __future__ import annotations

import numpy as np

from zibaldone.domain.hierarchy import Event, EventKind
from zibaldone.hierarchy.distill import choose_core
from zibaldone.hierarchy.gate_probes import choose_probes, measure_gate


def event(source: str, passage: str) -> Event:
    return Event(passage, source, f"{source}.md", f"note:{source}.md", passage, EventKind.CHANGE, passage, passage)


def verdict(sources: list[str]) -> tuple[bool, float, float]:
    """Of a concept whose passages are of these sources, all equally near to each other."""
    passages = [f"p{number}" for number in range(len(sources))]
    rows = np.eye(len(sources), dtype=np.float32)
    vectors = dict(zip(passages, rows, strict=True))
    events = [event(source, passage) for source, passage in zip(sources, passages, strict=True)]
    probes = choose_probes({"c": events})
    asked = np.stack([vectors[one.event.id] for one in probes])
    core = {"c": [passages[row] for row in choose_core(rows)]}
    where = {passage: f"{source}.md" for source, passage in zip(sources, passages, strict=True)}
    gate = measure_gate(probes, asked, {"c": passages}, core, vectors, where, 0.05)
    return gate.is_open, round(gate.lost, 3), gate.read


def test_it_opens_where_half_of_the_passages_have_all_sources() -> None:
    assert verdict([f"s{number % 4}" for number in range(8)]) == (True, 0.0, 0.5)


def test_it_stays_shut_where_each_passage_is_of_its_own_source() -> None:
    is_open, lost, read = verdict([f"s{number}" for number in range(8)])
    assert (is_open, lost, read) == (False, 0.5, 0.5)


def test_nodes_of_one_passage_are_not_asked_about() -> None:
    assert choose_probes({"c": [event("s", "p"), event("s", "p")]}) == []
    events = [event(str(number), f"p{number}") for number in range(90)]
    assert choose_probes({"c": events}) == choose_probes({"c": events[::-1]})
    assert len(choose_probes({"c": events})) == 60

"""The cheapest chains of ties between two areas (Dijkstra). Pure."""

from __future__ import annotations

from collections.abc import Collection
from heapq import heappop, heappush

from zibaldone.divergence.ties import Tie, Ties


def find_chains(ties: Ties, a: Collection[str], b: Collection[str], count: int) -> list[list[Tie]]:
    """Up to `count` chains from a note of `a` to one of `b`, the cheapest first; no two share a tie."""
    used: set[tuple[str, str]] = set()
    chains: list[list[Tie]] = []
    while len(chains) < count and (chain := _cheapest(ties, a, b, used)):
        chains.append(chain)
        for tie in chain:
            used |= {(tie.source.path, tie.target.path), (tie.target.path, tie.source.path)}
    return chains


def _cheapest(ties: Ties, a: Collection[str], b: Collection[str], used: Collection[tuple[str, str]]) -> list[Tie]:
    ends = set(b) - set(a)
    came: dict[str, Tie | None] = {}
    waiting: list[tuple[float, int, str, Tie | None]] = [(0.0, i, path, None) for i, path in enumerate(sorted(a))]
    order = len(waiting)
    while waiting:
        cost, _, path, tie = heappop(waiting)
        if path in came:
            continue
        came[path] = tie
        if path in ends:
            return _trace(came, path)
        for target, onward in sorted(ties.get(path, {}).items()):
            if target not in came and (path, target) not in used:
                heappush(waiting, (cost + onward.cost, order, target, onward))
                order += 1
    return []


def _trace(came: dict[str, Tie | None], path: str) -> list[Tie]:
    chain: list[Tie] = []
    while (tie := came[path]) is not None:
        chain.append(tie)
        path = tie.source.path
    return chain[::-1]

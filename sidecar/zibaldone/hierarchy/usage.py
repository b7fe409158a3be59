"""How much something is used: what was found, opened and accepted, of late. Pure; nothing but ids, kinds and times."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from zibaldone.domain.hierarchy import Touch, TouchKind

HALF_LIFE_DAYS = 30.0
_DAY_S = 86_400


# CrossModalRAG's.
WEIGHTS: Mapping[TouchKind, float] = {TouchKind.HIT: 1.0, TouchKind.OPEN: 2.0, TouchKind.ACCEPTED: 3.0}


def strengths(
    touches: Iterable[Touch],
    now: datetime,
    weights: Mapping[TouchKind, float] = WEIGHTS,
    half_life_days: float = HALF_LIFE_DAYS,
) -> dict[str, float]:
    """Of each target that was touched: the sum of its touches' weights, each halved every `half_life_days`. One that
    lies ahead (the clock was wrong) counts as of now."""
    total: dict[str, float] = defaultdict(float)
    for touch in touches:
        age = max(0.0, (now - touch.at).total_seconds() / _DAY_S)
        total[touch.target] += weights[touch.kind] * 0.5 ** (age / half_life_days)
    return dict(total)


def spread_touches(touches: Iterable[Touch], above: Mapping[str, Iterable[str]]) -> list[Touch]:
    """Each touch, and one for each node over what was touched. `above` leads from a passage to its events and from
    those to their episode and concept; a node that is reached on two ways counts once."""
    return [replace(touch, target=target) for touch in touches for target in _and_above(touch.target, above)]


def _and_above(target: str, above: Mapping[str, Iterable[str]]) -> list[str]:
    reached = {target: None}
    waiting = [target]
    while waiting:
        for node in above.get(waiting.pop(), ()):
            if node not in reached:
                reached[node] = None
                waiting.append(node)
    return list(reached)


def last_touches(touches: Iterable[Touch]) -> dict[str, datetime]:
    last: dict[str, datetime] = {}
    for touch in touches:
        last[touch.target] = max(touch.at, last.get(touch.target, touch.at))
    return last


def follow_touches(touches: Iterable[Touch], heirs: Mapping[str, str]) -> list[Touch]:
    """What was touched under an identity that is gone counts for its heir."""
    return [replace(touch, target=heirs.get(touch.target, touch.target)) for touch in touches]

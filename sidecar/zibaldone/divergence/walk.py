"""A walk of associations. Pure; the same seed gives the same walk."""

from __future__ import annotations

from math import exp
from random import Random

from zibaldone.divergence.ties import Tie, Ties

# How much likelier a tie is taken that costs one less.
_SHARPNESS = 6.0


def walk_ties(ties: Ties, start: str, steps: int, seed: int, top: int) -> list[Tie]:
    """Steps to notes not visited yet, each drawn from the `top` cheapest ties of the note where the walk stands.

    Where all around is visited it goes back to the last note from which something is left.
    """
    draw = Random(seed)  # noqa: S311 - a walk that can be repeated, no secret
    trail, visited, walked = [start], {start}, list[Tie]()
    while trail and len(walked) < steps:
        left = sorted(
            (tie for path, tie in ties.get(trail[-1], {}).items() if path not in visited),
            key=lambda tie: (tie.cost, tie.target.path),
        )[:top]
        if not left:
            trail.pop()
            continue
        [tie] = draw.choices(left, [exp(-_SHARPNESS * tie.cost) for tie in left])
        walked.append(tie)
        visited.add(tie.target.path)
        trail.append(tie.target.path)
    return walked

"""Evidence in rounds, within the token budget. Pure: the counts come from the model's own tokenizer.

A small model judges three passages well and ten badly, and what it reads first costs the least. So the best passages
are read first and the next ones only where those did not answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zibaldone.schemas.search import Hit

ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Packed:
    """`rounds` in rank order; `left_out` says where the passages stand that found no room."""

    rounds: list[list[Hit]]
    left_out: list[str]


def pack_rounds(hits: Sequence[Hit], tokens: Sequence[int], budget: int) -> Packed:
    """The hits in rank order, in `ROUNDS` rounds of equal size. The first of a round always goes in.

    Args:
        tokens: size of each formatted hit, in the same order.
        budget: tokens for all rounds together.
    """
    room = budget // ROUNDS
    rounds: list[list[Hit]] = []
    left = 0
    for number, (hit, size) in enumerate(zip(hits, tokens, strict=True)):
        if not rounds or size > left:
            if len(rounds) == ROUNDS:
                return Packed(rounds, [f"{rest.path} {rest.locator}" for rest in hits[number:]])
            rounds.append([])
            left = room
        rounds[-1].append(hit)
        left -= size
    return Packed(rounds, [])

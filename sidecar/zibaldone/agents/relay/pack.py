"""Evidence within the token budget. Pure: the counts come from the model's own tokenizer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zibaldone.schemas.search import Hit


@dataclass(frozen=True, slots=True)
class Packed:
    """`hits[i]` is cited by marker i + 1; `truncated` says in words what did not fit."""

    hits: list[Hit]
    truncated: list[str]


def pack_evidence(hits: Sequence[Hit], tokens: Sequence[int], budget: int) -> Packed:
    """The best hits that fit together, in rank order. The first always goes in: some evidence beats none.

    Args:
        tokens: size of each formatted hit, in the same order.
        budget: tokens for all evidence together.
    """
    taken: list[Hit] = []
    left = budget
    cut: list[str] = []
    for hit, size in zip(hits, tokens, strict=True):
        if size <= left or not taken:
            taken.append(hit)
            left -= size
        else:
            cut.append(f"{hit.path} {hit.locator}")
    truncated = [f"Not shown to the model for lack of room: {', '.join(cut)}."] if cut else []
    return Packed(taken, truncated)

"""Evidence in rounds, within the token budget. Pure: the counts come from the model's own tokenizer.

A small model judges three passages well and ten badly, and what it reads first costs the least. So the best passages
are read first and the next ones only where those did not answer. Where a conversation goes on with the same matter,
what was read before comes first and in the order in which it stood: a prompt that begins alike is not evaluated again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from zibaldone.schemas.search import Hit

ROUNDS = 3
_CONVERSATIONS = 64
# How far down the ranks a passage that was read before still says that a question goes on with the same matter.
_BEST = 4


@dataclass(frozen=True, slots=True)
class Packed:
    """`rounds` in the order of reading; `left_out` says where the passages stand that found no room."""

    rounds: list[list[Hit]]
    left_out: list[str]


class ReadBefore:
    """The rounds (chunk ids) that each conversation's last turn read; the latest conversations only."""

    def __init__(self) -> None:
        self._rounds: OrderedDict[str, list[list[str]]] = OrderedDict()

    def of(self, conversation: str | None) -> list[list[str]]:
        return self._rounds.get(conversation, []) if conversation else []

    def keep(self, conversation: str | None, rounds: Sequence[Sequence[Hit]]) -> None:
        if conversation:
            self._rounds.pop(conversation, None)
            self._rounds[conversation] = [[hit.chunk_id for hit in hits] for hits in rounds]
            if len(self._rounds) > _CONVERSATIONS:
                self._rounds.popitem(last=False)


def find_round(hits: Sequence[Hit], read: Sequence[Sequence[str]]) -> list[str]:
    """The round (chunk ids) in which one of the best hits stood when it was read; empty where none of them was."""
    return next((list(ids) for hit in hits[:_BEST] for ids in read if hit.chunk_id in ids), [])


def arrange_hits(hits: Sequence[Hit], before: Sequence[Hit], pages: Sequence[Hit] = ()) -> tuple[list[Hit], int]:
    """The hits in the order of reading, and how many of them make the first round whatever their size (0: as they
    fit).

    What was read `before` comes first, as it stood, and behind it the best hit, if that is not among them; where
    nothing was, the `pages` do. The others follow by rank.
    """
    if not before:
        known = {hit.chunk_id for hit in pages}
        return [*pages, *(hit for hit in hits if hit.chunk_id not in known)], len(pages)
    known = {hit.chunk_id for hit in before}
    with_best = hits[0].chunk_id not in known
    return [*before, *(hit for hit in hits if hit.chunk_id not in known)], len(before) + with_best


def pack_rounds(
    hits: Sequence[Hit], tokens: Sequence[int], budget: int, together: int = 0, *, apart: bool = False
) -> Packed:
    """The hits as they stand, in `ROUNDS` rounds of equal size. The first of a round always goes in.

    Args:
        tokens: size of each formatted hit, in the same order.
        budget: tokens for all rounds together.
        together: so many of the first hits make the first round, however large they are.
        apart: nothing else goes into that round, and it comes on top of the others.
    """
    room = budget // ROUNDS
    most = ROUNDS + (apart and together > 0)
    rounds: list[list[Hit]] = []
    left = 0
    for number, (hit, size) in enumerate(zip(hits, tokens, strict=True)):
        if not rounds or (number >= together and (size > left or (apart and number == together))):
            if len(rounds) == most:
                return Packed(rounds, [f"{rest.path} {rest.locator}" for rest in hits[number:]])
            rounds.append([])
            left = room
        rounds[-1].append(hit)
        left -= size
    return Packed(rounds, [])

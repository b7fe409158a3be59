"""What of a document is read, and which of its statements go to a page. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from zibaldone.agents.relay.compact import says_already
from zibaldone.wiki.guard import find_elisions
from zibaldone.wiki.section import Statement, render_statements

# A model is asked this often for one document: on two cores a 1.5B model takes some five minutes for it.
MOST_PORTIONS = 16
# A page is to be read at a glance.
MOST_STATEMENTS = 16


def pack_portions(tokens: Sequence[int], room: int) -> list[range]:
    """Neighbouring passages, by their sizes, in portions of at most `room` tokens; a longer one stands alone."""
    portions: list[range] = []
    used = 0
    for number, size in enumerate(tokens):
        if portions and used + size <= room:
            portions[-1] = range(portions[-1].start, number + 1)
            used += size
        else:
            portions.append(range(number, number + 1))
            used = size
    return portions


def choose_statements(portions: Sequence[Sequence[Statement]]) -> list[Statement]:
    """At most `MOST_STATEMENTS`, in the document's order.

    The first of each portion is taken before the second of any, since a model begins with what matters; none that
    another one says already, or that looks as if text were left out.
    """
    chosen: list[Statement] = []
    for one in _in_turns(portions):
        if not says_already([other.text for other in chosen], [one]) and not find_elisions(render_statements([one])):
            chosen.append(one)
    return sorted(chosen[:MOST_STATEMENTS], key=lambda one: one.citations[0].line_start)


def _in_turns(portions: Sequence[Sequence[Statement]]) -> Iterator[Statement]:
    for turn in zip_longest(*portions):
        yield from (one for one in turn if one is not None)

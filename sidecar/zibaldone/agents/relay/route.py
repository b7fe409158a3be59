"""What kind of question it is, and what that changes in what is read. Pure; decided by its words, never by a model.

*Convergence* finds a fact. *Comparison* looks for each side by itself, so that the one with more notes does not crowd
out the other. *Expansion* asks how something changed: what is read carries its dates and stands in their order.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Literal

from zibaldone.retrieval.query.comparisons import find_comparison
from zibaldone.schemas.search import Hit

Kind = Literal["convergence", "comparison", "expansion", "chat"]

# What the person committed since the last turn counts a little more: it is what they are at.
STEERING_WEIGHT = 0.03

_CHANGED = re.compile(
    r"\b(?:how (?:did|has|have)\b.*\b(?:chang|evolv|develop|shift|grow|grew)\w*|over (?:time|the years)"
    r"|wie (?:hat|haben)\b.*\b(?:verändert|entwickelt|gewandelt|geändert)|im laufe der (?:zeit|jahre)|mit der zeit"
    r"|cómo (?:ha|han)\b.*\b(?:cambiado|evolucionado)|con el tiempo"
    r"|comment .*\b(?:évolué|changé)|au fil (?:du temps|des ans))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Route:
    """`sides` are what a comparison compares, `rest` is what is asked of both, in the question's own words."""

    kind: Kind
    sides: tuple[str, ...] = ()
    rest: str = ""


def choose_route(question: str) -> Route:
    if found := find_comparison(question):
        return Route("comparison", (found.left, found.right), found.rest)
    return Route("expansion") if _CHANGED.search(question) else Route("convergence")


def merge_sides(whole: Sequence[Hit], sides: Sequence[Sequence[Hit]], k: int) -> list[Hit]:
    """At most `k` hits, the best of each side and of the whole question by turns."""
    turns = chain.from_iterable(zip_longest(*sides, whole))
    distinct: dict[str, Hit] = {}
    for hit in turns:
        if hit is not None:
            distinct.setdefault(hit.chunk_id, hit)
    return _ranked(list(distinct.values())[:k])


def order_by_date(hits: Sequence[Hit]) -> list[Hit]:
    """The oldest first, as one tells how something changed."""
    return sorted(hits, key=lambda hit: (hit.date, hit.rank))


def steer(hits: Sequence[Hit], worked_on: Container[str]) -> list[Hit]:
    """The hits with those of notes that the person worked on a little higher."""
    weighted = sorted(hits, key=lambda hit: -(hit.score + STEERING_WEIGHT * (hit.path in worked_on)))
    return _ranked(weighted)


def _ranked(hits: Sequence[Hit]) -> list[Hit]:
    return [hit.model_copy(update={"rank": rank}) for rank, hit in enumerate(hits, 1)]

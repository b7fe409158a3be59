"""Which of the ranked passages are shown. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt

from zibaldone.retrieval.rank import Ranked

# Passages of one note, as long as there are others, and the likeness of wording (cosine of the counts of terms) from
# which two passages of different notes are one; both CrossModalRAG's.
PER_SOURCE = 2
SAME = 0.95
_COMPARED = 12


@dataclass(slots=True)
class Selected:
    """A passage that is shown, with those of other notes that say the same."""

    ranked: Ranked
    also: list[Ranked] = field(default_factory=list)


def select_passages(
    ranked: Sequence[Ranked], k: int, *, per_source: int = PER_SOURCE, reserved: Mapping[str, int] | None = None
) -> list[Selected]:
    """The best k, at most `per_source` of one note as long as others are left, in the order of their scores.

    Args:
        reserved: how many places there are for what each subquery found, the best of it first.
    """
    chosen: list[Selected] = []
    for subquery, places in (reserved or {}).items():
        of_it = [one for one in ranked if one.subquery == subquery]
        _choose(of_it, min(k, len(chosen) + places), per_source, chosen)
    _choose(ranked, k, per_source, chosen)
    _choose(ranked, k, k, chosen)
    return sorted(chosen, key=lambda one: -one.ranked.score)


def _choose(ranked: Sequence[Ranked], k: int, per_source: int, chosen: list[Selected]) -> None:
    taken = Counter(one.ranked.chunk.path for one in chosen)
    known = {one.chunk.id for shown in chosen for one in (shown.ranked, *shown.also)}
    for candidate in ranked:
        if len(chosen) >= k:
            return
        if candidate.chunk.id in known or taken[candidate.chunk.path] >= per_source:
            continue
        known.add(candidate.chunk.id)
        if (same := _find_same(candidate, chosen)) is not None:
            same.also.append(candidate)
            continue
        taken[candidate.chunk.path] += 1
        chosen.append(Selected(candidate))


def _find_same(candidate: Ranked, chosen: Sequence[Selected]) -> Selected | None:
    """Passages of very different length or use of the question's words are not compared, nor those far down; and a page
    never with a note, which it rests on."""
    terms, lexical = candidate.chunk.body_terms, candidate.worded.lexical
    for shown in chosen[:_COMPARED]:
        other = shown.ranked.chunk
        if other.origin != candidate.chunk.origin or not 0.8 * len(terms) <= len(other.body_terms) <= 1.25 * len(terms):
            continue
        if abs(shown.ranked.worded.lexical - lexical) > 0.1 * lexical:
            continue
        if terms == other.body_terms or _likeness(terms, other.body_terms) >= SAME:
            return shown
    return None


def _likeness(one: str, other: str) -> float:
    """The cosine of the counts of terms."""
    a, b = Counter(one.split()), Counter(other.split())
    length = sqrt(sum(n * n for n in a.values()) * sum(n * n for n in b.values()))
    return sum(count * b[term] for term, count in a.items()) / length if length else 0.0

"""Which notes a topic means: a note, a folder, a tag, or words. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from zibaldone.divergence.marks import known_names
from zibaldone.divergence.notes import NoteText
from zibaldone.domain.words import fold, query_terms
from zibaldone.inference.roles import Vectors

# Shares of the embedder's range, seen with e5: the nearest passage to a topic that no note has lies at most .5 high and
# .31 above the mean of all passages; the nearest to one that stands there in another language .31 or more above it.
_HIGH, _ABOVE = 0.53, 0.32


def named_area(topic: str, notes: Sequence[NoteText], resolved: str | None) -> list[str]:
    """Paths of the notes that `topic` names as note, folder or tag; none where it is words.

    Args:
        resolved: the file that a link to `topic` leads to.
    """
    name = fold(topic.strip().rstrip("/"))
    if not topic.strip().startswith("#"):
        if resolved is not None and any(note.path == resolved for note in notes):
            return [resolved]
        if titled := [note.path for note in notes if name in map(fold, (note.title, *note.aliases))]:
            return titled
        if below := [note.path for note in notes if f"/{fold(note.folder)}/".find(f"/{name}/") >= 0]:
            return below
    tag = name.lstrip("#")
    return [note.path for note in notes if any(f"{fold(one)}/".startswith(f"{tag}/") for one in note.tags)]


def near_area(topic: str, notes: Sequence[NoteText], nearness: Mapping[str, float], most: int) -> list[str]:
    """The notes that words mean, the best first: by how much of the words they hold and how near they are (0..1)."""
    terms = query_terms(topic)
    scores: dict[str, float] = {}
    for note in notes:
        head = set(query_terms(" ".join((note.title, *note.aliases, *note.tags, *note.headings))))
        held = head.union(*(sentence.terms for sentence in note.sentences)) if terms else set()
        covered = sum((term in held) + (term in head) for term in terms) / (2 * len(terms) or 1)
        scores[note.path] = covered + nearness.get(note.path, 0.0)
    ranked = sorted(scores, key=lambda path: (-scores[path], path))
    best = scores[ranked[0]] if ranked else 0.0
    return [path for path in ranked if scores[path] >= 0.75 * best and scores[path] > 0][:most]


def has_words(topic: str, words: frozenset[str]) -> bool:
    """Whether a word of the topic, with one or another ending, is among the words."""
    return bool(known_names(frozenset(query_terms(topic)), words))


def is_near(cosines: Vectors, cosine_range: tuple[float, float]) -> bool:
    """Whether the nearest text of all is nearer to a topic than the nearest of texts that do not speak of it."""
    if not cosines.size:
        return False
    low, high = cosine_range
    best, mean = float(cosines.max()), float(np.mean(cosines))
    return best - low >= _HIGH * (high - low) or best - mean >= _ABOVE * (high - low)

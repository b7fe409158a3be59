"""Which notes a topic means: a note, a folder, a tag, or words. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zibaldone.divergence.notes import NoteText
from zibaldone.domain.words import fold, query_terms


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

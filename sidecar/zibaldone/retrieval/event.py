"""When something happened that a question speaks of without a date: "before the move", "seit dem Umzug"."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from zibaldone.domain.notes import DateSource
from zibaldone.retrieval.lexical import find_worded, look_up, score_words
from zibaldone.retrieval.query.times import Direction, relative_event
from zibaldone.retrieval.scope import Scope
from zibaldone.retrieval.union import SearchStore

# What a passage from the other side of the event is worth beside one from the right side, or without a date.
_OTHER_SIDE = 0.8


@dataclass(frozen=True, slots=True)
class Event:
    """`day` is that of the note at `path` which is named after it."""

    direction: Direction
    name: str
    day: date
    path: str

    def weigh(self, day: str) -> float:
        on_side = day < self.day.isoformat() if self.direction == "before" else day >= self.day.isoformat()
        return 1.0 if on_side else _OTHER_SIDE


def find_event(question: str, scope: Scope, store: SearchStore) -> Event | None:
    """The event that a question relates to, where a note with a date of its own has all words of it in its title."""
    if (related := relative_event(question)) is None:
        return None
    direction, name = related
    words = look_up(name, None, store)
    candidates = store.candidates(rows=find_worded(words, store, scope))
    scores = score_words(words, list(candidates.values()))
    named = [
        candidates[id_]
        for id_, score in scores.items()
        if score.titled >= 1.0 and candidates[id_].date_source != DateSource.MTIME
    ]
    if not named:
        return None
    best = max(named, key=lambda chunk: (scores[chunk.id].bm25, chunk.path))
    return Event(direction, name, date.fromisoformat(best.date), best.path)

"""The levels of the vault's memory above its passages: events, episodes, concepts, what became of them, and what the
person did with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from hashlib import sha256

from zibaldone.domain.notes import Origin

_ID_CHARS = 16


class EventKind(StrEnum):
    DECISION = "decision"
    LEARNING = "learning"
    FIX = "fix"
    TASK = "task"
    CHANGE = "change"
    MEETING = "meeting"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, with the words that say so.

    `quote` is verbatim, on the lines `line_start` to `line_end` (1-based, inclusive) of the passage `chunk_id`, or on a
    `page`, or at a `place` (a timestamp, a region) of what has neither. `day` is None where nobody says when;
    `day_is_stated` tells that the text does, not its source's date. `project` is the repository or connector that it
    came from, empty for notes. `confidence` is in 0..1.
    """

    id: str
    source_id: str
    path: str
    uri: str
    chunk_id: str
    kind: EventKind
    title: str
    quote: str
    line_start: int = 0
    line_end: int = 0
    page: int | None = None
    place: str = ""
    who: tuple[str, ...] = ()
    day: date | None = None
    day_is_stated: bool = False
    project: str = ""
    tags: tuple[str, ...] = ()
    origin: Origin = Origin.PERSON
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Episode:
    """Events of one project without a longer pause between them, in order; those without a day are one of their own.

    `title` is kept while the episode is about the same events as when it was named (`named_for`).
    """

    id: str
    title: str
    project: str
    events: tuple[str, ...]
    named_for: tuple[str, ...]
    start: date | None = None
    end: date | None = None


@dataclass(frozen=True, slots=True)
class Concept:
    """Events that are about the same thing, the most central first. `title` is kept as an episode's is."""

    id: str
    title: str
    events: tuple[str, ...]
    named_for: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Merged:
    """The greater part of each of `sources` is in `target` now."""

    target: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Split:
    """Each of `targets` comes for the greater part from `source`."""

    source: str
    targets: tuple[str, ...]


Succession = Merged | Split


class TouchKind(StrEnum):
    HIT = "hit"
    OPEN = "open"
    ACCEPTED = "accepted"


@dataclass(frozen=True, slots=True)
class Touch:
    """`target` is the id of a passage, event, episode or concept."""

    target: str
    kind: TouchKind
    at: datetime


@dataclass(frozen=True, slots=True)
class Card:
    """`id` stays for as long as the card does. `evidence` are the hashes of the passages that the question and answer
    were made from; `schedule` is FSRS's state as JSON."""

    id: str
    node_id: str
    evidence: tuple[str, ...]
    question: str
    answer: str
    generated_by: str
    schedule: str


def event_id(source_id: str, kind: EventKind, quote: str, occurrence: int = 0) -> str:
    """The same for the same words of a source, wherever they stand and however the source is called.

    `occurrence` counts, from 0, events of one source with the same kind and quote.
    """
    return content_id((source_id, kind, " ".join(quote.split()), str(occurrence)))


def content_id(parts: Sequence[str]) -> str:
    """Sixteen hexadecimal digits that stand for `parts`."""
    return sha256("\x1f".join(parts).encode()).hexdigest()[:_ID_CHARS]

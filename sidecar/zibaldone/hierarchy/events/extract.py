"""From a source to its events: sentences, what is thought of each, and the events that are made of it. Pure.

    candidates = read_candidates(source, chunks, lines)
    opinions = classifier.judge([one.sentence for one in candidates], vectors)
    events = make_events(source, candidates, opinions)

Nothing of an event is written by a model: its quote is the sentence as it stands in the source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from zibaldone.domain.hierarchy import Event, EventKind, event_id
from zibaldone.domain.markup import hide_task_fields
from zibaldone.domain.notes import Chunk, Modality, Origin, Source
from zibaldone.hierarchy.events.classify import Opinion
from zibaldone.hierarchy.events.sentences import Sentence, read_sentences, read_subject
from zibaldone.hierarchy.events.shapes import NONE, speaks_of
from zibaldone.hierarchy.events.when import find_day
from zibaldone.hierarchy.events.who import find_people

# From which probability on a sentence tells of an event, by its meaning and by its shape alone, which more sentences
# share: by the examples, each judged by the others, and the half of the planted phrasings that may be looked at.
LEAST, LEAST_BY_SHAPE = 0.5, 0.7
_TITLE_CHARS = 90


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence and the passage that it stands in."""

    sentence: Sentence
    chunk: Chunk


def read_candidates(source: Source, chunks: Sequence[Chunk], lines: Sequence[str] = ()) -> list[Candidate]:
    """The sentences of a source that are asked about; none of what the agent wrote, which only tells of other sources.

    Args:
        lines: of a note, the whole of it as it is on disk. Of other sources the passages' own text is read.
    """
    if source.origin is Origin.AGENT:
        return []
    if source.modality is Modality.CODE:
        return [Candidate(one, chunk) for chunk in chunks[:1] for one in read_subject(chunk.text)]
    if lines:
        return _in_note(chunks, lines)
    return [Candidate(sentence, chunk) for chunk in chunks for sentence in _in_passage(chunk)]


def make_events(
    source: Source,
    candidates: Sequence[Candidate],
    opinions: Sequence[Opinion],
    least: float = LEAST,
    people: Collection[str] = (),
) -> list[Event]:
    """Of the candidates that tell of one, by the opinion about each (`opinions`, in their order).

    Args:
        least: `LEAST`, or `LEAST_BY_SHAPE` where there are no vectors.
        people: names that are known to be a person's, see `who.find_people`.
    """
    seen: Counter[tuple[EventKind, str]] = Counter()
    events = []
    for candidate, opinion in zip(candidates, opinions, strict=True):
        kind, told = _settle(candidate.sentence, opinion)
        if told >= least:
            identity = kind, " ".join(candidate.sentence.text.split())
            events.append(_make_event(source, candidate, kind, told, seen[identity], people))
            seen[identity] += 1
    return events


def _settle(sentence: Sentence, opinion: Opinion) -> tuple[EventKind, float]:
    """The likeliest kind, and how sure it is that there is an event. Every commit is one: it mends or it changes."""
    if sentence.mark == "subject":
        return EventKind.FIX if speaks_of(sentence.said, EventKind.FIX) else EventKind.CHANGE, 1.0
    return max(EventKind, key=lambda kind: opinion[kind]), 1 - opinion[NONE]


def _in_passage(chunk: Chunk) -> list[Sentence]:
    return read_sentences(chunk.text.split("\n"), chunk.line_start, chunk.heading[-1] if chunk.heading else "")


def _in_note(chunks: Sequence[Chunk], lines: Sequence[str]) -> list[Candidate]:
    """Read as one text, so that a paragraph that was cut into two passages is none; properties stand in no passage."""
    kept = [False] * (len(lines) + 1)
    for chunk in chunks:
        kept[chunk.line_start : chunk.line_end + 1] = [True] * (chunk.line_end - chunk.line_start + 1)
    body = [line if kept[number] else "" for number, line in enumerate(lines, 1)]
    body[: _properties_end(lines)] = [""] * _properties_end(lines)
    found = []
    for sentence in read_sentences(body):
        around = [one for one in chunks if one.line_start <= sentence.line_start <= one.line_end]
        if around:
            holding = (one for one in around if sentence.text in one.text)
            found.append(Candidate(sentence, next(holding, around[0])))
    return found


def _properties_end(lines: Sequence[str]) -> int:
    """How many lines at the top are properties."""
    if not lines or lines[0].strip("\ufeff \t") != "---":
        return 0
    return next((number for number, line in enumerate(lines[1:], 2) if line.strip() in ("---", "...")), 0)


def _make_event(
    source: Source, candidate: Candidate, kind: EventKind, confidence: float, occurrence: int, people: Collection[str]
) -> Event:
    sentence, chunk = candidate.sentence, candidate.chunk
    headings = [*chunk.heading, sentence.under]
    day, is_stated = find_day(sentence, kind, headings, source.date)
    return Event(
        id=event_id(source.id, kind, sentence.text, occurrence),
        source_id=source.id,
        path=source.path,
        uri=source.uri,
        chunk_id=chunk.id,
        kind=kind,
        title=make_title(sentence.said),
        quote=sentence.text,
        line_start=sentence.line_start,
        line_end=sentence.line_end,
        page=chunk.page,
        place=chunk.place,
        who=find_people(sentence.said, people),
        day=day,
        day_is_stated=is_stated,
        project=_project(source),
        tags=source.tags,
        origin=source.origin,
        confidence=round(confidence * (1.0 if chunk.confidence is None else chunk.confidence), 3),
    )


def make_title(said: str) -> str:
    """The sentence without its end and a task's fields; a long one is cut between words."""
    title = hide_task_fields(said).rstrip(" .。;:").lstrip("-*# ")
    if len(title) <= _TITLE_CHARS:
        return title
    return title[:_TITLE_CHARS].rsplit(" ", 1)[0].rstrip(",;:") + "…"


def _project(source: Source) -> str:
    """A commit's repository (`git:NAME@SHA`), a connector's name (`//NAME/path`); empty for the vault's own notes."""
    if source.uri.startswith("git:"):
        return source.uri[4:].partition("@")[0]
    return source.path[2:].partition("/")[0] if source.path.startswith("//") else ""

"""Where the quote of an event stands in its source now: the check that it stands there at all. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from zibaldone.domain.hierarchy import Event
from zibaldone.domain.notes import Chunk


def anchor_event(event: Event, chunks: Sequence[Chunk], lines: Sequence[str] = ()) -> Event | None:
    """The event at the place of its quote in a changed source, nearest to where it stood; None where it is gone.

    White space may differ, and the quote becomes what stands there.

    Args:
        lines: of a note, the whole of it. Of other sources the passages' own text is searched.
    """
    places = _in_lines(event, chunks, lines) if lines else _in_passages(event, chunks)
    return min(places, key=lambda place: abs(place.line_start - event.line_start), default=None)


def follow_passage(event: Event, text: str, line_start: int, line_end: int) -> Event:
    """The event with the lines of its quote, where its passage stands further up or down than it did.

    Args:
        text: the passage as it is now, with its lines' numbers. A quote that goes beyond it stays where it was, and so
            does one in a passage that left out empty lines, where nobody can count them.
    """
    if text.count("\n") != line_end - line_start:
        return event
    places = []
    at = text.find(event.quote)
    while at >= 0:
        places.append(line_start + text.count("\n", 0, at))
        at = text.find(event.quote, at + 1)
    if not places or event.line_start in places:
        return event
    first = min(places, key=lambda line: abs(line - event.line_start))
    return replace(event, line_start=first, line_end=first + event.quote.count("\n"))


def _in_lines(event: Event, chunks: Sequence[Chunk], lines: Sequence[str]) -> list[Event]:
    text = "\n".join(lines)
    found = []
    for match in _pattern(event.quote).finditer(text):
        first = text.count("\n", 0, match.start()) + 1
        around = [chunk for chunk in chunks if chunk.line_start <= first <= chunk.line_end]
        if around:
            chunk = next((one for one in around if match[0] in one.text), around[0])
            found.append(_moved(event, chunk, match[0], first))
    return found


def _in_passages(event: Event, chunks: Sequence[Chunk]) -> list[Event]:
    return [
        _moved(event, chunk, match[0], chunk.line_start + chunk.text.count("\n", 0, match.start()))
        for chunk in chunks
        for match in _pattern(event.quote).finditer(chunk.text)
    ]


def _pattern(quote: str) -> re.Pattern[str]:
    return re.compile(r"(?<!\w)" + r"\s+".join(map(re.escape, quote.split())) + r"(?!\w)")


def _moved(event: Event, chunk: Chunk, quote: str, first: int) -> Event:
    return replace(
        event,
        chunk_id=chunk.id,
        quote=quote,
        line_start=first,
        line_end=first + quote.count("\n"),
        page=chunk.page,
        place=chunk.place,
    )

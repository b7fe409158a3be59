"""What was read out of a file that is no note: its text in runs, each with the place that it stands in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from zibaldone.domain.notes import Link


@dataclass(frozen=True, slots=True)
class Part:
    """A run of text that is read as one: a page of a PDF, a card of a canvas, a block of an image, a section.

    `text` has paragraphs with an empty line between them, in reading order. `place` is what leads a person there, as a
    locator shows it (`xywh=40,120,300,80` of an image in pixels, `node=3f2a` of a canvas, `src/app.py:10-24` of a
    commit, `row 12`); empty where page and heading are enough. `page` counts from 1. `confidence` (0..1) is how sure
    the reading of the characters is, None where they were not guessed. A chunk never crosses two parts.
    """

    text: str
    heading: tuple[str, ...] = ()
    page: int | None = None
    place: str = ""
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """`title` is the file's own, None where its name has to do; `stated_date` a day that the file itself states.

    `problems` are sentences for the person about what could not be read; the rest is used.
    """

    parts: tuple[Part, ...]
    title: str | None = None
    stated_date: date | None = None
    links: tuple[Link, ...] = ()
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The file gives nothing: `reason` says why, fit for "skipped: {reason}" (`is encrypted`, `larger than 50 MB`)."""

    reason: str

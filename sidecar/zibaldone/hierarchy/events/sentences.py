"""The sentences of a passage that may tell of an event, verbatim, with their lines. Pure.

An item of a list, a task and a heading are one each. Code, tables and quotations are not the person's telling.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from zibaldone.domain.markup import hide_addresses

Mark = Literal["prose", "item", "open", "done", "heading", "subject"]

_MOST_CHARS = 600  # a longer run without an end is no sentence
_LEAST_LETTERS = 4
_LEAST_WORDS_OF_HEADING = 3  # a shorter one only names what follows
_SHORT = 0.75  # of the longest line
_ABBREVIATED = "".join(rf"(?<!\b{word})" for word in "Dr Mr Mrs Ms Prof Hr Fr St Nr ca vs bzw ggf etc inkl".split())
# Words that begin a sentence also where a figure stands in front of them ("now 14. We").
_BEGINNERS = r"(?:I|We|The|It|This|He|She|They|On|In|At|Since|From|Ich|Wir|Es|Das|Die|Mit|Seit|Am|Im|Nach)\b"
# An end of sentence; not the point of an ordinal, an initial or a title ("am 3. Mai", "J. Bell", "Dr. Okafor").
_END = re.compile(
    rf"(?:(?<!\d)(?<!\b[^\W\d_]){_ABBREVIATED}\.|[!?…]+)[\"'»“”’)\]*_]*(?=\s)|[。！？]+"
    rf"|(?<=\d{{3}})\.(?=\s+[^\W\d_a-z])|(?<=\d)\.(?=\s+{_BEGINNERS})"
)
_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t]*$")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[(?P<box>.)\][ \t]+)?")
_PASSED_OVER = re.compile(r"[ \t]*(?:>(?![ \t]*\[!)|\||%%|<!--|\[\^|!\[|---\s*$|\w[\w -]{0,30}::)")
_LABELLED = re.compile(r"[ \t]*(?:TODO|To[ -]?do|FIXME|DONE)\b")
_LETTER = re.compile(r"[^\W\d_]")
_EMPHASIS = re.compile(r"[*_=~`]{1,3}(?=\S)|(?<=\S)[*_=~`]{1,3}(?!\w)")
_FILED_UNDER = re.compile(r"\A\[\[[^\[\]]{1,200}\]\][:：][ \t]+(?=\S)")
_CANCELLED = "-"
_OPEN = frozenset(" /!?>")


@dataclass(frozen=True, slots=True)
class Sentence:
    """`text` is verbatim, with line breaks as in the source; `said` as it is read. `under` is the nearest heading."""

    text: str
    said: str
    line_start: int
    line_end: int
    mark: Mark
    under: str = ""


def read_sentences(lines: Sequence[str], first_line: int = 1, under: str = "") -> list[Sentence]:
    """Of the lines of a passage, the first of which is line `first_line` of its source; `under` is its heading."""
    found: list[Sentence] = []
    for number, run in _runs(lines, first_line):
        if heading := _HEADING.match(run[0]):
            under = heading[2]
            if len(under.split()) >= _LEAST_WORDS_OF_HEADING:
                found += _split(under, number, "heading", "")
            continue
        item = _ITEM.match(run[0])
        lead = item.end() if item else 0
        box = item["box"] if item else None
        if box == _CANCELLED:
            continue
        mark: Mark = "prose" if not item else "item" if box is None else "open" if box in _OPEN else "done"
        found += _split("\n".join([run[0][lead:], *run[1:]]), number, mark, under)
    return found


def read_subject(message: str) -> list[Sentence]:
    """The first line of a commit's message, which says what it did."""
    subject = message.split("\n", 1)[0].strip()
    return [Sentence(subject, subject, 1, 1, "subject")] if len(_LETTER.findall(subject)) >= _LEAST_LETTERS else []


def _runs(lines: Sequence[str], first_line: int) -> Iterator[tuple[int, list[str]]]:
    """Paragraphs, items and headings, each with the number of its first line."""
    run: list[str] = []
    start = first_line
    fence = ""
    for number, line in enumerate(lines, first_line):
        opened = _FENCE.match(line)
        if opened and (not fence or opened[1].startswith(fence)):
            fence = "" if fence else opened[1]
        passed = bool(fence or opened or not line.strip() or _PASSED_OVER.match(line))
        if run and (passed or _HEADING.match(line) or _ITEM.match(line) or _HEADING.match(run[0])):
            yield from _at_breaks(start, run)
            run = []
        if not passed:
            start = start if run else number
            run.append(line)
    yield from _at_breaks(start, run)


def _at_breaks(start: int, run: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """A run in parts: at labels, and at short lines that somebody ended on purpose."""
    width = max(map(len, run), default=0)
    first = 0
    for number in range(1, len(run) + 1):
        if number == len(run) or _is_break(run[number - 1], run[number], width):
            yield start + first, list(run[first:number])
            first = number


def _is_break(line: str, following: str, width: int) -> bool:
    """Whether the lines are two sayings: one is labelled, or the next one's first word had room enough."""
    if _LABELLED.match(line) or _LABELLED.match(following):
        return True
    word = following.split(maxsplit=1)[0]
    return not word[0].islower() and len(line) + len(word) < _SHORT * width


def _split(text: str, first_line: int, mark: Mark, under: str) -> Iterator[Sentence]:
    """The sentences of a run; a task is one, whatever its punctuation."""
    start = 0
    ends = [] if mark in ("open", "done", "heading") else [match.end() for match in _END.finditer(text)]
    for end in [*ends, len(text)]:
        rest = text[start:end]
        begin = start + len(rest) - len(rest.lstrip())
        verbatim = text[begin:end].rstrip()
        if len(_LETTER.findall(verbatim)) >= _LEAST_LETTERS and len(verbatim) <= _MOST_CHARS:
            line = first_line + text.count("\n", 0, begin)
            yield Sentence(verbatim, read_aloud(verbatim), line, line + verbatim.count("\n"), mark, under)
        start = end


def read_aloud(text: str) -> str:
    """Without addresses, marks of emphasis and a link in front that only files it (`[[Garden]]: ...`), on one line."""
    return " ".join(_EMPHASIS.sub("", hide_addresses(_FILED_UNDER.sub("", text, count=1))).split())

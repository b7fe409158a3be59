"""Headers, footers and page numbers: lines that stand in the same place on most pages. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import chain, pairwise
from operator import itemgetter
from statistics import median

from zibaldone.ingest.extract.pdf.line import Line

_DIGITS = re.compile(r"\d+")
_NUMBER = re.compile(r"\W*(?:(?:page|seite|pg|p|s)\b\W*)?(?:#|[ivxlc]+)(?:\W*(?:of|von)?\W*#)?\W*", re.IGNORECASE)
_AT_ENDS = re.compile(r"(?:^\d{1,4}\b)|(?:\b\d{1,4}$)")
_WORD = re.compile(r"[^\W\d_]{2}")

_MOST = 0.5  # of the pages
_REPEATS = 3  # pages, so that headers of chapters, and of left and right pages, count
_MAX_LINES = 4  # of a header or a footer
_APART = 0.7  # of a line's height lies between a header and the text, at least
_LARGE = 1.15  # times the usual height of a line is a heading, not a header

_TOP = Line._fields.index("top")

_Place = tuple[str, int]
"""What a line says, digits aside, or how far its number is from the page's; and its height on the page in points."""


def without_running_lines(pages: Sequence[list[Line]], titles: Mapping[int, Collection[str]]) -> list[list[Line]]:
    """The pages without headers, footers and page numbers.

    A line is one if it stands apart from the text, is found on three pages at the same height, digits aside or with a
    number that counts the pages, and most pages have such a line there. Of two pages only the numbers are left out:
    what both say may be a letterhead.

    Args:
        titles: headings of the outline by page (from 0), which are kept.
    """
    large = _LARGE * median([line.top - line.bottom for page in pages for line in page] or [0.0])
    margins = [_margins(page, number, large, titles.get(number, ())) for number, page in enumerate(pages)]
    pages_with = Counter(place for margin in margins for place in set(chain.from_iterable(margin.values())))
    enough = min(_REPEATS, max(2, len(pages) - 1))
    texts: Counter[str] = Counter()
    for (text, _), count in pages_with.items():
        texts[text] += count
    repeated = {
        place
        for place in pages_with
        if texts[place[0]] >= enough and _near(place, pages_with) >= enough and (len(pages) > 2 or place[0] == "#")
    }
    if not repeated:
        return list(pages)
    filled: Counter[int] = Counter()
    for margin in margins:
        heights = {y for text, y in chain.from_iterable(margin.values()) if (text, y) in repeated}
        filled.update({near for y in heights for near in (y - 1, y, y + 1)})
    running = {place for place in repeated if filled[place[1]] >= max(2, _MOST * len(pages))}
    return [
        [line for line in page if running.isdisjoint(margin.get(line, ()))] if margin else page
        for page, margin in zip(pages, margins, strict=True)
    ]


def _near(place: _Place, pages_with: Counter[_Place]) -> int:
    text, y = place
    return pages_with[text, y - 1] + pages_with[place] + pages_with[text, y + 1]


def _margins(page: Sequence[Line], number: int, large: float, titles: Collection[str]) -> dict[Line, set[_Place]]:
    """The lines at the top and at the bottom that stand apart from the text, and their places."""
    downwards = sorted(page, key=itemgetter(_TOP), reverse=True)
    margins = {}
    for line in (*_edge(downwards), *_edge(downwards[::-1])):
        if line.height <= large and line.text not in titles and (texts := _folded(line.text, number)):
            margins[line] = {(text, round(line.bottom)) for text in texts}
    return margins


def _edge(lines: Sequence[Line]) -> Sequence[Line]:
    """The lines up to the first gap; none where they are too many for a header."""
    for count, (line, following) in enumerate(pairwise(lines), 1):
        if count > _MAX_LINES:
            return ()
        distance = max(line.bottom - following.top, following.bottom - line.top)
        if distance >= _APART * min(line.height, following.height):
            return lines[:count]
    return lines if len(lines) <= _MAX_LINES else ()


def _folded(text: str, page: int) -> set[str]:
    """What repeats where a line is a header: empty where it has neither a word nor a page number."""
    folded = _DIGITS.sub("#", text)
    if _NUMBER.fullmatch(folded):
        return {"#"}
    if not _WORD.search(folded):
        return set()
    return {folded} | {f"page {int(found) - page:+}" for found in _AT_ENDS.findall(text)}

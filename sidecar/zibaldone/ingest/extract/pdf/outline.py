"""The headings of a PDF's outline (its bookmarks), and where on a page each of them begins."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import pypdfium2 as pdfium

from zibaldone.ingest.extract.pdf.columns import Flow
from zibaldone.ingest.extract.pdf.line import Line

_MAX_BOOKMARKS = 10_000
_MAX_DEPTH = 8
_MAX_LETTERS = 200  # of a heading
_MAX_LINES = 4  # that a heading is set in
_RUN_IN = 8  # letters of a heading that text follows on the same line, at least
_WORD = re.compile(r"[^\W\d_]+")
_SIGNS = re.compile(r"[\W_]+")
_NUMBERING = re.compile(r"\d+(?=\D)")

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """`path` is from the top level down with its own title last; `top` is its height on the page, if that is said."""

    path: Path
    top: float | None


def read_outline(document: pdfium.PdfDocument) -> dict[int, list[Heading]]:
    """The headings of each page (counted from 0); empty where there is no outline. What is damaged is left out."""
    headings: dict[int, list[Heading]] = {}
    path: list[str] = []
    try:
        for bookmark in islice(document.get_toc(max_depth=_MAX_DEPTH), _MAX_BOOKMARKS):
            title = " ".join(bookmark.get_title().split())[:_MAX_LETTERS]
            path[bookmark.level :] = [title]
            target = bookmark.get_dest()
            page = target.get_index() if target else None
            if title and target and page is not None:
                headings.setdefault(page, []).append(Heading(tuple(filter(None, path)), _top(target)))
    except (pdfium.PdfiumError, UnicodeDecodeError):
        return headings
    return headings


def divide(flows: Sequence[Flow], headings: Sequence[Heading], path: Path) -> list[tuple[Path, list[Flow]]]:
    """The flows of a page under their headings; what precedes the first is under `path`, that of the page before.

    A heading begins where its title stands, else at the height that the outline names, else where it is named: at
    the beginning, or at the heading before it.
    """
    if not headings:
        return [(path, list(flows))] if flows else []
    lines = [(index, line) for index, flow in enumerate(flows) for line in flow]
    starts: list[tuple[int, Path]] = [(0, path)]
    for heading in headings:
        start = _find(heading.path[-1], [line.text for _, line in lines], starts[-1][0])
        if start is None:
            start = _below(heading.top, [line for _, line in lines], starts[-1][0])
        starts.append((start, heading.path))
    ends = [start for start, _ in starts[1:]] + [len(lines)]
    return [(path, _regroup(lines[start:end])) for (start, path), end in zip(starts, ends, strict=True) if start < end]


def _regroup(lines: Sequence[tuple[int, Line]]) -> list[Flow]:
    flows: dict[int, Flow] = {}
    for index, line in lines:
        flows.setdefault(index, []).append(line)
    return list(flows.values())


def _find(title: str, texts: Sequence[str], first: int) -> int | None:
    """The line where the title stands, alone or before text; with or without its number."""
    word = (_WORD.findall(title.casefold()) or [title.casefold()])[0]
    places = [index for index in range(first, len(texts)) if word in texts[index].casefold()]
    titles = {_letters(title), _NUMBERING.sub("", _letters(title), count=1)}
    for index in places:
        if _is_title(titles, texts[index : index + _MAX_LINES]):
            return index
    run_in = tuple(title for title in titles if len(title) >= _RUN_IN)
    return next((index for index in places if _letters(texts[index]).startswith(run_in)), None)


def _is_title(titles: set[str], texts: Sequence[str]) -> bool:
    """Whether one or more of the lines together are the title."""
    joined = ""
    for text in texts:
        joined += _letters(text)
        if joined in titles or _NUMBERING.sub("", joined, count=1) in titles:
            return bool(joined)
    return False


def _below(top: float | None, lines: Sequence[Line], first: int) -> int:
    """The first line under the height, if it is near."""
    if top is not None:
        for index in range(first, len(lines)):
            if lines[index].bottom < top <= lines[index].top + 3 * lines[index].height:
                return index
    return first


def _letters(text: str) -> str:
    return _SIGNS.sub("", text).casefold()


def _top(target: pdfium.PdfDest) -> float | None:
    """The height that the bookmark leads to, in points, where it names one: /XYZ left top zoom, /FitH top."""
    mode, view = target.get_view()
    if mode == pdfium.raw.PDFDEST_VIEW_XYZ and len(view) > 1:
        return float(view[1])
    if mode == pdfium.raw.PDFDEST_VIEW_FITH and view:
        return float(view[0])
    return None

"""The lines of one page, from pdfium, in the file's order.

pdfium finds the lines itself. Asking it for the box of every character would take as long as all the rest, so only a
line's first and last are asked for, and those between in some lines only, to see whether columns were run together.
"""

from __future__ import annotations

import ctypes
import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as api

from zibaldone.ingest.extract.pdf.columns import find_alley, is_interleaved
from zibaldone.ingest.extract.pdf.line import Line

_DIVIDED = "\ufffe"  # pdfium's sign, or \x02, in place of a hyphen that ends a line, and of the end of the line
_PLAIN = str.maketrans(
    {
        "\ufb00": "ff",
        "\ufb01": "fi",
        "\ufb02": "fl",
        "\ufb03": "ffi",
        "\ufb04": "ffl",
        "\ufb05": "st",
        "\ufb06": "st",
        "\u00a0": " ",
        "\u200b": None,
        "\ufeff": None,
    }
)
# Latin letters and punctuation, of which none of these steps changes anything.
_ORDINARY = re.compile("[ -~\u00a1-\u00a7\u00a9-\u00ac\u00ae-\u017f\u2010-\u2027\u20ac]*")
_SOFT_HYPHEN_INSIDE = re.compile("\u00ad(?!$)")
# TeX's older fonts have no umlauts, and set the dots and the letter one over the other.
_DOTS = re.compile("\u00a8 ?([aouAOU])")

_FEW, _MORE = 2, 7  # long lines that are looked at: at first, and where one of these has a gap
_LONG = 0.6  # of the longest line
_SHORTEST = 20  # letters
_GAP = 0.8  # of the height of a line is between columns, at least, and so much more than
_WIDER = 1.5  # times what is usual between the line's words
_LEADER = " . . "  # leads the eye through a gap
_OBJECTS = 1.5  # text objects in a line, from which on it may be of several columns


class _Span(NamedTuple):
    """Where a line stands among the page's characters: from `start` up to and with `last`."""

    text: str
    start: int
    last: int


def read_lines(document: pdfium.PdfDocument, index: int) -> list[Line] | None:
    """The lines of a page (counted from 0), upright; None for a page that cannot be read."""
    # The library's objects for pages cost a tenth of what reading one does.
    page = api.FPDF_LoadPage(document.raw, index)
    if not page:
        return None
    textpage = api.FPDFText_LoadPage(page)
    try:
        lines = _Characters(textpage).lines() if textpage else None
        rotation = api.FPDFPage_GetRotation(page)
    finally:
        api.FPDFText_ClosePage(textpage)
        api.FPDF_ClosePage(page)
    return [_turned(line, rotation) for line in lines] if lines and rotation else lines


class _Characters:
    """The characters of a page, by pdfium's index, which counts also what has no text."""

    def __init__(self, textpage: api.FPDF_TEXTPAGE) -> None:
        self._raw = textpage
        self._box = (ctypes.c_float * 4)()
        self._box_pointer = ctypes.cast(self._box, ctypes.POINTER(api.FS_RECTF))
        self._went_back = False  # within a line, to what should be another one
        self.count = max(0, api.FPDFText_CountChars(self._raw))

    def lines(self) -> list[Line]:
        spans = self._spans()
        lines = list(map(self._line, spans))
        if self._went_back or is_interleaved(lines) or self._may_be_run_together(lines, spans):
            pieces = [piece for span in spans for piece in self._pieces(span)]
            if find_alley(pieces) is not None:
                return pieces
        return [line for line in lines if line.text]

    def _spans(self) -> list[_Span]:
        text, index = self._text()
        text = text.replace("\x02", _DIVIDED)
        spans = []
        place = 0
        for piece in text.replace(_DIVIDED, "\n").split("\n"):
            end = place + len(piece)
            if line := piece.strip():
                start = place + piece.index(line)
                last = start + len(line) - 1
                spans.append(_Span(line + "-" if text.startswith(_DIVIDED, end) else line, index[start], index[last]))
            place = end + 1
        return spans

    def _text(self) -> tuple[str, Sequence[int]]:
        """The page's text and the index of the character that each of its letters comes from."""
        if self.count == 0:
            return "", ()
        buffer = (ctypes.c_ushort * (2 * self.count + 2))()  # letters beyond 16 bits take two
        written = api.FPDFText_GetText(self._raw, 0, self.count, buffer)
        text = bytes(memoryview(buffer)[: max(0, written - 1)]).decode("utf-16-le", "replace")
        if len(text) == self.count:
            return text, range(self.count)
        units = list(accumulate((1 + (letter > "\uffff") for letter in text), initial=0))
        return text, [max(0, api.FPDFText_GetCharIndexFromTextIndex(self._raw, unit)) for unit in units]

    def _line(self, span: _Span) -> Line:
        """As high as the higher of its ends, so that an item's sign or a word in another font makes no difference."""
        left, top, right, bottom = self._loose_box(span.start)
        last_left, last_top, last_right, last_bottom = self._loose_box(span.last)
        if last_left < left:
            self._went_back |= last_right < left
            left = last_left
        if last_bottom < bottom:
            bottom = last_bottom
        if last_right > right:
            right = last_right
        if last_top > top:
            top = last_top
        text = span.text if span.text.isascii() else _plain(span.text)
        return Line(text, left, bottom, right, top if top > bottom + 1.0 else bottom + 1.0)

    def _loose_box(self, index: int) -> list[float]:
        """Left, top, right and bottom; as tall as the font, whatever the letter."""
        api.FPDFText_GetLooseCharBox(self._raw, index, self._box_pointer)
        return self._box[:]

    def _may_be_run_together(self, lines: list[Line], spans: list[_Span]) -> bool:
        """Whether most of the long lines have a gap like that between two columns; a few of them are looked at."""
        if not lines or api.FPDFText_CountRects(self._raw, 0, -1) < _OBJECTS * len(lines):
            return False
        enough = _LONG * max(line.right - line.left for line in lines)
        long = [
            span
            for line, span in zip(lines, spans, strict=True)
            if line.right - line.left >= enough and len(span.text) >= _SHORTEST and _LEADER not in span.text
        ]
        more = _spread(long, _MORE)
        return any(map(self._gaps, _spread(long, _FEW))) and 2 * sum(map(bool, map(self._gaps, more))) > len(more)

    def _gaps(self, span: _Span) -> list[int]:
        """Where in the line's text a space is as wide as that between columns."""
        text = span.text
        if span.last - span.start not in (len(text) - 1, len(text) - 2):
            return []  # some letters are no characters, or the other way round
        spaces = []
        height = 0.0
        position = text.find(" ")
        while position > 0:
            left, top, right, bottom = self._loose_box(span.start + position - 1)
            next_left, _, next_right, _ = self._loose_box(span.start + position + 1)
            spaces.append((max(next_left - right, left - next_right), position))
            height = top - bottom
            position = text.find(" ", position + 1)
        if not spaces:
            return []
        usual = sorted(spaces)[len(spaces) // 2][0]
        wide = max(_GAP * height, _WIDER * usual)
        return [position for width, position in spaces if width > wide]

    def _pieces(self, span: _Span) -> Iterator[Line]:
        start = 0
        for gap in self._gaps(span):
            yield self._line(_Span(span.text[start:gap].strip(), span.start + start, span.start + gap - 1))
            start = gap + 1
        yield self._line(_Span(span.text[start:].strip(), span.start + start, span.last))


def _spread(spans: Sequence[_Span], count: int) -> Sequence[_Span]:
    """`count` of them or a few more, evenly from the middle parts of the page."""
    return spans[len(spans) // (2 * count) :: max(1, len(spans) // count)]


def _plain(text: str) -> str:
    """Ligatures as letters, umlauts as one, invisible signs left out."""
    if _ORDINARY.fullmatch(text):
        return text
    text = _SOFT_HYPHEN_INSIDE.sub("", text.translate(_PLAIN))
    return unicodedata.normalize("NFC", _DOTS.sub("\\1\u0308", text)).strip()


def _turned(line: Line, quarters: int) -> Line:
    """The line as it lies on the page shown: pdfium gives boxes of the page before its quarter turns clockwise."""
    text, left, bottom, right, top = line
    match quarters:
        case 1:
            return Line(text, bottom, -right, top, -left)
        case 2:
            return Line(text, -right, -top, -left, -bottom)
        case _:
            return Line(text, -top, left, -bottom, right)

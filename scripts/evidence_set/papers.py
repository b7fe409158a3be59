"""PDFs of the set, typeset line by line, so that it is known which words stand on which page and in which column.

A paper is a text file: `key: value` lines, an empty line, then one paragraph a line; `# ` begins a heading, `| a | b |`
is a row of a table, `^ ` a footnote of the page (its mark in the text is `^1`), `---` the end of a page.
"""

from __future__ import annotations

import io
import random
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import reportlab
from reportlab.lib.pagesizes import A5, landscape
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

FONTS = {"Times-Roman": "Times-Bold", "Helvetica": "Helvetica-Bold", "Vera": "VeraBd"}
_GAP = 16.0  # between columns, in points
_VOWELS = "aeiouyäöü"
# Where a word may be cut: behind a vowel, before one consonant and a vowel, or between two consonants.
_CUT = re.compile(rf"(?<=[{_VOWELS}])(?=[bdfglmnprtw][{_VOWELS}])|(?<=[{_VOWELS}][lmnrst])(?=[bdfgklmnpt][{_VOWELS}])")


@dataclass(frozen=True)
class Paper:
    """`places` has for each page its texts as they stand there: a paragraph that goes on in the next column is two."""

    path: str
    language: str
    data: bytes
    places: list[dict[str, Any]]


@dataclass(frozen=True)
class _Line:
    text: str
    cut: bool  # within a word: a hyphen stands at its end


@dataclass
class _Page:
    """Where the pen is: the top of the next line in `column`, above `bottom` (which footnotes push up)."""

    canvas: Canvas
    told: dict[str, str]
    rng: random.Random
    sheet: tuple[float, float]
    size: float
    columns: int
    number: int = 0
    column: int = 0
    top: float = 0
    y: float = 0
    bottom: float = 0
    places: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.font = self.told["font"]
        self.wide, self.high = self.sheet
        self.margin = self.rng.randint(30, 45)
        self.leading = self.size * self.rng.choice((1.2, 1.3, 1.4))
        self.justified = self.columns > 1 or self.rng.random() < 0.5
        self.by_word = self.rng.random() < 0.3  # as TeX does: no space is written, words are set apart
        self.width = (self.wide - 2 * self.margin - _GAP * (self.columns - 1)) / self.columns
        self.turn()

    @property
    def x(self) -> float:
        return self.margin + self.column * (self.width + _GAP)

    def turn(self) -> None:
        """Begin the next page, with its running header and footer."""
        if self.number:
            self.canvas.showPage()
        self.number += 1
        self.column = 0
        self.top = self.y = self.high - self.margin - 20
        self.bottom = self.margin + 20
        self.places.append({"place": f"page={self.number}", "texts": []})
        word = {"de": "Seite", "en": "Page"}[self.told["language"]]
        self.canvas.setFont(self.font, 8)
        self.canvas.drawString(self.margin, self.high - self.margin + 6, self.told["header"])
        if self.told["footer"] == "left":
            self.canvas.drawString(self.margin, self.margin - 10, f"{self.told['title']} · {word} {self.number}")
        else:
            self.canvas.drawCentredString(self.wide / 2, self.margin - 10, f"– {self.number} –")

    def advance(self) -> None:
        """Go on at the head of the next column."""
        if self.column + 1 == self.columns:
            self.turn()
        else:
            self.column += 1
            self.y = self.top
            self.bottom = self.margin + 20

    def room(self, height: float) -> None:
        if self.y - height < self.bottom:
            self.advance()

    def say(self, text: str) -> None:
        self.places[-1]["texts"].append(text)

    def title(self) -> None:
        """Over all columns."""
        size = self.size * 1.8
        lines = _fill(self.told["title"], FONTS[self.font], size, self.wide - 2 * self.margin, hyphens=False)
        for line in lines:
            self.canvas.setFont(FONTS[self.font], size)
            self.canvas.drawString(self.margin, self.y - size, line.text)
            self.y -= size * 1.25
        self.top = self.y = self.y - 10
        self.say(_join(lines))

    def heading(self, text: str) -> None:
        size = self.size * 1.25
        lines = _fill(text, FONTS[self.font], size, self.width, hyphens=False)
        self.room(size * 1.3 * len(lines) + 3 * self.leading)
        self.y -= 0.4 * self.leading
        if self.told.get("outline"):
            key = f"h{self.number}-{len(self.places[-1]['texts'])}"
            self.canvas.bookmarkPage(key)
            self.canvas.addOutlineEntry(text, key)
        for line in lines:
            self.canvas.setFont(FONTS[self.font], size)
            self.canvas.drawString(self.x, self.y - size, line.text)
            self.y -= size * 1.3
        self.say(_join(lines))

    def paragraph(self, text: str) -> None:
        lines = _fill(text, self.font, self.size, self.width, hyphens=self.columns > 1)
        piece: list[_Line] = []
        for index, line in enumerate(lines):
            last = self.y - 2 * self.leading < self.bottom  # no word is cut between two columns
            if self.y - self.leading < self.bottom or (last and line.cut):
                self.say(_join(piece)) if piece else None
                piece = []
                self.advance()
            self._draw(line, last=index == len(lines) - 1)
            piece.append(line)
        self.say(_join(piece))
        self.y -= 0.5 * self.leading

    def _draw(self, line: _Line, *, last: bool) -> None:
        self.y -= self.leading
        text, mark = re.sub(r"\^\d", "", line.text), re.search(r"\^(\d)", line.text)
        text += "-" if line.cut else ""
        words = text.split(" ")
        natural = pdfmetrics.stringWidth(text, self.font, self.size)
        spread = (self.width - natural) / max(1, len(words) - 1) if self.justified and not last else 0.0
        if mark:  # set by hand: the mark stands above its word
            spread = 0.0
        space = pdfmetrics.stringWidth(" ", self.font, self.size) + spread
        x = self.x
        self.canvas.setFont(self.font, self.size)
        if self.by_word or self.font == "Vera":  # word spacing has no effect on fonts of two bytes
            for word in words:
                self.canvas.drawString(x, self.y, word)
                x += pdfmetrics.stringWidth(word, self.font, self.size) + space
        else:
            self.canvas.drawString(x, self.y, text, wordSpace=spread)
        if mark:
            before = pdfmetrics.stringWidth(line.text[: mark.start()], self.font, self.size)
            self.canvas.setFont(self.font, self.size * 0.6)
            self.canvas.drawString(self.x + before, self.y + self.size * 0.35, mark[1])

    def footnote(self, text: str) -> None:
        size = self.size * 0.8
        lines = _fill(f"1 {text}", self.font, size, self.width, hyphens=False)
        height = len(lines) * size * 1.2 + 8
        self.room(height)
        self.bottom += height
        self.canvas.line(self.x, self.bottom - 4, self.x + 60, self.bottom - 4)
        self.canvas.setFont(self.font, size)
        for row, line in enumerate(lines):
            self.canvas.drawString(self.x, self.bottom - 4 - size * 1.2 * (row + 1), line.text)
        self.say(_join(lines))

    def table(self, rows: list[list[str]]) -> None:
        widths = [
            max(pdfmetrics.stringWidth(row[at], self.font, self.size) for row in rows) for at in range(len(rows[0]))
        ]
        size = self.size * min(1.0, (self.width - 10 * len(widths)) / sum(widths))
        scale = (self.width - 10 * len(widths)) / sum(widths)
        self.room(len(rows) * self.leading * 1.3 + self.leading)
        self.canvas.setFont(self.font, size)
        for row in rows:
            x, step = self.x, self.leading * 1.3
            for text, width in zip(row, widths, strict=True):
                self.canvas.rect(x, self.y - step, width * scale + 10, step)
                self.canvas.drawString(x + 4, self.y - step * 0.7, text)
                x += width * scale + 10
            self.y -= step
            self.say(" ".join(row))
        self.y -= self.leading


def make_papers(folder: Path, seed: int) -> list[Paper]:
    """Args:
    folder: of the text files."""
    for name in ("Vera", "VeraBd"):
        pdfmetrics.registerFont(TTFont(name, Path(reportlab.__file__).parent / "fonts" / f"{name}.ttf"))
    return [_make_paper(path.read_text(encoding="utf-8"), seed) for path in sorted(folder.glob("*.txt"))]


def _make_paper(text: str, seed: int) -> Paper:
    head, body = text.split("\n\n", 1)
    told = dict(line.split(": ", 1) for line in head.splitlines())
    rng = random.Random(f"{seed}:{told['path']}")
    told["footer"] = rng.choice(("left", "centre"))
    buffer = io.BytesIO()
    columns = int(told["columns"])
    sheet = landscape(A5) if columns == 3 else A5
    canvas = Canvas(buffer, pagesize=sheet, invariant=1)
    canvas.setTitle(told["title"])
    page = _Page(canvas, told, rng, sheet, rng.choice((8.5, 9.5, 10.5)), columns)
    page.title()
    rows: list[list[str]] = []
    for line in [*body.splitlines(), ""]:
        if line.startswith("| "):
            rows.append([cell.strip() for cell in line.strip("| ").split("|")])
            continue
        if rows:
            page.table(rows)
            rows = []
        if line == "---":
            page.turn()
        elif line.startswith("# "):
            page.heading(line[2:])
        elif line.startswith("^ "):
            page.footnote(line[2:])
        elif line:
            page.paragraph(line)
    canvas.save()
    return Paper(told["path"], told["language"], buffer.getvalue(), page.places)


def _fill(text: str, font: str, size: float, width: float, *, hyphens: bool) -> list[_Line]:
    """Lines as full as they can be; words are cut where they may be."""
    lines: list[_Line] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if pdfmetrics.stringWidth(longer.replace("^", ""), font, size) <= width:
            line = longer
            continue
        head = _head_that_fits(line, word, font, size, width) if hyphens else ""
        lines.append(_Line(f"{line} {head}".strip(), bool(head)))
        line = word[len(head) :]
    return [*lines, _Line(line, False)]


def _head_that_fits(line: str, word: str, font: str, size: float, width: float) -> str:
    """The longest beginning of the word that may be cut off and has room; empty where none."""
    if len(word) < 7 or not word.rstrip(".,;:").isalpha():
        return ""
    cuts = [match.start() for match in _CUT.finditer(word) if 3 <= match.start() <= len(word) - 3]
    fits = [cut for cut in cuts if pdfmetrics.stringWidth(f"{line} {word[:cut]}-", font, size) <= width]
    return word[: max(fits)] if fits else ""


def _join(lines: list[_Line]) -> str:
    return "".join(line.text + ("" if line.cut else " ") for line in lines).strip().replace("^", "")

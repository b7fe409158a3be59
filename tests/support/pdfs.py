"""PDFs with a ledger of what stands in them, typeset from a seed: columns, headers, headings, divided words, tables."""

from __future__ import annotations

import io
import random
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from reportlab.lib.pagesizes import A4
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

_ENGLISH = """the budget of the northern workshop was settled in spring after a long discussion about heating insulation
windows and the old boiler whose repair would have cost more than a new machine while several members preferred to wait
for the regional subsidy which covers forty percent of every measure that lowers consumption of energy within two years
nobody expected deliveries before summer because manufacturers reported shortages of copper valves and electronic
controls so that installation was planned for september together with painting of the corridor and replacement of
lighting in the storage rooms""".split()
_GERMAN = """die Sanierung der Werkstatt wurde im Frühjahr beschlossen nachdem über Heizung Dämmung Fenster und den
alten Kessel ausführlich gesprochen worden war dessen Reparatur teurer gewesen wäre als ein neues Gerät während einige
Mitglieder lieber auf die Förderung des Landes warten wollten die vierzig Prozent jeder Maßnahme übernimmt welche den
Verbrauch innerhalb zweier Jahre senkt niemand rechnete mit einer Lieferung vor dem Sommer weil Hersteller Engpässe bei
Ventilen und Steuerungen meldeten sodass der Einbau für September geplant wurde zusammen mit dem Anstrich des Flures und
größeren Änderungen an der Beleuchtung der Lagerräume""".split()
_FONTS = ("Helvetica", "Times-Roman", "Courier")
_BOLD = {"Helvetica": "Helvetica-Bold", "Times-Roman": "Times-Bold", "Courier": "Courier-Bold"}


@dataclass
class Made:
    """`pages` has for each page its paragraphs in reading order, `headings` the outline as (page, title)."""

    data: bytes = b""
    pages: list[list[str]] = field(default_factory=list)
    headings: list[tuple[int, str]] = field(default_factory=list)
    running: list[str] = field(default_factory=list)


def recall(page: str, paragraphs: list[str]) -> tuple[int, int]:
    """How many letters of the paragraphs' words stand in the page's text in this order, and how many there are."""
    wanted = " ".join(paragraphs).split()
    found = SequenceMatcher(None, wanted, page.split(), autojunk=False).get_matching_blocks()
    letters = sum(len(word) for block in found for word in wanted[block.a : block.a + block.size])
    return letters, sum(map(len, wanted))


def make_pdf(seed: int) -> Made:
    """A document of three to six pages, as varied as the seed has it."""
    return _Typesetter(random.Random(seed)).make()


class _Typesetter:
    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._words = chance.choice((_ENGLISH, _GERMAN))
        self._font = chance.choice(_FONTS)
        self._size = chance.choice((8.5, 9.0, 10.0, 11.0, 12.0))
        self._leading = self._size * chance.choice((1.15, 1.25, 1.4))
        self._columns = chance.choice((1, 2, 3)) if self._font != "Courier" else chance.choice((1, 2))
        self._justified = chance.random() < 0.6
        self._divides = chance.random() < 0.7
        self._indents = chance.random() < 0.3
        self._by_rows = self._columns > 1 and chance.random() < 0.25
        self._last_first = self._columns > 1 and chance.random() < 0.25
        self._header = f"Minutes of the house, volume {chance.randint(2, 90)}"
        self._made = Made(running=[self._header])
        self._numbered = 0

    def make(self) -> Made:
        out = io.BytesIO()
        canvas = Canvas(out, pagesize=A4, invariant=True)
        for number in range(1, self._chance.randint(4, 7)):
            self._page(canvas, number)
            canvas.showPage()
        canvas.setTitle("Minutes of the House")
        canvas.save()
        self._made.data = out.getvalue()
        return self._made

    def _page(self, canvas: Canvas, number: int) -> None:
        width, height = A4
        canvas.setFont(self._font, 8)
        canvas.drawString(60, height - 40, self._header)
        canvas.drawRightString(width - 60, 30, f"Page {number}")
        paragraphs: list[str] = []
        top = height - 80
        if self._chance.random() < 0.7:
            top = self._heading(canvas, number, 60, top, paragraphs)
        gap = 20.0
        column = (width - 120 - gap * (self._columns - 1)) / self._columns
        drawn: list[list[tuple[float, float, str, float]]] = []
        bottom = 150.0
        for index in range(self._columns):
            lines: list[tuple[float, float, str, float]] = []
            y = top
            while y > bottom + 6 * self._leading:
                y = self._paragraph(60 + index * (column + gap), y, column, bottom, lines, paragraphs)
            drawn.append(lines)
        self._draw(canvas, drawn)
        if self._chance.random() < 0.5:
            self._table(canvas, 130.0, paragraphs)
        if self._chance.random() < 0.5:
            note = (
                f"{number} See the {self._chance.choice(self._words)} of the other {self._chance.choice(self._words)}."
            )
            canvas.setFont(self._font, 7)
            canvas.drawString(60, 62, note)
            paragraphs.append(note)
        self._made.pages.append(paragraphs)

    def _heading(self, canvas: Canvas, number: int, x: float, y: float, paragraphs: list[str]) -> float:
        self._numbered += 1
        title = f"{self._numbered} On {self._chance.choice(self._words)} and {self._chance.choice(self._words)}"
        canvas.setFont(_BOLD[self._font], self._size * 1.5)
        canvas.drawString(x, y, title)
        canvas.bookmarkPage(title)
        canvas.addOutlineEntry(title, title, 0)
        paragraphs.append(title)
        self._made.headings.append((number, title))
        return y - self._size * 3

    def _paragraph(
        self,
        x: float,
        y: float,
        width: float,
        bottom: float,
        lines: list[tuple[float, float, str, float]],
        paragraphs: list[str],
    ) -> float:
        words = [self._chance.choice(self._words) for _ in range(self._chance.randint(20, 60))]
        words[-1] += "."
        set_words: list[str] = []
        indent = self._size * 1.5 if self._indents else 0.0
        while words and y > bottom:
            room = width - indent
            line, words = self._fill(words, room)
            spare = room - stringWidth(line, self._font, self._size)
            spaces = line.count(" ")
            stretched = self._justified and words and spaces and spare < 5 * spaces
            lines.append((x + indent, y, line, spare / spaces if stretched else 0.0))
            set_words.append(line)
            y -= self._leading
            indent = 0.0
        text = set_words[0]
        for line in set_words[1:]:
            text = text[:-1] + line if text.endswith("-") else f"{text} {line}"
        paragraphs.append(text)
        return y - (0 if self._indents else self._leading * 0.7)

    def _fill(self, words: list[str], room: float) -> tuple[str, list[str]]:
        count = 1
        while count < len(words) and stringWidth(" ".join(words[: count + 1]), self._font, self._size) <= room:
            count += 1
        line, rest = " ".join(words[:count]), words[count:]
        if rest and self._divides and len(rest[0].strip(".")) >= 7:
            for cut in range(len(rest[0].strip(".")) - 3, 2, -1):
                longer = f"{line} {rest[0][:cut]}-"
                if stringWidth(longer, self._font, self._size) <= room:
                    return longer, [rest[0][cut:], *rest[1:]]
        return line, rest

    def _draw(self, canvas: Canvas, drawn: list[list[tuple[float, float, str, float]]]) -> None:
        columns = drawn[::-1] if self._last_first else drawn
        lines = [line for column in columns for line in column]
        if self._by_rows:
            lines.sort(key=lambda line: (-line[1], line[0]))
        for x, y, text, stretch in lines:
            canvas.setFont(self._font, self._size)
            canvas.drawString(x, y, text, wordSpace=stretch)

    def _table(self, canvas: Canvas, y: float, paragraphs: list[str]) -> None:
        for _ in range(3):
            row = [
                self._chance.choice(self._words),
                str(self._chance.randint(10, 999)),
                self._chance.choice(self._words),
            ]
            for index, cell in enumerate(row):
                canvas.setFont(self._font, self._size)
                canvas.drawString(60 + index * 150, y, cell)
            paragraphs.append(" ".join(row))
            y -= self._leading * 1.2

"""What a reader of a page sees, gathered while a parser tells of the page's tags as they pass.

Scripts, styles, drawings, what forms offer, hidden elements, navigation, and asides outside of an article are left out.
Addresses of links are not shown, as they are not on the page. A row of a table is a line, `a | b`; a long
cell, or one that holds a heading, a table or code, shows that the table only arranges the page, and is read as if there
were none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import NamedTuple
from urllib.parse import unquote

from zibaldone.domain.documents import Part
from zibaldone.domain.notes import Link
from zibaldone.ingest.dates import read_date
from zibaldone.ingest.extract.outline import Outline

MAX_TAGS = 500_000  # some three seconds; the longest page of a standard has 300,000
MAX_LINKS = 1_000
_UNSEEN = frozenset(
    "audio button canvas datalist iframe nav noscript object rp rt script select style svg template textarea"
    " video".split()
)
_UNSEEN_ROLES = ("navigation", "search")
_HIDING_STYLE = re.compile(r"display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden", re.IGNORECASE)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LISTS = frozenset(("ul", "ol", "menu"))
_BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure footer"
    " form head header hgroup hr legend li main p section summary tbody td tfoot th thead title tr".split()
)
_DATE_NAMES = frozenset(
    "date dc.date dc.date.issued dcterms.date dcterms.created dcterms.issued article:published_time datepublished"
    " publish_date publication_date pubdate citation_publication_date".split()
)
_NOT_A_FILE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|[/#?]")
_SPACE = re.compile(r"\s+")
_SPACES = re.compile(" +")
_BREAK = re.compile(r" ?\n[ \n]*")


class Page(NamedTuple):
    """What a page says, by how many tags; `is_whole` is False where it says more than was read."""

    parts: tuple[Part, ...]
    title: str | None
    stated_date: date | None
    links: tuple[Link, ...]
    tags: int
    is_whole: bool


class Enough(Exception):
    """The page has said as much as is read of one."""


class VisibleText:
    """What the parser calls: `start` and `end` of each tag, always in pairs, and `data` between them."""

    def __init__(self, room: int, tags: int) -> None:
        self._outline = Outline(room)
        self._text: list[str] = []
        self._tags = 0
        self._most_tags = tags
        self._depth = 0
        self._hidden_at = 0  # the depth of the outermost element that is not seen; 0 where all is
        self._articles = 0
        self._code = 0
        self._lists: list[int] = []  # of each open list the number of its last item, -1 where they have none
        self._item = ""  # what the next block begins with
        self._rows: list[list[str] | None] = []  # of each open table the cells of the row that is being read
        self._is_tight = False  # whether the next block continues a list or a table
        self._title = ""
        self._date: date | None = None
        self._times: set[date] = set()
        self._links: dict[Link, None] = {}

    def page(self, is_whole: bool = True) -> Page:
        """What was said until now."""
        self._flush_row()
        stated = self._date or (next(iter(self._times)) if len(self._times) == 1 else None)
        is_whole = is_whole and not self._outline.full
        return Page(self._outline.parts(), self._title or None, stated, tuple(self._links), self._tags, is_whole)

    # --- what the parser calls

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._tags += 1
        self._depth += 1
        if self._tags > self._most_tags or self._outline.full:
            raise Enough
        if self._hidden_at:
            return
        if self._is_unseen(tag, attributes):
            self._hidden_at = self._depth
            return
        self._note_facts(tag, attributes)
        if tag == "br":
            self._text.append("\n")
        elif tag == "table" or tag == "pre" or tag in _HEADINGS:
            self._leave_row()
            self._code += tag == "pre"
            if tag == "table":
                self._rows.append(None)
        elif tag == "tr" and self._rows:
            self._flush()
            self._rows[-1] = []
        elif tag in _LISTS or tag in _BLOCKS:
            self._begin_block(tag)

    def end(self, tag: str) -> None:
        self._depth -= 1
        if self._hidden_at:
            self._hidden_at = 0 if self._depth < self._hidden_at else self._hidden_at
        elif tag in _HEADINGS:
            self._outline.open(_HEADINGS[tag], self._take().replace("\n", " "))
            self._is_tight = False
        elif tag == "title":
            self._title = self._title or self._take().replace("\n", " ")
        elif tag == "table" and self._rows:
            self._end_table()
        elif tag == "tr" and self._rows:
            self._flush_row()
            self._rows[-1] = None
        elif tag in ("td", "th") and (row := self._row()) is not None:
            row.append(self._take())
        elif tag == "pre":
            self._flush()
            self._code -= 1
        elif tag in _LISTS or tag in _BLOCKS:
            self._end_block(tag)

    def data(self, text: str) -> None:
        if not self._hidden_at:
            self._text.append(text if self._code else _SPACE.sub(" ", text))

    def close(self) -> None:
        """Part of the parser's protocol."""

    # --- blocks

    def _begin_block(self, tag: str) -> None:
        self._articles += tag in ("article", "main")
        if self._row() is not None:
            self._text.append("\n")
            return
        self._flush()
        if tag in _LISTS:
            self._lists.append(0 if tag == "ol" else -1)
        elif tag == "li":
            if self._lists and self._lists[-1] >= 0:
                self._lists[-1] += 1
            mark = f"{self._lists[-1]}." if self._lists and self._lists[-1] > 0 else "-"
            self._item = "  " * min(len(self._lists) - 1, 9) + mark + " "

    def _end_block(self, tag: str) -> None:
        self._articles -= tag in ("article", "main")
        if self._row() is not None:
            self._text.append("\n")
            return
        self._flush()
        if tag == "li":
            self._item = ""
        elif tag in _LISTS and self._lists:
            self._lists.pop()
            self._is_tight = self._is_tight and bool(self._lists or self._rows)

    def _end_table(self) -> None:
        self._flush()
        self._rows.pop()
        self._is_tight = self._is_tight and bool(self._lists or self._rows)

    def _row(self) -> list[str] | None:
        """The cells before the one that is being read, None outside of any."""
        return self._rows[-1] if self._rows else None

    def _leave_row(self) -> None:
        """What follows is no content of a cell: what the row said so far is no row of values either."""
        if (row := self._row()) is None:
            self._flush()
            return
        for cell in (*row, self._take()):
            self._add(cell)
        row.clear()

    def _flush_row(self) -> None:
        row = self._row()
        if row is None:
            self._flush()
            return
        row += filter(None, [self._take()])
        self._outline.add_row(row, self._joint())
        self._is_tight = self._is_tight or any(row)

    def _flush(self) -> None:
        if text := self._take():
            self._add(self._item + text)
            self._item = ""

    def _add(self, text: str) -> None:
        if not text:
            return
        self._outline.add(text, self._joint())
        self._is_tight = bool(self._lists or self._rows)

    def _joint(self) -> str:
        return "\n" if self._is_tight else "\n\n"

    def _take(self) -> str:
        """The text since the last block, with the line breaks that the page asks for."""
        text = "".join(self._text)
        self._text = []
        if self._code:
            return text.strip("\n") if text.strip() else ""
        return _BREAK.sub("\n", _SPACES.sub(" ", text)).strip()

    # --- what is not text

    def _is_unseen(self, tag: str, attributes: Mapping[str, str]) -> bool:
        role = attributes.get("role", "")
        is_note = "note" in role or "note" in attributes.get("epub:type", "")
        return (
            tag in _UNSEEN
            or (tag == "aside" and not self._articles and not is_note)
            or role in _UNSEEN_ROLES
            or "hidden" in attributes
            or bool(_HIDING_STYLE.search(attributes.get("style", "")))
        )

    def _note_facts(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "meta":
            names = {attributes.get(key, "").lower() for key in ("name", "property", "itemprop")}
            if names & _DATE_NAMES:
                self._date = self._date or read_date(attributes.get("content", ""))
        elif tag == "time" and (found := read_date(attributes.get("datetime", ""))):
            self._times.add(found)
        elif tag == "a" and len(self._links) < MAX_LINKS:
            address = attributes.get("href", "").strip()
            if address and not _NOT_A_FILE.match(address):
                path, _, place = unquote(address).partition("#")
                self._links[Link(path.strip(), 1, heading=place or None)] = None

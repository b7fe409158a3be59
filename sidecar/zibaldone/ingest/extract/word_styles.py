"""What Word's paragraph styles say of a paragraph: heading, list, title, table of contents.

Names of Word's own styles are English in the file (`heading 1`), whatever language their ids are in (`berschrift1`).
Other programs write names of their own, so the word for a heading is known in some languages, and outline levels count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice

from lxml import etree

from zibaldone.ingest.extract.xml import attribute, find_child

_HEADING = re.compile(
    r"(?:heading|überschrift|berschrift|titre|título|ttulo|titulo|titolo|kop|rubrik|overskrift|nagłówek|nagwek|标题|標題"
    r"|見出し|заголовок)[ _-]?([1-9])",
    re.IGNORECASE,
)
_MOST_ANCESTORS = 10
_MOST_STYLES = 5_000  # Word itself has some 400


@dataclass(frozen=True, slots=True)
class Style:
    """`level` is 1 to 9 for a heading, 0 for body text, None where the style says nothing; `name` is in lower case."""

    name: str = ""
    level: int | None = None
    is_list: bool = False

    @property
    def is_title(self) -> bool:
        return self.name in ("title", "titel")

    @property
    def is_contents(self) -> bool:
        return self.name.startswith("toc ") and self.name[4:].isdigit()


def read_styles(root: etree._Element | None) -> dict[str, Style]:
    """The styles of styles.xml by their ids, each with what it has from those that it is based on."""
    elements = islice(() if root is None else root, _MOST_STYLES)
    written = {attribute(element, "styleId"): element for element in elements}
    return {ident: _inherit(ident, written) for ident in written}


def style_of(properties: etree._Element | None, styles: Mapping[str, Style]) -> Style:
    """What holds for a paragraph with these properties (`w:pPr`)."""
    ident = _value(properties, "pStyle")
    style = styles.get(ident) or Style(ident.lower(), _named_level(ident))
    level = _outline_level(properties)
    return replace(
        style,
        level=style.level if level is None else level,
        is_list=_is_numbered(properties, style.is_list),
    )


def _inherit(ident: str, written: Mapping[str, etree._Element]) -> Style:
    line = list(_ancestry(ident, written))
    names = [_value(element, "name").lower() for element in line]
    levels = [
        level if (level := _named_level(name)) is not None else _outline_level(find_child(element, "pPr"))
        for name, element in zip(names, line, strict=True)
    ]
    numbered = any(_is_numbered(find_child(element, "pPr"), False) for element in line)
    return Style(
        name=names[0],
        level=next((level for level in levels if level is not None), None),
        is_list=numbered or names[0].startswith(("list bullet", "list number")),
    )


def _ancestry(ident: str, written: Mapping[str, etree._Element]) -> Iterator[etree._Element]:
    for _ in range(_MOST_ANCESTORS):
        if ident not in written:
            return
        yield written[ident]
        ident = _value(written[ident], "basedOn")


def _named_level(name: str) -> int | None:
    match = _HEADING.fullmatch(name)
    return int(match[1]) if match else None


def _outline_level(properties: etree._Element | None) -> int | None:
    """Word counts levels from 0, and 9 is body text."""
    written = _value(properties, "outlineLvl")
    return (int(written) + 1) % 10 if len(written) == 1 and written.isascii() and written.isdigit() else None


def _is_numbered(properties: etree._Element | None, otherwise: bool) -> bool:
    """Whether a paragraph is an item of a list; the list 0 takes it out of one."""
    numbering = find_child(properties, "numPr")
    return otherwise if numbering is None else _value(numbering, "numId") != "0"


def _value(parent: etree._Element | None, name: str) -> str:
    """The `w:val` of a child, "" where there is none."""
    child = find_child(parent, name)
    return attribute(child, "val") if child is not None else ""

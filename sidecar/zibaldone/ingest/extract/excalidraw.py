"""Drawings of Excalidraw: the text elements, the frames around them, and the arrows that are bound to them.

A text inside of a shape is that shape's card, so an arrow to the shape leads to the text. What is drawn by hand has no
words. The notes that Obsidian's plugin keeps drawings in are Markdown and are read as notes (`ingest.parse`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from zibaldone.domain.documents import Document, Unreadable
from zibaldone.domain.notes import Link
from zibaldone.ingest.extract.board import Arrow, Item, arrow_mark, first_line, read_board
from zibaldone.ingest.extract.json_fields import read_box, read_id, read_objects, read_text
from zibaldone.ingest.parse import parse_note

Element = Mapping[str, object]


def is_drawing(content: Mapping[str, object]) -> bool:
    """Whether parsed JSON is a scene of Excalidraw."""
    return content.get("type") == "excalidraw" or ("elements" in content and "nodes" not in content)


def read_drawing(content: Mapping[str, object]) -> Document | Unreadable:
    """Read a parsed scene."""
    elements = read_objects(content, "elements")
    if elements is None:
        return Unreadable("is not a drawing: its elements are no list")
    elements = [element for element in elements if element.get("isDeleted") is not True]
    by_id = {read_id(element, "id"): element for element in reversed(elements)}
    texts = {holder: element for element in reversed(elements) if (holder := _holder(element, by_id))}
    spoken = [element for element in elements if read_id(element, "id") not in texts]
    items = [item for element in spoken if (item := _read_item(element, by_id))]
    arrows = [_read_arrow(element, texts) for element in elements if element.get("type") in ("arrow", "line")]
    board = read_board(items, arrows)
    links = dict.fromkeys(link for element in elements for link in _find_links(element))
    return Document(board.parts, links=tuple(links), problems=board.problems)


def _holder(element: Element, by_id: Mapping[str, Element]) -> str:
    """The id of the shape or arrow that a text is bound to."""
    holder = read_id(element, "containerId")
    return holder if holder in by_id else ""


def _read_item(element: Element, by_id: Mapping[str, Element]) -> Item | None:
    """A text that is no arrow's label, a frame, or what carries a link, which is read with the text that it is on."""
    ident = read_id(element, "id")
    holder = by_id.get(_holder(element, by_id), element)
    is_frame = element.get("type") in ("frame", "magicframe")
    text = read_text(element, "name") if is_frame else _words(element)
    if holder.get("type") in ("arrow", "line") and holder is not element:
        return None
    addresses = dict.fromkeys(read_text(carrier, "link") for carrier in (element, holder))
    text = "\n".join(filter(None, (text, *(address for address in addresses if address not in text))))
    place = f"element={ident}" if ident else ""
    return Item(ident, text, first_line(text), place, read_box(holder), is_frame) if text or is_frame else None


def _words(element: Element) -> str:
    """A text as it was typed: `text` has the line breaks of the box that it was made to fit."""
    return next(filter(None, (read_text(element, key) for key in ("rawText", "originalText", "text"))), "")


def _read_arrow(element: Element, texts: Mapping[str, Element]) -> Arrow:
    mark = arrow_mark(bool(element.get("startArrowhead")), bool(element.get("endArrowhead")))
    ident = read_id(element, "id")
    label = " ".join(_words(texts[ident]).split()) if ident in texts else ""
    start, end = (_bound(element.get(key), texts) for key in ("startBinding", "endBinding"))
    return Arrow(start, end, label, mark, f"element={ident}" if ident else "")


def _bound(binding: object, texts: Mapping[str, Element]) -> str:
    """The id of the card at an end of an arrow: the text in the shape that it is bound to, or the text itself."""
    ident = read_id(binding, "elementId") if isinstance(binding, dict) else ""
    return read_id(texts[ident], "id") if ident in texts else ident


def _find_links(element: Element) -> Iterator[Link]:
    written = f"{_words(element)}\n{read_text(element, 'link')}"
    if "[" in written:
        yield from (replace(link, line=1) for link in parse_note("", written).links)

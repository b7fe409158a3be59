"""Canvases of Obsidian (JSON Canvas 1.0) and drawings of Excalidraw: what is written on a board and how it is tied.

A text card gives its Markdown, a card of a file the file's path, a card of a web page its address, a group its label.
Colours, sides and the pictures behind groups say nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from zibaldone.domain.documents import Document, Unreadable
from zibaldone.domain.notes import Link
from zibaldone.ingest.extract.board import Arrow, Item, arrow_mark, first_line, read_board
from zibaldone.ingest.extract.characters import drop_embedded, load_json
from zibaldone.ingest.extract.excalidraw import is_drawing, read_drawing
from zibaldone.ingest.extract.json_fields import read_box, read_id, read_objects, read_text
from zibaldone.ingest.parse import parse_note

MAX_BYTES = 100_000_000
MAX_JSON_BYTES = 16_000_000  # without pictures: 100,000 cards; at worst it takes twenty times as much memory


def read(data: bytes, name: str, ocr: object = None) -> Document | Unreadable:
    """Read a `.canvas` or `.excalidraw` file; which of the two it is, its content tells."""
    written = drop_embedded(data) if len(data) <= MAX_BYTES else data
    if len(written) > MAX_JSON_BYTES:
        return Unreadable(f"is larger than {MAX_JSON_BYTES // 1_000_000} MB")
    content = load_json(written)
    if isinstance(content, Unreadable):
        return content
    if not isinstance(content, dict):
        return Unreadable("is not a canvas: its JSON is no object")
    if is_drawing(content):
        return read_drawing(content)
    nodes = read_objects(content, "nodes")
    edges = read_objects(content, "edges")
    if nodes is None or edges is None:
        return Unreadable("is not a canvas: its nodes and edges are no lists")
    board = read_board([_read_node(node) for node in nodes], (_read_edge(edge) for edge in edges))
    links = dict.fromkeys(link for node in nodes for link in _find_links(node))
    return Document(board.parts, links=tuple(links), problems=board.problems)


def _read_node(node: Mapping[str, object]) -> Item:
    written = [read_text(node, key) for key in ("text", "file", "url", "label")]
    text = "\n".join(filter(None, (*written[:1], written[1] + read_text(node, "subpath"), *written[2:])))
    ident = read_id(node, "id")
    return Item(
        id=ident,
        text=text,
        name=first_line(written[0] or PurePosixPath(written[1]).name.removesuffix(".md") or text),
        place=f"node={ident}" if ident else "",
        box=read_box(node),
        is_group=node.get("type") == "group",
    )


def _read_edge(edge: Mapping[str, object]) -> Arrow:
    """The specification's defaults: no arrowhead where the edge begins, one where it ends."""
    mark = arrow_mark(edge.get("fromEnd") == "arrow", edge.get("toEnd", "arrow") == "arrow")
    ident = read_id(edge, "id")
    label = " ".join(read_text(edge, "label").split())
    return Arrow(read_id(edge, "fromNode"), read_id(edge, "toNode"), label, mark, f"edge={ident}" if ident else "")


def _find_links(node: Mapping[str, object]) -> Iterator[Link]:
    """The lines inside of a card mean nothing in the file, so each link stands in line 1."""
    if path := read_text(node, "file"):
        heading, caret, block = read_text(node, "subpath").partition("^")
        yield Link(path, 1, heading=heading.strip("#") or None, block=block or None if caret else None, embed=True)
    if "[" in (text := read_text(node, "text")):
        yield from (replace(link, line=1) for link in parse_note("", text).links)

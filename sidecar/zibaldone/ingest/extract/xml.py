"""XML that anyone may have written: without entities, DTDs and other files, as far as it can be read, by local names.

Namespaces are not looked at: the same element has another one in each dialect of a format.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

from lxml import etree

_SAFE = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False, "recover": True}


def read_tree(content: bytes) -> etree._Element | None:
    """The root element, None where there is none. The tree takes some ten times as much memory as the content."""
    try:
        return etree.fromstring(content, etree.XMLParser(**_SAFE)) if content else None
    except etree.LxmlError:
        return None


class Disordered(Exception):
    """XML was at fault somewhere: after what could be read of it, not instead."""


def stream_children(content: bytes, parent: str, tags: Sequence[str]) -> Iterator[etree._Element]:
    """The children with these tags of the element named `parent`: each is forgotten when the next one is asked for.

    Raises `Disordered` after the last one where something may be missing.
    """
    elements = etree.iterparse(io.BytesIO(content), tag=[f"{{*}}{tag}" for tag in tags], **_SAFE)
    try:
        for _, element in elements:
            above = element.getparent()
            if above is not None and local_name(above) == parent:
                yield element
                element.clear()
                while element.getprevious() is not None:
                    del above[0]
    except etree.LxmlError:
        raise Disordered from None
    if elements.error_log.filter_from_fatals():
        raise Disordered


def local_name(element: etree._Element) -> str:
    """A tag without its namespace; "" for comments and the like."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def attribute(element: etree._Element, name: str) -> str:
    """An attribute by its local name, "" where there is none."""
    return next((value for key, value in element.attrib.items() if key.rpartition("}")[2] == name), "")


def find_child(element: etree._Element | None, name: str) -> etree._Element | None:
    """The first child of a name."""
    return next((child for child in (() if element is None else element) if local_name(child) == name), None)


def find_all(element: etree._Element | None, name: str) -> Iterator[etree._Element]:
    """All elements of a name inside of an element, in order."""
    return iter(()) if element is None else element.iter(f"{{*}}{name}")


def all_text(element: etree._Element | None) -> str:
    """The words inside of an element, on one line."""
    return " ".join("".join(element.itertext()).split()) if element is not None else ""

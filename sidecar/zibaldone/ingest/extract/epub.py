"""Books (EPUB 2 and 3): the chapters in the order of the spine, each read as the page that it is.

A chapter is headed by its name in the book's table of contents, then by its own headings. A file that the table does
not name continues the chapter before it, as books are often cut in pieces.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple
from urllib.parse import unquote

from zibaldone.domain.documents import Document, Part, Unreadable
from zibaldone.ingest.dates import read_date
from zibaldone.ingest.extract.characters import clean
from zibaldone.ingest.extract.html import read_page
from zibaldone.ingest.extract.outline import MAX_CHARS, PART_CHARS
from zibaldone.ingest.extract.package import Damaged, Package, open_package
from zibaldone.ingest.extract.visible_text import MAX_TAGS, Page
from zibaldone.ingest.extract.xml import all_text, attribute, find_all, find_child
from zibaldone.ingest.parse import MAX_HEADING_CHARS

# The two ways that only scramble fonts, which any reader undoes.
_FONT_METHODS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
_MOST_PROBLEMS = 10
_NOT_A_LETTER = re.compile(r"[\W_]+")


class _Book(NamedTuple):
    """What the package document states; files are named as members of the zip file."""

    title: str
    date: str
    pages: tuple[str, ...]
    contents: str  # the file of the table of contents, "" where there is none


def read(data: bytes, name: str, ocr: object = None) -> Document | Unreadable:
    """Read a book."""
    package = open_package(data)
    if isinstance(package, Unreadable):
        return package
    try:
        if _is_protected(package):
            return Unreadable("is protected against copying (DRM)")
        book = _read_book(package)
        if book is None:
            return Unreadable("is not an EPUB: it does not say what it consists of")
        names = _read_contents(package, book.contents)
    except Damaged as damage:
        return Unreadable(str(damage))
    return _read_chapters(package, book, names)


def _is_protected(package: Package) -> bool:
    """Whether anything but fonts is encrypted."""
    methods = find_all(package.read_tree("META-INF/encryption.xml"), "EncryptionMethod")
    return any(attribute(method, "Algorithm") not in _FONT_METHODS for method in methods)


def _read_book(package: Package) -> _Book | None:
    rootfile = next(find_all(package.read_tree("META-INF/container.xml"), "rootfile"), None)
    place = attribute(rootfile, "full-path") if rootfile is not None else ""
    root = package.read_tree(place)
    if root is None:
        return None
    items = {attribute(item, "id"): item for item in find_all(find_child(root, "manifest"), "item")}
    files = {ident: _resolve(place, attribute(item, "href")) for ident, item in items.items()}
    spine = find_child(root, "spine")
    navigation = next((ident for ident, item in items.items() if "nav" in attribute(item, "properties").split()), "")
    pages = [attribute(entry, "idref") for entry in find_all(spine, "itemref")]
    metadata = find_child(root, "metadata")
    return _Book(
        title=clean(all_text(next(find_all(metadata, "title"), None))),
        date=all_text(next(find_all(metadata, "date"), None)),
        pages=tuple(dict.fromkeys(files[ident] for ident in pages if ident in files and ident != navigation)),
        contents=files.get(navigation) or (files.get(attribute(spine, "toc"), "") if spine is not None else ""),
    )


def _read_contents(package: Package, file: str) -> dict[str, str]:
    """File of a chapter -> its name in the table of contents: EPUB 3's `nav` or EPUB 2's `ncx`, the first for each."""
    root = package.read_tree(file)
    points = ((all_text(find_child(p, "navLabel")), find_child(p, "content")) for p in find_all(root, "navPoint"))
    entries = [(label, attribute(target, "src")) for label, target in points if target is not None]
    contents = next((nav for nav in find_all(root, "nav") if attribute(nav, "type") in ("toc", "")), None)
    entries += [(all_text(a), attribute(a, "href")) for a in find_all(contents, "a")]
    names: dict[str, str] = {}
    for label, address in entries:
        names.setdefault(_resolve(file, address), clean(label)[:MAX_HEADING_CHARS])
    return names


def _resolve(place: str, address: str) -> str:
    """The member of the zip file that an address in another one leads to."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(place), unquote(address.partition("#")[0])))


def _read_chapters(package: Package, book: _Book, names: Mapping[str, str]) -> Document | Unreadable:
    parts: list[Part] = []
    reasons: list[tuple[str, str]] = []
    problems: list[str] = []
    room, tags = MAX_CHARS, MAX_TAGS
    chapter = ""
    for file in book.pages:
        chapter = names.get(file) or chapter
        page = _read_chapter(package, file, room, tags)
        if isinstance(page, Unreadable):
            reasons.append((file, page.reason))
            continue
        parts += (replace(part, heading=_head(chapter, part.heading)) for part in page.parts)
        room -= sum(len(part.text) + PART_CHARS for part in page.parts)
        tags -= page.tags
        if room <= 0 or not page.is_whole:
            problems.append("The book is too long: only its beginning was read.")
            break
    if reasons and not parts:
        return Unreadable(reasons[0][1])
    problems += (f"{file[:100]!r} {reason}." for file, reason in reasons[:_MOST_PROBLEMS])
    return Document(tuple(parts), book.title or None, read_date(book.date), problems=tuple(problems))


def _read_chapter(package: Package, file: str, room: int, tags: int) -> Page | Unreadable:
    try:
        return read_page(package.read(file), room, tags)
    except Damaged as damage:
        return Unreadable(str(damage))


def _head(chapter: str, heading: tuple[str, ...]) -> tuple[str, ...]:
    """The chapter before its own headings, of which the first often is the chapter's name once more."""
    if not chapter or (heading and _letters(heading[0]) == _letters(chapter)):
        return heading
    return (chapter, *heading)


def _letters(text: str) -> str:
    return _NOT_A_LETTER.sub("", text.casefold())

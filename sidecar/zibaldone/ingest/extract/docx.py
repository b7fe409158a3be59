"""Word documents (docx): what a reader sees with all changes accepted, under its headings.

Read from the XML itself: python-docx leaves out inserted text, footnotes and what stands in content controls, and
unpacks every picture. Not read: headers, footers, comments, numbers that Word counts itself, tables of contents.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple
from urllib.parse import unquote

from lxml import etree

from zibaldone.domain.documents import Document, Unreadable
from zibaldone.domain.notes import Link
from zibaldone.ingest.extract.characters import clean
from zibaldone.ingest.extract.outline import Outline
from zibaldone.ingest.extract.package import Damaged, Package, open_package
from zibaldone.ingest.extract.word_styles import Style, read_styles, style_of
from zibaldone.ingest.extract.xml import (
    Disordered,
    all_text,
    attribute,
    find_all,
    find_child,
    local_name,
    stream_children,
)

MAX_BLOCKS = 200_000  # paragraphs and tables: more than a book of two thousand pages has
_OLE2 = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # Word before 2007, and the envelope of encrypted packages
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_UNSEEN = frozenset("del moveFrom Fallback instrText pPr rPr tblPr trPr tcPr sdtPr rt".split())
_CHARACTERS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_BLOCKS = ("p", "tbl", "sdt", "customXml", "ins", "moveTo")
_FIELD_ADDRESS = re.compile(r'HYPERLINK\s+"([^"]{1,2000})"')
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")


def read(data: bytes, name: str, ocr: object = None) -> Document | Unreadable:
    """Read a Word document."""
    if data.startswith(_OLE2):
        return Unreadable("is encrypted" if _ENCRYPTED in data else "is of Word before 2007: save it as .docx")
    package = open_package(data)
    if isinstance(package, Unreadable):
        return package
    try:
        main, references = _find_main(package)
        content = package.read(main)
        if not content:
            return Unreadable("is not a Word document")
        body = _Body(references)
        body.read(content)
        properties = package.read_tree("docProps/core.xml")
    except Damaged as damage:
        return Unreadable(str(damage))
    title = all_text(find_child(properties, "title")) or body.title
    return Document(body.outline.parts(), clean(title) or None, links=tuple(body.links), problems=tuple(body.problems))


class _Relation(NamedTuple):
    kind: str
    target: str


class _References(NamedTuple):
    """What the body refers to: footnotes and endnotes by kind and id, addresses by the relation's id."""

    styles: Mapping[str, Style]
    notes: dict[tuple[str, str], etree._Element]
    addresses: Mapping[str, str]


def _find_main(package: Package) -> tuple[str, _References]:
    """The name of the main member, and what it refers to."""
    relations = _read_relations(package, "").values()
    main = next((target for kind, target in relations if kind == "officeDocument"), "word/document.xml")
    related = _read_relations(package, main)
    members = dict(related.values())
    notes = {
        (kind, attribute(note, "id")): note
        for kind in ("footnote", "endnote")
        for note in find_all(package.read_tree(members.get(f"{kind}s", "")), kind)
    }
    addresses = {ident: relation.target for ident, relation in related.items() if relation.kind == "hyperlink"}
    return main, _References(read_styles(package.read_tree(members.get("styles", ""))), notes, addresses)


def _read_relations(package: Package, member: str) -> dict[str, _Relation]:
    """The relations of a member by their ids; targets inside of the package are names of members."""
    folder, file = posixpath.split(member)
    found = {}
    for element in find_all(package.read_tree(posixpath.join(folder, "_rels", f"{file}.rels")), "Relationship"):
        target = attribute(element, "Target")
        if attribute(element, "TargetMode") != "External":
            target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
        found[attribute(element, "Id")] = _Relation(attribute(element, "Type").rpartition("/")[2], target)
    return found


@dataclass(slots=True)
class _Body:
    """The body of a document on its way into an outline."""

    references: _References
    outline: Outline = field(default_factory=Outline)
    title: str = ""
    links: dict[Link, None] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))
    _below: list[str] = field(default_factory=list)  # what stands below the paragraph: notes, addresses
    _in_list: bool = False

    def read(self, content: bytes) -> None:
        try:
            for number, block in enumerate(stream_children(content, "body", _BLOCKS)):
                self._read_block(block)
                if self.outline.full or number == MAX_BLOCKS:
                    self.problems.append("The document is too long: only its beginning was read.")
                    return
        except Disordered:
            self.problems.append("The document is damaged: some of its text may be missing.")

    def _read_block(self, block: etree._Element) -> None:
        name = local_name(block)
        if name == "p":
            self._read_paragraph(block)
        elif name == "tbl":
            self._read_table(block)
        elif name not in _UNSEEN:
            for inner in block:
                self._read_block(inner)

    def _read_paragraph(self, paragraph: etree._Element) -> None:
        style = style_of(find_child(paragraph, "pPr"), self.references.styles)
        text = self._write(paragraph)
        if not text or style.is_contents:
            return
        if style.is_title and not self.title:
            self.title = text
        if style.level:
            self.outline.open(style.level, text.replace("\n", " "))
        elif style.is_list:
            self.outline.add(f"- {text}", "\n" if self._in_list else "\n\n")
        else:
            self.outline.add(text)
        self._in_list = style.is_list
        self._add_below()

    def _read_table(self, table: etree._Element) -> None:
        joint = "\n\n"
        for row in _inner(table, "tr"):
            if find_child(find_child(row, "trPr"), "del") is None:
                self.outline.add_row([self._write_cell(cell) for cell in _inner(row, "tc")], joint)
                joint = "\n"
        self._add_below()

    def _write_cell(self, cell: etree._Element) -> str:
        paragraphs = (self._write(inner) if local_name(inner) == "p" else self._write_cell(inner) for inner in cell)
        return "\n".join(filter(None, paragraphs))

    def _add_below(self) -> None:
        for text in self._below:
            self.outline.add(text, "\n")
        self._below = []

    def _write(self, element: etree._Element) -> str:
        """The text of a paragraph; its notes and addresses wait in `_below`."""
        lines = (line.strip() for line in clean("".join(self._runs(element))).split("\n"))
        return "\n".join(filter(None, lines))

    def _runs(self, element: etree._Element) -> Iterator[str]:
        for inner in element:
            name = local_name(inner)
            if name == "t":
                yield inner.text or ""
            elif name in _CHARACTERS:
                yield _CHARACTERS[name]
            elif name in ("footnoteReference", "endnoteReference"):
                yield self._refer(name.removesuffix("Reference"), attribute(inner, "id"))
            elif name == "instrText":
                self._link("", *_FIELD_ADDRESS.findall(inner.text or ""))
            elif name in _UNSEEN or (name == "r" and _is_hidden(inner)):
                continue
            elif name == "hyperlink":
                words = "".join(self._runs(inner))
                yield words
                self._link(words, self.references.addresses.get(attribute(inner, "id"), ""))
            elif name == "p":  # of a text box
                yield "\n" + "".join(self._runs(inner)) + "\n"
            else:
                yield from self._runs(inner)

    def _refer(self, kind: str, ident: str) -> str:
        note = self.references.notes.pop((kind, ident), None)  # once: a note may refer to itself
        if note is None:
            return ""
        mark = f"[{next(self._numbers)}]"
        self._below.append(f"{mark} {self._write(note)}")
        return mark

    def _link(self, words: str, *addresses: str) -> None:
        """An address of the web stands below the words that lead there; a file's is a link."""
        for address in map(clean, filter(None, addresses)):
            if not _SCHEME.match(address):
                path, _, place = unquote(address).partition("#")
                self.links[Link(path.replace("\\", "/"), 1, heading=place or None)] = None
            elif address.removeprefix("mailto:") not in words:
                self._below.append(f"{words.strip()}: {address}" if words.strip() else address)


def _inner(element: etree._Element, name: str) -> Iterator[etree._Element]:
    """Rows of a table or cells of a row, also those that are wrapped, but not those of a table in a cell."""
    for inner in element:
        if local_name(inner) == name:
            yield inner
        elif local_name(inner) not in ("tc", *_UNSEEN):
            yield from _inner(inner, name)


def _is_hidden(run: etree._Element) -> bool:
    vanish = find_child(find_child(run, "rPr"), "vanish")
    return vanish is not None and attribute(vanish, "val") not in ("0", "false", "off")

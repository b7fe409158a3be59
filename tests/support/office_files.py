"""Word documents and books as their programs write them, from the XML that matters to a test."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"

STYLES = "".join(
    f'<w:style w:type="paragraph" w:styleId="{ident}"><w:name w:val="{name}"/>{more}</w:style>'
    for ident, name, more in (
        ("berschrift1", "heading 1", '<w:pPr><w:outlineLvl w:val="0"/></w:pPr>'),
        ("berschrift2", "heading 2", ""),
        ("Kapitel", "Mein Kapitel", '<w:basedOn w:val="berschrift1"/>'),
        ("Titel", "Title", ""),
        ("Verzeichnis1", "toc 1", ""),
        ("Aufzhlung", "List Bullet", '<w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr>'),
    )
)


def zip_of(members: Mapping[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip file of these members."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return written.getvalue()


def paragraph(text: str, style: str = "") -> str:
    """A paragraph of one run."""
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f'<w:p>{properties}<w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


def word_document(body: str, notes: str = "", title: str = "", links: Mapping[str, str] | None = None) -> bytes:
    """A docx; `notes` is the inside of footnotes.xml, `links` addresses by relation id."""
    space = f'xmlns:w="{_WORD}" xmlns:r="{_OFFICE}"'
    relations = "".join(
        f'<Relationship Id="{ident}" Type="{_OFFICE}/{kind}" Target="{target}"{mode}/>'
        for ident, kind, target, mode in [
            ("s", "styles", "styles.xml", ""),
            ("f", "footnotes", "footnotes.xml", ""),
            *((ident, "hyperlink", target, ' TargetMode="External"') for ident, target in (links or {}).items()),
        ]
    )
    return zip_of(
        {
            "_rels/.rels": f'<Relationships xmlns="{_RELATIONS}"><Relationship Id="m" Type="{_OFFICE}/officeDocument" '
            'Target="/word/document.xml"/></Relationships>',
            "word/document.xml": f"<w:document {space}><w:body>{body}<w:sectPr/></w:body></w:document>",
            "word/styles.xml": f"<w:styles {space}>{STYLES}</w:styles>",
            "word/footnotes.xml": f"<w:footnotes {space}>{notes}</w:footnotes>",
            "word/_rels/document.xml.rels": f'<Relationships xmlns="{_RELATIONS}">{relations}</Relationships>',
            "docProps/core.xml": f'<c xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{title}</dc:title></c>',
        }
    )


def book(chapters: Mapping[str, str], contents: Mapping[str, str], more: Mapping[str, str] | None = None) -> bytes:
    """An EPUB 3; `chapters` are bodies of pages by file in the order of reading, `contents` names by address."""
    items = "".join(f'<item id="i{n}" href="{file}"/>' for n, file in enumerate(chapters))
    spine = "".join(f'<itemref idref="i{n}"/>' for n, _ in enumerate(chapters))
    entries = "".join(f'<li><a href="{address}">{name}</a></li>' for address, name in contents.items())
    page = '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>{}</body></html>'
    return zip_of(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container><rootfile full-path="OEBPS/book.opf"/></container>',
            "OEBPS/book.opf": '<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
            f"<dc:title>The Book</dc:title><dc:date>2019-05-02</dc:date></metadata><manifest>{items}"
            f'<item id="n" href="nav.xhtml" properties="nav"/></manifest><spine>{spine}</spine></package>',
            "OEBPS/nav.xhtml": page.format(f'<nav epub:type="toc"><ol>{entries}</ol></nav>'),
            **{f"OEBPS/{file}": page.format(body) for file, body in chapters.items()},
            **(more or {}),
        }
    )

"""Word documents: headings, lists, tables, notes, changes, links; and that no package does harm."""

from __future__ import annotations

import zipfile

import pytest

from support.office_files import paragraph, word_document, zip_of
from zibaldone.domain.documents import Document, Unreadable
from zibaldone.domain.notes import Link
from zibaldone.ingest.extract.docx import read


def read_docx(data: bytes) -> Document:
    document = read(data, "a.docx")
    assert isinstance(document, Document)
    return document


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def test_headings_by_style_whatever_its_id_is() -> None:
    document = read_docx(
        word_document(
            paragraph("The Report", "Titel")
            + paragraph("Intro\t3", "Verzeichnis1")
            + paragraph("Intro", "berschrift1")
            + paragraph("Hello")
            + paragraph("Detail", "Überschrift2")
            + paragraph("one", "Aufzhlung")
            + paragraph("two", "Aufzhlung")
            + '<w:p><w:pPr><w:outlineLvl w:val="2"/></w:pPr>'
            + run("Deep")
            + "</w:p>"
            + paragraph("below")
            + paragraph("Own style", "Kapitel")
        )
    )
    assert document.title == "The Report"
    assert [(part.heading, part.text) for part in document.parts] == [
        ((), "The Report"),
        (("Intro",), "Hello"),
        (("Intro", "Detail"), "- one\n- two"),
        (("Intro", "Detail", "Deep"), "below"),
        (("Own style",), "Own style"),
    ]


def test_changes_are_accepted_and_what_is_hidden_is_not_read() -> None:
    body = (
        "<w:p>" + run("kept") + "<w:ins>" + run(" new") + "</w:ins>"
        "<w:del><w:r><w:delText> old</w:delText></w:r></w:del><w:moveFrom>"
        + run(" away")
        + "</w:moveFrom>"
        + run(" secret", "<w:vanish/>")
        + run(" shown", '<w:vanish w:val="0"/>')
        + "<w:r><w:tab/><w:t>x</w:t><w:br/><w:t>y</w:t><w:noBreakHyphen/></w:r></w:p>"
        + "<w:sdt><w:sdtPr/><w:sdtContent>"
        + paragraph("in a control")
        + "</w:sdtContent></w:sdt>"
    )
    assert [part.text for part in read_docx(word_document(body)).parts] == ["kept new shown\tx\ny-\n\nin a control"]


def test_tables_footnotes_links_and_text_boxes() -> None:
    def cells(*texts: str) -> str:
        return "".join(f"<w:tc>{paragraph(text)}</w:tc>" for text in texts)

    box = (
        f"<mc:AlternateContent xmlns:mc='m'><mc:Choice><w:txbxContent>{paragraph('boxed')}</w:txbxContent></mc:Choice>"
    )
    body = (
        f"<w:tbl><w:tr>{cells('What', 'Cost')}</w:tr><w:tr>{cells('Rent', '100')}</w:tr>"
        f"<w:tr><w:trPr><w:del/></w:trPr>{cells('gone', '1')}</w:tr></w:tbl>"
        "<w:p>" + run("See") + '<w:hyperlink r:id="h">' + run(" the page") + "</w:hyperlink>"
        '<w:hyperlink r:id="n">'
        + run(" and the plan")
        + '</w:hyperlink><w:r><w:footnoteReference w:id="2"/></w:r>'
        + run(".")
        + "</w:p>"
        + f"<w:p><w:r>{box}<mc:Fallback>{paragraph('boxed')}</mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )
    note = (
        f'<w:footnote w:id="2">{paragraph("A note")}<w:p><w:r><w:footnoteReference w:id="2"/></w:r></w:p></w:footnote>'
    )
    document = read_docx(
        word_document(body, note, "Costs &amp; more", {"h": "https://x.org/a", "n": "Notes/My%20Plan.md"})
    )
    assert document.title == "Costs & more"
    assert document.links == (Link("Notes/My Plan.md", 1),)
    assert document.parts[0].text == (
        "What | Cost\nRent | 100\n\nSee the page and the plan[1].\nthe page: https://x.org/a\n[1] A note\n\nboxed"
    )


@pytest.mark.parametrize(
    "data, reason",
    [
        (b"", "is damaged or no zip file"),
        (b"no zip", "is damaged or no zip file"),
        (zip_of({"a": "b"}), "is not a Word document"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 W", "is of Word before 2007: save it as .docx"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "is encrypted"),
        (zip_of({"word/document.xml": b" " * 30_000_000}), "unpacks to more than 24 MB"),
        (zip_of({"word/styles.xml": b" " * 9_000_000}), "is not a Word document"),
        (zip_of({"word/document.xml": "<a/>"}, zipfile.ZIP_LZMA), "is compressed in a way that is not read"),
        (zip_of({"word/document.xml": b"<a>" * 20})[:-60], "is damaged or no zip file"),
        (b"PK\x01\x02" * 20_001, "has more than 20000 members"),
    ],
)
def test_no_document(data: bytes, reason: str) -> None:
    assert read(data, "a.docx") == Unreadable(reason)


def test_a_member_that_says_less_than_it_unpacks_to_is_damaged() -> None:
    data = bytearray(zip_of({"word/document.xml": b"<a>" + b"x" * 100_000}))
    for header, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = data.index(header) + offset
        data[at : at + 4] = (50).to_bytes(4, "little")
    assert read(bytes(data), "a.docx") == Unreadable("is damaged: it cannot be unpacked")


def test_an_encrypted_member() -> None:
    data = bytearray(zip_of({"word/document.xml": b"<a/>"}))
    for header, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(header) + offset] |= 1
    assert read(bytes(data), "a.docx") == Unreadable("is encrypted")


@pytest.mark.parametrize(
    "declared",
    [
        "<!DOCTYPE d [<!ENTITY a 'lol'>"
        + "".join(f"<!ENTITY {chr(98 + n)} '{f'&{chr(97 + n)};' * 10}'>" for n in range(9))
        + "]>",
        "<!DOCTYPE d [<!ENTITY j SYSTEM 'file:///etc/passwd'>]>",
        "<!DOCTYPE d SYSTEM 'file:///etc/passwd' [<!ENTITY % j SYSTEM 'file:///etc/passwd'> %j;]>",
    ],
)
def test_entities_say_nothing(declared: str) -> None:
    xml = f"{declared}<d xmlns:w='w'><w:body>{paragraph('before')}{paragraph('&j;')}{paragraph('after')}</w:body></d>"
    document = read_docx(zip_of({"word/document.xml": xml}))
    said = "".join(part.text for part in document.parts)
    assert said == "before\n\nafter" or (said == "before" and document.problems)


def test_deep_nesting_is_read_to_where_the_parser_stops() -> None:
    deep = "<w:document xmlns:w='w'><w:body>" + paragraph("first") + "<w:sdt>" * 5_000
    document = read_docx(zip_of({"word/document.xml": deep}))
    assert [part.text for part in document.parts] == ["first"]
    assert document.problems == ("The document is damaged: some of its text may be missing.",)
    tables = "<w:tbl><w:tr><w:tc>" * 70 + paragraph("cell") + "</w:tc></w:tr></w:tbl>" * 70
    assert [part.text for part in read_docx(word_document(tables)).parts] == ["cell"]

"""Books: order, names of chapters, protection, damage."""

from __future__ import annotations

from datetime import date

import pytest

from support.office_files import book, zip_of
from zibaldone.domain.documents import Document, Unreadable
from zibaldone.ingest.extract.epub import read

CHAPTERS = {
    "text/z.xhtml": "<h1>1 · Loomings</h1><p>Call me.</p>",
    "text/a b.xhtml": "<p>More<a id='x'/>.</p>",
    "c.xhtml": "<h2>Bag</h2>x",
}


def read_epub(data: bytes) -> Document:
    document = read(data, "a.epub")
    assert isinstance(document, Document)
    return document


def test_chapters_in_order_under_their_names() -> None:
    document = read_epub(book(CHAPTERS, {"text/z.xhtml#start": "1. Loomings", "text/z.xhtml#b": "no", "c.xhtml": "2"}))
    assert (document.title, document.stated_date, document.problems) == ("The Book", date(2019, 5, 2), ())
    assert [(part.heading, part.text) for part in document.parts] == [
        (("1 · Loomings",), "Call me."),
        (("1. Loomings",), "More."),
        (("2", "Bag"), "x"),
    ]


def test_names_of_an_ncx() -> None:
    contents = (
        '<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://www.daisy.org/z3986/2005/ncx-2005-1.dtd"><ncx><navMap>'
        "<navPoint><navLabel><text>Part I</text></navLabel><content src='one.html'/><navPoint>"
        "<navLabel><text>Deep</text></navLabel><content src='two.html#a'/></navPoint></navPoint></navMap></ncx>"
    )
    data = zip_of(
        {
            "META-INF/container.xml": "<c><rootfile full-path='book.opf'/></c>",
            "book.opf": "<p><manifest><item id='1' href='one.html'/><item id='2' href='two.html'/>"
            "<item id='t' href='toc.ncx'/></manifest>"
            "<spine toc='t'><itemref idref='1'/><itemref idref='2'/><itemref idref='9'/></spine></p>",
            "toc.ncx": contents,
            "one.html": "<p>a",
            "two.html": "<p>b",
        }
    )
    assert [(part.heading, part.text) for part in read_epub(data).parts] == [(("Part I",), "a"), (("Deep",), "b")]


def encryption(method: str) -> dict[str, str]:
    return {
        "META-INF/encryption.xml": f"<e><EncryptedData><EncryptionMethod Algorithm='{method}'/></EncryptedData></e>"
    }


def test_protected_books_are_refused_and_scrambled_fonts_are_not() -> None:
    protected = book(CHAPTERS, {}, encryption("http://www.w3.org/2001/04/xmlenc#aes128-cbc"))
    assert read(protected, "a.epub") == Unreadable("is protected against copying (DRM)")
    assert read_epub(book(CHAPTERS, {}, encryption("http://www.idpf.org/2008/embedding"))).parts


@pytest.mark.parametrize(
    "data, reason",
    [
        (b"", "is damaged or no zip file"),
        (zip_of({"a": "b"}), "is not an EPUB: it does not say what it consists of"),
        (book({"big.xhtml": " " * 25_000_000}, {}), "unpacks to more than 24 MB"),
        (book({"big.xhtml": " " * 21_000_000}, {}), "is larger than 20 MB"),
    ],
)
def test_no_book(data: bytes, reason: str) -> None:
    assert read(data, "a.epub") == Unreadable(reason)


def test_a_bad_chapter_is_a_problem_and_the_rest_is_read() -> None:
    document = read_epub(book({"a.xhtml": "a\0b", "../../etc/passwd": "no", "c.xhtml": "<p>c"}, {}))
    assert [part.text for part in document.parts] == ["c"]
    assert document.problems == ("'OEBPS/a.xhtml' contains NUL bytes: it is not text.",)


def test_a_bomb_of_many_chapters_ends_at_the_limit_of_all() -> None:
    many = book({f"{n}.xhtml": "<i/>" * 200_000 for n in range(20)}, {})
    assert read_epub(many).problems == ("The book is too long: only its beginning was read.",)

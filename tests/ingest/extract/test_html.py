"""Pages: what is seen of them, their structure, encodings, and that they do no harm."""

from __future__ import annotations

from datetime import date

import pytest

from zibaldone.domain.documents import Document, Unreadable
from zibaldone.domain.notes import Link
from zibaldone.ingest.extract.html import read


def read_html(page: str | bytes) -> Document:
    document = read(page if isinstance(page, bytes) else page.encode(), "a.html")
    assert isinstance(document, Document)
    return document


def texts(page: str | bytes) -> list[str]:
    return [part.text for part in read_html(page).parts]


def test_headings_paragraphs_lists_tables_and_code() -> None:
    document = read_html(
        "<!doctype html><title> The   plan </title><h1>Plan</h1><p>Hello <b>big</b>\n world<br>second line"
        "<p>Next&nbsp;one &amp; more<ul><li>one<li>two<ol><li>a<li>b</ol><li>three</ul>after<h2>Costs</h2>"
        "<table><tr><th>What<th>Cost<tr><td>Rent<td><p>100</p><p>EUR</p></table><pre>def f():\n    return 1\n</pre>"
        "<h3>Nothing yet</h3><h2>Risks</h2><dl><dt>Rain<dd>likely</dl><h1>End</h1>"
    )
    assert document.title == "The plan"
    assert [(part.heading, part.text) for part in document.parts] == [
        (
            ("Plan",),
            "Hello big world\nsecond line\n\nNext one & more\n\n- one\n- two\n  1. a\n  2. b\n- three\n\nafter",
        ),
        (("Plan", "Costs"), "What | Cost\nRent | 100 EUR\n\ndef f():\n    return 1"),
        (("Plan", "Costs", "Nothing yet"), "Nothing yet"),
        (("Plan", "Risks"), "Rain\n\nlikely"),
        (("End",), "End"),
    ]


def test_what_is_not_seen_is_left_out() -> None:
    assert texts(
        "<head><style>a{}</style><script>var a = '<p>no</p>'</script></head><nav><ul><li>Home</ul></nav>"
        "<div role=navigation>more</div><aside>Buy!</aside><template><p>no</p></template><noscript>no</noscript>"
        "<p hidden>no</p><div style='color: red; DISPLAY : none'>no <p>no</div><select><option>no</select><!-- no -->"
        "<svg><title>no</title></svg><p>seen</p><article><aside>a remark</aside></article>"
        "<aside epub:type='footnote'>a note</aside>"
    ) == ["seen\n\na remark\n\na note"]


def test_a_table_that_only_arranges_the_page() -> None:
    column = "word " * 80
    page = (
        f"<table><tr><td><h1>Main</h1><p>text<table><tr><td>a<td>b</table>tail<td>side<tr><td>{column}<td>x</table>end"
    )
    assert texts(page) == [f"text\na | b\ntail | side\n\n{column.strip()}\n\nx\n\nend"]


def test_links_to_files_are_links() -> None:
    document = read_html(
        '<a href="../Notes/My%20Plan.md#Costs">x</a><a href="https://x.org">y</a><a href="#top">z</a><a href="/a">q</a>'
    )
    assert document.links == (Link("../Notes/My Plan.md", 1, heading="Costs"),)


@pytest.mark.parametrize(
    "page, stated",
    [
        ('<meta property="article:published_time" content="2024-03-05T10:00:00Z">', date(2024, 3, 5)),
        ('<meta name="DC.Date" content="2023-01-02"><time datetime="2024-03-05">', date(2023, 1, 2)),
        ('<p>a <time datetime="2024-03-05">5 March</time>', date(2024, 3, 5)),
        ('<time datetime="2024-03-05">a</time><time datetime="2024-03-06">b</time>', None),
        ('<meta name="date" content="03/04/2024">', None),
    ],
)
def test_a_stated_date(page: str, stated: date | None) -> None:
    assert read_html(page).stated_date == stated


@pytest.mark.parametrize(
    "page",
    [
        "<p>Größe €".encode(),
        b"\xef\xbb\xbf" + "<p>Größe €".encode(),
        "<p>Größe €".encode("utf-16"),
        '<meta charset="iso-8859-1"><p>Größe €'.encode("cp1252"),
        '<meta http-equiv="Content-Type" content="text/html; charset=windows-1252"><p>Größe €'.encode("cp1252"),
        "<p>Größe €".encode("cp1252"),
        '<meta charset="utf-8"><p>Größe €'.encode("cp1252"),
        '<meta charset="latin1"><p>Größe €'.encode(),
        '<?xml version="1.0" encoding="iso-8859-15"?><html><p>Größe €'.encode("iso-8859-15"),
        '<meta charset="punycode"><p>Größe €'.encode(),
    ],
)
def test_encodings(page: bytes) -> None:
    assert texts(page) == ["Größe €"]


def test_other_scripts_by_their_declaration() -> None:
    assert texts('<meta charset="gb2312"><p>知识管理'.encode("gbk")) == ["知识管理"]
    assert texts("<p>知识管理与数字花园".encode() + b"\xff") == ["知识管理与数字花园\ufffd"]


def test_xhtml_that_closes_at_once() -> None:
    assert texts(
        '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="a.js"/></head>'
        '<body><a id="p1"/><p>Hi<br/>there</p><p/><hr/>all</body></html>'
    ) == ["Hi\nthere\n\nall"]


def test_bombs_are_read_up_to_the_limits() -> None:
    entities = "<!DOCTYPE x [<!ENTITY a 'lol'><!ENTITY b '&a;&a;'><!ENTITY f SYSTEM 'file:///etc/passwd'>]><p>&b; &f; x"
    assert texts(entities) == ["]>\n\n&b; &f; x"]
    for page in ("<b>" * 600_000, "x " * 3_000_000):
        assert read_html(page).problems == ("The page is too long: only its beginning was read.",)
    assert texts('<img src="data:image/png;base64,' + "A" * 30_000_000 + '">x') == ["x"]
    assert read(b"<p>" + b"x" * 20_000_000, "a.html") == Unreadable("is larger than 20 MB")
    assert read(b"a\0b", "a.html") == Unreadable("contains NUL bytes: it is not text")

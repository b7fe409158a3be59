"""Pages of HTML, also those inside of an EPUB: the text that a reader of the page sees (`visible_text`).

The parser is libxml2's, which mends tags as browsers do and tells of each tag as it passes, so that no tree of a
hostile page is ever built, and which reads neither entities of the page's own nor other files.
"""

from __future__ import annotations

import re

from lxml import etree

from zibaldone.domain.documents import Document, Unreadable
from zibaldone.ingest.extract.characters import decode_text, drop_embedded
from zibaldone.ingest.extract.outline import MAX_CHARS
from zibaldone.ingest.extract.visible_text import MAX_TAGS, Enough, Page, VisibleText

MAX_BYTES = 100_000_000
MAX_TEXT_BYTES = 20_000_000  # without pictures
_HEAD_BYTES = 4096  # a page has to state its encoding within the first 1,024, which not all do
_CHARSET = re.compile(
    rb"""(?:<meta[^>]{1,200}?charset|<\?xml[^>]{1,100}?encoding)\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]{1,40})""",
    re.IGNORECASE,
)
_CLOSED = re.compile(r"<([A-Za-z][\w:.-]*+)([^<>]*)/>")
_VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())


def read(data: bytes, name: str, ocr: object = None) -> Document | Unreadable:
    """Read a page."""
    page = read_page(data)
    if isinstance(page, Unreadable):
        return page
    problems = () if page.is_whole else ("The page is too long: only its beginning was read.",)
    return Document(page.parts, page.title, page.stated_date, page.links, problems)


def read_page(data: bytes, room: int = MAX_CHARS, tags: int = MAX_TAGS) -> Page | Unreadable:
    """Read a page of HTML or XHTML, up to so many characters of its text and so many of its tags."""
    written = drop_embedded(data) if len(data) <= MAX_BYTES else data
    if len(written) > MAX_TEXT_BYTES:
        return Unreadable(f"is larger than {MAX_TEXT_BYTES // 1_000_000} MB")
    declared = _CHARSET.search(written[:_HEAD_BYTES])
    text = decode_text(written, declared[1].decode("ascii", "replace") if declared else "")
    if isinstance(text, Unreadable):
        return text
    visible = VisibleText(room, tags)
    parser = etree.HTMLParser(encoding="utf-8", target=visible)
    try:
        parser.feed(_open_closed_tags(text).encode("utf-8"))
        parser.close()
    except Enough:
        return visible.page(is_whole=False)
    except (etree.LxmlError, ValueError):
        return Unreadable("is not HTML")
    return visible.page()


def _open_closed_tags(text: str) -> str:
    """XHTML's `<a id="x"/>` as `<a id="x"></a>`: to HTML it would only begin, and `<title/>` hide all that follows."""

    def split(tag: re.Match[str]) -> str:
        return tag[0] if tag[1].lower() in _VOID else f"<{tag[1]}{tag[2]}></{tag[1]}>"

    return _CLOSED.sub(split, text)

"""The few documents of other kinds: docx, html, epub, csv."""

from __future__ import annotations

import csv
import io
import tomllib
import zipfile
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

import docx

_CONTAINER = """<?xml version="1.0"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"""


def make_documents(texts: Path) -> list[tuple[str, bytes, list[dict[str, Any]]]]:
    """Path, content and places of each: a section by its heading, a row of a table by its number (the header is 1)."""
    told = tomllib.loads(texts.read_text(encoding="utf-8"))["document"]
    return [(one["path"], _WRITERS[Path(one["path"]).suffix](one), _list_places(one)) for one in told]


def _list_places(told: dict[str, Any]) -> list[dict[str, Any]]:
    rows = [told["columns"], *told["rows"]] if "rows" in told else []
    places = [{"place": f"row={number}", "texts": row} for number, row in enumerate(rows, 1)]
    for section in told.get("sections", []):
        places.append({"place": f"heading={section['heading']}", "texts": [section["heading"], *section["lines"]]})
    return places


def _write_docx(told: dict[str, Any]) -> bytes:
    document = docx.Document()
    document.core_properties.title = told["title"]
    document.add_heading(told["title"], 0)
    for section in told["sections"]:
        document.add_heading(section["heading"], 1)
        for line in section["lines"]:
            document.add_paragraph(line)
    saved = io.BytesIO()
    document.save(saved)
    with zipfile.ZipFile(saved) as archive:
        return _pack({name: archive.read(name) for name in archive.namelist()})


def _pack(members: dict[str, bytes]) -> bytes:
    """A zip file without the time of day."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return buffer.getvalue()


def _body(told: dict[str, Any]) -> str:
    sections = told["sections"]
    return "\n".join(
        f"<h2>{escape(section['heading'])}</h2>\n" + "\n".join(f"<p>{escape(line)}</p>" for line in section["lines"])
        for section in sections
    )


def _write_html(told: dict[str, Any]) -> bytes:
    head = f'<meta charset="utf-8"><title>{escape(told["title"])}</title><style>p {{ color: #222 }}</style>'
    script = "<script>console.log('counted');</script>"
    nav = '<nav><a href="/">Start</a> <a href="/imprint">Imprint</a></nav>'
    page = f"<!doctype html>\n<html><head>{head}{script}</head>\n<body>{nav}\n<h1>{escape(told['title'])}</h1>\n"
    return f"{page}{_body(told)}\n</body></html>\n".encode()


def _write_csv(told: dict[str, Any]) -> bytes:
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=";").writerows([told["columns"], *told["rows"]])
    return buffer.getvalue().encode("utf-8-sig")


def _write_epub(told: dict[str, Any]) -> bytes:
    chapters = {f"c{number}.xhtml": section for number, section in enumerate(told["sections"], 1)}
    items = "".join(f'<item id="{name[:-6]}" href="{name}" media-type="application/xhtml+xml"/>' for name in chapters)
    spine = "".join(f'<itemref idref="{name[:-6]}"/>' for name in chapters)
    links = "".join(f'<li><a href="{name}">{escape(one["heading"])}</a></li>' for name, one in chapters.items())
    book = (
        '<?xml version="1.0"?>\n<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">letters</dc:identifier>'
        f"<dc:title>{escape(told['title'])}</dc:title><dc:language>de</dc:language></metadata><manifest>"
        '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
        f"{items}</manifest><spine>{spine}</spine></package>"
    )
    contents = _xhtml("Inhalt", f'<nav epub:type="toc"><ol>{links}</ol></nav>')
    pages = {f"OEBPS/{name}": _xhtml(one["heading"], _body({"sections": [one]})) for name, one in chapters.items()}
    files = {"META-INF/container.xml": _CONTAINER, "OEBPS/book.opf": book, "OEBPS/nav.xhtml": contents, **pages}
    return _pack({"mimetype": b"application/epub+zip"} | {name: text.encode() for name, text in files.items()})


def _xhtml(title: str, body: str) -> str:
    space = 'xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"'
    head = f"<head><title>{escape(title)}</title></head>"
    return f'<?xml version="1.0" encoding="utf-8"?>\n<html {space}>{head}<body>{body}</body></html>'


_WRITERS: dict[str, Callable[[dict[str, Any]], bytes]] = {
    ".docx": _write_docx, ".html": _write_html, ".csv": _write_csv, ".epub": _write_epub,
}  # fmt: skip

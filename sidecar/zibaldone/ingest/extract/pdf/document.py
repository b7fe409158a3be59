"""The order in which a PDF is read: from its bytes to a `Document`."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pypdfium2 as pdfium

from zibaldone.domain.documents import Document, Part, Unreadable
from zibaldone.ingest.extract import hyphens
from zibaldone.ingest.extract.limits import MAX_CHARACTERS, TIME_S
from zibaldone.ingest.extract.pdf import outline
from zibaldone.ingest.extract.pdf.columns import in_reading_order
from zibaldone.ingest.extract.pdf.line import Line
from zibaldone.ingest.extract.pdf.page import read_lines
from zibaldone.ingest.extract.pdf.paragraphs import join_lines
from zibaldone.ingest.extract.pdf.pictures import PictureReader, is_picture, name_pages, read_picture
from zibaldone.ingest.extract.pdf.running import without_running_lines

MAX_PAGES = 3000
_HARDLY_TEXT = 60  # letters: a page with fewer may be a picture with a stamp
_MAX_TITLE = 200
_UNTOLD = re.compile("[\ufffd\ue000-\uf8ff]")
_PICTURES_S = 0.8 * TIME_S  # from the start: no further picture is begun that may end later

_NO_TITLE = re.compile(
    r"(?i)\W*(?:untitled|unnamed|anonymous|unknown|title|document\W?\d*|powerpoint presentation)?\W*"
)
_FILE_NAME = re.compile(r"(?i)^microsoft \w+ - |\.(?:docx?|odt|pdf|indd|qxd|tex|dvi|pptx?|xlsx?|rtf|html?|ps|pages)$")


def read(data: bytes, name: str, ocr: PictureReader | None) -> Document | Unreadable:
    """The text of a PDF by page and heading.

    Args:
        ocr: reads pages that are pictures; without it they are named in `problems`.
    """
    started = time.monotonic()
    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        return Unreadable(_refusal(error))
    try:
        return _Reading(document, ocr, started).read()
    finally:
        document.close()


def _refusal(error: pdfium.PdfiumError) -> str:
    match error.err_code:
        case pdfium.raw.FPDF_ERR_PASSWORD:
            return "is encrypted: it opens with a password only"
        case pdfium.raw.FPDF_ERR_SECURITY:
            return "is encrypted in a way that is not known"
        case _:
            return "is damaged, or no PDF"


class _Reading:
    """One document while it is read; gathers what could not be."""

    def __init__(self, document: pdfium.PdfDocument, ocr: PictureReader | None, started: float) -> None:
        self._document = document
        self._ocr = ocr
        self._started = started
        self._problems: list[str] = []

    def read(self) -> Document | Unreadable:
        headings = outline.read_outline(self._document)
        titles = {page: {heading.path[-1] for heading in named} for page, named in headings.items()}
        pages = without_running_lines(self._read_pages(), titles)
        pictures = self._read_pictures(pages)
        parts = tuple(_parts(pages, pictures, headings))
        if not parts:
            return Unreadable(self._problems[0] if self._problems else "holds no text")
        return Document(parts, title=self._title(), problems=tuple(self._problems))

    def _read_pages(self) -> list[list[Line]]:
        count = len(self._document)
        pages: list[list[Line]] = []
        broken = []
        letters = 0
        while len(pages) < min(count, MAX_PAGES) and letters < MAX_CHARACTERS:
            lines = read_lines(self._document, len(pages))
            pages.append(lines or [])
            if lines is None:
                broken.append(len(pages))
                continue
            letters += sum([len(line.text) for line in lines])
        if broken:
            self._problems.append(f"{name_pages(broken)} cannot be read")
        if len(pages) < count:
            self._problems.append(f"only the first {len(pages):,} of {count:,} pages are read")
        return pages

    def _read_pictures(self, pages: list[list[Line]]) -> dict[int, tuple[str, float]]:
        """Text and confidence of the pages that are pictures, by page."""
        read: dict[int, tuple[str, float]] = {}
        left, failed = [], []
        slowest = 0.0
        for index in self._pictures(pages):
            began = time.monotonic()
            if self._ocr is None or began - self._started + slowest > _PICTURES_S:
                left.append(index + 1)
                continue
            try:
                read[index] = read_picture(self._document[index], self._ocr)
            except Exception:  # noqa: BLE001 - a picture that its engine fails on costs that page only
                failed.append(index + 1)
            slowest = max(slowest, time.monotonic() - began)
        if left:
            why = "nothing that reads pictures is installed" if self._ocr is None else "reading all takes too long"
            self._problems.append(f"{name_pages(left)} {_are_pictures(left)}: {why}")
        if failed:
            self._problems.append(f"{name_pages(failed)} {_are_pictures(failed)} that cannot be read")
        return read

    def _pictures(self, pages: list[list[Line]]) -> Iterator[int]:
        for index, lines in enumerate(pages):
            try:
                if _says_little(lines) and is_picture(self._document[index]):
                    yield index
            except pdfium.PdfiumError:
                continue

    def _title(self) -> str | None:
        title = " ".join(self._document.get_metadata_value("Title").split())
        return None if _NO_TITLE.fullmatch(title) or _FILE_NAME.search(title) or len(title) > _MAX_TITLE else title


def _parts(
    pages: list[list[Line]], pictures: dict[int, tuple[str, float]], headings: dict[int, list[outline.Heading]]
) -> Iterator[Part]:
    words = hyphens.Words(line.text for page in pages for line in page)
    path: outline.Path = ()
    for number, lines in enumerate(pages, 1):
        named = headings.get(number - 1, ())
        if number - 1 in pictures:
            text, confidence = pictures[number - 1]
            path = named[0].path if named else path
            if text:
                yield Part(text, path, number, confidence=confidence)
        else:
            for under, flows in outline.divide(in_reading_order(lines), named, path):
                yield Part(join_lines(flows, words), under, number)
        path = named[-1].path if named else path


def _are_pictures(pages: list[int]) -> str:
    return "are pictures" if len(pages) > 1 else "is a picture"


def _says_little(lines: list[Line]) -> bool:
    """Whether a page has hardly any text, or such whose font does not tell the letters."""
    text = "".join([line.text for line in lines])
    return len(text) < _HARDLY_TEXT or (not text.isascii() and len(_UNTOLD.findall(text)) > len(text) / 2)

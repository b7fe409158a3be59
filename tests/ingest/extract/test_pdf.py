"""PDFs, made for the test: their text by page, in reading order, under its headings."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from PIL import Image
from reportlab.lib import pdfencrypt
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from support import raw_pdfs
from support.pdfs import make_pdf, recall
from zibaldone.domain.documents import Document, Unreadable
from zibaldone.ingest.extract.pdf import read
from zibaldone.ingest.extract.process import Extractor

_PAGE = (600, 800)


def draw(*pages: Callable[[Canvas], None], **options: object) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=_PAGE, invariant=True, **options)
    for page in pages:
        canvas.setFont("Helvetica", 10)
        page(canvas)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def lines(*texts: str, x: float = 60, y: float = 700, size: float = 10) -> Callable[[Canvas], None]:
    def page(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", size)
        for number, text in enumerate(texts):
            canvas.drawString(x, y - 1.2 * size * number, text)

    return page


def document(data: bytes, ocr: object = None) -> Document:
    outcome = read(data, "a.pdf", ocr)  # type: ignore[arg-type]
    assert isinstance(outcome, Document), outcome
    return outcome


def text_of(data: bytes) -> str:
    return "\n\n".join(part.text for part in document(data).parts)


@dataclass
class FakeBlock:
    text: str
    confidence: float


class FakeOcr:
    """Says what size of picture it was shown."""

    def __init__(self) -> None:
        self.sizes: list[tuple[int, int]] = []
        self.blocks = [FakeBlock("what the picture says", 0.5), FakeBlock("and more", 1.0)]

    def read(self, image: Image.Image) -> FakeOcr:
        assert image.mode == "L"
        self.sizes.append(image.size)
        return self


def picture(canvas: Canvas) -> None:
    canvas.drawImage(ImageReader(Image.new("L", (60, 80), 200)), 0, 0, *_PAGE)


def check_made(seed: int) -> tuple[int, int]:
    """Headers, numbers and headings as they should be; the letters found and those looked for."""
    made = make_pdf(seed)
    parts = document(made.data).parts
    for header in made.running:
        assert not any(header in part.text or "Page " in part.text for part in parts)
    assert {(part.page, part.heading[-1]) for part in parts if part.heading} >= set(made.headings)
    found = wanted = 0
    for number, paragraphs in enumerate(made.pages, 1):
        text = "\n\n".join(part.text for part in parts if part.page == number)
        letters, all_letters = recall(text, paragraphs)
        found += letters
        wanted += all_letters
    return found, wanted


@pytest.mark.parametrize("first", [0, 4])
def test_what_was_typeset_is_found_in_order(first: int) -> None:
    found, wanted = map(sum, zip(*map(check_made, range(first, first + 4)), strict=True))
    assert found / wanted >= 0.99


@pytest.mark.slow
def test_what_was_typeset_is_found_in_order_over_many() -> None:
    found, wanted = map(sum, zip(*map(check_made, range(1000, 1120)), strict=True))
    assert found / wanted >= 0.99


def test_lines_become_paragraphs() -> None:
    first = ("A paragraph of two lines, of which the first", "is as wide as the column.")
    second = ("Another one that begins after some more space", "and ends here.")
    data = draw(lambda canvas: (lines(*first)(canvas), lines(*second, y=660)(canvas)))
    assert text_of(data) == " ".join(first) + "\n\n" + " ".join(second)


def test_lines_that_end_early_stay_lines() -> None:
    assert text_of(draw(lines("Milk", "Bread", "A long line that tells how wide the others could have been"))) == (
        "Milk\nBread\nA long line that tells how wide the others could have been"
    )


@pytest.mark.parametrize(
    ("above", "below", "joined"),
    [
        ("all that we know of the infor-", "mation was said", "of the information was said"),
        ("the author who is very well-", "known was asked again", "very well-known was asked"),
        ("und dann die ganze Vergangen-", "heit der alten Werkstatt", "ganze Vergangenheit der alten"),
        ("hier sind nun alle Vor-", "und Nachteile aufgezählt", "alle Vor- und Nachteile"),
        ("und sie schickten die E-Mail-", "Adresse an den Verein", "die E-Mail-Adresse an"),
        ("the figures of 2019-", "2024 were never shown", "of 2019-2024 were"),
        ("co-operate twice: they co-", "operate all the time", "they co-operate all"),
        ("the cooperation of the co\u00ad", "operation went on for", "of the cooperation went"),
    ],
)
def test_divided_words(above: str, below: str, joined: str) -> None:
    assert joined in text_of(draw(lines(above, below)))


def test_columns_are_read_one_after_the_other_whatever_the_files_order() -> None:
    left = [f"left column line {number} of text" for number in range(8)]
    right = [f"right column line {number} of text" for number in range(8)]

    def columns(canvas: Canvas) -> None:
        lines(*right, x=320)(canvas)
        lines(*left)(canvas)
        lines("A title that stands over both columns of the page", y=730, size=20)(canvas)

    def rows(canvas: Canvas) -> None:
        for number in range(8):
            lines(left[number], y=700 - 12 * number)(canvas)
            lines(right[number], x=320, y=700 - 12 * number)(canvas)

    wanted = " ".join((*left, *right))
    title, _, rest = text_of(draw(columns)).partition("\n\n")
    assert title.startswith("A title")
    assert " ".join(rest.split()) == wanted
    assert " ".join(text_of(draw(rows)).split()) == wanted


def test_a_table_is_read_row_by_row() -> None:
    def table(canvas: Canvas) -> None:
        for row, cells in enumerate((("Boiler", "1,200"), ("Windows", "3,400"), ("Paint", "90"), ("Doors", "800"))):
            for column, cell in enumerate(cells):
                canvas.drawString(60 + 250 * column, 700 - 14 * row, cell)

    assert text_of(draw(table)).split() == "Boiler 1,200 Windows 3,400 Paint 90 Doors 800".split()


def test_headers_and_page_numbers_are_left_out() -> None:
    def numbered(number: int) -> Callable[[Canvas], None]:
        def page(canvas: Canvas) -> None:
            lines("Minutes of the House", y=770)(canvas)
            lines(f"What page {number} says", "and a second line of it")(canvas)
            lines(f"Seite {number} von 4", x=280, y=30)(canvas)

        return page

    data = draw(*map(numbered, range(1, 5)))
    assert [part.text for part in document(data).parts] == [
        f"What page {number} says and a second line of it" for number in range(1, 5)
    ]


def test_a_letterhead_of_two_pages_stays() -> None:
    both = [lambda canvas: (lines("The House", y=770)(canvas), lines("a text")(canvas))] * 2
    assert text_of(draw(*both)).count("The House") == 2


def test_headings_of_the_outline() -> None:
    def page(canvas: Canvas) -> None:
        lines("what goes on from before")(canvas)
        for level, (title, y) in enumerate((("2 Costs", 650), ("2.1 Heating", 600))):
            lines(title, y=y, size=14)(canvas)
            lines(f"text under {title}", y=y - 20)(canvas)
            canvas.bookmarkPage(title)
            canvas.addOutlineEntry(title, title, level)

    def first(canvas: Canvas) -> None:
        lines("1 Purpose", size=14)(canvas)
        canvas.bookmarkPage("p")
        canvas.addOutlineEntry("1 Purpose", "p", 0)

    assert [(part.page, part.heading, part.text) for part in document(draw(first, page)).parts] == [
        (1, ("1 Purpose",), "1 Purpose"),
        (2, ("1 Purpose",), "what goes on from before"),
        (2, ("2 Costs",), "2 Costs\n\ntext under 2 Costs"),
        (2, ("2 Costs", "2.1 Heating"), "2.1 Heating\n\ntext under 2.1 Heating"),
    ]


def test_umlauts_and_ligatures() -> None:
    pdfmetrics.registerFont(TTFont("Vera", "Vera.ttf"))

    def page(canvas: Canvas) -> None:
        canvas.setFont("Vera", 10)
        canvas.drawString(60, 700, "Größe der Öfen: die \ufb01ne \ufb02oor")

    assert text_of(draw(page)) == "Größe der Öfen: die fine floor"


def test_a_page_that_was_turned() -> None:
    def page(canvas: Canvas) -> None:
        canvas.setPageRotation(90)
        canvas.rotate(90)
        lines("first line of the turned page", "second line of it", x=60, y=-100)(canvas)

    assert text_of(draw(page)) == "first line of the turned page second line of it"


@pytest.mark.parametrize(
    ("title", "wanted"),
    [("Minutes of May", "Minutes of May"), ("untitled", None), ("Microsoft Word - a.docx", None), ("scan.pdf", None)],
)
def test_title(title: str, wanted: str | None) -> None:
    data = draw(lambda canvas: (canvas.setTitle(title), lines("text")(canvas)))
    assert document(data).title == wanted


def test_pictures_of_pages_are_read() -> None:
    ocr = FakeOcr()
    parts = document(draw(lines("a page with text " * 4), picture), ocr).parts
    assert [(part.page, part.text, part.confidence) for part in parts] == [
        (1, ("a page with text " * 4).strip(), None),
        (2, "what the picture says\n\nand more", pytest.approx((0.5 * 21 + 8) / 29)),
    ]
    assert max(ocr.sizes[0]) == 2500


def test_pictures_that_nothing_can_read_are_named() -> None:
    text = lines("a page with text " * 4)
    problems = document(draw(text, picture, picture, text, picture)).problems
    assert problems == ("pages 2-3 and 5 are pictures: nothing that reads pictures is installed",)
    assert read(draw(picture), "a.pdf", None) == Unreadable(
        "page 1 is a picture: nothing that reads pictures is installed"
    )


def test_a_picture_that_its_reader_fails_on_costs_its_page() -> None:
    class Failing(FakeOcr):
        def read(self, image: Image.Image) -> FakeOcr:
            raise MemoryError

    outcome = document(draw(lines("a page with text " * 4), picture), Failing())
    assert (len(outcome.parts), outcome.problems) == (1, ("page 2 is a picture that cannot be read",))


def test_files_that_give_nothing() -> None:
    secret = draw(lines("text"), encrypt=pdfencrypt.StandardEncryption("secret", ownerPassword="owner"))
    assert read(secret, "a.pdf", None) == Unreadable("is encrypted: it opens with a password only")
    assert read(b"no PDF", "a.pdf", None) == Unreadable("is damaged, or no PDF")
    assert read(draw(lambda canvas: None), "a.pdf", None) == Unreadable("holds no text")


def test_encrypted_without_a_password() -> None:
    open_to_all = draw(lines("text for all"), encrypt=pdfencrypt.StandardEncryption("", ownerPassword="owner"))
    assert text_of(open_to_all) == "text for all"


def test_a_page_of_absurd_size_is_rendered_small() -> None:
    ocr = FakeOcr()
    document(raw_pdfs.big_page(), ocr)
    assert max(ocr.sizes[0]) <= 2500


@pytest.fixture(scope="module")
def extractor() -> Iterator[Extractor]:
    with Extractor(ocr="off") as extractor:
        yield extractor


@pytest.mark.parametrize(
    ("name", "data"), list(raw_pdfs.loops()), ids=lambda value: value if isinstance(value, str) else ""
)
def test_loops_end(extractor: Extractor, name: str, data: bytes) -> None:
    check_survived(extractor, data)


def test_mutated_files(extractor: Extractor) -> None:
    data = make_pdf(3).data
    for seed in range(50):
        check_survived(extractor, raw_pdfs.mutate(data, seed))


def test_a_bomb_ends(extractor: Extractor) -> None:
    check_survived(extractor, raw_pdfs.bomb(300))


@pytest.mark.slow
def test_a_bomb_of_gigabytes_ends(extractor: Extractor) -> None:
    check_survived(extractor, raw_pdfs.bomb(4000))


def check_survived(extractor: Extractor, data: bytes) -> None:
    outcome = extractor.read(data, "a.pdf")
    assert isinstance(outcome, Document) or outcome.reason


def test_real_files(extractor: Extractor) -> None:
    found = list(Path("/usr/share/doc").rglob("*.pdf"))
    if not found:
        pytest.skip("no PDF among this system's documentation")
    for path in found:
        outcome = extractor.read(path.read_bytes(), path.name)
        assert isinstance(outcome, Document)
        assert all(part.text.strip() and part.page for part in outcome.parts)

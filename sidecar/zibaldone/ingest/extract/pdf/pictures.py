"""Pages that are pictures of text: which they are, and what the reader of pictures makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, pairwise
from typing import Protocol

import pypdfium2 as pdfium
from PIL import Image

_MAX_SIDE = 2500  # pixels
_MAX_SCALE = 300 / 72  # 300 dots per inch are enough for print
_COVER = 0.4  # of a page is covered by its picture, which may be in strips
_MANY_SHAPES = 50  # letters may be drawn as shapes
_MAX_OBJECTS = 400  # of a page are looked at


class Block(Protocol):
    """A paragraph that was read from a picture; `confidence` 0..1."""

    @property
    def text(self) -> str: ...

    @property
    def confidence(self) -> float: ...


class Reading(Protocol):
    @property
    def blocks(self) -> Sequence[Block]: ...


class PictureReader(Protocol):
    """What reads text from pictures: an engine of `ocr`, or a test's stand-in."""

    def read(self, image: Image.Image) -> Reading: ...


def is_picture(page: pdfium.PdfPage) -> bool:
    """Whether a page with hardly any text shows something that may be text."""
    width, height = page.get_size()
    covered = 0.0
    shapes = 0
    for shape in islice(page.get_objects(max_depth=3), _MAX_OBJECTS):
        if shape.type == pdfium.raw.FPDF_PAGEOBJ_IMAGE:
            left, bottom, right, top = shape.get_bounds()
            covered += (right - left) * (top - bottom)
        elif shape.type == pdfium.raw.FPDF_PAGEOBJ_PATH:
            shapes += 1
    return covered >= _COVER * width * height or shapes >= _MANY_SHAPES


def read_picture(page: pdfium.PdfPage, reader: PictureReader) -> tuple[str, float]:
    """The page's text, its paragraphs with an empty line between, and the mean confidence of its letters."""
    scale = min(_MAX_SCALE, _MAX_SIDE / max(1.0, *page.get_size()))
    bitmap = page.render(scale=scale, grayscale=True)
    blocks = [block for block in reader.read(bitmap.to_pil()).blocks if block.text]
    letters = sum(len(block.text) for block in blocks)
    confidence = sum(block.confidence * len(block.text) for block in blocks) / max(1, letters)
    return "\n\n".join(block.text for block in blocks), confidence


def name_pages(pages: Sequence[int]) -> str:
    """`page 3`, `pages 3-7 and 9`: of ascending numbers from 1."""
    runs = [[pages[0], pages[0]]]
    for last, page in pairwise(pages):
        if page == last + 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    names = [str(first) if first == last else f"{first}-{last}" for first, last in runs]
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f"page {listed}" if len(pages) == 1 else f"pages {listed}"

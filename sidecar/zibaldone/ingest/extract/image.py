"""A picture to the print that stands on it: one part for each block of lines, with its region and confidence."""

from __future__ import annotations

import io
from datetime import date
from math import sqrt
from typing import cast

from PIL import ExifTags, Image

from zibaldone.domain.documents import Document, Part, Unreadable
from zibaldone.ingest.extract.ocr import Engine

_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF", "AVIF", "PPM")
_MOST_PIXELS = 64_000_000  # phones take 50 million; decoded, each takes up to four bytes
_WORKING_PIXELS = 6_000_000  # A4 at 250 dots per inch
_SMALLEST_SIDE = 8  # pixels: there is no letter on less
_FEWEST_LETTERS = 3  # and digits, in all: a circle is read as an O

TOO_LARGE = f"is larger than {_MOST_PIXELS // 1_000_000} million pixels"
DAMAGED = "is damaged, or no image"
NOTHING_READ = "holds no text that can be read: handwriting and pictures without print are out of reach"
NO_ENGINE = "is an image, and no OCR engine is there to read it"

_UPRIGHT = {  # by EXIF orientation (CIPA DC-008, tag 0112)
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


def read(data: bytes, name: str, ocr: Engine | None) -> Document | Unreadable:
    """The print on a picture, of the first where there are several; `name` is not needed.

    Regions are in pixels of the picture as it is shown, turned as its EXIF orientation says.
    """
    if ocr is None:
        return Unreadable(NO_ENGINE)
    try:
        with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
            if image.width * image.height > _MOST_PIXELS:
                return Unreadable(TOO_LARGE)
            orientation, stated = _read_exif(image)
            size = image.size
            picture = _prepare(image)
    except Image.DecompressionBombError:
        return Unreadable(TOO_LARGE)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - a decoder raises whatever a broken file makes it raise
        return Unreadable(DAMAGED)
    scale = max(size) / max(picture.size)
    if orientation in _UPRIGHT:
        picture = picture.transpose(_UPRIGHT[orientation])
    blocks = ocr.read(picture).blocks if min(picture.size) >= _SMALLEST_SIDE else ()
    if sum(char.isalnum() for block in blocks for char in block.text) < _FEWEST_LETTERS:
        return Unreadable(NOTHING_READ)
    parts = (
        Part(block.text, place=_region(block.box, scale), confidence=round(block.confidence, 3)) for block in blocks
    )
    return Document(tuple(parts), stated_date=stated)


def _prepare(image: Image.Image) -> Image.Image:
    """The picture in RGB on white, not much larger than the working size, and no copy of it made before it is small."""
    share = sqrt(_WORKING_PIXELS / (image.width * image.height))
    if share < 1:
        # A JPEG can be decoded at a half, a quarter or an eighth of its size.
        image.draft("RGB", (round(image.width * share), round(image.height * share)))
    image.load()
    picture = _in_eight_bits(image)
    factor = int(sqrt(picture.width * picture.height / _WORKING_PIXELS))
    if factor > 1:
        picture = picture.reduce(factor)
    if picture.mode != "RGBA":
        return picture.convert("RGB")
    paper = Image.new("RGB", picture.size, "white")
    paper.paste(picture, mask=picture.getchannel("A"))
    return paper


def _in_eight_bits(image: Image.Image) -> Image.Image:
    """In a mode of eight bits a channel that can be made smaller: L, RGB, RGBA or CMYK."""
    if image.mode.startswith(("I", "F")):
        low, high = cast("tuple[float, float]", image.getextrema())
        factor = 255 / max(high - low, 1e-9)
        return image.point(lambda value: value * factor - low * factor).convert("L")
    if image.mode in ("LA", "La", "PA", "RGBa") or "transparency" in image.info:
        return image.convert("RGBA")
    return image if image.mode in ("L", "RGB", "RGBA", "CMYK") else image.convert("RGB")


def _read_exif(image: Image.Image) -> tuple[int, date | None]:
    """The orientation (1 where none is given) and the day on which the picture was taken."""
    try:
        exif = image.getexif()
        orientation = exif.get(ExifTags.Base.Orientation, 1)
        taken = str(exif.get_ifd(ExifTags.IFD.Exif).get(ExifTags.Base.DateTimeOriginal, ""))
    except Exception:  # noqa: BLE001 - whatever is wrong with it, the picture can be read without
        return 1, None
    return orientation, _parse_date(taken)


def _parse_date(taken: str) -> date | None:
    """The day of `2024:05:17 09:30:00`."""
    try:
        return date.fromisoformat(taken[:10].replace(":", "-"))
    except ValueError:
        return None


def _region(box: tuple[int, int, int, int], scale: float) -> str:
    return "xywh=" + ",".join(str(round(side * scale)) for side in box)

"""A picture to the print that stands on it: one part for each block of lines, with its region and confidence."""

from __future__ import annotations

import io
from dataclasses import dataclass
from datetime import date
from math import sqrt
from typing import cast

from PIL import ExifTags, Image

from zibaldone.domain.documents import Document, Part, Unreadable
from zibaldone.ingest.extract.ocr import Engine

_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF", "AVIF", "PPM")
_MOST_PIXELS = 40_000_000  # A4 at 600 dots per inch has 35 million; decoded, each takes four bytes
_MOST_JPEG_PIXELS = 64_000_000  # phones take 50 million; they are decoded at a smaller size
_WORKING_PIXELS = 6_000_000  # A4 at 250 dots per inch
_SMALLEST_SIDE = 8  # pixels: there is no letter on less
_FEWEST_LETTERS = 3  # and digits, in all: a circle is read as an O

DAMAGED = "is damaged, no image, or too large to decode"
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


@dataclass(frozen=True, slots=True)
class _Photo:
    """A picture as it is read: upright, `scale` times smaller than the file's; and when it was taken."""

    picture: Image.Image
    scale: float
    taken: date | None


def read(data: bytes, name: str, ocr: Engine | None) -> Document | Unreadable:
    """The print on a picture, of the first where there are several; `name` is not needed.

    Regions are in pixels of the picture as it is shown, turned as its EXIF orientation says.
    """
    if ocr is None:
        return Unreadable(NO_ENGINE)
    try:
        photo = _open(data)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - a decoder raises whatever a broken file makes it raise
        return Unreadable(DAMAGED)
    if isinstance(photo, Unreadable):
        return photo
    blocks = ocr.read(photo.picture).blocks if min(photo.picture.size) >= _SMALLEST_SIDE else ()
    if sum(char.isalnum() for block in blocks for char in block.text) < _FEWEST_LETTERS:
        return Unreadable(NOTHING_READ)
    parts = tuple(
        Part(block.text, place=_region(block.box, photo.scale), confidence=round(block.confidence, 3))
        for block in blocks
    )
    return Document(parts, stated_date=photo.taken)


def _open(data: bytes) -> _Photo | Unreadable:
    """Decoded, unless its header says that this would take too much; what it was decoded from is given back."""
    try:
        image = Image.open(io.BytesIO(data), formats=_FORMATS)
    except Image.DecompressionBombError:
        return Unreadable(_too_large(_MOST_PIXELS))
    most = _MOST_JPEG_PIXELS if image.format == "JPEG" else _MOST_PIXELS
    if image.width * image.height > most:
        return Unreadable(_too_large(most))
    orientation, taken = _read_exif(image)
    longest = max(image.size)
    picture = _prepare(image)
    scale = longest / max(picture.size)
    return _Photo(picture.transpose(_UPRIGHT[orientation]) if orientation in _UPRIGHT else picture, scale, taken)


def _prepare(image: Image.Image) -> Image.Image:
    """The picture in RGB on white, of the working size at most; copied only after it was made smaller."""
    share = sqrt(_WORKING_PIXELS / (image.width * image.height))
    size = round(image.width * share), round(image.height * share)
    if share < 1:
        image.draft("RGB", size)  # a JPEG can be decoded at a half, a quarter or an eighth of its size
    image.load()
    picture = _in_eight_bits(image)
    if share < 1:
        picture = picture.reduce(max(1, picture.width // size[0])).resize(size, Image.Resampling.BICUBIC)
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


def _too_large(most: int) -> str:
    return f"is larger than {most // 1_000_000} million pixels"


def _region(box: tuple[int, int, int, int], scale: float) -> str:
    return "xywh=" + ",".join(str(round(side * scale)) for side in box)

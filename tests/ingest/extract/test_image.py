from __future__ import annotations

import io
import random
import struct
import zlib
from datetime import date

import numpy as np
import pytest
from PIL import Image, ImageChops

from pictures import count_found, draw_picture
from zibaldone.domain.documents import Document, Unreadable
from zibaldone.ingest.extract import image, ocr
from zibaldone.ingest.extract.boxes import rectangle
from zibaldone.ingest.extract.lines import Line, Reading, group_lines

SNIPPET = draw_picture("snippet", "de", 3)
WRITTEN = " ".join(SNIPPET.blocks)


@pytest.fixture(scope="module")
def engine() -> ocr.Engine:
    found, _ = ocr.find_engine("rapidocr")
    assert found is not None
    return found


class Eye:
    """An engine that reads the same line off every picture, and keeps the picture."""

    name = "eye"

    def read(self, picture: Image.Image) -> Reading:
        self.seen = picture
        return Reading(tuple(group_lines([Line("a line of text", rectangle(10, 20, 100, 30), 0.9)])))


def encode(picture: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, kind, **options)
    return buffer.getvalue()


def read(data: bytes) -> tuple[Document | Unreadable, Eye]:
    eye = Eye()
    return image.read(data, "picture", eye), eye


def png_header(width: int, height: int) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


def with_transparency(picture: Image.Image) -> Image.Image:
    """Dark letters, and around them nothing."""
    gray = picture.convert("L")
    if gray.getpixel((0, 0)) < 128:
        gray = ImageChops.invert(gray)
    result = Image.new("RGBA", picture.size, "black")
    result.putalpha(ImageChops.invert(gray))
    return result


ENCODED = {
    "gif of two frames": lambda shot: encode(shot, "GIF", save_all=True, append_images=[Image.new("RGB", shot.size)]),
    "CMYK JPEG": lambda shot: encode(shot.convert("CMYK"), "JPEG", quality=95),
    "PNG of 16 bits": lambda shot: encode(Image.fromarray(np.asarray(shot.convert("L")).astype(np.uint16) * 257)),
    "palette": lambda shot: encode(shot.quantize(16)),
    "transparent": lambda shot: encode(with_transparency(shot)),
    "WebP": lambda shot: encode(shot, "WEBP", lossless=True),
}


@pytest.mark.parametrize("kind", ENCODED)
def test_every_encoding_is_read(engine: ocr.Engine, kind: str) -> None:
    outcome = image.read(ENCODED[kind](SNIPPET.image), "picture", engine)
    assert isinstance(outcome, Document), outcome
    (part,) = outcome.parts
    assert count_found(WRITTEN, part.text) >= 0.97 * len(WRITTEN)
    assert part.confidence is not None
    assert part.confidence > 0.9
    assert outcome.title is None


def test_the_region_is_where_the_words_stand(engine: ocr.Engine) -> None:
    paper = Image.new("RGB", (1200, 800), "white")
    shot = draw_picture("snippet", "en", 5).image
    paper.paste(shot, (500, 300))
    outcome = image.read(encode(paper), "picture", engine)
    assert isinstance(outcome, Document)
    x, y, width, height = map(int, outcome.parts[0].place.removeprefix("xywh=").split(","))
    assert 480 <= x <= 520
    assert 285 <= y <= 320
    assert x + width <= 500 + shot.width + 20
    assert y + height <= 300 + shot.height + 20


def test_regions_of_a_large_picture_are_in_its_own_pixels() -> None:
    outcome, eye = read(encode(Image.new("L", (6000, 4000)), "JPEG"))
    assert isinstance(outcome, Document)
    assert eye.seen.size == (3000, 2000)
    assert outcome.parts[0].place == "xywh=20,40,200,60"


def test_exif_turns_the_picture_and_tells_the_day() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    exif.get_ifd(0x8769)[0x9003] = "2024:05:17 09:30:00"
    outcome, eye = read(encode(Image.new("RGB", (300, 200)), "JPEG", exif=exif))
    assert isinstance(outcome, Document)
    assert outcome.stated_date == date(2024, 5, 17)
    assert eye.seen.size == (200, 300)


@pytest.mark.parametrize("taken", ["0000:00:00 00:00:00", "    ", "yesterday"])
def test_a_day_that_is_none_is_left_out(taken: str) -> None:
    exif = Image.Exif()
    exif.get_ifd(0x8769)[0x9003] = taken
    outcome, _ = read(encode(Image.new("RGB", (300, 200)), "JPEG", exif=exif))
    assert isinstance(outcome, Document)
    assert outcome.stated_date is None


@pytest.mark.parametrize("size", [(50_000, 50_000), (9_000, 9_000), (1, 2**31 - 1)])
@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
def test_a_huge_picture_is_refused_by_its_header(size: tuple[int, int]) -> None:
    assert read(png_header(*size))[0] == Unreadable("is larger than 40 million pixels")


def test_what_is_no_image_is_said_to_be_none() -> None:
    shot = encode(SNIPPET.image)
    for data in (b"", b"GIF89a", b"%PDF-1.7", shot[: len(shot) // 2], png_header(100, 100)):
        assert read(data)[0] == Unreadable(image.DAMAGED)


def test_fifty_mutated_pictures_are_read_or_refused() -> None:
    rng = random.Random(11)
    shot = SNIPPET.image
    files = [encode(shot, kind) for kind in ("PNG", "JPEG", "GIF", "WEBP", "TIFF")]
    for _ in range(50):
        data = bytearray(rng.choice(files))
        for _ in range(rng.randint(1, 12)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        del data[rng.randrange(len(data) // 2, len(data) * 2) :]
        assert isinstance(read(bytes(data))[0], Document | Unreadable)


def test_a_picture_without_print_is_said_to_be_out_of_reach(engine: ocr.Engine) -> None:
    for picture in (
        Image.new("RGB", (1, 1)),
        Image.new("RGB", (400, 300), "teal"),
        draw_picture("landscape", "en", 7).image,
    ):
        assert image.read(encode(picture), "picture", engine) == Unreadable(image.NOTHING_READ)


def test_without_an_engine_there_is_a_reason() -> None:
    assert image.read(encode(SNIPPET.image), "picture", None) == Unreadable(image.NO_ENGINE)

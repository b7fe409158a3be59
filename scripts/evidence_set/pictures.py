"""Pictures of the set: screenshots of programs, light and dark, photos of print, and what a scanner makes of it.

All fonts come with reportlab.
"""

from __future__ import annotations

import io
import math
import random
import time
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import reportlab
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter, ImageFont

_THEMES = {
    "light": (("#ffffff", "#1c1e21", "#3367d6"), ("#f4f5f7", "#172b4d", "#0052cc"), ("#fffdf7", "#3b3a36", "#8a5a00")),
    "dark": (("#1b1d23", "#d7dae0", "#61afef"), ("#0f1419", "#bfbdb6", "#ffb454"), ("#2b2d31", "#dbdee1", "#5865f2")),
    "photo": (("#f7f4ea", "#1a1a1a", "#1a1a1a"), ("#ffffff", "#222222", "#222222")),
}
_TABLES = ("#5a4634", "#40444b", "#8b8d88")
_ORIENTATION = 0x0112  # of EXIF; 6: to be turned clockwise before it is looked at
_NEVER = time.gmtime(0)
_FACES = (("Vera.ttf", "VeraBd.ttf"), ("VeraIt.ttf", "VeraBI.ttf"))


@dataclass(frozen=True)
class Picture:
    """`places` names each region: its text, and its box (x, y, width, height) in pixels, as the picture is looked at.

    A scan has one page in place of regions.
    """

    path: str
    language: str
    kind: str
    data: bytes
    places: list[dict[str, Any]]


@dataclass(frozen=True)
class _Region:
    name: str
    text: str
    box: tuple[float, float, float, float]


def make_pictures(texts: Path, seed: int) -> list[Picture]:
    told = tomllib.loads(texts.read_text(encoding="utf-8"))["picture"]
    return [_make_picture(one, random.Random(f"{seed}:{one['path']}")) for one in told]


def _make_picture(told: dict[str, Any], rng: random.Random) -> Picture:
    look = told["look"]
    image, regions = _draw_sheet(told, rng)
    buffer = io.BytesIO()
    if look == "scan":
        tilted = image.rotate(rng.uniform(-1.5, 1.5), Image.Resampling.BICUBIC, fillcolor="#e8e8e8")
        _add_grain(tilted, rng, 6).convert("L").save(buffer, "PDF", resolution=150, creationDate=_NEVER, modDate=_NEVER)
        places = [{"place": "page=1", "texts": [one.text for one in regions]}]
        return Picture(told["path"], told["language"], "scan", buffer.getvalue(), places)
    if look == "photo":
        image, regions = _photograph(image, regions, rng)
        exif = Image.Exif()
        if rng.random() < 0.3:  # the camera lay on its side, and says so
            exif[_ORIENTATION] = 6
            image = image.transpose(Image.Transpose.ROTATE_90)
        image.save(buffer, "JPEG", quality=rng.randint(30, 65), exif=exif)
    else:
        image.save(buffer, "PNG")
    places = [
        {"place": f"region={one.name}", "texts": [one.text], "box": [round(n) for n in one.box]} for one in regions
    ]
    kind = "photo" if look == "photo" else "screenshot"
    return Picture(told["path"], told["language"], kind, buffer.getvalue(), places)


@cache
def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(Path(reportlab.__file__).parent / "fonts" / name, size)


def _draw_sheet(told: dict[str, Any], rng: random.Random) -> tuple[Image.Image, list[_Region]]:
    """The print head-on: a window with a bar and perhaps a side, or a sheet of paper."""
    photo = told["look"] in ("photo", "scan")
    paper, ink, accent = rng.choice(_THEMES["photo" if photo else told["look"]])
    plain, bold = _FACES[0] if not photo or rng.random() < 0.75 else _FACES[1]
    size = rng.randint(20, 32) if photo else rng.choice((13, 14, 15, 16, 18))
    width = rng.randint(1000, 1240) if photo else rng.randint(640, 1100)
    left = rng.randint(90, 130) if photo else rng.choice((28, 60, 170))
    image = Image.new("RGB", (width, 2000), paper)
    draw = ImageDraw.Draw(image)
    if not photo:
        _draw_window(draw, width, left, accent, ink)
    y = 110 if photo else 64
    regions: list[_Region] = []
    for region in told["regions"]:
        font = _font(bold if "size" in region else plain, round(size * region.get("size", 1)))
        lines = _wrap(region["text"], font, width - left - (left if photo else 30))
        step = round(font.size * 1.45)
        for row, line in enumerate(lines):
            draw.text((left, y + row * step), line, font=font, fill=accent if "size" in region else ink)
        across = max(font.getlength(line) for line in lines)
        regions.append(_Region(region["name"], region["text"], (left, y, across, step * len(lines))))
        y += step * len(lines) + round(size * rng.uniform(0.7, 1.4))
    return image.crop((0, 0, width, y + (110 if photo else 40))), regions


def _draw_window(draw: ImageDraw.ImageDraw, width: int, left: int, accent: str, ink: str) -> None:
    draw.rectangle((0, 0, width, 40), fill=accent)
    for spot in range(3):
        draw.ellipse((width - 28 - 24 * spot, 14, width - 16 - 24 * spot, 26), fill="#ffffff")
    if left > 100:  # a side with icons and no words
        draw.line((140, 40, 140, 2000), fill=ink)
        for row in range(5):
            draw.rounded_rectangle((40, 70 + 70 * row, 90, 110 + 70 * row), 8, outline=ink, width=2)


def _wrap(text: str, font: ImageFont.FreeTypeFont, width: float) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if font.getlength(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _photograph(sheet: Image.Image, regions: list[_Region], rng: random.Random) -> tuple[Image.Image, list[_Region]]:
    """The sheet on a table: turned, from an angle, in uneven light, out of focus, with noise; boxes move along."""
    size = (sheet.width + 320, sheet.height + 320)
    middle, degrees, pull = np.array(size) / 2, rng.uniform(-10, 10), 0.02 * sheet.width
    corners = np.array([(0, 0), (sheet.width, 0), (sheet.width, sheet.height), (0, sheet.height)], float)
    sine, cosine = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    turned = (corners - np.array(sheet.size) / 2) @ np.array([[cosine, sine], [-sine, cosine]])
    seen = turned + middle + np.array([[rng.uniform(-pull, pull) for _ in range(2)] for _ in corners])
    to_sheet = _map_corners(seen, corners)
    paper = sheet.transform(size, Image.Transform.PERSPECTIVE, to_sheet, Image.Resampling.BICUBIC)
    mask = Image.new("L", sheet.size, 255).transform(size, Image.Transform.PERSPECTIVE, to_sheet)
    table = Image.new("RGB", size, rng.choice(_TABLES))
    table.paste(paper, (0, 0), mask)
    to_photo = np.array((*_map_corners(corners, seen), 1.0)).reshape(3, 3)
    moved = [_Region(one.name, one.text, _move_box(one.box, to_photo)) for one in regions]
    soft = _light(table, rng).filter(ImageFilter.GaussianBlur(rng.uniform(0.7, 1.7)))
    return _add_grain(soft, rng, rng.uniform(8, 26)), moved


def _map_corners(given: NDArray[np.float64], wanted: NDArray[np.float64]) -> list[float]:
    """The eight numbers of the projection that takes four points to four others."""
    rows = []
    for (x, y), (u, v) in zip(given, wanted, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
    return [float(number) for number in np.linalg.solve(np.array(rows), wanted.reshape(8))]


def _light(image: Image.Image, rng: random.Random) -> Image.Image:
    """Falls off from a lamp somewhere above the sheet, down to a third."""
    x, y = rng.uniform(0, image.width), rng.uniform(0, image.height)
    away = np.hypot(np.arange(image.width)[None, :] - x, np.arange(image.height)[:, None] - y)
    light = 1 - rng.uniform(0.3, 0.65) * away / math.hypot(image.width, image.height)
    return Image.fromarray((np.asarray(image) * light[..., None]).astype(np.uint8))


def _move_box(
    box: tuple[float, float, float, float], to_photo: NDArray[np.float64]
) -> tuple[float, float, float, float]:
    """The upright box around where the box is seen."""
    corners = [(box[0] + dx, box[1] + dy, 1.0) for dx in (0, box[2]) for dy in (0, box[3])]
    seen = np.array(corners) @ to_photo.T
    across, down = seen[:, 0] / seen[:, 2], seen[:, 1] / seen[:, 2]
    return (
        float(across.min()), float(down.min()), float(across.max() - across.min()), float(down.max() - down.min())
    )  # fmt: skip


def _add_grain(image: Image.Image, rng: random.Random, sigma: float) -> Image.Image:
    grain = np.random.Generator(np.random.PCG64(rng.getrandbits(32))).normal(0, sigma, (image.height, image.width, 3))
    return Image.fromarray(np.clip(np.asarray(image) + grain, 0, 255).astype(np.uint8))


def _light(image: Image.Image, rng: random.Random) -> Image.Image:
    """Falls off from a lamp somewhere above the sheet, down to half."""
    x, y = rng.uniform(0, image.width), rng.uniform(0, image.height)
    away = np.hypot(np.arange(image.width)[None, :] - x, np.arange(image.height)[:, None] - y)
    light = 1 - rng.uniform(0.25, 0.5) * away / math.hypot(image.width, image.height)
    return Image.fromarray((np.asarray(image) * light[..., None]).astype(np.uint8))


def _turn_box(
    box: tuple[float, float, float, float], border: int, degrees: float, before: tuple[int, int], after: tuple[int, int]
) -> tuple[float, float, float, float]:
    """The upright box around a box that was turned about the middle of the picture."""
    sine, cosine = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    corners = []
    for x in (box[0], box[0] + box[2]):
        for y in (box[1], box[1] + box[3]):
            dx, dy = x + border - before[0] / 2, y + border - before[1] / 2
            corners.append((dx * cosine + dy * sine + after[0] / 2, dy * cosine - dx * sine + after[1] / 2))
    across, down = [corner[0] for corner in corners], [corner[1] for corner in corners]
    return min(across), min(down), max(across) - min(across), max(down) - min(down)

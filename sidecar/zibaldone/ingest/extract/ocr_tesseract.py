"""OCR by the program Tesseract, where it is installed. It reads upright pages, so they are made upright."""

from __future__ import annotations

import csv
import io
import os
import subprocess
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import groupby

import numpy as np
from PIL import Image, ImageFilter, ImageOps

from zibaldone.ingest.extract.boxes import rectangle, sides, turn
from zibaldone.ingest.extract.lines import Line, Reading, group_lines

_LANGUAGES = ("eng", "deu")
_SMALL_PIXELS = 1_000_000  # a picture of less is shown to it twice as large: the letters of a screen are too low
_SURE = 0.6  # below this a line is a guess
_WELL_READ = 0.5  # share of the characters read with confidence, from which a page stands upright


class Tesseract:
    """The program of that name, found on the system. It reads upright pages, so they are made upright."""

    def __init__(self, program: str, languages: Sequence[str]) -> None:
        self._program = program
        self._languages = "+".join(languages)

    @cached_property
    def name(self) -> str:
        return " ".join(_run(self._program, "--version").split()[:2])

    def read(self, image: Image.Image) -> Reading:
        gray = image.convert("L")
        slant = measure_slant(gray)
        best: list[Line] = []
        for quarter in (0, 180, 90, 270):
            lines = self._read_turned(gray, slant + quarter)
            best = max(best, lines, key=_count_sure)
            # Its own guess of the orientation is often wrong on a screenshot; its confidence in what it read is not.
            if _count_sure(lines) >= _WELL_READ * sum(len(line.text) for line in lines) > 0:
                break
        return Reading(tuple(group_lines([line for line in best if line.confidence >= _SURE])))

    def _read_turned(self, gray: Image.Image, angle: float) -> list[Line]:
        upright = gray.rotate(angle, Image.Resampling.BICUBIC, expand=True, fillcolor=gray.getpixel((0, 0)))
        scale = 2 if upright.width * upright.height < _SMALL_PIXELS else 1
        page = upright.resize((upright.width * scale, upright.height * scale), Image.Resampling.BICUBIC)
        table = _run(self._program, "-", "-", "-l", self._languages, "--psm", "3", "--dpi", "150", "tsv", page=page)
        return [
            Line(text, turn(rectangle(*(side / scale for side in box)), angle, upright.size, gray.size), confidence)
            for text, box, confidence in _lines_of(table)
        ]


def _count_sure(lines: Sequence[Line]) -> int:
    """Characters that were read with confidence in lines that run to the right; lines on their side, which it reads as
    well, come with boxes that do not tell where they begin."""
    return sum(len(line.text) for line in lines if line.confidence >= _SURE and _is_wide(line))


def _is_wide(line: Line) -> bool:
    width, height = sides(line.corners)
    return width >= height or len(line.text) < 3


def measure_slant(gray: Image.Image) -> float:
    """By how many degrees (-12 to 12) print is turned clockwise: upright, dark and light rows differ most."""
    small = ImageOps.autocontrast(gray.copy())
    small.thumbnail((800, 800))
    edges = small.filter(ImageFilter.FIND_EDGES).crop((2, 2, small.width - 2, small.height - 2))

    def unevenness(angle: float) -> float:
        return float(np.asarray(edges.rotate(angle, Image.Resampling.BILINEAR), np.float32).mean(axis=1).var())

    coarse = max(range(-12, 13), key=unevenness)
    return max((coarse + step / 4 for step in range(-3, 4)), key=unevenness)


def _lines_of(table: str) -> Iterator[tuple[str, tuple[int, int, int, int], float]]:
    """Text, box (x, y, width, height) and confidence of each line of Tesseract's table of words."""
    words = [
        row for row in csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE) if row["level"] == "5"
    ]
    for _, row in groupby(words, lambda word: tuple(word[key] for key in ("block_num", "par_num", "line_num"))):
        line = [word for word in row if word["text"].strip()]
        if not line:
            continue
        left, top = (min(int(word[key]) for word in line) for key in ("left", "top"))
        right = max(int(word["left"]) + int(word["width"]) for word in line)
        bottom = max(int(word["top"]) + int(word["height"]) for word in line)
        confidence = sum(float(word["conf"]) * len(word["text"]) for word in line) / sum(
            len(word["text"]) for word in line
        )
        yield " ".join(word["text"] for word in line), (left, top, right - left, bottom - top), confidence / 100


def installed_languages(program: str) -> list[str]:
    installed = _run(program, "--list-langs").split()
    return [language for language in _LANGUAGES if language in installed]


def _run(program: str, *arguments: str, page: Image.Image | None = None) -> str:
    """What the program prints; nothing where it fails. One thread: four take longer for one page."""
    given = io.BytesIO()
    if page:
        page.save(given, "PPM")
    done = subprocess.run(
        [program, *arguments],
        input=given.getvalue(),
        capture_output=True,
        env={**os.environ, "OMP_THREAD_LIMIT": "1"},
        check=False,
    )
    return done.stdout.decode(errors="replace")

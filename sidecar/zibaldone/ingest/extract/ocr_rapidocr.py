"""OCR by the models that come in the package `rapidocr`: one finds lines, one tells whether they stand on their head,
one reads them. What the library would do by itself in one call takes twice the time and 1.1 GB."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib.metadata import version
from itertools import pairwise
from math import ceil, degrees, sqrt
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from PIL import Image

from zibaldone.ingest.extract.boxes import Corners, begin_at_first_letter, covers, middle, sides, stretch, turn, turned
from zibaldone.ingest.extract.lines import Line, Reading, group_lines

# What the detector sees at once: it needs some 300 bytes for each pixel, and a child process has 512 MB.
_SEEN_PIXELS = 600_000
_LEGIBLE = 18  # pixels as the detector sees them: the height of a line below which it misses some
_STRAIGHT = 4  # pixels as the detector sees them: what the ends of a straight line may differ by in height
_OVERLAP = 64  # pixels: of two strips, more than a line that is too small to be seen on the whole picture
_WAVERING = 8  # pixels: what two strips may differ by in where a line is
_LINE_HEIGHT = 48  # pixels: what the other two models were made for
_LONGEST = 40  # in heights: what is recognised at once; the model saw no longer lines, and memory grows with them
_ASKED_WIDTH = 4  # in heights, of the start of a line: the model squeezes whatever it gets into that
_ASKED = 12  # lines, the longest, that are asked whether the picture stands on its head
_SURE = 0.6  # below this a line is a guess: scribbles were read with .42 at most, print with .6 at least


class RapidOCR:
    """PP-OCRv6's small models, as they are in the package; they know Latin letters with umlauts, and Chinese."""

    @cached_property
    def name(self) -> str:
        return f"rapidocr {version('rapidocr')}"

    @cached_property
    def _models(self) -> Any:
        return load_rapidocr({"Det.limit_type": "max", "Det.limit_side_len": 100_000})  # `_detect` sees to the size

    def read(self, image: Image.Image) -> Reading:
        image = image.convert("RGB")
        quads = self._detect(image)
        if self._is_upside_down(image, quads):
            quads = [(c, d, a, b) for a, b, c, d in quads]
        lines = (self._recognise(image, piece) for quad in quads for piece in _split_between_words(image, quad))
        return Reading(tuple(group_lines([line for line in lines if line])))

    def _detect(self, image: Image.Image) -> list[Corners]:
        """The boxes of the lines: on the whole picture made as large as the detector sees at once, or strip by strip
        where print is too small for that."""
        scale = min(2.0, sqrt(_SEEN_PIXELS / (image.width * image.height)))
        small = image.resize((ceil(image.width * scale), ceil(image.height * scale)))
        quads = begin_at_first_letter(self._find_lines(small, 1 / scale))
        if scale >= 1 or (quads and median(sides(quad)[1] for quad in quads) * scale >= _LEGIBLE):
            return quads
        angle = turned(quads)
        longest = max((sides(quad)[0] * scale for quad in quads), default=1.0)
        if abs(angle) < degrees(_STRAIGHT / longest):
            angle = 0.0
        upright = image.rotate(angle, Image.Resampling.BICUBIC, expand=True)
        if upright.width * 2 * _OVERLAP > _SEEN_PIXELS:
            return quads
        return [turn(quad, angle, upright.size, image.size) for quad in self._detect_in_strips(upright)]

    def _detect_in_strips(self, image: Image.Image) -> list[Corners]:
        height = _SEEN_PIXELS // image.width
        quads: list[Corners] = []
        for top in range(0, max(1, image.height - _OVERLAP), height - _OVERLAP):
            strip = image.crop((0, top, image.width, min(image.height, top + height)))
            border = top + _OVERLAP / 2 if top else 0  # above it the strip before has seen more
            quads = [quad for quad in quads if middle(quad)[1] < border]
            found = begin_at_first_letter(self._find_lines(strip, 1.0, top))
            below = [quad for quad in found if middle(quad)[1] >= border - _WAVERING]
            quads += [quad for quad in below if not any(covers(seen, middle(quad)) for seen in quads)]
        return quads

    def _find_lines(self, image: Image.Image, scale: float, top: int = 0) -> list[Corners]:
        """Boxes in pixels of the picture that `image` is `scale` times smaller than, and `top` pixels lower."""
        found = self._ask(image, "det").boxes
        return [] if found is None else [_as_corners(quad, scale, top) for quad in found.tolist()]

    def _is_upside_down(self, image: Image.Image, quads: Sequence[Corners]) -> bool:
        votes = 0.0
        for quad in sorted(quads, key=lambda quad: -sides(quad)[0])[:_ASKED]:
            width, height = sides(quad)
            start = stretch(quad, 0.0, min(1.0, _ASKED_WIDTH * height / width))
            asked = self._ask(_cut_out(image, start), "cls")
            ((label, sure),) = asked.cls_res
            votes += float(sure) if label == "180" else -float(sure)
        return votes > 0

    def _recognise(self, image: Image.Image, quad: Corners) -> Line | None:
        # One line at a time is as fast on a processor as six, and takes a sixth of the memory.
        read = self._ask(_cut_out(image, quad), "rec")
        text, confidence = read.txts[0].strip(), float(read.scores[0])
        return Line(text, quad, confidence) if text and confidence >= _SURE else None

    def _ask(self, image: Image.Image, model: str) -> Any:
        """The answer of one of the three models alone."""
        try:
            return self._models(image, **{f"use_{each}": each == model for each in ("det", "cls", "rec")})
        except Exception as error:
            if "bad_alloc" in str(error):  # onnxruntime's word for it
                raise MemoryError from error
            raise


def load_rapidocr(settings: dict[str, object]) -> Any:
    """The library's object on one thread, silent, with its own settings where none are given here."""
    import rapidocr

    folder = Path(rapidocr.__file__).parent / "models"
    return rapidocr.RapidOCR(
        params={
            "Global.log_level": "critical",
            "Global.use_preprocess_img": False,
            "Global.use_vertical_padding": False,
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
            # With the paths given, the library looks for no download.
            "Det.model_path": str(folder / "PP-OCRv6_det_small.onnx"),
            "Rec.model_path": str(folder / "PP-OCRv6_rec_small.onnx"),
            "Cls.model_path": str(folder / "ch_ppocr_mobile_v2.0_cls_mobile.onnx"),
            **settings,
        }
    )


def _as_corners(quad: Sequence[Sequence[float]], scale: float, top: int) -> Corners:
    a, b, c, d = ((x * scale, y * scale + top) for x, y in quad)
    return a, b, c, d


def _cut_out(image: Image.Image, quad: Corners) -> Image.Image:
    """The line by itself, upright, as high as the models want it."""
    width, height = sides(quad)
    a, b, c, d = quad
    size = (max(1, round(width)), max(1, round(height)))
    line = image.transform(size, Image.Transform.QUAD, (*a, *d, *c, *b), Image.Resampling.BICUBIC)
    return line.resize((max(1, round(width * _LINE_HEIGHT / height)), _LINE_HEIGHT), Image.Resampling.BICUBIC)


def _split_between_words(image: Image.Image, quad: Corners) -> list[Corners]:
    """Pieces of a line that are short enough to be recognised; cut where the columns of pixels are most even."""
    width, height = sides(quad)
    count = ceil(width / height / _LONGEST)
    if count == 1:
        return [quad]
    ink = np.asarray(_cut_out(image, quad).convert("L"), dtype=np.float32).std(axis=0)
    ink = np.convolve(ink, np.ones(_LINE_HEIGHT // 4), "same")  # a space is wider than what parts two letters
    cuts = [0.0]
    for place in range(1, count):
        first = max(0, len(ink) * place // count - 3 * _LINE_HEIGHT)
        cuts.append((first + int(np.argmin(ink[first : first + 6 * _LINE_HEIGHT]))) / len(ink))
    return [stretch(quad, start, end) for start, end in pairwise([*cuts, 1.0])]

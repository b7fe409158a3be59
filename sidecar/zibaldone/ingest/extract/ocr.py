"""Which engine reads the print on pictures, and what all of them are: a picture in, a `Reading` out.

No engine here downloads, writes or logs.
"""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from typing import Literal, Protocol

from PIL import Image

from zibaldone.ingest.extract.lines import Reading
from zibaldone.ingest.extract.ocr_rapidocr import RapidOCR
from zibaldone.ingest.extract.ocr_tesseract import Tesseract, installed_languages

Choice = Literal["auto", "rapidocr", "tesseract", "off"]


class Engine(Protocol):
    """`name` has the version too: another one may read something else."""

    @property
    def name(self) -> str: ...

    def read(self, image: Image.Image) -> Reading: ...


def find_engine(choice: Choice = "auto") -> tuple[Engine | None, str]:
    """The engine to read with, or None and a sentence for the person: why there is none and what helps."""
    if choice == "off":
        return None, "Text in images is not read: `index.ocr` is `off`."
    if choice != "tesseract" and find_spec("rapidocr") and find_spec("onnxruntime"):
        return RapidOCR(), ""
    program = shutil.which("tesseract") if choice != "rapidocr" else None
    if program and (languages := installed_languages(program)):
        return Tesseract(program, languages), ""
    if choice == "rapidocr":
        return None, "Text in images is not read: `pip install rapidocr onnxruntime` brings what `index.ocr` names."
    return None, (
        "Text in images is not read: Tesseract is missing; "
        "install it (Debian: `apt install tesseract-ocr tesseract-ocr-deu`; macOS: `brew install tesseract-lang`)."
    )

from __future__ import annotations

import logging
import shutil
import socket
from pathlib import Path

import pytest
import rapidocr
from PIL import Image

from pictures import count_found, draw_picture
from zibaldone.ingest.extract import ocr, ocr_tesseract
from zibaldone.ingest.extract.ocr_rapidocr import RapidOCR

HAS_TESSERACT = bool(shutil.which("tesseract"))


@pytest.fixture(scope="module")
def rapid() -> RapidOCR:
    return RapidOCR()


def share_found(engine: ocr.Engine, kind: str, language: str, seed: int = 7) -> float:
    picture = draw_picture(kind, language, seed)
    written = " ".join(picture.blocks)
    return count_found(written, " ".join(block.text for block in engine.read(picture.image).blocks)) / len(written)


@pytest.mark.parametrize(("kind", "language"), [("light", "de"), ("dark", "en"), ("snippet", "de"), ("desktop", "en")])
def test_a_clean_screenshot_is_read(rapid: RapidOCR, kind: str, language: str) -> None:
    assert share_found(rapid, kind, language) >= 0.97


@pytest.mark.parametrize(("kind", "language"), [("photo", "de"), ("turned", "en")])
def test_a_photo_of_print_is_read(rapid: RapidOCR, kind: str, language: str) -> None:
    assert share_found(rapid, kind, language) >= 0.95


def test_a_long_strip_is_read(rapid: RapidOCR) -> None:
    strip = Image.new("RGB", (12_000, 150), "white")
    picture = draw_picture("snippet", "en", 7)
    strip.paste(picture.image.resize((picture.image.width * 2, picture.image.height * 2)), (200, 20))
    assert rapid.read(strip).lines


def test_columns_are_not_mixed(rapid: RapidOCR) -> None:
    assert share_found(rapid, "columns", "de") >= 0.97


@pytest.mark.parametrize("kind", ["scribble", "texture", "diagram"])
def test_nothing_is_guessed_where_there_is_no_print(rapid: RapidOCR, kind: str) -> None:
    picture = draw_picture(kind, "en", 7)
    assert sum(len(line.text) for line in rapid.read(picture.image).lines) <= 2


def test_the_engine_is_silent_and_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a connection was tried")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    models = Path(rapidocr.__file__).parent / "models"
    before = sorted((path.name, path.stat().st_mtime_ns) for path in models.iterdir())
    RapidOCR().read(draw_picture("diagram", "en", 1).image)
    assert sorted((path.name, path.stat().st_mtime_ns) for path in models.iterdir()) == before
    assert capfd.readouterr() == ("", "")
    assert not logging.getLogger().handlers or not logging.getLogger("RapidOCR").propagate


def test_the_engine_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, said = ocr.find_engine()
    assert isinstance(engine, RapidOCR)
    assert said == ""
    assert engine.name.startswith("rapidocr 3.")
    monkeypatch.setenv("PATH", "")
    for choice, remedy in (("tesseract", "apt install tesseract-ocr"), ("off", "index.ocr")):
        engine, said = ocr.find_engine(choice)  # type: ignore[arg-type]
        assert engine is None
        assert remedy in said


@pytest.mark.skipif(not HAS_TESSERACT, reason="Tesseract is not installed")
@pytest.mark.parametrize(("kind", "language"), [("light", "en"), ("photo", "en"), ("turned", "en")])
def test_tesseract_reads_too(kind: str, language: str) -> None:
    engine, _ = ocr.find_engine("tesseract")
    assert engine is not None
    assert engine.name.startswith("tesseract ")
    assert share_found(engine, kind, language) >= 0.85


@pytest.mark.parametrize("angle", [-8, 0, 5])
def test_slant_is_measured(angle: int) -> None:
    picture = draw_picture("light", "en", 7).image.convert("L")
    tilted = picture.rotate(-angle, expand=True, fillcolor=picture.getpixel((0, 60)))
    assert ocr_tesseract.measure_slant(tilted) == pytest.approx(angle, abs=0.5)

"""Which reader a file has."""

from __future__ import annotations

import pytest

from zibaldone.domain.notes import Modality
from zibaldone.ingest.extract.kinds import SUFFIXES, kind_of


@pytest.mark.parametrize(
    ("path", "modality"),
    [
        ("papers/A.PDF", Modality.PDF),
        ("a.b.jpeg", Modality.IMAGE),
        ("plan.canvas", Modality.CANVAS),
        ("plan.excalidraw", Modality.CANVAS),
        ("list.base", Modality.DOCUMENT),
        ("letter.docx", Modality.DOCUMENT),
    ],
)
def test_by_suffix(path: str, modality: Modality) -> None:
    kind = kind_of(path)
    assert kind is not None
    assert kind.modality == modality


@pytest.mark.parametrize("path", ["note.md", "pdf", "folder.pdf/note", "a.mp3", ""])
def test_others_have_none(path: str) -> None:
    assert kind_of(path) is None


def test_fingerprint_names_reader_and_version() -> None:
    assert {kind_of(f"a.{suffix}").fingerprint for suffix in SUFFIXES} >= {"pdf-1", "image-1", "canvas-1", "docx-1"}  # type: ignore[union-attr]

"""Which files are read, by name: as what, by which module, and up to which size."""

from __future__ import annotations

from typing import NamedTuple

from zibaldone.domain.notes import Modality

_MB = 1_000_000


class Kind(NamedTuple):
    """`reader` is the module of this package that reads it. A file is read again when `number` changes, or, where text
    is recognised in pictures (`sees`), when what recognises it does."""

    modality: Modality
    reader: str
    number: int
    most_bytes: int
    sees: bool = False

    @property
    def version(self) -> str:
        return f"{self.reader}{self.number}"


_PDF = Kind(Modality.PDF, "pdf", 1, 50 * _MB, sees=True)
_IMAGE = Kind(Modality.IMAGE, "image", 1, 30 * _MB, sees=True)
_CANVAS = Kind(Modality.CANVAS, "canvas", 1, 20 * _MB)
_KINDS = {
    "pdf": _PDF,
    **dict.fromkeys("png jpg jpeg webp gif bmp tif tiff".split(), _IMAGE),
    "canvas": _CANVAS,
    "excalidraw": _CANVAS,
    "base": Kind(Modality.DOCUMENT, "bases", 1, 1 * _MB),
    "docx": Kind(Modality.DOCUMENT, "docx", 1, 50 * _MB),
    "epub": Kind(Modality.DOCUMENT, "epub", 1, 50 * _MB),
    **dict.fromkeys(["html", "htm"], Kind(Modality.DOCUMENT, "html", 1, 20 * _MB)),
    **dict.fromkeys(["csv", "tsv"], Kind(Modality.DOCUMENT, "table", 1, 20 * _MB)),
}


def kind_of(path: str) -> Kind | None:
    """How the file is read; None for what is not."""
    return _KINDS.get(path.rpartition("/")[2].rpartition(".")[2].lower()) if "." in path else None

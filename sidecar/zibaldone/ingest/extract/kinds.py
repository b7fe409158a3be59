"""Which files that are no notes can be read, told by the suffix: by which reader, as what kind of evidence.

Knows the readers by the names of their modules only, so that nothing of theirs is loaded outside of the child.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from zibaldone.domain.notes import Modality

_READERS = "zibaldone.ingest.extract"
_MB = 1 << 20


@dataclass(frozen=True, slots=True)
class Kind:
    """How the files of a suffix are read.

    Args:
        reader: the module with `read(data, name, ocr)`.
        version: of what the reader makes of a file; raised when that changes, so that its files are read again.
        max_bytes: larger files are not read.
        sees: whether it recognises text in pictures.
    """

    modality: Modality
    reader: str
    version: int
    max_bytes: int
    sees: bool = False

    @property
    def fingerprint(self) -> str:
        """Names the reader and its version: part of what tells whether a file has to be read again."""
        return f"{self.reader.rpartition('.')[2]}-{self.version}"


def _kind(modality: Modality, reader: str, *, version: int = 1, max_mb: int = 30, sees: bool = False) -> Kind:
    return Kind(modality, f"{_READERS}.{reader}", version, max_mb * _MB, sees)


_PDF = _kind(Modality.PDF, "pdf", max_mb=50, sees=True)
_IMAGE = _kind(Modality.IMAGE, "image", sees=True)
_CANVAS = _kind(Modality.CANVAS, "canvas")

_BY_SUFFIX = {
    "pdf": _PDF,
    **dict.fromkeys(("png", "jpg", "jpeg", "webp", "gif", "bmp", "tif", "tiff"), _IMAGE),
    **dict.fromkeys(("canvas", "excalidraw"), _CANVAS),
    "base": _kind(Modality.DOCUMENT, "bases"),
    "docx": _kind(Modality.DOCUMENT, "docx"),
    "epub": _kind(Modality.DOCUMENT, "epub"),
    **dict.fromkeys(("html", "htm"), _kind(Modality.DOCUMENT, "html")),
    **dict.fromkeys(("csv", "tsv"), _kind(Modality.DOCUMENT, "table")),
}

SUFFIXES = frozenset(_BY_SUFFIX)


def kind_of(path: str) -> Kind | None:
    """The kind of the file at `path` (POSIX, or a bare name), None where nothing reads such files."""
    return _BY_SUFFIX.get(PurePosixPath(path).suffix[1:].lower()) if "." in path else None

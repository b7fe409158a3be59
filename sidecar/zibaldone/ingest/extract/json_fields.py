"""Values of JSON objects that anyone may have written, each read as what it should be or as nothing."""

from __future__ import annotations

from collections.abc import Mapping

from zibaldone.ingest.extract.board import Box
from zibaldone.ingest.extract.characters import clean

_MAX_COORDINATE = 1e9  # farther away is no place that a person put a card
_MAX_ID_CHARS = 200


def read_text(holder: Mapping[str, object], key: str) -> str:
    """A string without empty lines around it, "" for anything else."""
    value = holder.get(key)
    return clean(value).strip("\n") if isinstance(value, str) else ""


def read_id(holder: Mapping[str, object], key: str) -> str:
    """An id that a locator can carry: on one line and not too long."""
    value = holder.get(key)
    ident = str(value) if isinstance(value, str | int) else ""
    return ident if len(ident) <= _MAX_ID_CHARS and ident.isprintable() else ""


def read_objects(holder: Mapping[str, object], key: str) -> list[dict[str, object]] | None:
    """The objects of a list, empty where there is no such key, None where it holds something else."""
    value = holder.get(key, [])
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else None


def read_box(holder: Mapping[str, object]) -> Box:
    """Where a card lies; what is no number that a board can have is 0."""
    left, top, width, height = (_number(holder.get(key)) for key in ("x", "y", "width", "height"))
    return Box(left, top, max(width, 0.0), max(height, 0.0))


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) and abs(value) < _MAX_COORDINATE else 0.0

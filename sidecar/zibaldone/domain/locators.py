"""How a place in a source is written."""

from __future__ import annotations


def line_locator(start: int, end: int) -> str:
    """`L12`, or `L12-L18` for several lines."""
    return f"L{start}" if start == end else f"L{start}-L{end}"

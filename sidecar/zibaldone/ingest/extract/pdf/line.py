"""A line of text on a page, the unit that all steps work on."""

from __future__ import annotations

from typing import NamedTuple


class Line(NamedTuple):
    """Its text and its box in points, y upwards, as tall as its font: lines of one font are equally tall."""

    text: str
    left: float
    bottom: float
    right: float
    top: float

    @property
    def height(self) -> float:
        return self.top - self.bottom

    @property
    def width(self) -> float:
        return self.right - self.left

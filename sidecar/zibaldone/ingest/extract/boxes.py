"""Boxes of lines of text: four corners in pixels, so that they can be turned. Pure geometry; y grows downward."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import atan2, cos, degrees, dist, radians, sin

Point = tuple[float, float]
Corners = tuple[Point, Point, Point, Point]
"""The corner above the first character, then clockwise as the line is read."""


def rectangle(x: float, y: float, width: float, height: float) -> Corners:
    """An upright box."""
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


def sides(quad: Corners) -> tuple[float, float]:
    """Its width, along the text, and its height; one pixel at least."""
    a, b, _, d = quad
    return max(1.0, dist(a, b)), max(1.0, dist(a, d))


def middle(quad: Corners) -> Point:
    xs, ys = zip(*quad, strict=True)
    return sum(xs) / 4, sum(ys) / 4


def covers(quad: Corners, point: Point) -> bool:
    """Whether the point lies between the outermost corners."""
    xs, ys = zip(*quad, strict=True)
    return min(xs) <= point[0] <= max(xs) and min(ys) <= point[1] <= max(ys)


def turned(boxes: Sequence[Corners]) -> float:
    """By how many degrees the lines in these boxes are turned clockwise: half of their length is turned by no more."""
    across = sum(box[1][0] - box[0][0] for box in boxes)
    down = sum(box[1][1] - box[0][1] for box in boxes)
    mean = degrees(atan2(down, across))
    strays = sorted(((_direction(box) - mean + 180) % 360 - 180, dist(box[0], box[1])) for box in boxes)
    half = sum(length for _, length in strays) / 2
    for stray, length in strays:
        half -= length
        if half <= 0:
            return mean + stray
    return mean


def _direction(box: Corners) -> float:
    return degrees(atan2(box[1][1] - box[0][1], box[1][0] - box[0][0]))


def begin_at_first_letter(quads: Sequence[Corners]) -> list[Corners]:
    """The corners of all boxes so that their text runs to the right, or down where most of it stands on its side."""
    edges = [(end[0] - start[0], end[1] - start[1]) for quad in quads for start, end in pairwise((*quad, quad[0]))]
    across = sum(abs(x) - abs(y) for x, y in edges) >= 0
    axis = 0 if across else 1
    return [max(_rolled(quad), key=lambda box: box[1][axis] - box[0][axis]) for quad in quads]


def _rolled(quad: Corners) -> list[Corners]:
    a, b, c, d = quad
    return [(a, b, c, d), (b, c, d, a), (c, d, a, b), (d, a, b, c)]


def turn(quad: Corners, angle: float, size: tuple[int, int], to: tuple[int, int]) -> Corners:
    """The box after the picture, of this `size`, was turned clockwise around its middle and cut `to` another."""
    cosine, sine = cos(radians(angle)), sin(radians(angle))
    moved = ((x - size[0] / 2, y - size[1] / 2) for x, y in quad)
    a, b, c, d = ((x * cosine - y * sine + to[0] / 2, x * sine + y * cosine + to[1] / 2) for x, y in moved)
    return a, b, c, d


def stretch(quad: Corners, start: float, end: float) -> Corners:
    """The part of a line between two shares of its width."""
    a, b, c, d = quad

    def between(left: Point, right: Point, share: float) -> Point:
        return left[0] + (right[0] - left[0]) * share, left[1] + (right[1] - left[1]) * share

    return between(a, b, start), between(a, b, end), between(d, c, end), between(d, c, start)

"""Whether a hit of `zib search` leads to a place of the ledger."""

from __future__ import annotations

import re
from typing import Any

_LINES = re.compile(r"(.+):(\d+)(?:-(\d+))?(?: .*)?")
_ROWS = re.compile(r"rows? (\d+)(?:-(\d+))?")


def is_cited(hit: dict[str, Any], place: dict[str, Any]) -> bool:
    """Whether the hit opens there. Of a box, of lines and of rows it is enough to meet what is meant; an arrow of a
    canvas is cited by itself or by one of its two cards; a heading may be the passage's or stand in it."""
    kind, _, value = place["place"].partition("=")
    if "box" in place:
        return _meet(hit["locator"], place["box"])
    if kind == "page":
        return hit["page"] == int(value)
    if kind in ("node", "edge"):
        return hit["locator"] in (place["place"], *(f"node={node}" for node in place.get("cards", ())))
    if kind == "heading":
        return value in hit["heading"] or value in hit["text"]
    if kind == "row":
        rows = _ROWS.fullmatch(hit["locator"])
        return rows is not None and int(rows[1]) <= int(value) <= int(rows[2] or rows[1])
    if re.fullmatch(r"L\d+", kind):
        return hit["line_start"] <= int(kind[1:]) <= hit["line_end"]
    return _overlap(hit["locator"], place["place"])


def _meet(locator: str, box: list[float]) -> bool:
    if not locator.startswith("xywh="):
        return False
    x, y, width, height = (float(number) for number in locator.removeprefix("xywh=").split(","))
    left, top, across, down = box
    return x < left + across and left < x + width and y < top + down and top < y + height


def _overlap(locator: str, wanted: str) -> bool:
    """Lines of the same file, in the version after the commit; a commit's message has no place."""
    given, meant = _LINES.fullmatch(locator), _LINES.fullmatch(wanted)
    if given is None or meant is None:
        return locator == wanted
    first, last = int(given[2]), int(given[3] or given[2])
    return given[1] == meant[1] and first <= int(meant[3] or meant[2]) and int(meant[2]) <= last

"""How much of the ledger our readers give, by kind of file."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evidence_set.citing import is_cited
from evidence_set.ledger import read_ledger
from evidence_set.recall import count_found, normalise
from zibaldone.domain.documents import Document, Part
from zibaldone.ingest.extract.process import Extractor

TARGETS = {"pdf": 0.99, "screenshot": 0.97, "photo": 0.85, "canvas": 1.0}
_UNREAD = ("note", "commit")  # which no reader of files gives


@dataclass
class _Sum:
    """Characters that are found and wanted; regions of pictures that are cited by a box which meets theirs, and all."""

    found: int = 0
    wanted: int = 0
    boxed: int = 0
    regions: int = 0


def measure(out: Path, *, show: bool) -> int:
    """Prints the recall by kind and of each file that misses something; 1 where a target is not reached."""
    sums: dict[str, _Sum] = defaultdict(_Sum)
    with Extractor() as extractor:
        for source in read_ledger(out):
            if source["kind"] not in _UNREAD:
                document = extractor.read((out / source["path"]).read_bytes(), Path(source["path"]).name)
                parts = document.parts if isinstance(document, Document) else ()
                if not isinstance(document, Document):
                    print(f"  {source['uri']}: {document.reason}")
                if show:
                    print("\n".join(f"--- {one.page or ''} {one.place} {one.heading}\n{one.text}" for one in parts))
                _add(sums[source["kind"]], source, parts)
    return _report(sums)


def _add(total: _Sum, source: dict[str, Any], parts: tuple[Part, ...]) -> None:
    found = wanted = 0
    for place in source["places"]:
        given = normalise(_given_at(place, parts))
        for text in map(normalise, place["texts"]):
            found += count_found(text, given)
            wanted += len(text)
        if "box" in place:
            total.boxed += bool(parts) and _holds_box(place, parts)
            total.regions += 1
    total.found += found
    total.wanted += wanted
    if found < wanted:
        print(f"  {found / wanted:.3f} {source['uri']}")


def _given_at(place: dict[str, Any], parts: tuple[Part, ...]) -> str:
    """What the reader gives at a place: of a page or a card only what it says to stand there. A group of a canvas has
    no text of its own, so its name may be the heading of what lies in it."""
    kind, _, value = place["place"].partition("=")
    here = parts
    if kind == "page":
        here = tuple(part for part in parts if part.page == int(value))
    elif kind == "node":
        here = tuple(part for part in parts if part.place == place["place"] or place["texts"][0] in part.heading)
    return "\n".join(" ".join((*part.heading, part.text)) for part in here)


def _holds_box(place: dict[str, Any], parts: tuple[Part, ...]) -> bool:
    """Whether the part that holds the region's text best says a box that meets the region's."""
    text = normalise(place["texts"][0])
    best = max(parts, key=lambda part: count_found(text, normalise(part.text)))
    return is_cited({"locator": best.place}, place)


def _report(sums: dict[str, _Sum]) -> int:
    missed = 0
    for kind, total in sums.items():
        recall, target = total.found / total.wanted, TARGETS.get(kind)
        missed += target is not None and recall < target
        aim = f" (target {target})" if target else ""
        boxes = f", {total.boxed} of {total.regions} regions cited by a box that meets theirs" if total.regions else ""
        print(f"{kind:<11} {recall:.4f} of {total.wanted} characters{aim}{boxes}")
    return int(missed > 0)

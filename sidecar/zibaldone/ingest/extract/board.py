"""Cards, groups and arrows that lie on a plane, to text in reading order: what canvases and drawings have in common.

A card is in a group when its centre is, and the group is the larger of the two; the groups around it are its heading.
Cards are read in rows from top to bottom, each from left to right, a group's before what follows the group.
An arrow is a line of words (`Budget -> Hiring: approves`) with the card that it starts from, not a part of its own: the
line is found together with what the card says, a board of fifty arrows is not fifty passages of four words, and
the place to open is a card that can be seen. A group is a part that names what is in it, so that "what is in
Marketing" has one answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from zibaldone.domain.documents import Part
from zibaldone.ingest.extract.outline import MAX_CHARS, PART_CHARS
from zibaldone.ingest.parse import MAX_HEADING_CHARS, plain_text

MAX_COMPARISONS = 10_000_000  # of a card with a group: some two seconds
_MAX_DEPTH = 8  # groups around a card that its heading names, from the outermost
_NAME_CHARS = 50  # enough to tell cards apart; a longer name is the card once more
_MEMBERS = 30
_UNNAMED = "…"


@dataclass(frozen=True, slots=True)
class Box:
    """Where an item lies; the unit is the board's own, y grows downwards."""

    left: float
    top: float
    width: float
    height: float

    @property
    def area(self) -> float:
        return self.width * self.height

    @property
    def centre(self) -> tuple[float, float]:
        return self.left + self.width / 2, self.top + self.height / 2

    def holds(self, point: tuple[float, float]) -> bool:
        return self.left <= point[0] <= self.left + self.width and self.top <= point[1] <= self.top + self.height


@dataclass(frozen=True, slots=True)
class Item:
    """A card, or a group with its label as `text`. `name` is what arrows call it; `place` its locator."""

    id: str
    text: str
    name: str
    place: str
    box: Box
    is_group: bool = False


@dataclass(frozen=True, slots=True)
class Arrow:
    """`start` and `end` are ids of items, which need not be there; `mark` is one of `->`, `<-`, `<->`, `--`."""

    start: str
    end: str
    label: str
    mark: str
    place: str


@dataclass(frozen=True, slots=True)
class Board:
    """The text of a board, with sentences about what of it could not be told."""

    parts: tuple[Part, ...]
    problems: tuple[str, ...] = ()


def read_board(items: Sequence[Item], arrows: Iterable[Arrow]) -> Board:
    """The items in reading order, each with the arrows that start from it."""
    parents, overlooked = _find_parents(items)
    children: dict[int, list[int]] = {}
    for index, parent in enumerate(parents):
        children.setdefault(parent, []).append(index)
    ordered = {parent: _in_rows(members, items) for parent, members in children.items()}
    relations, loose = _relate(items, arrows)
    parts: list[Part] = []
    room = MAX_CHARS
    waiting: list[tuple[int, tuple[str, ...]]] = [(index, ()) for index in reversed(ordered.get(-1, []))]
    while waiting:
        index, heading = waiting.pop()
        item = items[index]
        members = ordered.get(index, [])
        text = "\n\n".join(filter(None, (_describe(item, members, items), "\n".join(relations.get(index, ())))))
        if text:
            room -= len(text) + PART_CHARS
            if room < 0:
                return Board(tuple(parts), (*overlooked, f"Only the first {MAX_CHARS} characters were read."))
            parts.append(Part(text, heading, place=item.place))
        inside = (*heading, item.name[:MAX_HEADING_CHARS]) if item.name and len(heading) < _MAX_DEPTH else heading
        waiting += [(member, inside) for member in reversed(members)]
    return Board((*parts, *loose), overlooked)


def first_line(text: str) -> str:
    """What a card is called: its first line with words, without markup."""
    for line in islice(text.split("\n"), 50):
        if name := plain_text(line[:400].lstrip("#>-*+ \t")):
            return _shorten(name)
    return ""


def arrow_mark(at_start: bool, at_end: bool) -> str:
    """How a line with heads at these ends is written."""
    return {(False, True): "->", (True, False): "<-", (True, True): "<->"}.get((at_start, at_end), "--")


def _shorten(text: str) -> str:
    return text if len(text) <= _NAME_CHARS else text[: _NAME_CHARS - 1].rstrip() + "…"


def _find_parents(items: Sequence[Item]) -> tuple[list[int], tuple[str, ...]]:
    """For each item the index of the smallest group around it, -1 for none; of very many groups, the largest count."""
    groups = sorted((i for i, item in enumerate(items) if item.is_group), key=lambda i: (items[i].box.area, -i))
    most = MAX_COMPARISONS // max(len(items), 1)
    overlooked = (f"What is inside was told for {most} of {len(groups)} groups.",) if len(groups) > most else ()
    groups = groups[-most:] if most else []
    boxes = [(items[group].box, group) for group in groups]
    rank = {group: number for number, group in enumerate(groups)}
    parents = []
    for index, item in enumerate(items):
        centre, area = item.box.centre, item.box.area
        around = boxes[rank[index] + 1 :] if index in rank else boxes
        parents.append(next((group for box, group in around if box.area >= area and box.holds(centre)), -1))
    return parents, overlooked


def _in_rows(members: list[int], items: Sequence[Item]) -> list[int]:
    """A card belongs to a row while it begins above the middle of every card before it in the row."""
    ordered: list[int] = []
    row: list[int] = []
    middle = 0.0

    def left(index: int) -> tuple[float, float]:
        return items[index].box.left, items[index].box.top

    for index in sorted(members, key=lambda i: (items[i].box.top, items[i].box.left)):
        box = items[index].box
        if row and box.top > middle:
            ordered += sorted(row, key=left)
            row = []
        middle = min(middle, box.centre[1]) if row else box.centre[1]
        row.append(index)
    return ordered + sorted(row, key=left)


def _describe(item: Item, members: Sequence[int], items: Sequence[Item]) -> str:
    names = [name for member in members[:_MEMBERS] if (name := items[member].name)] if item.is_group else []
    if len(members) > _MEMBERS and names:
        names.append(_UNNAMED)
    return ": ".join(filter(None, (item.text, "; ".join(names)))) if item.text else ""


def _relate(items: Sequence[Item], arrows: Iterable[Arrow]) -> tuple[dict[int, list[str]], list[Part]]:
    """The lines that each item ends with, and the labels of arrows that touch no item."""
    known = {item.id: index for index, item in reversed(list(enumerate(items))) if item.id}
    lines: dict[int, dict[str, None]] = {}
    loose: list[Part] = []
    for arrow in arrows:
        ends = (arrow.start, arrow.end) if arrow.mark != "<-" else (arrow.end, arrow.start)
        found = [known[end] for end in ends if end in known]
        names = [items[known[end]].name if end in known else "" for end in ends]
        if found and (all(names) or arrow.label):
            mark = "->" if arrow.mark == "<-" else arrow.mark
            line = f"{names[0] or _UNNAMED} {mark} {names[1] or _UNNAMED}"
            lines.setdefault(found[0], {})[f"{line}: {arrow.label}" if arrow.label else line] = None
        elif arrow.label:
            loose.append(Part(arrow.label, place=arrow.place))
    return {index: list(unique) for index, unique in lines.items()}, loose

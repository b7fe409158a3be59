"""Properties that say something: author, rating, address. They stand in the frontmatter and are asked for like words.

Left out is what Obsidian and its plugins keep there for themselves, and what is read elsewhere (title, aliases, tags,
dates) or says nothing by itself (true and false, placeholders, empty values).
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from zibaldone.domain.notes import Block

_SILENT = frozenset(
    """title alias aliases tag tags date created updated modified created-at updated-at date-created date-modified
    creation-date cssclass cssclasses publish position id uid uuid banner banner-icon banner-x banner-y icon template
    permalink lang obsidianuimode obsidianeditingmode kanban-plugin excalidraw-plugin sticker color sort-order
    type up down prev next""".split()
)
_KEY = re.compile(r"([^\s:#\-][^:]{0,80}):(?:\s|$)(.*)")
_EMPTY_VALUE = re.compile(r"[\s\"'\[\]{}|>+\-~]*(?:null|true|false)?[\s\"'\[\]{}]*", re.IGNORECASE)
_CODE = ("<%", "{{")


def read_property_block(lines: Sequence[str], body_line: int, silent: Container[str] = ()) -> Block | None:
    """The telling lines of the frontmatter, as written, as one block; None where there are none.

    Args:
        lines: the whole note.
        body_line: 1-based line where the body begins; what is above are the properties and their fences.
        silent: names that say nothing in this note, beside those that never do.
    """
    kept: list[int] = []
    entry: list[int] = []
    telling = False

    def close() -> None:
        if telling and any(_is_value(lines[number]) for number in entry):
            kept.extend(entry)
        entry.clear()

    for number in range(1, body_line - 2):
        line = lines[number]
        if match := _KEY.match(line):
            close()
            name = match[1].strip("\"' ").casefold().replace(" ", "-").replace("_", "-")
            telling = name not in _SILENT and name not in silent
            entry.append(number)
        elif line.strip() and entry:
            entry.append(number)
    close()
    if not kept:
        return None
    # As everywhere in parsing, what is left out leaves an empty line: a line's place in the text is its place on disk.
    shown = set(kept)
    text = "\n".join(lines[n].rstrip() if n in shown else "" for n in range(kept[0], kept[-1] + 1))
    return Block(text, kept[0] + 1, kept[-1] + 1, atomic=True)


def _is_value(line: str) -> bool:
    """Whether a line of an entry holds something to be found, beyond its key."""
    if any(mark in line for mark in _CODE):
        return False
    match = _KEY.match(line)
    value = match[2] if match else line.strip().removeprefix("-")
    return not _EMPTY_VALUE.fullmatch(value)

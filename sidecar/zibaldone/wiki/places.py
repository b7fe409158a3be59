"""Whether a note has the place that a link names: `#heading`, `#heading#sub`, `#^block`. Pure.

Headings are compared as Obsidian does (`obsidian.d.ts`: "stripHeading normalizes headings for link matching by
stripping out special characters and shrinking consecutive spaces"): punctuation becomes a space and case does not
count; hyphen, apostrophe and underscore stay. Which characters exactly is not documented: these are the ASCII ones. A
chain of headings means headings that follow each other, each deeper than the one before.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass

_SPECIAL = re.compile(r"[!\"#$%&()*+,.:;<=>?@^`{|}~/\[\]\\\s\u00a0]+")


@dataclass(frozen=True, slots=True)
class Heading:
    """`text` is what stands after the hashes, markup included; `shown` is what a reader sees."""

    level: int
    text: str
    shown: str
    line: int


def find_heading(place: str, headings: Sequence[Heading]) -> Heading | None:
    """The heading that the text after a link's `#` names: `Budget`, or `Kestrel#Budget`."""
    wanted = [folded for part in place.split("#") if (folded := fold_heading(part))]
    if not wanted:
        return None
    at = 0
    level = 0
    for heading in headings:
        if heading.level > level and wanted[at] in (fold_heading(heading.text), fold_heading(heading.shown)):
            at, level = at + 1, heading.level
            if at == len(wanted):
                return heading
    return None


def nearest_heading(place: str, headings: Sequence[Heading]) -> Heading | None:
    """The heading that a link written for another program means: GitHub's and Foam's `#two-words` for `Two words`."""
    wanted = _bare(place.rpartition("#")[2])
    return next((heading for heading in headings if wanted and wanted == _bare(heading.shown)), None)


def has_block(block: str, block_ids: Collection[str]) -> bool:
    """Block ids do not know case either. `block_ids` are case-folded."""
    return block.casefold() in block_ids


def fold_heading(text: str) -> str:
    return _SPECIAL.sub(" ", unicodedata.normalize("NFC", text)).strip().casefold()


def _bare(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFC", text).casefold() if char.isalnum())

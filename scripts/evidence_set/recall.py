"""How much of a ledger's text a reader gives.

Each text of the ledger is looked for where it belongs: on its page, in its card, in its picture, in its file. What
counts is its edit distance (Levenshtein) to the *nearest stretch* of what the reader gives there, so that
characters found = length - distance, at least 0. White space is one space, ligatures are letters, the bars of a table
are spaces and quotes and dashes have one form each, so that a joined line or another hyphen costs nothing. Words in
another order, columns that are read across and characters that stand in between all cost what they would cost to mend:
text that is dumped in any order is not found. Something of any text is near to some stretch of a long page by chance
(a third in the median, seen on the set's own pages; at most three fifths from 25 characters on), so below three fifths
nothing counts as found. Each text is measured for itself, so the order of the paragraphs of a page is not. The figure
is never above the share of characters that are there.
"""

from __future__ import annotations

import unicodedata

_FOLDED = str.maketrans({**dict.fromkeys("‐‑–—−", "-"), **dict.fromkeys("„“”«»", '"'), **dict.fromkeys("‘’‚", "'"),
                         "\u00ad": None, "|": " "})  # fmt: skip
_CHANCE = 0.6


def normalise(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).translate(_FOLDED).split())


def count_found(wanted: str, given: str) -> int:
    """Characters of `wanted` that stand in the nearest stretch of `given`, 0 where chance may have it; both normalised.

    The distances of all stretches at once: Sellers 1980, by bits as Myers 1999 (a column of the table is two numbers).
    """
    length = len(wanted)
    if not length:
        return 0
    places: dict[str, int] = {}
    for index, char in enumerate(wanted):
        places[char] = places.get(char, 0) | 1 << index
    mask, top = (1 << length) - 1, 1 << (length - 1)
    plus, minus, distance = mask, 0, length
    nearest = length
    for char in given:
        equal = places.get(char, 0)
        across = equal | minus
        down = (((equal & plus) + plus) ^ plus) | equal
        rise, fall = minus | ~(down | plus) & mask, plus & down
        distance += bool(rise & top) - bool(fall & top)
        nearest = min(nearest, distance)
        rise, fall = (rise << 1) & mask, (fall << 1) & mask  # a stretch may begin anywhere at no cost
        plus, minus = fall | ~(across | rise) & mask, rise & across
    found = length - nearest
    return found if found >= _CHANCE * length else 0

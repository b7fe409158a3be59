"""An editor that saves all the time: `python -m support.editor STYLE NOTE COUNT SHORTEST_S LONGEST_S SEED`.

It types a line, saves, and goes on from what is in the note by then. So a save of its own that it does not find there
any more is gone, unless somebody kept it.
"""

from __future__ import annotations

import math
import os
import random
import sys
import time
from pathlib import Path


def line(style: str, number: int) -> bytes:
    return b"%s typed %d.\n" % (style.encode(), number)


def save_in_place(note: Path, typed: bytes) -> None:
    """Cut to nothing, then written in two pieces."""
    text = note.read_bytes() + typed
    with note.open("r+b", buffering=0) as file:
        file.truncate()
        half = len(text) // 2
        file.write(text[:half])
        os.sched_yield()
        file.write(text[half:])


def save_by_rename(note: Path, typed: bytes) -> None:
    temporary = note.with_name(f"{note.name}~")
    temporary.write_bytes(note.read_bytes() + typed)
    temporary.replace(note)


def save_appending(note: Path, typed: bytes) -> None:
    """In two pieces, at the end."""
    with note.open("ab", buffering=0) as file:
        file.write(typed[:5])
        os.sched_yield()
        file.write(typed[5:])


STYLES = {"in-place": save_in_place, "rename": save_by_rename, "append": save_appending}


def main(style: str, note: str, count: str, shortest_s: str, longest_s: str, seed: str) -> None:
    """Pauses are as often short as long: evenly drawn by their logarithm."""
    chance = random.Random(seed)
    low, high = math.log(float(shortest_s)), math.log(float(longest_s))
    for number in range(int(count)):
        STYLES[style](Path(note), line(style, number))
        time.sleep(math.exp(chance.uniform(low, high)))


if __name__ == "__main__":
    main(*sys.argv[1:])

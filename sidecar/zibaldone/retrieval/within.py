"""What a question is limited to, as it is said: notes, lines of notes, folders and tags, any of them. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_LINES = re.compile(r"(?P<path>.+):(?P<first>\d{1,9})-(?P<last>\d{1,9})")


@dataclass(frozen=True, slots=True)
class Within:
    """`lines` are of notes that only these are wanted of (first and last, from 1); those notes are among `notes`.
    Folders end in a slash; tags are folded and without their sign."""

    notes: tuple[str, ...] = ()
    lines: tuple[tuple[str, int, int], ...] = ()
    folders: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()

    @property
    def is_of_notes(self) -> bool:
        """Whether single notes are all that it names."""
        return bool(self.notes) and not self.folders and not self.tags

    def admit(self, path: str, tags: Iterable[str]) -> bool:
        """Whether a note lies in it."""
        return (
            path in self.notes
            or path.startswith(self.folders)
            or any(tag == one or tag.startswith(f"{one}/") for tag in map(_fold_tag, tags) for one in self.tags)
        )

    def admit_lines(self, path: str, first: int, last: int) -> bool:
        """Whether lines of a note are wanted, where only some of it are."""
        wanted = [(a, b) for note, a, b in self.lines if note == path]
        return not wanted or any(a <= last and first <= b for a, b in wanted)


def read_within(entries: Sequence[str]) -> Within:
    """Each entry is `PATH`, `PATH:3-7`, `PATH/` or `#TAG`. A note that is named whole is wanted whole."""
    notes: list[str] = []
    lines: list[tuple[str, int, int]] = []
    whole: set[str] = set()
    folders: list[str] = []
    tags: list[str] = []
    for entry in filter(None, map(str.strip, entries)):
        if entry.startswith("#"):
            tags.append(_fold_tag(entry))
        elif entry.endswith("/"):
            folders.append(entry)
        elif found := _LINES.fullmatch(entry):
            notes.append(found["path"])
            lines.append((found["path"], int(found["first"]), int(found["last"])))
        else:
            notes.append(entry)
            whole.add(entry)
    part = tuple(one for one in lines if one[0] not in whole)
    return Within(tuple(dict.fromkeys(notes)), part, tuple(folders), tuple(filter(None, tags)))


def _fold_tag(tag: str) -> str:
    return unicodedata.normalize("NFC", tag).casefold().lstrip("#").rstrip("/")

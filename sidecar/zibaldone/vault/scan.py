"""One walk over the vault's Markdown files: what is there, and what is left out and why.

Paths are POSIX, relative and spelt as on disk. Hidden folders and files are not mentioned at all: nobody
thinks of `.git` or `.obsidian` as notes. Symlinked folders are not entered, since what is in the vault is
found at its own place and what is outside is none of our business.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from zibaldone.domain.notes import FileStamp
from zibaldone.vault.exclusions import Exclusions
from zibaldone.vault.files import stamp_of
from zibaldone.vault.paths import is_hidden, is_markdown, path_problem, printable

_DATALESS = 0x40000000  # macOS SF_DATALESS: in the cloud only; reading it would download it


class FoundNote(NamedTuple):
    path: str
    stamp: FileStamp


class SkippedNote(NamedTuple):
    """A note, or a folder that cannot be entered. `path` is fit to be shown, not always to be opened."""

    path: str
    reason: str


def scan_notes(
    root: Path,
    exclusions: Exclusions,
    under: Sequence[str] = (),
    is_note: Callable[[str], bool] = is_markdown,
    passes_over: Callable[[str], bool] = lambda path: False,
) -> Iterator[FoundNote | SkippedNote]:
    """Every `*.md` (in any case; or what `is_note` says of its name) of the vault, folder by folder in name order; same
    disk, same order.

    With `under`, only those files and folders (vault paths; what does not exist is passed over). A folder that
    cannot be read is reported and the rest goes on. Files and folders that `passes_over` says yes to are not mentioned.

    Raises:
        OSError: `root` itself cannot be read (a missing vault must not look like an empty one).
    """
    starts = [_start(root, path) for path in under] if under else [("", iter(_entries(root)))]
    for start in starts:
        yield from _walk(root, exclusions, start, is_note, passes_over)


def _start(root: Path, rel: str) -> tuple[str, Iterator[os.DirEntry[str]]]:
    """The entry of one file or folder in its own folder; none where a part of its path is hidden or missing."""
    above, _, name = rel.rpartition("/")
    if is_hidden(rel):
        return "", iter(())
    try:
        entries = _entries(root / above)
    except OSError:
        entries = []
    return f"{above}/" if above else "", iter([entry for entry in entries if entry.name == name])


def _walk(
    root: Path,
    exclusions: Exclusions,
    start: tuple[str, Iterator[os.DirEntry[str]]],
    is_note: Callable[[str], bool],
    passes_over: Callable[[str], bool],
) -> Iterator[FoundNote | SkippedNote]:
    stack = [start]
    while stack:
        above, entries = stack[-1]
        entry = next(entries, None)
        if entry is None:
            stack.pop()
            continue
        if entry.name.startswith("."):
            continue
        rel = above + entry.name
        if passes_over(rel):
            continue
        if entry.is_dir(follow_symlinks=False):
            problem = path_problem(rel)
            if problem is not None:
                yield SkippedNote(printable(rel), f"a folder whose name {problem}")
                continue
            if is_note(entry.name):
                yield SkippedNote(rel, "a folder, not a note")
            try:
                stack.append((f"{rel}/", iter(_entries(entry.path))))
            except OSError as error:
                yield SkippedNote(rel, f"a folder that cannot be read: {error.strerror}")
        elif entry.is_symlink():
            found = _follow(root, rel, entry, exclusions, is_note)
            if found is not None:
                yield found
        elif is_note(entry.name):
            yield _judge(rel, entry, exclusions)


def _entries(folder: str | Path) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return sorted(entries, key=attrgetter("name"))


def _judge(rel: str, entry: os.DirEntry[str], exclusions: Exclusions) -> FoundNote | SkippedNote:
    problem = path_problem(rel)
    if problem is not None:
        return SkippedNote(printable(rel), f"its name {problem}")
    reason = exclusions.reason(rel)
    if reason is not None:
        return SkippedNote(rel, reason)
    try:
        status = entry.stat()
    except OSError as error:
        return SkippedNote(rel, f"cannot be read: {error.strerror}")
    if not stat.S_ISREG(status.st_mode):
        return SkippedNote(rel, "not a regular file")
    if getattr(status, "st_flags", 0) & _DATALESS:
        return SkippedNote(rel, "in the cloud, not downloaded to this machine")
    return FoundNote(rel, stamp_of(status))


def _follow(
    root: Path, rel: str, entry: os.DirEntry[str], exclusions: Exclusions, is_note: Callable[[str], bool]
) -> FoundNote | SkippedNote | None:
    """A link: to a note inside the vault it is a note, unless the note that it leads to is excluded."""
    root, real = root.resolve(), Path(os.path.realpath(entry.path))
    inside = real.is_relative_to(root)
    if real.is_dir():
        return SkippedNote(printable(rel), "a link to a folder" if inside else "a link that leaves the vault")
    if not is_note(entry.name):
        return None
    if not inside:
        return SkippedNote(printable(rel), "a link that leaves the vault")
    if not real.exists():
        return SkippedNote(printable(rel), "a link to nothing")
    reason = exclusions.reason(real.relative_to(root).as_posix())
    if reason is not None:
        return SkippedNote(printable(rel), f"a link to a note that is {reason}")
    return _judge(rel, entry, exclusions)

"""Which project an event belongs to. Pure.

A commit's is its repository, another connector's event's the connector. A note's is its folder; where that says only
how notes are kept (the root, an inbox, a diary's year), the event's own links and tags tell, then its note's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from zibaldone.domain.hierarchy import Event
from zibaldone.domain.words import fold

# Folders that are named after how notes are kept, not what they are about, folded.
_FILING = frozenset(
    """
    archiv archive archives archivos attic bandeja clippings dailies daily diario diary eingang inbox journal journals
    journaux log logs notas note notes notities notizen tagebuch templates vorlagen zettelkasten fleeting
    """.split()
) | {"daily notes", "tagliche notizen"}
_DATED = re.compile(r"[\d\W_]+(?:[^\W\d_]{3,9})?")


class NoteLink(NamedTuple):
    """That the note `path` links on `line` to the note `target`; both are paths in the vault."""

    path: str
    line: int
    target: str


def find_projects(events: Sequence[Event], links: Sequence[NoteLink]) -> list[str]:
    """Of each event: a repository or connector, a folder, a note that is linked to, a `#tag`; else the folder where it
    is kept, empty for the root."""
    by_note: dict[str, list[NoteLink]] = {}
    for link in links:
        by_note.setdefault(link.path, []).append(link)
    placed = [event.project or folder_project(event.path) for event in events]
    of_tag = _tag_projects(events, placed)
    return [
        project or _tied_project(event, by_note.get(event.path, ()), of_tag) or _kept_in(event.path)
        for event, project in zip(events, placed, strict=True)
    ]


def folder_project(path: str) -> str:
    """The folder of a note without what only files it; empty where nothing is left."""
    parts = list(PurePosixPath(path).parent.parts)
    while parts and _is_filing(parts[-1]):
        parts.pop()
    return "/".join(parts)


def _is_filing(name: str) -> bool:
    folded = fold(name).strip("_ ")
    return folded.lstrip("0123456789-_. ") in _FILING or _DATED.fullmatch(folded) is not None


def _kept_in(path: str) -> str:
    parent = PurePosixPath(path).parent.as_posix()
    return "" if parent == "." else parent


def _tied_project(event: Event, links: Iterable[NoteLink], of_tag: Mapping[str, str]) -> str:
    own = [link.target for link in links if event.line_start <= link.line <= event.line_end]
    return (
        _most_common(_target_project(target) for target in own)
        or _most_common(of_tag[tag] for tag in event.tags if tag in of_tag)
        or _most_common(_target_project(link.target) for link in links)
    )


def _target_project(target: str) -> str:
    """A note that is filed away is a project of its own, unless it is a day's."""
    stem = PurePosixPath(target).stem
    return folder_project(target) or ("" if _DATED.fullmatch(fold(stem)) else stem)


def _tag_projects(events: Sequence[Event], placed: Sequence[str]) -> dict[str, str]:
    """What a tag stands for: the project where most of its placed events are, else itself. A tag that files, or that
    only one event has, stands for nothing."""
    of_tag: dict[str, list[str]] = {}
    for event, project in zip(events, placed, strict=True):
        for tag in event.tags:
            of_tag.setdefault(tag, []).append(project)
    return {
        tag: _most_common(projects) or f"#{tag}"
        for tag, projects in of_tag.items()
        if len(projects) > 1 and not _is_filing(tag)
    }


def _most_common(names: Iterable[str]) -> str:
    counts = Counter(name for name in names if name)
    return min(counts, key=lambda name: (-counts[name], name), default="")

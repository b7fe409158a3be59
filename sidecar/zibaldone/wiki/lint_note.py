"""A note as lint looks at it: what it links to, what can be linked to in it, and what it says of itself. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256

from zibaldone.domain.notes import Link, ParsedNote
from zibaldone.ingest.frontmatter import read_frontmatter, split_lines
from zibaldone.ingest.parse import SkipReason, decode_note, parse_note
from zibaldone.wiki.guard import Elision, find_elisions
from zibaldone.wiki.page import Page, read_page
from zibaldone.wiki.places import Heading
from zibaldone.wiki.slug import FOLDER, is_page_path

_BLOCK_ID = re.compile(r"\^([A-Za-z0-9-]+)$")
_TEMPLATE = ("{{", "<%", "${")


@dataclass(frozen=True, slots=True)
class LintNote:
    """`page` and `elisions` (lines of the file) are read for pages of the wiki only; `block_ids` are case-folded."""

    path: str
    sha256: str
    links: tuple[Link, ...]
    headings: tuple[Heading, ...]
    block_ids: frozenset[str]
    title: str
    aliases: tuple[str, ...]
    problems: tuple[str, ...]
    page: Page | None = None
    elisions: tuple[Elision, ...] = ()


def read_lint_note(path: str, data: bytes, folder: str = FOLDER) -> LintNote | SkipReason:
    """A note from its bytes; `SkipReason` where it is not text."""
    decoded = decode_note(data)
    if isinstance(decoded, SkipReason):
        return decoded
    note = parse_note(path, decoded.text)
    page = read_page(data) if is_page_path(path, folder) else None
    is_page = isinstance(page, Page)
    return LintNote(
        path=path,
        sha256=sha256(data).hexdigest(),
        links=tuple(link for link in note.links if not _is_placeholder(link)),
        headings=_read_headings(note, split_lines(decoded.text)),
        block_ids=_read_block_ids(decoded.text),
        title=note.title,
        aliases=note.aliases,
        problems=note.problems,
        page=page if isinstance(page, Page) else None,
        elisions=find_note_elisions(decoded.text) if is_page else (),
    )


def _read_headings(note: ParsedNote, lines: list[str]) -> tuple[Heading, ...]:
    """Headings as written: a link names them by their text on disk, in which links and markup still stand."""
    found: list[Heading] = []
    for section in note.sections:
        if not section.heading:
            continue
        written = lines[section.line_start - 1].strip()
        level = len(written) - len(written.lstrip("#"))
        if level == 0:  # underlined
            below = lines[section.line_start].strip() if section.line_start < len(lines) else ""
            level = 1 if below.startswith("=") else 2
        found.append(Heading(level, written.lstrip("#").strip(), section.heading[-1], section.line_start))
    return tuple(found)


def _read_block_ids(text: str) -> frozenset[str]:
    """More than `ParsedNote.block_ids`: without a space before the caret too. Obsidian's help asks for one, but its own
    link completion takes `。^id` as well (433 of them in garden-zh, linked to by id), and a false alarm costs more."""
    found = (_BLOCK_ID.search(line.rstrip()) for line in split_lines(text) if "^" in line)
    return frozenset(match[1].casefold() for match in found if match)


def find_note_elisions(text: str) -> tuple[Elision, ...]:
    """What the guard finds in a whole note, with the lines of the file."""
    above = read_frontmatter(text).body_line - 1
    body = "\n".join(split_lines(text)[above:])
    return tuple(Elision(found.kind, found.line + above, found.text) for found in find_elisions(body))


def _is_placeholder(link: Link) -> bool:
    """A template's own `[[{{date}}]]` or `[[<% tp.file.title %>]]` names no file yet."""
    place = f"{link.target}{link.heading or ''}"
    return any(mark in place for mark in _TEMPLATE)

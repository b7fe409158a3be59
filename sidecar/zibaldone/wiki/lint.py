"""`zib lint`: everything that is wrong with the pages of the wiki, or with the links of a whole vault. Pure.

It takes notes as they were read, so the result of an import can be linted before a byte of it is written, and so can a
vault of an earlier date.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

from zibaldone.wiki.index_page import IndexEntry
from zibaldone.wiki.lint_kinds import AddIndexEntry, Finding, Kind, RemoveIndexEntry, finding
from zibaldone.wiki.lint_links import lint_link
from zibaldone.wiki.lint_note import LintNote
from zibaldone.wiki.lint_pages import lint_aliases, lint_duplicates, lint_orphans, lint_page
from zibaldone.wiki.provenance import Registry
from zibaldone.wiki.resolve import LinkResolver
from zibaldone.wiki.slug import FOLDER, is_page_path, path_slug


class Scope(StrEnum):
    """Findings about pages and the index only, or also about the links and properties of every note."""

    PAGES = "pages"
    ALL = "all"


def lint(
    notes: Iterable[LintNote],
    resolver: LinkResolver,
    registry: Registry,
    *,
    scope: Scope = Scope.PAGES,
    folder: str = FOLDER,
) -> list[Finding]:
    """Every finding, by path and line.

    Args:
        notes: all notes whose links count: for `Scope.PAGES` too, since a page that only a note links to is no orphan.
        resolver: all files of the vault, attachments included.
        registry: what a page may rest on. Its `notes` are the notes' hashes: see `note_hashes`.
    """
    by_path = {note.path: note for note in notes}
    pages = sorted((note for note in by_path.values() if is_page_path(note.path, folder)), key=lambda note: note.path)
    index = by_path.get(f"{folder}/index.md")
    judged = list(by_path.values()) if scope is Scope.ALL else [*pages, *([index] if index else [])]
    found: list[Finding] = []
    for note in judged:
        on_page = note is index or is_page_path(note.path, folder)
        if note is not index:
            judged_links = (lint_link(link, note, by_path, resolver, on_page=on_page) for link in note.links)
            found += filter(None, judged_links)
        found += (
            finding(Kind.INVALID_FRONTMATTER, note.path, 1, problem, on_page=on_page) for problem in note.problems
        )
    for page in pages:
        found += lint_page(page, registry, resolver, folder)
    found += lint_duplicates(pages, folder)
    found += lint_aliases(pages, folder)
    found += lint_orphans(pages, _count_incoming(by_path.values(), index, resolver))
    found += _lint_index(index, pages, by_path, resolver, folder)
    return sorted(found, key=lambda one: (one.path, one.line, one.kind, one.message))


def note_hashes(notes: Iterable[LintNote]) -> dict[str, str]:
    """What `Registry.notes` wants, from notes that were read anyway."""
    return {note.path: note.sha256 for note in notes}


def _count_incoming(notes: Iterable[LintNote], index: LintNote | None, resolver: LinkResolver) -> Counter[str]:
    counted: Counter[str] = Counter()
    for note in notes:
        if note is not index:
            linked = {resolver.resolve(link.target, note.path) for link in note.links}
            counted.update(path for path in linked if path and path != note.path)
    return counted


def _lint_index(
    index: LintNote | None,
    pages: Sequence[LintNote],
    notes: dict[str, LintNote],
    resolver: LinkResolver,
    folder: str,
) -> Iterator[Finding]:
    """Pages that the index does not name, and pages that it names but that are gone.

    A link of the index counts wherever it stands and in whatever form, since the person may have moved it.
    """
    listed: set[str | None] = set()
    for link in index.links if index else ():
        listed.add(resolver.resolve(link.target, f"{folder}/index.md"))
        if index and (found := lint_link(link, index, notes, resolver, on_page=True)):
            yield _dead_entry(found, link.target, folder)
    for note in pages:
        slug = path_slug(note.path, folder)
        if note.path not in listed and slug is not None:
            title = note.page.title if note.page else ""
            entry = IndexEntry(slug, title or note.title, note.page.tags if note.page else ())
            message = f"`{slug}` is not in the index."
            yield finding(Kind.MISSING_INDEX_ENTRY, note.path, 0, message, on_page=True, fix=AddIndexEntry(entry))


def _dead_entry(found: Finding, target: str, folder: str) -> Finding:
    """A broken link of the index, as the entry of a page that is gone where its path names one."""
    slug = path_slug(f"{folder}/{target.removeprefix(f'{folder}/').removesuffix('.md')}.md", folder)
    if found.kind is not Kind.BROKEN_LINK or slug is None:
        return found
    message = f"The index names `{slug}`, which is gone."
    return finding(Kind.DEAD_INDEX_ENTRY, found.path, found.line, message, on_page=True, fix=RemoveIndexEntry(slug))

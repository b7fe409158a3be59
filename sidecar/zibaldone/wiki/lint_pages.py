"""What a page says of itself, and what pages say of each other: slugs, titles, aliases, provenance, wholeness. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from zibaldone.vault.paths import nfc
from zibaldone.wiki.lint_kinds import Finding, Kind, finding
from zibaldone.wiki.lint_note import LintNote
from zibaldone.wiki.page import Page, SetProperty
from zibaldone.wiki.provenance import Provenance, Registered, Registry, Stale, Superseded, Unregistered, check_entry
from zibaldone.wiki.resolve import LinkResolver
from zibaldone.wiki.slug import FOLDER, page_path, path_slug


def lint_page(note: LintNote, registry: Registry, resolver: LinkResolver, folder: str = FOLDER) -> Iterator[Finding]:
    """Findings about one page by itself."""
    page = note.page
    if page is None:
        return
    yield from _lint_name(note, page, folder)
    if not page.title:
        yield finding(
            Kind.MISSING_TITLE, note.path, 1, "The page has no title.", on_page=True, fix=_title_fix(note, folder)
        )
    for problem in page.provenance_problems:
        yield finding(Kind.INVALID_PROVENANCE, note.path, 1, problem, on_page=True)
    for entry in page.provenance:
        if found := _lint_entry(note, entry, registry, resolver):
            yield found
    for elision in note.elisions:
        message = f"The page is not whole: {elision.kind.value} `{elision.text[:80]}`."
        yield finding(Kind.TRUNCATED_PAGE, note.path, elision.line, message, on_page=True)


def lint_duplicates(pages: Sequence[LintNote], folder: str = FOLDER) -> Iterator[Finding]:
    """Pages that say or have the same slug: their paths differ in case, or one was copied with its properties."""
    by_slug: dict[str, list[LintNote]] = {}
    for note in pages:
        address = path_slug(note.path, folder) or note.path
        said = nfc((note.page.slug if note.page else "").casefold())
        for slug in dict.fromkeys(filter(None, (address, said))):
            by_slug.setdefault(slug, []).append(note)
    for slug, notes in by_slug.items():
        for note in notes[1:]:
            message = f"`{slug}` is also the slug of `{notes[0].path}`."
            yield finding(Kind.DUPLICATE_SLUG, note.path, 1, message, on_page=True)


def lint_aliases(pages: Sequence[LintNote], folder: str = FOLDER) -> Iterator[Finding]:
    """Aliases that are also a name of another page: whoever looks for one may find the other."""
    owners: dict[str, LintNote] = {}
    for note in pages:
        for name in (path_slug(note.path, folder) or "", note.page.title if note.page else ""):
            if name:
                owners.setdefault(nfc(name).casefold(), note)
    for note in pages:
        for alias in note.aliases:
            owner = owners.setdefault(nfc(alias).casefold(), note)
            if owner is not note:
                message = f"The alias `{alias}` is also a name of `{owner.path}`."
                yield finding(Kind.ALIAS_CONFLICT, note.path, 1, message, on_page=True)


def lint_orphans(pages: Sequence[LintNote], incoming: Mapping[str, int]) -> Iterator[Finding]:
    """Pages that no other note links to; the index does not count, since it links to all."""
    for note in pages:
        if not incoming.get(note.path):
            yield finding(Kind.ORPHAN_PAGE, note.path, 0, "No other note links to this page.", on_page=True)


def _lint_name(note: LintNote, page: Page, folder: str) -> Iterator[Finding]:
    slug = path_slug(note.path, folder)
    if slug is None or nfc(note.path) != page_path(slug, folder):
        name = note.path.rpartition("/")[2]
        yield finding(Kind.UNUSABLE_NAME, note.path, 0, f"`{name}` is not the file name of a slug.", on_page=True)
    elif page.slug != slug:
        said = f"says `{page.slug}`" if page.slug else "is missing"
        message = f"The property `slug` {said}, but the page is `{slug}`."
        yield finding(Kind.SLUG_MISMATCH, note.path, 1, message, on_page=True, fix=SetProperty("slug", slug))


def _title_fix(note: LintNote, folder: str) -> SetProperty:
    slug = path_slug(note.path, folder) or note.title
    title = note.headings[0].shown if note.headings else slug.rpartition(":")[2].replace("-", " ").capitalize()
    return SetProperty("title", title)


def _lint_entry(note: LintNote, entry: Provenance, registry: Registry, resolver: LinkResolver) -> Finding | None:
    standing = check_entry(entry, registry)
    if isinstance(standing, Unregistered) and (path := resolver.resolve(entry.path, note.path)) in registry.notes:
        # An entry may be a link, which Obsidian shortens and keeps right when the note is renamed.
        standing = check_entry(Provenance(path=path or "", sha256=entry.sha256), registry)
    match standing:
        case Registered():
            return None
        case Unregistered(path):
            kind, message = Kind.UNREGISTERED_PROVENANCE, f"`{path}` is neither a registered source nor a note."
        case Stale(path):
            kind, message = Kind.STALE_PROVENANCE, f"`{path}` is no longer what the page rests on: its hash differs."
        case Superseded(path, newest):
            kind, message = Kind.SUPERSEDED_PROVENANCE, f"`{path}` was superseded by `{newest}`."
    return finding(kind, note.path, 1, message, on_page=True)

"""What changes in the vault when a page is written, extended, added to, renamed or removed: new bytes by path. Pure.

Each function takes a way to read notes and gives what the notes it touches are to hold (None: to go), the index among
them, so that one commit holds the whole of it. Cost: the page and the index, whatever the size of the vault.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from zibaldone.errors import InvalidRequest, NotEditable, NotFound
from zibaldone.ingest.parse import SkipReason
from zibaldone.vault.cited import find_cited
from zibaldone.vault.edit.address import Section, WholeNote, locate
from zibaldone.vault.edit.append import append
from zibaldone.vault.edit.properties import set_property, set_property_lines
from zibaldone.vault.edit.replace import replace_body, replace_section
from zibaldone.wiki.guard import find_elisions
from zibaldone.wiki.index_page import IndexEntry, add_entry, remove_entry, rename_entry
from zibaldone.wiki.page import (
    AppendToPage,
    Page,
    PageChange,
    ReplaceSection,
    SetProperty,
    read_page,
    renamed,
    render_page,
    rests_on,
    time_text,
)
from zibaldone.wiki.provenance import Provenance, entry_value, merge_provenance
from zibaldone.wiki.slug import Slug, page_path

Read = Callable[[str], bytes | None]
Changes = dict[str, bytes | None]


def write_page(read: Read, slug: Slug, page: Page, folder: str, *, allow_elision: bool = False) -> Changes:
    """A new page and its line in the index.

    Raises:
        InvalidRequest: there is one already, or its body is cut short.
    """
    path = page_path(slug, folder)
    if read(path) is not None:
        raise InvalidRequest(f"There is a page {slug} already.", f"Extend it: `zib page append {slug}`.")
    check_body(page.body, allow_elision=allow_elision)
    return {path: render_page(replace(page, slug=slug)), **_index(read, slug, page, folder)}


def extend_page(
    read: Read,
    slug: Slug,
    body: str,
    added: Sequence[Provenance],
    at: datetime,
    folder: str,
    *,
    allow_elision: bool = False,
) -> Changes:
    """Another body for a page; its properties stay, but for what it rests on and when it was updated."""
    check_body(body, allow_elision=allow_elision)
    path, data, page = _require(read, slug, folder)
    return {path: _apply(replace_body(data, body), _rests_on(page, added, at)), **_index(read, slug, page, folder)}


def append_to_page(
    read: Read,
    slug: Slug,
    text: str,
    added: Sequence[Provenance],
    at: datetime,
    folder: str,
    *,
    section: tuple[str, ...] = (),
    number: int | None = None,
    allow_elision: bool = False,
) -> Changes:
    """Markdown at the end of a page, or of one of its sections: of several with that heading the one with this number.

    Raises:
        InvalidRequest: a number without a section, or the text is cut short.
        TargetMissing, TargetAmbiguous: there is no such section, or there are several and no number is given.
    """
    if number is not None and not section:
        raise InvalidRequest("A number says which of several sections is meant.", "Name the section too.")
    check_body(text, allow_elision=allow_elision)
    path, data, page = _require(read, slug, folder)
    changes: tuple[PageChange, ...] = (AppendToPage(text, section, number), *_rests_on(page, added, at))
    return {path: _apply(data, changes), **_index(read, slug, page, folder)}


def replace_in_page(
    read: Read, slug: Slug, section: Section, text: str, added: Sequence[Provenance], at: datetime, folder: str
) -> Changes:
    """Another body for a section. What only its old body cited, the page rests on no longer."""
    check_body(text)
    path, data, page = _require(read, slug, folder)
    old = locate(data, section)
    replaced = replace_section(data, section, text)
    gone = _cited_in(data[old.start : old.end]) - _cited_in(replaced)
    kept = tuple(entry for entry in page.provenance if (entry.path.removesuffix(".md"), entry.lines) not in gone)
    _require_readable_provenance(page)
    merged = merge_provenance(kept, tuple(added))
    changes = (SetProperty("provenance", [entry_value(one) for one in merged]), SetProperty("updated", time_text(at)))
    return {path: _apply(replaced, changes), **_index(read, slug, page, folder)}


def rename_page(read: Read, old: Slug, new: Slug, title: str, at: datetime, folder: str) -> Changes:
    """The page under its new name, with the old one as an alias. Links to it are the caller's."""
    path, data, page = _require(read, old, folder)
    target = page_path(new, folder)
    if target != path and read(target) is not None:
        raise InvalidRequest(f"There is a page {new} already.", "Choose another name, or delete that page first.")
    named = _apply(data, renamed(page, new, title or page.title, at))
    index = read(f"{folder}/index.md")
    entry = IndexEntry(new, title or page.title, page.tags)
    changed = {} if index is None else {f"{folder}/index.md": rename_entry(index, old, entry, folder)}
    return {**({path: None} if target != path else {}), target: named, **changed}


def delete_page(read: Read, slug: Slug, folder: str) -> Changes:
    """The page and its line in the index are to go; where to, is the caller's."""
    path, _, _ = _require(read, slug, folder)
    index = read(f"{folder}/index.md")
    return {path: None, **({} if index is None else {f"{folder}/index.md": remove_entry(index, slug, folder)})}


def check_body(body: str, *, allow_elision: bool = False) -> None:
    """Raises `InvalidRequest` for an empty body and for one that was cut short on its way."""
    if not body.strip():
        raise InvalidRequest("The text is empty.", "Give it on stdin.")
    found = () if allow_elision else find_elisions(body)
    if found:
        raise InvalidRequest(
            f"Line {found[0].line} looks as if text were left out: {found[0].text!r}.",
            "Write it in full, or say that it is meant with --allow-elision.",
        )


def _rests_on(page: Page, added: Sequence[Provenance], at: datetime) -> tuple[PageChange, ...]:
    if added:
        _require_readable_provenance(page)
    return rests_on(page, added, at)


def _require_readable_provenance(page: Page) -> None:
    """The list is written anew, so it has to be understood first: what could not be read would be lost."""
    if page.provenance_problems:
        raise NotEditable(
            f"what the page {page.title!r} rests on cannot be read: {page.provenance_problems[0]}",
            "mend its `provenance` in the note, then try again",
        )


def _cited_in(data: bytes) -> set[tuple[str, str | None]]:
    """Note and lines of each citation, as provenance has them."""
    cited = find_cited(data.decode("utf-8", "replace"))
    return {
        (one.target, f"{one.line_start}" if one.line_start == one.line_end else f"{one.line_start}-{one.line_end}")
        for one in cited
    }


def _require(read: Read, slug: Slug, folder: str) -> tuple[str, bytes, Page]:
    path = page_path(slug, folder)
    data = read(path)
    if data is None:
        raise NotFound(f"There is no page {slug}.", "`zib page list` names those there are.")
    page = read_page(data)
    if isinstance(page, SkipReason):
        raise InvalidRequest(f"{path} is no text: {page}.", "Mend or remove the file.")
    return path, data, page


def _index(read: Read, slug: Slug, page: Page, folder: str) -> Changes:
    path = f"{folder}/index.md"
    return {path: add_entry(read(path) or b"# Index\n", IndexEntry(slug, page.title or slug, page.tags), folder)}


def _apply(data: bytes, changes: Sequence[PageChange]) -> bytes:
    for change in changes:
        match change:
            case AppendToPage(text=text, section=section, number=number):
                data = append(data, Section(section, number) if section else WholeNote(), text)
            case ReplaceSection(section=section, text=text):
                data = replace_section(data, Section(section), text)
            case SetProperty(key="updated", value=str(text)):
                data = set_property(data, "updated", datetime.fromisoformat(text))
            case SetProperty(key=key, value=str(text)):
                data = set_property(data, key, text)
            case SetProperty(key=key):
                data = set_property_lines(data, key, change.lines)
    return data

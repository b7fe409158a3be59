"""Links that lead nowhere: to no file, to no heading, to no block. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from zibaldone.domain.notes import Link
from zibaldone.wiki.lint_kinds import Finding, Kind, finding
from zibaldone.wiki.lint_note import LintNote
from zibaldone.wiki.places import find_heading, has_block, nearest_heading
from zibaldone.wiki.resolve import LinkResolver


def lint_link(
    link: Link, note: LintNote, notes: Mapping[str, LintNote], resolver: LinkResolver, *, on_page: bool
) -> Finding | None:
    """What is wrong with a link of `note`, None where it leads somewhere.

    A heading or block is looked for only in notes that were given: in a canvas, a PDF (`#page=3`) or a note that nobody
    read, the place is taken to be there.
    """
    path = resolver.resolve(link.target, note.path)
    if path is None:
        return _missing_file(link, note, on_page)
    target = notes.get(path)
    return _missing_place(link, note, target, on_page) if target else None


def _missing_file(link: Link, note: LintNote, on_page: bool) -> Finding:
    kind = Kind.BROKEN_EMBED if link.embed else Kind.BROKEN_LINK
    what = "The embed of" if link.embed else "The link to"
    return finding(kind, note.path, link.line, f"{what} `{link.target}` leads to no file.", on_page=on_page)


def _missing_place(link: Link, note: LintNote, target: LintNote, on_page: bool) -> Finding | None:
    where = "this note" if target is note else f"`{target.path}`"
    if link.block is not None:
        if has_block(link.block, target.block_ids):
            return None
        return finding(
            Kind.BROKEN_BLOCK, note.path, link.line, f"There is no block `^{link.block}` in {where}.", on_page=on_page
        )
    if link.heading is None or find_heading(link.heading, target.headings):
        return None
    message = f"There is no heading `{link.heading}` in {where}."
    if meant := nearest_heading(link.heading, target.headings):
        message += f" Obsidian finds this one as `#{meant.shown}`."
    return finding(Kind.BROKEN_HEADING, note.path, link.line, message, on_page=on_page)

"""What lint can find, how bad it is, and what to do about it. Data only; `zib lint --fix` carries fixes out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from zibaldone.wiki.index_page import IndexEntry
from zibaldone.wiki.page import SetProperty
from zibaldone.wiki.slug import Slug


class Severity(StrEnum):
    """An error is something that a page of the wiki must not have; a warning is for a person to judge."""

    ERROR = "error"
    WARNING = "warning"


class Kind(StrEnum):
    """Names are part of `zib lint --json`: add, never rename."""

    BROKEN_LINK = "broken-link"
    BROKEN_EMBED = "broken-embed"
    BROKEN_HEADING = "broken-heading"
    BROKEN_BLOCK = "broken-block"
    DUPLICATE_SLUG = "duplicate-slug"
    SLUG_MISMATCH = "slug-mismatch"
    UNUSABLE_NAME = "unusable-name"
    ORPHAN_PAGE = "orphan-page"
    INVALID_FRONTMATTER = "invalid-frontmatter"
    MISSING_TITLE = "missing-title"
    ALIAS_CONFLICT = "alias-conflict"
    INVALID_PROVENANCE = "invalid-provenance"
    UNREGISTERED_PROVENANCE = "unregistered-provenance"
    STALE_PROVENANCE = "stale-provenance"
    SUPERSEDED_PROVENANCE = "superseded-provenance"
    MISSING_INDEX_ENTRY = "missing-index-entry"
    DEAD_INDEX_ENTRY = "dead-index-entry"
    TRUNCATED_PAGE = "truncated-page"


class _Rule(NamedTuple):
    """`on_page` and `elsewhere`: how bad it is in a page of the wiki, and in a note of the person."""

    on_page: Severity
    elsewhere: Severity
    remedy: str


_E, _W = Severity.ERROR, Severity.WARNING

RULES: dict[Kind, _Rule] = {
    Kind.BROKEN_LINK: _Rule(_E, _W, "Create the note, or link to one that is there."),
    Kind.BROKEN_EMBED: _Rule(_E, _W, "Put the file back, or remove the embed."),
    Kind.BROKEN_HEADING: _Rule(_W, _W, "Link to a heading that the note has."),
    Kind.BROKEN_BLOCK: _Rule(_W, _W, "Put `^id` behind the block again, or link to the note."),
    Kind.DUPLICATE_SLUG: _Rule(_E, _E, "Rename or merge one of the pages: `zib page rename`."),
    Kind.SLUG_MISMATCH: _Rule(_W, _W, "The path is the address: `zib lint --fix` sets the property."),
    Kind.UNUSABLE_NAME: _Rule(_W, _W, "Give the file the name of a slug: small letters, digits and `-`."),
    Kind.ORPHAN_PAGE: _Rule(_W, _W, "Link to it from a page on a neighbouring topic."),
    Kind.INVALID_FRONTMATTER: _Rule(_E, _W, "Correct the properties at the top of the note."),
    Kind.MISSING_TITLE: _Rule(_W, _W, "Add `title`: `zib lint --fix` takes the first heading or the name."),
    Kind.ALIAS_CONFLICT: _Rule(_W, _W, "Keep the alias on the page that it means."),
    Kind.INVALID_PROVENANCE: _Rule(_E, _E, "Write a path, or a mapping with `path`."),
    Kind.UNREGISTERED_PROVENANCE: _Rule(
        _E, _E, "Register the document with `zib ingest`, or name a note that is there."
    ),
    Kind.STALE_PROVENANCE: _Rule(_W, _W, "Compare the page with what the source says now."),
    Kind.SUPERSEDED_PROVENANCE: _Rule(_W, _W, "Bring the page up to the new version, or say why the old one is meant."),
    Kind.MISSING_INDEX_ENTRY: _Rule(_W, _W, "`zib lint --fix` adds it."),
    Kind.DEAD_INDEX_ENTRY: _Rule(_W, _W, "`zib lint --fix` removes it."),
    Kind.TRUNCATED_PAGE: _Rule(_E, _E, "Take the earlier text back: `zib page history`."),
}


@dataclass(frozen=True, slots=True)
class AddIndexEntry:
    entry: IndexEntry


@dataclass(frozen=True, slots=True)
class RemoveIndexEntry:
    slug: Slug


# What `--fix` can do by itself, since nothing is lost by it. All else needs a person, or a proposal.
Fix = AddIndexEntry | RemoveIndexEntry | SetProperty


@dataclass(frozen=True, slots=True)
class Finding:
    """`line` is 1-based, 0 where the note as a whole is meant. `fix` is None where a person has to decide."""

    kind: Kind
    severity: Severity
    path: str
    line: int
    message: str
    remedy: str
    fix: Fix | None = None


def finding(kind: Kind, path: str, line: int, message: str, *, on_page: bool, fix: Fix | None = None) -> Finding:
    rule = RULES[kind]
    return Finding(kind, rule.on_page if on_page else rule.elsewhere, path, line, message, rule.remedy, fix)

"""Carrying out what lint's findings say can be fixed. Pure; bytes in, bytes out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from zibaldone.errors import ZibaldoneError
from zibaldone.vault.edit.properties import set_property
from zibaldone.wiki.change import Changes, Read
from zibaldone.wiki.index_page import add_entry, remove_entry
from zibaldone.wiki.lint_kinds import AddIndexEntry, Finding, Fix, RemoveIndexEntry
from zibaldone.wiki.page import SetProperty
from zibaldone.wiki.slug import FOLDER

EMPTY_INDEX = b"# Index\n"


class Fixed(NamedTuple):
    """`done` are the findings that `changes` mend; one that the note's properties do not allow is not among them."""

    changes: Changes
    done: tuple[Finding, ...]


def apply_fixes(read: Read, findings: Iterable[Finding], folder: str = FOLDER) -> Fixed:
    """Every fix on its note as `read` gives it now; one for a note that is gone is passed over."""
    index = f"{folder}/index.md"
    changes: Changes = {}
    done: list[Finding] = []
    titles: dict[str, str] = {}
    # The index names a page by the title that it has then, and finds the place of an entry by those that are there.
    order = (SetProperty, AddIndexEntry, RemoveIndexEntry)
    for finding in sorted(filter(lambda one: one.fix, findings), key=lambda one: order.index(type(one.fix))):
        path = finding.path if isinstance(finding.fix, SetProperty) else index
        data = changes[path] if path in changes else read(path)
        try:
            after = _fix(data, finding.fix, titles.get(finding.path), folder)
        except ZibaldoneError:  # its properties cannot be edited: a person has to
            continue
        if after != data:
            changes[path] = after
            done.append(finding)
            if isinstance(finding.fix, SetProperty) and finding.fix.key == "title":
                titles[path] = str(finding.fix.value)
        elif any(finding.fix == other.fix for other in done):  # the page is listed twice
            done.append(finding)
    return Fixed(changes, tuple(done))


def _fix(data: bytes | None, fix: Fix | None, title: str | None, folder: str) -> bytes | None:
    match fix:
        case AddIndexEntry(entry):
            titled = replace(entry, title=title) if title else entry
            return add_entry(data if data is not None else EMPTY_INDEX, titled, folder)
        case RemoveIndexEntry(slug) if data is not None:
            return remove_entry(data, slug, folder)
        case SetProperty(key, str(value)) if data is not None:
            return set_property(data, key, value)
        case _:
            return data

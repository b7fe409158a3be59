"""Bases: what they list, in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from zibaldone.domain.documents import Document, Unreadable
from zibaldone.ingest.extract.bases import read

VAULTS = Path(__file__).parents[4] / "shared" / "data" / "vaults"
BASES = sorted(VAULTS.rglob("*.base")) if VAULTS.is_dir() else []

BOOKS = """filters:
  and:
    - categories.contains(link("Books"))
    - or:
        - status == "open"
        - '!file.name.contains("Template")'
    - not: [file.inFolder("Archive"), rating < 2]
formulas:
  perPage: (price / pages).toFixed(2)
properties:
  note.author:
    displayName: Written by
  formula.perPage: {displayName: Price per page}
views:
  - type: table
    name: To read
    filters: rating > 3
    order: [file.name, author, formula.perPage]
    sort:
      - {property: author, direction: ASC}
      - column: note.rating
    groupBy: {property: author, direction: DESC}
  - type: cards
"""


def test_a_base_in_words() -> None:
    document = read(BOOKS.encode(), "Books.base")
    assert isinstance(document, Document)
    assert [(part.heading, part.text) for part in document.parts] == [
        (
            (),
            "Views: To read\n"
            'Filter: categories.contains(link("Books")) and (status == "open" or !file.name.contains("Template"))'
            ' and (not (file.inFolder("Archive")) and not (rating < 2))\n'
            "Formula perPage: (price / pages).toFixed(2)\n"
            "Property note.author is shown as Written by\n"
            "Property formula.perPage is shown as Price per page",
        ),
        (
            ("To read",),
            "View To read (table)\nFilter: rating > 3\nShows: file.name, Written by, Price per page\n"
            "Sorted by Written by ascending, note.rating\nGrouped by Written by descending",
        ),
        ((), "View (cards)"),
    ]


@pytest.mark.parametrize(
    "data, reason",
    [
        (b"views:\n  - type: table\n   name: x", "is not a base: did not find expected '-' indicator in line 3"),
        (b"- a list", "is not a base: it is not a list of names and values"),
        (b"a: " + b"[" * 50 + b"]" * 50, "is not a base: nested deeper than 20 levels"),
        (b"a: " + b"x" * 70_000, "is not a base: 70003 characters, more than 64000"),
        (b"a\0b", "contains NUL bytes: it is not text"),
    ],
)
def test_no_base(data: bytes, reason: str) -> None:
    assert read(data, "a.base") == Unreadable(reason)


@pytest.mark.parametrize(
    "text", ["", "views: 3", "views: [1, null, {order: {a: b}}]", "filters: [a, [b], {and: null}]"]
)
def test_an_odd_base_is_read_as_far_as_it_goes(text: str) -> None:
    assert isinstance(read(text.encode(), "a.base"), Document)


@pytest.mark.skipif(not BASES, reason=f"the real vaults are not at {VAULTS}")
def test_real_bases() -> None:
    views = 0
    for path in BASES:
        document = read(path.read_bytes(), path.name)
        assert isinstance(document, Document), path
        views += len(document.parts) - 1
    print(f"\n{len(BASES)} bases: {views} views")

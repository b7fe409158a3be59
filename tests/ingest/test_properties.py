"""Properties that say something are found like words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zibaldone.config.settings import ChunkingSettings
from zibaldone.ingest.chunk import chunk_note
from zibaldone.ingest.parse import parse_note
from zibaldone.ingest.properties import read_property_block

NOTE = """---
title: Ulysses
author: "[[James Joyce]]"
rating: 5
tags: [book]
publish: true
read: true
genre:
  - novel
  - "[[Modernism]]"
next: "[[Other]]"
empty:
when: <% tp.date.now() %>
---
Body.
"""


def test_only_telling_lines_are_kept_as_written() -> None:
    lines = NOTE.splitlines()
    block = read_property_block(lines, 14)
    assert block is not None
    assert [line for line in block.text.splitlines() if line] == [
        'author: "[[James Joyce]]"',
        "rating: 5",
        "genre:",
        "  - novel",
        '  - "[[Modernism]]"',
    ]
    assert (block.line_start, block.line_end) == (3, 10)


def test_a_note_of_properties_alone_can_be_found() -> None:
    note = parse_note("Ulysses.md", NOTE.removesuffix("Body.\n"))
    chunks = chunk_note("Ulysses.md", note, ChunkingSettings(), "id")
    assert len(chunks) == 1
    assert "James Joyce" in chunks[0].text


def test_without_properties_there_is_no_block() -> None:
    assert read_property_block(["# Title", "author: me"], 1) is None
    assert read_property_block(["---", "tags: [a]", "---", "x"], 4) is None


@given(st.lists(st.text(alphabet="ab:-[] \"'#<%", max_size=20), max_size=15))
def test_any_frontmatter_is_survived(lines: list[str]) -> None:
    block = read_property_block(["---", *lines, "---", "x"], len(lines) + 3)
    if block is not None:
        assert 2 <= block.line_start <= block.line_end <= len(lines) + 1

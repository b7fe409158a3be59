"""Mentions of notes in prose."""

from __future__ import annotations

import pytest

from zibaldone.vault.edit.lines import apply_splices, read_note
from zibaldone.vault.edit.mentions import find_mentions, is_telling, name_key

NAMES = {
    name_key(name): (name, link)
    for name, link in {
        "Kestrel": "Kestrel",
        "Tallinn Workshop": "Tallinn Workshop",
        "Log": "B/Log",
        "Kestrel Harbour": "Kestrel Harbour",
    }.items()
}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("See Kestrel, and Kestrel again.", "See [[Kestrel]], and Kestrel again."),
        ("a kestrel flew", "a kestrel flew"),
        ("the tallinn workshop", "the [[Tallinn Workshop|tallinn workshop]]"),
        ("Kestrel Harbour is near Kestrel", "[[Kestrel Harbour]] is near [[Kestrel]]"),
        ("my Log", "my [[B/Log|Log]]"),
        ("| my Log | x |", "| my Log | x |"),
        ("# Kestrel", "# Kestrel"),
        ("`Kestrel` https://a.b/Kestrel #Kestrel [Kestrel](x.md)", None),
        ("[[Kestrel Harbour]] [[Log|Kestrel]]", None),
        ("---\ntitle: Kestrel\n---\nKestrel", "---\ntitle: Kestrel\n---\n[[Kestrel]]"),
        ("Kestrels", "Kestrels"),
    ],
)
def test_prose_alone_is_linked(before: str, after: str | None) -> None:
    note = read_note(before.encode())
    assert apply_splices(note, find_mentions(note, NAMES, ())).decode() == (before if after is None else after)


def test_a_note_that_is_linked_already_is_not_linked_again() -> None:
    note = read_note(b"Kestrel")
    assert list(find_mentions(note, NAMES, {"Kestrel"})) == []


def test_numbers_dates_and_letters_are_no_names() -> None:
    assert [name for name in ("2026-03-04", "42", "A", "ab", "1 b") if is_telling(name)] == []
    assert is_telling("Kestrel")
    assert is_telling("2026 review")

"""Provenance: what an entry may look like, and how it stands against what is registered."""

from __future__ import annotations

from datetime import date

import pytest

from zibaldone.wiki.provenance import (
    Provenance,
    Registered,
    RegisteredSource,
    Registry,
    Stale,
    Standing,
    Superseded,
    Unregistered,
    check_entry,
    entry_value,
    merge_provenance,
    newest_version,
    read_provenance,
)

OLD, NEW, NOTE = "0" * 64, "1" * 64, "2" * 64
REGISTRY = Registry(
    sources={
        "s/v1.pdf": RegisteredSource(OLD, superseded_by="s/v2.pdf", registered=date(2026, 1, 1)),
        "s/v2.pdf": RegisteredSource(NEW, superseded_by="s/v3.pdf", registered=date(2026, 2, 1)),
        "s/v3.pdf": RegisteredSource(NEW, registered=date(2026, 3, 1)),
    },
    notes={"Bees/Varroa.md": NOTE},
)


@pytest.mark.parametrize(
    ("value", "entries"),
    [
        (None, ()),
        ("", ()),
        ("a.md", (Provenance("a.md"),)),
        (["a.md", "[[Bees/Varroa#July|July]]"], (Provenance("a.md"), Provenance("Bees/Varroa"))),
        ([{"path": "a.pdf", "page_range": 3}], (Provenance("a.pdf", page_range="3"),)),
        ([{"path": "a.pdf", "sha256": "sha256:" + "AB" * 32}], (Provenance("a.pdf", sha256="ab" * 32),)),
        (
            [{"path": "a", "finding": "silent", "mine": "x"}],
            (Provenance("a", finding="silent", extra=(("mine", "x"),)),),
        ),
        ([{"path": "a", "date": date(2026, 3, 2)}], (Provenance("a", date="2026-03-02"),)),
    ],
)
def test_an_entry_is_a_string_or_a_mapping(value: object, entries: tuple[Provenance, ...]) -> None:
    assert read_provenance(value) == (entries, ())
    assert read_provenance([entry_value(entry) for entry in entries]).entries == entries


@pytest.mark.parametrize("value", [[3], [""], [{"sha256": OLD}], [["a"]], [{"path": "a", "sha256": "abc"}]])
def test_what_is_no_entry_is_said(value: object) -> None:
    read = read_provenance(value)
    assert not read.entries
    assert read.problems[0].startswith("Entry 1 of the provenance ")


@pytest.mark.parametrize(
    ("entry", "standing"),
    [
        (Provenance("Bees/Varroa.md"), Registered("Bees/Varroa.md")),
        (Provenance("Bees/Varroa", sha256=NOTE), Registered("Bees/Varroa.md")),
        (Provenance("Bees/Varroa.md", sha256=OLD), Stale("Bees/Varroa.md", OLD, NOTE)),
        (Provenance("Bees/Gone.md"), Unregistered("Bees/Gone.md")),
        (Provenance("s/v3.pdf", sha256=NEW), Registered("s/v3.pdf")),
        (Provenance("s/v1.pdf"), Superseded("s/v1.pdf", "s/v3.pdf")),
        (Provenance("s/v1.pdf", sha256=NEW), Stale("s/v1.pdf", NEW, OLD)),
        (Provenance("s/v1.pdf", superseded_ok="history"), Registered("s/v1.pdf")),
        (Provenance("s/v1.pdf", superseded_ok="history", date="2026-03-01"), Registered("s/v1.pdf")),
        (Provenance("s/v1.pdf", superseded_ok="history", date="2026-02-15"), Superseded("s/v1.pdf", "s/v3.pdf")),
    ],
)
def test_an_entry_against_the_registry(entry: Provenance, standing: Standing) -> None:
    assert check_entry(entry, REGISTRY) == standing


def test_versions_in_a_circle_end() -> None:
    registry = Registry({"a": RegisteredSource(OLD, "b"), "b": RegisteredSource(OLD, "a")})
    assert newest_version("a", registry) == "b"


def test_a_newer_entry_for_the_same_span_takes_the_place_of_the_old() -> None:
    old = (Provenance("a", OLD), Provenance("b", page_range="1"))
    new = (Provenance("a", NEW), Provenance("b", page_range="2"))
    assert merge_provenance(old, new) == (new[0], old[1], new[1])

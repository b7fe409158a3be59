"""The real vaults: links resolve as their authors' Obsidian resolved them, and the guard raises no false alarm."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from zibaldone.ingest.parse import SkipReason, decode_note
from zibaldone.wiki.guard import ElisionKind
from zibaldone.wiki.links import LinkStyle, link_to
from zibaldone.wiki.lint import Scope, lint
from zibaldone.wiki.lint_kinds import Finding, Kind
from zibaldone.wiki.lint_note import LintNote, find_note_elisions, read_lint_note
from zibaldone.wiki.provenance import Registry
from zibaldone.wiki.resolve import LinkResolver

VAULTS = Path(__file__).parents[3] / "shared" / "data" / "vaults"
pytestmark = pytest.mark.skipif(not VAULTS.is_dir(), reason=f"the real vaults are not at {VAULTS}")


def paths_of(name: str) -> Iterator[str]:
    """Every file that Obsidian shows: hidden folders are not part of a vault."""
    root = VAULTS / name
    for path in sorted(root.rglob("*")):
        rel = path.relative_to(root)
        if path.is_file() and not any(part.startswith(".") for part in rel.parts):
            yield rel.as_posix()


@cache
def read_vault(name: str) -> tuple[list[LintNote], LinkResolver]:
    files = list(paths_of(name))
    notes = [read_lint_note(path, (VAULTS / name / path).read_bytes()) for path in files if path.endswith(".md")]
    return [note for note in notes if not isinstance(note, SkipReason)], LinkResolver(files)


def lint_vault(name: str) -> list[Finding]:
    notes, resolver = read_vault(name)
    return lint(notes, resolver, Registry(), scope=Scope.ALL)


def test_all_links_of_the_handbook_resolve() -> None:
    notes, _ = read_vault("handbook")
    assert sum(len(note.links) for note in notes) == 1000
    assert lint_vault("handbook") == []


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("dataview-test", {Kind.BROKEN_LINK: 6}),
        # Links to GitHub's anchors (`#key-features`), which Obsidian does not know, and pictures that were left out.
        ("foam", {Kind.BROKEN_LINK: 8, Kind.BROKEN_EMBED: 18, Kind.BROKEN_HEADING: 39}),
        ("kepano", {Kind.BROKEN_LINK: 62}),
        ("tasks-demo", {Kind.BROKEN_LINK: 3, Kind.BROKEN_EMBED: 5}),
        ("zettelkasten", {Kind.BROKEN_HEADING: 1}),
    ],
)
def test_broken_links_of_a_vault(name: str, counts: dict[Kind, int]) -> None:
    assert Counter(found.kind for found in lint_vault(name)) == counts


def test_the_unresolved_wikilinks_of_the_chinese_garden() -> None:
    """Its 1,332 unresolved links are wikilinks as text. 1,311 of them are links to us: the others stand in comments, in
    query fences and in templates. The other findings are Markdown embeds of pictures, which the copy left out."""
    root = VAULTS / "garden-zh"
    notes, resolver = read_vault("garden-zh")
    unresolved = 0
    for note in notes:
        broken = [link for link in note.links if resolver.resolve(link.target, note.path) is None]
        if broken:
            decoded = decode_note((root / note.path).read_bytes())
            assert not isinstance(decoded, SkipReason)
            lines = decoded.text.split("\n")
            unresolved += sum(f"[[{link.target}" in lines[link.line - 1] for link in broken)
    assert unresolved == 1311
    found = Counter(finding.kind for finding in lint_vault("garden-zh"))
    assert found[Kind.BROKEN_BLOCK] == 0
    assert found[Kind.BROKEN_HEADING] == 2


@pytest.mark.parametrize("name", ["handbook", "export-edge-cases", "zettelkasten", "tasks-demo"])
def test_a_link_to_any_note_leads_there_in_every_style(name: str) -> None:
    notes, resolver = read_vault(name)
    for style in (LinkStyle(), LinkStyle("relative", True), LinkStyle("absolute")):
        for note, other in zip(notes, [*notes[7:], *notes[:7]], strict=True):
            link = link_to(other.path, note.path, resolver, style)
            assert link is not None
            read = read_lint_note(note.path, link.encode())
            assert isinstance(read, LintNote)
            assert resolver.resolve(read.links[0].target, note.path) == other.path, link


def test_the_guard_raises_no_false_alarm_over_all_notes() -> None:
    """One in 4,000 notes is found, and rightly: a script in the garden whose code fence nothing closes."""
    found = [
        (path.name, elision.kind)
        for path in sorted(VAULTS.rglob("*.md"))
        if not isinstance(decoded := decode_note(path.read_bytes()), SkipReason)
        for elision in find_note_elisions(decoded.text)
    ]
    assert found == [("Slideshow.md", ElisionKind.OPEN_FENCE)]

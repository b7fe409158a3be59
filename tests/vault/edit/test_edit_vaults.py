"""Every note of real vaults, edited: only what was meant changes. And an edit sees the headings that `ingest` sees."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from zibaldone.errors import NotEditable, TargetAmbiguous, TargetMissing
from zibaldone.ingest.frontmatter import read_frontmatter
from zibaldone.ingest.parse import decode_note, parse_note
from zibaldone.vault.edit.address import Section, WholeNote
from zibaldone.vault.edit.append import append
from zibaldone.vault.edit.hunks import apply_hunks, diff
from zibaldone.vault.edit.lines import read_note
from zibaldone.vault.edit.links import rewrite_links
from zibaldone.vault.edit.outline import read_outline
from zibaldone.vault.edit.properties import remove_property, set_property
from zibaldone.vault.edit.replace import replace_section

VAULTS = Path(__file__).parents[4] / "shared/data/vaults"
NAMES = (
    "dataview-test",
    "export-edge-cases",
    "foam",
    "garden-zh",
    "handbook",
    "kepano",
    "nexus",
    "tasks-demo",
    "zettelkasten",
)
VALUE = "00123: [[Home]] # é"


def notes_of(name: str, *, every: int = 8) -> list[tuple[str, bytes]]:
    """All notes of a vault; of the one large vault, whose notes are much alike, one of `every`."""
    if not (VAULTS / name).is_dir():
        pytest.skip(f"{VAULTS / name} is not there")
    paths = [path for path in sorted((VAULTS / name).rglob("*.md")) if path.is_file()]
    step = every if len(paths) > 1_000 else 1
    return [(str(path), path.read_bytes()) for path in paths[::step]]


@pytest.mark.parametrize("name", NAMES)
def test_real_notes(name: str) -> None:
    for path, data in notes_of(name):
        check_note(path, data)


@pytest.mark.slow
def test_every_note_of_the_large_vault() -> None:
    for path, data in notes_of("garden-zh", every=1):
        check_note(path, data)


def check_note(path: str, data: bytes) -> None:
    check_whole(path, data)
    check_property(path, data)
    check_sections(path, data)


def check_whole(path: str, data: bytes) -> None:
    kept = len(data.rstrip())
    assert rewrite_links(data, lambda _: None) == data, path
    assert rewrite_links(data, lambda link: link.address) == data, path
    try:
        after = append(data, WholeNote(), "new words")
    except NotEditable:
        assert re.search(rb"(?m)^[ \t>]*([-*+] +)?(```|~~~)", data), path  # a fence that nothing closes
        return
    assert after[:kept] == data[:kept], path
    assert after[kept:].split() == [b"new", b"words"], path
    assert apply_hunks(data, diff(data, after)) == after, path


def check_property(path: str, data: bytes) -> None:
    text = data.decode()
    front = read_frontmatter(text)
    try:
        after = set_property(data, "zib_test", VALUE)
    except NotEditable:
        assert front.problem or text.lstrip("\ufeff").startswith("---"), path
        return
    added = b'zib_test: "00123: [[Home]] # \xc3\xa9"'
    line = after.index(added)
    ends = len(added) + (2 if after[line + len(added) :].startswith(b"\r\n") else 1)
    if front.body_line > 1:
        assert after[:line] + after[line + ends :] == data, path
        assert remove_property(after, "zib_test") == data, path
    else:
        assert after.endswith(data.removeprefix(b"\xef\xbb\xbf")), path
    source = after.decode().lstrip("\ufeff").split("\n---", 1)[0].removeprefix("---")
    try:
        assert yaml.safe_load(source)["zib_test"] == VALUE, path
    except yaml.YAMLError:
        assert "{{" in source or front.problem, path
    assert read_frontmatter(after.decode()).properties["zib_test"] == VALUE, path
    for name, value in front.properties.items():
        if isinstance(value, str) and value and not re.search(r"[{\[]", value):
            check_own_value(path, data, name, value)


def check_own_value(path: str, data: bytes, name: str, value: str) -> None:
    """Setting text to what it is changes at most how that line is quoted."""
    try:
        after = set_property(data, name, value)
    except (NotEditable, TargetAmbiguous, TargetMissing):
        return
    assert read_frontmatter(after.decode()).properties[name] == value, (path, name)
    assert set_property(after, name, value) == after, (path, name)


def check_sections(path: str, data: bytes) -> None:
    """Each section by the path that `ingest` gives it, in the lines that `ingest` says."""
    sections = [section for section in parse_note(path, data.decode()).sections if section.heading][:4]
    lines = data.splitlines(keepends=True)
    for section in sections:
        start = len(b"".join(lines[: section.line_start - 1]))
        try:
            after = replace_section(data, Section(section.heading), "new words")
        except (TargetAmbiguous, NotEditable):
            continue
        assert after[:start] == data[:start], path
        changed = after[start : start + 400 + len(lines[section.line_start - 1])]
        assert b"new words" in changed, path
        assert data.endswith(after[after.index(b"new words", start) + len(b"new words") :].lstrip()), path


@pytest.mark.parametrize("name", NAMES)
def test_headings_are_those_that_citations_name(name: str) -> None:
    for path, data in notes_of(name):
        decoded = decode_note(data)
        if not hasattr(decoded, "text") or b"excalidraw" in data:
            continue
        ours = [(heading.path, heading.first + 1) for heading in read_outline(read_note(data)).headings]
        sections = parse_note(path, decoded.text).sections
        assert ours == [(section.heading, section.line_start) for section in sections if section.heading], path

"""Bytes outside an edit are identical: 35 odd notes and 2,000 generated ones, five edits each.

The places that an edit may touch are marked in the notes' sources; that nothing else changed is seen by comparing
common prefix and suffix, without anything that the editor knows. Each check also runs against an editor that works as
most do, and has to fail there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime

import pytest
import yaml

from vault.edit.marked_notes import HEADING, LINK, ODD_NOTES, PROPERTY, MarkedNote, generate_note, marked
from zibaldone.errors import NotEditable, TargetAmbiguous, TargetMissing
from zibaldone.ingest.frontmatter import read_frontmatter
from zibaldone.vault.edit.address import Section, WholeNote
from zibaldone.vault.edit.append import append
from zibaldone.vault.edit.links import rewrite_links
from zibaldone.vault.edit.properties import set_property
from zibaldone.vault.edit.replace import replace_section

GENERATED = [generate_note(seed) for seed in range(2_000)]
REFUSED = (NotEditable, TargetAmbiguous, TargetMissing)
NEW = "* a new line\n\n  and its second paragraph"
VALUES = [
    *("00123", "[[Home]]", "12:30", "09:30", "12:30:45", "yes", "No", "null", "~", "", "a: b", "x # y", "#tag", "end:"),
    *(" lead", "trail ", "a\nb\n", "\ttab", "é 日本 🌱 שלום", "a\u2028b\x85c", 'it\'s "q" \\ n', "- x", "?"),
    *("@a", "`b`", "e1", "2 eggs"),
    *("{{date}}", "<% tp %>", "%y", "!x", "*a", "&b", "| p", "> q", "=", "<<", "1e3", "0x1F", "0o17", ".inf", "1_000"),
    *("2026-03-01", "2026-03-01T10:00:00", "true", "plain words", "a, b", "[a", "}", "\x07", "\ufeffx", "...", "---"),
    *(True, False, None, 0, -7, 10**20, 1.5, 1e20, 1e-7, date(2026, 3, 1), datetime(2026, 3, 1, 10, 5)),  # noqa: DTZ001
    *([], ["a"], ["a", "b, c", "[[X]]", "x: y", "1", "", "#t"], [1, "1", True, None, 2.5], ["b", "a"]),
]

Append = Callable[[bytes, WholeNote | Section, str], bytes]


def outside_is_identical(before: bytes, after: bytes, places: Sequence[tuple[int, int]]) -> None:
    """All that differs lies between the start of the first place and the end of the last."""
    start, end = places[0][0], places[-1][1]
    tail = len(before) - end
    assert common_prefix(before, after) >= start, "bytes before the edit changed"
    assert common_prefix(before[::-1], after[::-1]) >= tail, "bytes after the edit changed"
    assert len(after) >= start + tail, "bytes around the edit are gone"


def common_prefix(one: bytes, other: bytes) -> int:
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low


def check_append(note: MarkedNote, edit: Append = append) -> None:
    if "append" in note.refuses:
        with pytest.raises(REFUSED):
            edit(note.data, WholeNote(), NEW)
        return
    filled = len(note.data.decode(note.encoding, "surrogateescape").rstrip().encode(note.encoding, "surrogateescape"))
    after = edit(note.data, WholeNote(), NEW)
    outside_is_identical(note.data, after, [(filled, len(note.data))])
    check_inserted(note, after[filled:])
    ends = note.data.endswith((b"\n", b"\r", b"\n\0")) or not note.data
    assert after.endswith((b"\n", b"\r", b"\n\0")) == ends


def check_section(note: MarkedNote, edit: Append = append) -> None:
    place = note.place("s")
    section = Section((note.heading,), note.ordinal)
    if place is None or "section" in note.refuses:
        with pytest.raises(REFUSED):
            edit(note.data, section, NEW)
        return
    body = note.data[place[0] : place[1]].decode(note.encoding, "surrogateescape")
    filled = place[0] + len(body.rstrip().encode(note.encoding, "surrogateescape"))
    after = edit(note.data, section, NEW)
    outside_is_identical(note.data, after, [(filled, place[1])])
    check_inserted(note, after[filled : len(after) - (len(note.data) - place[1])])


def check_replace(note: MarkedNote, edit: Callable[[bytes, Section, str], bytes] = replace_section) -> None:
    place = note.place("s")
    section = Section((note.heading,), note.ordinal)
    if place is None or "replace" in note.refuses:
        with pytest.raises(REFUSED):
            edit(note.data, section, NEW)
        return
    after = edit(note.data, section, NEW)
    outside_is_identical(note.data, after, [place])
    check_inserted(note, after[place[0] : len(after) - (len(note.data) - place[1])])
    own = note.data[place[0] : place[1]].decode(note.encoding, "surrogateescape")
    if own.strip():
        assert edit(note.data, section, re.sub("\r\n?", "\n", own)) == note.data, "the same body is no change"


def check_inserted(note: MarkedNote, inserted: bytes) -> None:
    """The new words, in the note's own line endings, and nothing else but line breaks."""
    text = inserted.decode(note.encoding, "surrogateescape")
    assert re.sub("\r\n?", "\n", text).strip() == NEW
    ends = set(re.findall("\r\n|\r|\n", note.data.decode(note.encoding, "surrogateescape"))) or {"\n"}
    assert set(re.findall("\r\n|\r|\n", text)) <= ends


def check_property(note: MarkedNote, value: object, edit: Callable[..., bytes] = set_property) -> None:
    if "set" in note.refuses:
        with pytest.raises(REFUSED):
            edit(note.data, PROPERTY, value)
        return
    begin = len(note.data) - len(note.data.removeprefix(b"\xef\xbb\xbf"))
    place = note.place("p") or (begin, begin)
    if note.encoding == "cp1252" and "日" in str(value):
        with pytest.raises(NotEditable):
            edit(note.data, PROPERTY, value)
        return
    after = edit(note.data, PROPERTY, value)
    outside_is_identical(note.data, after, [place])
    text = after.decode("utf-16" if note.encoding == "utf-16-le" else note.encoding, "surrogateescape")
    source = re.split(r"(?:\r\n?|\n)---[ \t]*(?=[\r\n]|\Z)", text.lstrip("\ufeff"), maxsplit=1)[0].removeprefix("---")
    try:
        read = yaml.safe_load(re.sub("\r\n?", "\n", source))
    except yaml.YAMLError:
        with pytest.raises(yaml.YAMLError):  # it could not be read before either
            yaml.safe_load(re.split(r"[\r\n]+---", note.data.decode("utf-8"), maxsplit=1)[0].removeprefix("---"))
        return
    assert read[PROPERTY] == value
    assert type(read[PROPERTY]) is type(value)
    if isinstance(value, str):
        assert read_frontmatter(text).properties[PROPERTY] == value
    assert edit(after, PROPERTY, value) == after, "the same value is no change"


def check_links(note: MarkedNote, edit: Callable[..., bytes] = rewrite_links) -> None:
    if "link" in note.refuses:
        with pytest.raises(REFUSED):
            edit(note.data, lambda _: "New")
        return
    after = edit(note.data, lambda link: "New/One" + link.place if link.path == LINK else None)
    expected, at = b"", 0
    for start, end in note.places.get("l", []):
        expected += note.data[at:start] + "New/One".encode(note.encoding)
        at = end
    assert after == expected + note.data[at:]
    assert edit(note.data, lambda _: None) == note.data
    assert edit(note.data, lambda link: link.address) == note.data


@pytest.mark.parametrize("note", ODD_NOTES, ids=lambda note: note.name)
def test_odd_notes(note: MarkedNote) -> None:
    check_append(note)
    check_section(note)
    check_replace(note)
    check_links(note)
    for value in VALUES:
        check_property(note, value)


@pytest.mark.parametrize("check", [check_append, check_section, check_replace, check_links])
def test_generated_notes(check: Callable[[MarkedNote], None]) -> None:
    for note in GENERATED:
        try:
            check(note)
        except Exception as error:
            raise AssertionError(f"{note.name}: {error}\n{note.data!r}") from error


def test_generated_notes_with_a_property() -> None:
    for number, note in enumerate(GENERATED):
        try:
            check_property(note, VALUES[number % len(VALUES)])
        except Exception as error:
            raise AssertionError(f"{note.name}: {VALUES[number % len(VALUES)]!r}: {error}\n{note.data!r}") from error


def test_empty_text_is_no_change() -> None:
    for note in ODD_NOTES:
        if "link" not in note.refuses:
            assert append(note.data, WholeNote(), "") == note.data
            assert append(note.data, WholeNote(), "\n\n") == note.data


# --- the same checks, against editors that work as most do


def weak_append(data: bytes, where: WholeNote | Section, text: str) -> bytes:
    lines = data.decode("utf-8", "replace").splitlines()
    at = len(lines)
    if isinstance(where, Section):
        at = lines.index(f"## {where.heading_path[-1]}") + 1
    return "\n".join([*lines[:at], text, *lines[at:], ""]).encode()


def weak_replace(data: bytes, section: Section, text: str) -> bytes:
    """The first heading of that name, up to the next line with a hash."""
    pattern = rb"(?m)(^## %b[^\n]*\n)(?:(?!^#)[^\n]*\n)*" % section.heading_path[-1].encode()
    return re.sub(pattern, lambda match: match[1] + text.encode() + b"\n", data, count=1)


def weak_property(data: bytes, name: str, value: object) -> bytes:
    _, front, body = data.decode().split("---\n", 2)
    properties = {**yaml.safe_load(front), name: value}
    return f"---\n{yaml.safe_dump(properties)}---\n{body}".encode()


def weak_property_line(data: bytes, name: str, value: object) -> bytes:
    return re.sub(rb"(?m)^zip:.*$", f"zip: {value}".encode(), data, count=1)


def weak_links(data: bytes, change: object) -> bytes:
    return data.replace(b"[[Old", b"[[New/One")


def normalising(data: bytes, name: str, value: object) -> bytes:
    """Right but for line endings, as text mode writes them."""
    return set_property(data, name, value).replace(b"\r\n", b"\n")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "check",
    [
        lambda note: check_append(note, weak_append),
        lambda note: check_section(note, weak_append),
        lambda note: check_replace(note, weak_replace),
        lambda note: check_property(note, "00123", weak_property),
        lambda note: check_property(note, "00123", weak_property_line),
        lambda note: check_property(note, "x", normalising),
        lambda note: check_links(note, weak_links),
    ],
)
def test_weak_editors_are_caught(check: Callable[[MarkedNote], None]) -> None:
    """Each fails on an odd note for an assertion of ours, and on a good share of the generated ones."""

    def fails(note: MarkedNote) -> bool:
        try:
            check(note)
        except (AssertionError, ValueError, pytest.fail.Exception, yaml.YAMLError, TypeError, KeyError):
            return True
        return False

    assert any(fails(note) for note in ODD_NOTES)
    assert sum(fails(note) for note in GENERATED[:200]) >= 20


def test_the_oracle_sees_one_byte() -> None:
    note = marked("one", "a\n## Tasks\n⟦sx\ns⟧## B\ny\n")
    place = note.places["s"][0]
    for index in [*range(place[0]), *range(place[1], len(note.data))]:
        changed = bytearray(replace_section(note.data, Section((HEADING,)), NEW))
        at = index if index < place[0] else index - len(note.data)
        changed[at] ^= 1
        with pytest.raises(AssertionError):
            outside_is_identical(note.data, bytes(changed), [place])

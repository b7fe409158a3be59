"""New targets for links, in place: display text, titles, brackets and escapes around them stay. Pure.

A link is what Obsidian resolves: wikilinks and embeds, Markdown links and images, reference definitions, and links in
property values. Nothing in code, math, comments (`%%`, HTML) or Templater is one, nor is an address with a scheme.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from zibaldone.errors import InvalidRequest, NotEditable
from zibaldone.vault.edit.addresses import decode_markdown, encode_markdown, encode_wiki
from zibaldone.vault.edit.entries import read_entries
from zibaldone.vault.edit.find_links import Found, LinkKind, find_definition, find_links
from zibaldone.vault.edit.lines import Note, Splice, apply_splices, read_note
from zibaldone.vault.edit.prose import HIDDEN, Masked, mask_code, mask_prose
from zibaldone.vault.edit.scalars import escape_text
from zibaldone.vault.edit.yaml_entries import Entry, Scalar

_INDENT = re.compile(r" {0,3}\t| {4}")
_ITEM = re.compile(r" {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")
_HEADING_LINE = re.compile(r" {0,3}(?:#{1,6}(?:[ \t]|$)|(?:=+|-+)[ \t]*$)")
_ESCAPE = re.compile(r"\\([\"\\/])")


class Quoting(StrEnum):
    """How a property value that holds a link is written."""

    NONE = "none"
    SINGLE = "single"
    DOUBLE = "double"


@dataclass(frozen=True, slots=True)
class LinkTarget:
    """Where a link leads, decoded: `path` is the note or file (empty for the note itself), `place` the rest with its
    mark (`#Heading`, `#^id`). `line` is 1-based."""

    path: str
    place: str
    kind: LinkKind
    embed: bool
    line: int

    @property
    def address(self) -> str:
        return self.path + self.place


def rewrite_links(data: bytes, change: Callable[[LinkTarget], str | None]) -> bytes:
    """The note with each link's address replaced by what `change` gives; None, or the same address, leaves it alone.

    The new address is plain (`Some note#Heading`), and is written as its kind of link wants it: `%20` or `<...>` in
    Markdown, escaped in quoted properties.

    Raises:
        InvalidRequest: an address that this kind of link cannot hold.
        NotEditable: a link in the properties whose new address would make them read differently.
    """
    note = read_note(data)
    splices = [*_in_properties(note, change), *_in_body(note, change)]
    if not splices:
        return data
    result = apply_splices(note, splices)
    _check_properties(note, result)
    return result


def _in_body(note: Note, change: Callable[[LinkTarget], str | None]) -> list[Splice]:
    prose = mask_prose(note.contents(), note.body)
    splices: list[Splice] = []
    code = _IndentedCode()
    for index in range(note.body, len(note.lines)):
        masked = prose.lines[index]
        if code.holds(masked, note.content(index)) or "[" not in masked.text:
            continue
        text = mask_code(masked.text)
        definition = find_definition(text)
        start = note.lines[index].start
        for found in [definition] if definition else find_links(text):
            if HIDDEN in text[found.start : found.end]:
                continue
            written = note.text[start + found.start : start + found.end]
            if (new := _rewrite(found, written, index + 1, change, Quoting.NONE)) is not None:
                splices.append(Splice(start + found.start, start + found.end, new))
    return splices


def _in_properties(note: Note, change: Callable[[LinkTarget], str | None]) -> list[Splice]:
    splices: list[Splice] = []
    for found, quoting in _property_links(note, read_entries(note).entries):
        written = note.text[found.start : found.end]
        line = note.line_at(found.start) + 1
        if (new := _rewrite(found, written, line, change, quoting)) is not None:
            splices.append(Splice(found.start, found.end, new))
    return splices


def _property_links(note: Note, entries: Sequence[Entry]) -> Iterator[tuple[Found, Quoting]]:
    """Links in property values, never in comments. They are looked for in the outermost pieces of a value, since an
    unquoted `[[Home]]` is a list in a list to YAML, and are written as the innermost piece around them is."""
    for entry in entries:
        spans = sorted(entry.pieces or (Scalar("", None, entry.start, entry.end),), key=lambda it: (it.start, -it.end))
        reached = -1
        for piece in spans:
            text = note.text[piece.start : piece.end]
            if piece.start < reached or "[" not in text:
                continue
            reached = piece.end
            for link in find_links(text):
                found = link._replace(start=piece.start + link.start, end=piece.start + link.end)
                inner = [span for span in spans if span.start <= found.start and found.end <= span.end]
                yield found, _quoting(note.text[inner[-1].start])


def _rewrite(
    found: Found, written: str, line: int, change: Callable[[LinkTarget], str | None], quoting: Quoting
) -> str | None:
    """What to write instead of `written`; None to leave it."""
    plain = _unquote(written, quoting)
    address = decode_markdown(plain) if found.kind is LinkKind.MARKDOWN else plain
    path, mark, place = address.partition("#")
    new = change(LinkTarget(path, mark + place, found.kind, found.embed, line))
    if new is None or new == address:
        return None
    if not new.strip() or "\n" in new or "\r" in new or HIDDEN in new:
        raise InvalidRequest(f"{new!r} cannot be the target of a link", "name a note or a heading on one line")
    encoded = encode_markdown(new, plain) if found.kind is LinkKind.MARKDOWN else encode_wiki(new)
    return _quote(encoded, quoting)


def _quoting(first: str) -> Quoting:
    return {'"': Quoting.DOUBLE, "'": Quoting.SINGLE}.get(first, Quoting.NONE)


def _unquote(written: str, quoting: Quoting) -> str:
    if quoting is Quoting.SINGLE:
        return written.replace("''", "'")
    return _ESCAPE.sub(r"\1", written) if quoting is Quoting.DOUBLE else written


def _quote(text: str, quoting: Quoting) -> str:
    if quoting is Quoting.SINGLE:
        return text.replace("'", "''")
    return escape_text(text) if quoting is Quoting.DOUBLE else text


def _check_properties(note: Note, result: bytes) -> None:
    """The properties still read as the same kinds of values with as many links, and no YAML has become unreadable."""
    changed = read_note(result)
    before, after = read_entries(note), read_entries(changed)
    shapes = [
        [(entry.name, len(entry.reads), len(list(_property_links(of, [entry])))) for entry in entries.entries]
        for of, entries in ((note, before), (changed, after))
    ]
    if shapes[0] != shapes[1] or (after.problem and not before.problem):
        raise NotEditable(
            "with the new link target the note's properties would read differently",
            'put the links in them into quotes ("[[Note]]"), then try again',
        )


class _IndentedCode:
    """Whether a line is indented code: four columns in, after a blank line or a heading, and not in a list."""

    def __init__(self) -> None:
        self._in_list = False
        self._may_begin = True

    def holds(self, line: Masked, raw: str) -> bool:
        if line.unit or not raw.strip():
            self._may_begin = True
            if raw.strip() and raw[0] not in " \t>":
                self._in_list = bool(_ITEM.match(raw))
            return bool(line.unit)
        if _INDENT.match(raw):
            return self._may_begin and not self._in_list
        lazy = self._in_list and (raw[0] == " " or not self._may_begin)
        self._in_list = lazy or bool(_ITEM.match(raw))
        self._may_begin = bool(_HEADING_LINE.match(raw))
        return False

"""The note of a concept or episode: what is between the marks is ours and written anew, all else the person's. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from zibaldone.vault.inert import make_inert_line

_BEGIN, _END = "%%written by Zibaldone: begin%%", "%%written by Zibaldone: end%%"
_BETWEEN = re.compile(f"{re.escape(_BEGIN)}.*?{re.escape(_END)}", re.DOTALL)
_NODE = re.compile(r"\A\ufeff?---\r?\n(?:(?!---).*\r?\n)*?node: ([0-9a-f]{16})\r?\n")
# What no file name may hold on some system, or no link in Obsidian.
_UNSAFE = re.compile(r'[\\/:*?"<>|#^\[\]%\x00-\x1f]+')
_NAME_CHARS, _QUOTE_CHARS = 80, 240
NodeKind = Literal["concept", "episode"]


@dataclass(frozen=True, slots=True)
class Quoted:
    """Words of a source; `link` leads there, as it is to stand in the note."""

    day: str
    quote: str
    link: str
    lines: str


@dataclass(frozen=True, slots=True)
class NodeNote:
    """What a note tells. `ties` are headings, each with links."""

    node: str
    kind: NodeKind
    title: str
    about: str
    quotes: Sequence[Quoted]
    ties: Sequence[tuple[str, Sequence[str]]] = ()


def write_note(existing: bytes | None, note: NodeNote) -> bytes:
    """The note as it is to be; what stands outside the marks is kept byte for byte."""
    return _put(existing, _body(note), note.node, note.kind)


def retire_note(existing: bytes, node: str, kind: NodeKind, went_to: Sequence[str]) -> bytes | None:
    """What is left of the note of a node that is gone: None where there is nothing of the person's in it."""
    if _BETWEEN.sub("", _text(existing)) == _BETWEEN.sub("", _text(_put(None, "", node, kind))):
        return None
    sentence = f"This {kind} is no longer among those of the vault."
    now = f" What it was about is in {', '.join(went_to)}." if went_to else ""
    return _put(existing, f"{sentence}{now}", node, kind)


def node_of(data: bytes) -> str | None:
    """The node that a note is about; None where it is no such note."""
    match = _NODE.match(_text(data))
    return match[1] if match else None


def file_name(title: str) -> str:
    """A name for a note's file, without `.md`; one that every system and every link can have."""
    name = " ".join(_UNSAFE.sub(" ", title).split())[:_NAME_CHARS].strip(" .…")
    return name or "Untitled"


def _body(note: NodeNote) -> str:
    lines = [f"# {make_inert_line(note.title, _NAME_CHARS * 2)}", "", note.about, "", "## Evidence", ""]
    for one in note.quotes:
        day = f"{one.day}: " if one.day else ""
        lines.append(f"- {day}“{make_inert_line(one.quote, _QUOTE_CHARS)}” {one.link}{one.lines}")
    for heading, links in note.ties:
        if links:
            lines += ["", f"## {heading}", "", *(f"- {link}" for link in links)]
    return "\n".join(lines)


def _put(existing: bytes | None, body: str, node: str, kind: NodeKind) -> bytes:
    part = f"{_BEGIN}\n{body}\n{_END}"
    if existing is None:
        return f"---\ntype: {kind}\nnode: {node}\nwritten_by: Zibaldone\n---\n\n{part}\n".encode()
    text = _text(existing)
    whole = _BETWEEN.sub(lambda _: part, text, count=1) if _BETWEEN.search(text) else f"{text.rstrip()}\n\n{part}\n"
    return whole.encode("utf-8", "surrogateescape")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")

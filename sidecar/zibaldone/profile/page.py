"""A page of the memory: one entry per line, its date and source in an Obsidian comment. Pure; bytes in, bytes out.

The person may add, edit, reorder and delete lines: whatever is not the line that is added stays byte for byte.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from zibaldone.schemas.memory import MemoryType
from zibaldone.vault.inert import make_inert_line

MOST_CHARS = 1_000
_HEADS = {
    "user": "# About you",
    "feedback": "# How you like things done",
    "context": "# What you are at",
}
_ENTRY = re.compile(r"^[ \t]*[-*+][ \t]+(?:\[.\][ \t]+)?(?P<text>.*?)[ \t]*(?:%%.*%%)?[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Entry:
    """One statement that the person wants remembered. `source` says where it stands, None where they typed it."""

    text: str
    added: date
    source: str | None = None


def memory_path(folder: str, kind: MemoryType) -> str:
    """`Zibaldone/memory/user.md`."""
    return f"{folder}/memory/{kind}.md"


def add_entry(existing: bytes | None, kind: MemoryType, entry: Entry) -> bytes | None:
    """The page with `entry` as its last line; None where it holds that statement already."""
    text = make_inert_line(entry.text, MOST_CHARS)
    page = (existing or b"").decode("utf-8", "replace")
    if text in {match["text"] for match in _ENTRY.finditer(page.replace("\r\n", "\n"))}:
        return None
    source = f", from {_plain(entry.source)}" if entry.source else ""
    line = f"- {text} %%added {entry.added.isoformat()}{source}%%\n".encode("utf-8", "replace")
    if not existing:
        head = f"---\ntype: memory\nwritten_by: Zibaldone\n---\n\n{_HEADS[kind]}\n\n"
        return head.encode() + line
    ending = b"\r\n" if b"\r\n" in existing else b"\n"
    gap = b"" if existing.endswith(b"\n") else ending
    return existing + gap + line.replace(b"\n", ending)


def _plain(text: str) -> str:
    """Without what would end the comment."""
    return " ".join(text.replace("%%", "").split())

"""A page of the memory: one entry a line, its fields in an Obsidian comment, so that it reads like a list. Pure.

    - Leo is eight %%id 3f9a1c20, added 2026-03-02, explicit, from chat:c01#4%%

The person may add, edit, reorder, strike out or delete lines, and write whatever else they like between them: only the
line of an entry that changes is written anew, all other bytes stay. What cannot be understood is said by line.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import NamedTuple

from zibaldone.schemas.memory import MemoryEntry
from zibaldone.vault.inert import make_inert_line, read_inert

MOST_CHARS = 1_000
_HEADS = {
    "user": "# About you",
    "feedback": "# How you like things done",
    "context": "# What you are at",
}
ARCHIVE = "archive"
_ARCHIVE_HEAD = "# What is no longer so"
_SOURCES = " | "

_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+(?:\[.\](?:[ \t]+|$))?|$)")
_COMMENT = re.compile(r"%%(?P<fields>(?:(?!%%).)*)%%[ \t]*$")
_STRUCK = re.compile(r"~~(?P<text>.+)~~\s*$")
_FENCE = re.compile(r"[ \t]*(?P<fence>`{3,}|~{3,})")
_CONFLICT = re.compile(r"(?:<{7}|>{7})(?:\s|$)")
# Headings, quotations, rules, comments and tables are the person's own.
_NO_ITEM = re.compile(r"[ \t]*(?:$|#{1,6}(?:\s|$)|>|(?:-[ \t]*){3,}$|(?:\*[ \t]*){3,}$|(?:_[ \t]*){3,}$|<!--|%%|\|)")
_ID = re.compile(r"[0-9a-z]{4,32}\Z")


class Problem(NamedTuple):
    """A line (1-based) that is not understood, or only in part."""

    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Item:
    """An entry as its line has it; what the line does not say is None. `number` is the line's, from 0.

    `is_copy`: it says what a line above it says.
    """

    number: int
    text: str
    is_struck: bool = False
    is_copy: bool = False
    id: str | None = None
    added: date | None = None
    confirmed: date | None = None
    is_explicit: bool = False
    confidence: float | None = None
    source_count: int | None = None
    decay_days: int | None = None
    pinned: bool = False
    replaces: tuple[str, ...] = ()
    conflicts_with: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()


class Edit(NamedTuple):
    """An entry's line as it was (None: it had none) and is to be (None: it is to go)."""

    before: MemoryEntry | None
    after: MemoryEntry | None


@dataclass(frozen=True, slots=True)
class Page:
    """`unread` are the ids of lines that are too long; `is_torn`: a merge left its marks, so nothing can be told from
    what is there or not."""

    items: list[Item] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    unread: set[str] = field(default_factory=set)
    is_torn: bool = False


def memory_path(folder: str, name: str) -> str:
    """`Zibaldone/memory/user.md`; `name` is a type or `ARCHIVE`."""
    return f"{folder}/memory/{name}.md"


def read_page(data: bytes) -> Page:
    """What a page says, however it was written by hand."""
    page = Page()
    torn: Problem | None = None
    lines = [line.decode("utf-8", "replace") for line in data.removeprefix(BOM_UTF8).splitlines()]
    for number, line in _body(lines, page.problems):
        if _CONFLICT.match(line):
            torn = torn or Problem(number + 1, "A merge left its marks here. Choose one side, then it is read.")
            continue
        marker = _ITEM.match(line)
        if marker is None:
            if not _NO_ITEM.match(line):
                page.problems.append(
                    Problem(number + 1, "This line is no item of a list: put `- ` before what is to be remembered.")
                )
            continue
        item, problems = _read_item(number, line[marker.end() :])
        page.problems.extend(Problem(number + 1, message) for message in problems)
        if item is None:
            continue
        if len(item.text) > MOST_CHARS:
            page.unread.update([item.id] if item.id else ())
            continue
        page.items.append(item)
    page.items[:] = _tell_apart(page.items, page.problems)
    return replace(page, problems=[torn], is_torn=True) if torn else page


def _tell_apart(items: Sequence[Item], problems: list[Problem]) -> list[Item]:
    """Each id on one line only, and each statement without an id: it says nothing beside a line that has one, nor what
    is struck out beside a line that is not."""
    by_id: dict[str, Item] = {}
    by_text: dict[str, Item] = {}
    found: list[Item] = []
    for item in items:
        above = by_id.setdefault(item.id, item) if item.id else item
        if above is not item and (above.text, above.is_struck) != (item.text, item.is_struck):
            message = f"It has the id of line {above.number + 1}: it is taken as a new one."
            problems.append(Problem(item.number + 1, message))
            found.append(Item(item.number, item.text, is_struck=item.is_struck))  # copied to be changed
        else:
            found.append(replace(item, is_copy=above is not item))
    for item in sorted(found, key=lambda item: (item.is_struck, item.id is None)):
        by_text.setdefault(item.text, item)
    for number, item in enumerate(found):
        first = by_id[item.id] if item.id else by_text[item.text]
        if item.is_copy or (item.id is None and first is not item):
            message = f"It says what line {first.number + 1} says, and is passed over."
            problems.append(Problem(item.number + 1, message))
            found[number] = replace(item, is_copy=True)
    problems.sort(key=lambda problem: problem.line)
    return found


def edit_page(existing: bytes | None, name: str, edits: Sequence[Edit]) -> bytes | None:
    """The page with each edit in its line; a new entry is added at the end. A line that was to be changed and is not
    there was just taken out by hand, and stays out. None where there was no page and is to be none."""
    by_id = {entry.id: edit for edit in edits if (entry := edit.before or edit.after)}
    by_text = {shown(entry): entry.id for edit in edits if (entry := edit.before or edit.after)}
    items = {item.number: item for item in read_page(existing or b"").items}
    met: set[str] = set()
    kept: list[bytes] = []
    for number, line in enumerate((existing or b"").splitlines(keepends=True)):
        # What a person typed has no id: it is known by its words.
        id_ = (item.id or by_text.get(item.text)) if (item := items.get(number)) else None
        if id_ is None or id_ not in by_id:
            kept.append(line)
            continue
        after = by_id[id_].after
        if after is not None and id_ not in met:  # its copies go
            kept.append(_rewrite(line, after))
        met.add(id_)
    added = [edit.after for edit in edits if edit.before is None and edit.after and edit.after.id not in met]
    if not existing and not added:
        return existing
    if not existing:
        head = _ARCHIVE_HEAD if name == ARCHIVE else _HEADS[name]
        kept = [f"---\ntype: memory\nwritten_by: Zibaldone\n---\n\n{head}\n\n".encode()]
    ending = b"\r\n" if b"\r\n" in (existing or b"") else b"\n"
    if added and kept and not kept[-1].endswith((b"\n", b"\r")):
        kept[-1] += ending
    kept.extend(f"- {write_entry(entry)}".encode("utf-8", "replace") + ending for entry in added)
    return b"".join(kept)


def shown(entry: MemoryEntry) -> str:
    """Its words, as they are read from its line."""
    return _words(make_inert_line(entry.content, MOST_CHARS))


def write_entry(entry: MemoryEntry) -> str:
    """Its line, without the marker of the list."""
    fields = ", ".join(_fields(entry))
    space = " " if fields.endswith("%") else ""  # else the comment would end a character early
    return f"{make_inert_line(entry.content, MOST_CHARS)} %%{fields}{space}%%"


def _fields(entry: MemoryEntry) -> Iterator[str]:
    yield f"id {entry.id}"
    if entry.state != "active":
        yield f"was {entry.type}"
    yield f"added {entry.created_at[:10]}"
    if entry.updated_at[:10] != entry.created_at[:10]:
        yield f"confirmed {entry.updated_at[:10]}"
    if entry.is_explicit:
        yield "explicit"
    if entry.confidence < 1:
        yield f"{round(entry.confidence * 100)} %"
    if entry.source_count > 1:
        yield f"said {entry.source_count} times"
    if entry.decay_days is not None:
        yield f"fades after {entry.decay_days} days"
    if entry.pinned:
        yield "pinned"
    if entry.replaces:
        yield f"replaces {' '.join(entry.replaces)}"
    if entry.conflicts_with:
        yield f"conflicts with {' '.join(entry.conflicts_with)}"
    if entry.why:
        yield f"{entry.state}: {_plain(entry.why).replace(', ', '; ')}"
    if entry.sources:
        yield f"from {_SOURCES.join(_plain(source.replace('|', '%7C')) for source in entry.sources)}"


def _body(lines: Sequence[str], problems: list[Problem]) -> Iterator[tuple[int, str]]:
    """The lines that may be entries: neither frontmatter nor code."""
    start = 0
    if lines and lines[0].rstrip() == "---":
        end = next((n for n, line in enumerate(lines[1:], 1) if line.rstrip() in ("---", "...")), None)
        if end is None:
            problems.append(Problem(1, "The properties at the top have no end (`---`): they are read as lines."))
        start = 1 if end is None else end + 1
    after_code = start
    for number, line in enumerate(lines[start:], start):
        if number < after_code:
            continue
        marker = _FENCE.match(line)
        if marker is None:
            yield number, line
            continue
        end = _code_end(lines, number + 1, marker["fence"])
        if end is None:
            problems.append(Problem(number + 1, "This block of code has no end: its lines are read."))
        else:
            problems.append(Problem(number + 1, "What stands in a block of code is not remembered."))
            after_code = end + 1


def _code_end(lines: Sequence[str], start: int, fence: str) -> int | None:
    for number, line in enumerate(lines[start:], start):
        marker = _FENCE.match(line)
        if marker and marker["fence"].startswith(fence) and not line[marker.end() :].strip():
            return number
    return None


def _read_item(number: int, line: str) -> tuple[Item | None, list[str]]:
    problems: list[str] = []
    match = _COMMENT.search(line)
    text, fields = (line[: match.start()], match["fields"]) if match else (line, "")
    if not match and "%%" in line:
        text, _, fields = line.partition("%%")
        problems.append("Its comment does not end: put `%%` after it.")
    text = text.strip()
    struck = _STRUCK.fullmatch(text)
    text = _words(struck["text"] if struck else text)
    if not text:
        return None, problems
    if len(text) > MOST_CHARS:
        problems.append(f"It has {len(text)} characters, and an entry at most {MOST_CHARS}: split it.")
    item = Item(number, text, is_struck=struck is not None)
    before, said_from, sources = _part_sources(fields)
    if said_from:
        item = replace(item, sources=tuple(s.replace("%7C", "|") for s in sources.split(_SOURCES) if s))
    for clause in filter(None, (part.strip() for part in before.split(","))):
        read = _read_field(item, clause)
        if read is None:
            problems.append(f"“{clause}” is not understood, and passed over.")
        else:
            item = read
    return item, problems


def _words(line: str) -> str:
    return " ".join(read_inert(line).split())


def _part_sources(fields: str) -> tuple[str, bool, str]:
    """Sources come last: a path may hold anything."""
    match = re.search(r"(?:^|,\s*)from\s+", fields)
    return (fields[: match.start()], True, fields[match.end() :].strip()) if match else (fields, False, "")


def _read_field(item: Item, clause: str) -> Item | None:
    word, _, rest = clause.partition(" ")
    rest = rest.strip()
    ids = tuple(rest.removeprefix("with ").split())
    match word.rstrip(":").casefold():
        case "id" if _ID.match(rest):
            return replace(item, id=rest)
        case "added" | "confirmed" if day := _day(rest):
            return replace(item, added=day) if word.casefold() == "added" else replace(item, confirmed=day)
        case "explicit" if not rest:
            return replace(item, is_explicit=True)
        case "pinned" if not rest:
            return replace(item, pinned=True)
        case "said" if (times := _number(rest.removesuffix("times"))) is not None and times >= 1:
            return replace(item, source_count=times)
        case "fades" if (days := _number(rest.removeprefix("after").removesuffix("days"))) is not None and days >= 1:
            return replace(item, decay_days=days)
        case "replaces" if ids and all(map(_ID.match, ids)):
            return replace(item, replaces=ids)
        case "conflicts" if ids and all(map(_ID.match, ids)):
            return replace(item, conflicts_with=ids)
        case "was" | "retired" | "archived":
            return item
    percent = _number(clause.removesuffix("%")) if clause.endswith("%") else None
    return replace(item, confidence=percent / 100) if percent is not None and percent <= 100 else None


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _number(text: str) -> int | None:
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else None


def _rewrite(line: bytes, entry: MemoryEntry) -> bytes:
    """The line with its marker and ending, and the entry between them."""
    body = line.rstrip(b"\r\n")
    text = body.decode("utf-8-sig", "replace")
    marker = _ITEM.match(text)
    assert marker is not None
    bom = BOM_UTF8 if line.startswith(BOM_UTF8) else b""
    return bom + f"{marker[0]}{write_entry(entry)}".encode("utf-8", "replace") + line[len(body) :]


def _plain(text: str) -> str:
    """Without what would end the comment."""
    return " ".join(text.replace("%%", "").split())

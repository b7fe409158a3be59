"""`Zibaldone/index.md`: one line for each page, kept line by line and never written anew. Pure; bytes in, bytes out.

    ## abx

    - [[pages/abx/penicillin|Penicillin]] (antibiotic, beta-lactam)

The file is the person's as well: headings, text, order and further words behind an entry are theirs and stay, byte for
byte. An entry is put beside its siblings (the pages of its namespace), in alphabetical order among them, below the
heading that is called like the namespace; heading and list are made where there is none. Removing the last entry below
such a heading removes the heading too, if nothing else stands there. Cost: the size of this file.

`remove_entry(add_entry(index, entry), entry.slug) == index` holds where the page was not in `index` and
`index` ends with a newline and has no empty section that is called like the namespace.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from zibaldone.wiki.index_text import Entry, IndexText, heading_name, sort_key
from zibaldone.wiki.links import display_text
from zibaldone.wiki.slug import FOLDER, PAGES, Slug, namespace_of

_ITEM = re.compile(
    r"(?P<mark>[ \t]*[-*+][ \t]+(?:\[.\][ \t]+)?)"
    r"(?:\[\[(?P<wiki>[^\[\]|#]+)(?:#[^\[\]|]*)?(?:\|(?P<shown>[^\[\]]*))?\]\]"
    r"|\[(?P<text>[^\[\]]*)\]\(<?(?P<address>[^()<>]+)>?\))"
    r"(?P<tags>[ \t]\([^()]*\))?(?P<rest>[^\r\n]*)(?P<end>[\r\n]*)"
)
_CHECKBOX = re.compile(r"\[.\][ \t]+$")
_NO_TAG = re.compile(r"[\s()\[\],#|]+")


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """What the index says of a page. `target` is the link's text where it is not the path below the agent's folder."""

    slug: Slug
    title: str
    tags: tuple[str, ...] = ()
    target: str = ""


def add_entry(index: bytes, entry: IndexEntry, folder: str = FOLDER) -> bytes:
    """The index with this page in it. Where it is listed already, its title and tags are brought up to date."""
    text = IndexText.read(index, folder)
    present = text.entries_of(entry.slug)
    for found in present:
        _retitle(text, found.at, entry)
    if not present:
        _insert(text, *_place(text, entry))
    return text.encode()


def remove_entry(index: bytes, slug: Slug, folder: str = FOLDER) -> bytes:
    """The index without this page. What a person wrote on its line or below it stays, without the link."""
    while (smaller := _remove_first(index, slug, folder)) is not None:
        index = smaller  # a person may have listed it twice
    return index


def rename_entry(index: bytes, old: Slug, entry: IndexEntry, folder: str = FOLDER) -> bytes:
    """The index with a page under its new name, in its new place; on its old line where a person wrote something."""
    text = IndexText.read(index, folder)
    lines = [found.at for found in text.entries_of(old)]
    if text.entries_of(entry.slug) or all(_without_link(text, at) is None for at in lines):
        return add_entry(remove_entry(index, old, folder), entry, folder)
    for at in lines:
        _retitle(text, at, entry)
    return text.encode()


def list_entries(index: bytes, folder: str = FOLDER) -> dict[Slug, int]:
    """The pages that the index names by path, each with its first line (1-based)."""
    listed: dict[Slug, int] = {}
    for found in IndexText.read(index, folder).all_entries():
        listed.setdefault(found.slug, found.at + 1)
    return listed


# --- where a line goes


def _place(text: IndexText, entry: IndexEntry) -> tuple[int, list[str]]:
    """The line to insert at, and the lines."""
    namespace = namespace_of(entry.slug)
    own = text.own_heading(entry.slug)
    heading = own if own is not None else _fullest(text.entries(namespace))
    if heading is None:
        return _new_section(text, entry.slug, _entry_line(entry, "- ") + text.ending)
    section = (heading + 1, text.section_end(heading))
    last = text.last_entry(namespace, *section)
    if last is None:
        return _behind_words(text, heading, _entry_line(entry, "- ") + text.ending)
    line = _entry_line(entry, _mark(text, text.first_entry(namespace, *section) or last)) + text.ending
    later = text.first_later(sort_key(display_text(entry.title), entry.slug), namespace, *section)
    return (text.after_children(last.at) if later is None else later.at), [line]


def _fullest(namesakes: list[Entry]) -> int | None:
    """The heading below which most entries of the namespace stand, where none is called like it."""
    counted = Counter(found.heading for found in namesakes)
    return max(counted, key=counted.__getitem__, default=None)


def _behind_words(text: IndexText, heading: int, line: str) -> tuple[int, list[str]]:
    """The end of a section that has no entry yet, with an empty line between."""
    at = text.section_end(heading)
    while at > heading + 1 and not text.lines[at - 1].strip():
        at -= 1
    return at, [text.ending, line]


def _new_section(text: IndexText, slug: Slug, line: str) -> tuple[int, list[str]]:
    """A section of its own: before the first of ours that comes after it, else behind the last, or at the end."""
    name = heading_name(slug)
    made = [f"## {name}{text.ending}", text.ending, line]
    ours = text.own_sections()
    later = next((at for at in ours if _section_key(text.headings[at]) > _section_key(name)), None)
    at = later if later is not None else text.section_end(ours[-1]) if ours else len(text.lines)
    if at < len(text.lines):
        return at, [*made, text.ending]
    return at, [text.ending, *made] if text.lines else made


def _section_key(name: str) -> tuple[bool, str]:
    """Pages without a namespace come first."""
    return name != heading_name(Slug("")), sort_key(name, Slug(""))


def _insert(text: IndexText, at: int, lines: list[str]) -> None:
    if at == len(text.lines) and text.lines and not text.lines[-1].endswith("\n"):
        text.lines[-1] += text.ending
    text.lines[at:at] = lines


# --- what a line says


def _entry_line(entry: IndexEntry, mark: str, rest: str = "") -> str:
    target = entry.target or f"{PAGES}/{entry.slug.replace(':', '/')}"
    shown = display_text(entry.title) or entry.slug
    tags = [clean for tag in entry.tags if (clean := _NO_TAG.sub("-", tag.strip().lstrip("#")).strip("-"))]
    listed = f" ({', '.join(tags)})" if tags else ""
    return f"{mark}[[{target}|{shown}]]{listed}{rest}"


def _mark(text: IndexText, sibling: Entry) -> str:
    """The bullet and indent of a sibling, without a checkbox."""
    item = _ITEM.fullmatch(text.lines[sibling.at])
    return _CHECKBOX.sub("", item["mark"]) if item else "- "


def _retitle(text: IndexText, at: int, entry: IndexEntry) -> None:
    """The line with link and tags of `entry`; what a person wrote behind them stays."""
    if item := _ITEM.fullmatch(text.lines[at]):
        text.lines[at] = _entry_line(entry, item["mark"], item["rest"]) + item["end"]


def _without_link(text: IndexText, at: int) -> str | None:
    """The line as plain words where something of the person's depends on it: text behind it, or a list below it."""
    item = _ITEM.fullmatch(text.lines[at])
    if item is None or (not item["rest"].strip() and text.after_children(at) == at + 1):
        return None
    words = item["shown"] or item["text"] or item["wiki"] or item["address"]
    return f"{item['mark']}{words}{item['tags'] or ''}{item['rest']}{item['end']}"


def _remove_first(index: bytes, slug: Slug, folder: str) -> bytes | None:
    text = IndexText.read(index, folder)
    namesakes = text.entries(namespace_of(slug))
    found = next((entry for entry in namesakes if entry.slug == slug), None)
    if found is None:
        return None
    kept = _without_link(text, found.at)
    if kept is not None:
        text.lines[found.at] = kept
    elif any(other.heading == found.heading and other.at != found.at for other in namesakes):
        del text.lines[found.at]
    else:
        _remove_last(text, found)
    return text.encode()


def _remove_last(text: IndexText, found: Entry) -> None:
    """Take out the only entry of a section with what `add_entry` put around it: an empty line, or heading and all."""
    start, at = found.heading, found.at
    end = text.section_end(start) - 1
    del text.lines[at]
    if any(line.strip() for line in text.lines[start + 1 : end]):
        follows = text.lines[at] if at < end else ""
        if at - 2 > start and not text.lines[at - 1].strip() and not follows.strip():
            del text.lines[at - 1]
    elif start >= 0 and start == text.own_heading(found.slug):
        is_last = end >= len(text.lines)
        del text.lines[start:end]
        if is_last and start and not text.lines[start - 1].strip():
            del text.lines[start - 1]

"""`index.md` as lines, with just enough read of it to change a few: headings, code fences, the entries of a namespace.

To list a page only the lines on the way to its place are looked at, so that the index of a large wiki costs little more
than that of a small one. In a section that is out of order, that is between an earlier and a later entry.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from zibaldone.ingest.frontmatter import read_frontmatter
from zibaldone.wiki.slug import PAGES, Slug, namespace_of, path_slug

TOP = "Pages"  # the heading of pages without a namespace

_HEADING = re.compile(r"\ufeff?[ ]{0,3}#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*[\r\n]*")
_FENCE = re.compile(r"^[ ]{0,3}(`{3,}|~{3,})", re.MULTILINE)


class Entry(NamedTuple):
    """A line that lists a page. `heading` is the line of the heading above it, -1 where there is none."""

    at: int
    slug: Slug
    key: str
    heading: int


@dataclass(slots=True)
class IndexText:
    """`lines` keep their endings and are what is changed; the rest describes the text as it was read."""

    lines: list[str]
    ending: str
    headings: dict[int, str]
    folded: str
    starts: list[int]
    hidden: list[tuple[int, int]]
    folder: str

    @classmethod
    def read(cls, index: bytes, folder: str) -> IndexText:
        """Bytes that are not UTF-8 are kept as they are."""
        text = index.decode("utf-8", "surrogateescape")
        folded = _fold(text)
        starts = list(accumulate(map((1).__add__, map(len, folded.split("\n"))), initial=0))[:-1]
        *ended, rest = text.split("\n")
        read = cls(
            lines=[f"{line}\n" for line in ended] + ([rest] if rest else []),
            ending="\r\n" if "\r\n" in text else "\n",
            headings={},
            folded=folded,
            starts=starts,
            hidden=[(0, read_frontmatter(text).body_line - 1)] if text.removeprefix("\ufeff").startswith("---") else [],
            folder=folder,
        )
        read.hidden += read._find_code()
        for at, line in enumerate(read.lines):
            if "#" in line and (heading := _HEADING.fullmatch(line)) and not read._is_hidden(at):
                read.headings[at] = heading[1]
        return read

    def entries(self, namespace: str) -> list[Entry]:
        """The entries of pages directly in `namespace`, in the order of the text."""
        if _below(namespace) not in self.folded:
            return []
        found = self._visible(_entry_pattern(_fold(self.folder), namespace))
        above = list(self.headings)
        return [self._entry(match, _slug(namespace, match), above) for match in found]

    def entries_of(self, slug: Slug) -> list[Entry]:
        """The entries of one page."""
        path = f"{PAGES}/{slug.replace(':', '/')}"
        found: dict[int, Entry] = {}
        offset = self.folded.find(path)
        while offset >= 0:
            at = self._line(offset)
            entry = self._entry_on(at, namespace_of(slug))
            if entry and entry.slug == slug:
                found[at] = entry
            offset = self.folded.find(path, offset + 1)
        return list(found.values())

    def first_entry(self, namespace: str, start: int, end: int) -> Entry | None:
        """The first entry of the namespace on the lines from `start` to before `end`."""
        return next(filter(None, (self._entry_on(at, namespace) for at in range(start, end))), None)

    def last_entry(self, namespace: str, start: int, end: int) -> Entry | None:
        """The last one on these lines."""
        return next(filter(None, (self._entry_on(at, namespace) for at in reversed(range(start, end)))), None)

    def first_later(self, key: str, namespace: str, start: int, end: int) -> Entry | None:
        """The entry on these lines that a page with this key stands before; None: behind all of them."""
        later = None
        while start < end:
            middle = (start + end) // 2
            entry = self.first_entry(namespace, middle, end)
            if entry is None or entry.key > key:
                later, end = entry or later, middle
            else:
                start = entry.at + 1
        return later

    def all_entries(self) -> Iterator[Entry]:
        """Every entry that names a page by a path that a slug has."""
        above = list(self.headings)
        for match in self._visible(_entry_pattern(_fold(self.folder), None)):
            if slug := path_slug(f"{self.folder}/{PAGES}/{_name(match)}.md", self.folder):
                yield self._entry(match, slug, above)

    def own_heading(self, slug: Slug) -> int | None:
        """The line of the heading that is called like the slug's namespace."""
        name = heading_name(slug).casefold()
        return next((at for at, text in self.headings.items() if text.casefold() == name), None)

    def own_sections(self) -> list[int]:
        """The headings that are called like a namespace and have a link to a page of it below."""
        found: list[int] = []
        ends = [*list(self.headings)[1:], len(self.starts)]
        for (at, text), end in zip(self.headings.items(), ends, strict=False):
            name = _fold(text)
            below = _below("" if name == TOP.casefold() else name)
            if self.folded.find(below, self.starts[at], self.starts[end] if end < len(self.starts) else None) >= 0:
                found.append(at)
        return found

    def section_end(self, heading: int) -> int:
        """The line behind a heading's section."""
        order = list(self.headings)
        following = bisect_right(order, heading)
        return order[following] if following < len(order) else len(self.lines)

    def after_children(self, at: int) -> int:
        """The line behind an entry and what is indented below it."""
        after = at + 1
        while after < len(self.lines) and self.lines[after][:1] in " \t" and self.lines[after].strip():
            after += 1
        return after

    def encode(self) -> bytes:
        return "".join(self.lines).encode("utf-8", "surrogateescape")

    def _entry(self, match: re.Match[str], slug: Slug, above: list[int]) -> Entry:
        at = self._line(match.start())
        before = bisect_right(above, at)
        shown = match["shown"] or match["text"] or ""
        return Entry(at, slug, sort_key(shown, slug), above[before - 1] if before else -1)

    def _entry_on(self, at: int, namespace: str) -> Entry | None:
        match = _entry_pattern(_fold(self.folder), namespace).match(self.folded, self.starts[at])
        if match is None or self._is_hidden(at):
            return None
        return self._entry(match, _slug(namespace, match), list(self.headings))

    def _visible(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        found = pattern.finditer(self.folded)
        return (match for match in found if not self.hidden or not self._is_hidden(self._line(match.start())))

    def _line(self, offset: int) -> int:
        return bisect_right(self.starts, offset) - 1

    def _is_hidden(self, at: int) -> bool:
        return any(start <= at < end for start, end in self.hidden)

    def _find_code(self) -> Iterator[tuple[int, int]]:
        if "`" not in self.folded and "~" not in self.folded:
            return
        fence, opened = "", 0
        for match in _FENCE.finditer(self.folded):
            at = self._line(match.start())
            if not fence:
                fence, opened = match[1], at
            elif match[1].startswith(fence) and self.lines[at].strip() == match[1]:
                yield opened, at + 1
                fence = ""
        if fence:
            yield opened, len(self.lines)


def heading_name(slug: Slug) -> str:
    """What the section of a page is called."""
    return namespace_of(slug) or TOP


def sort_key(shown: str, slug: Slug) -> str:
    """By the letters that are shown, accents after the plain letter; then by slug, so that the order is one."""
    folded = _fold(shown or slug)
    return f"{folded if folded.isascii() else unicodedata.normalize('NFD', folded)}\0{slug}"


def _fold(text: str) -> str:
    """Line for line what is compared. Neither step makes or removes a line's end."""
    return unicodedata.normalize("NFC", text.casefold())


def _below(namespace: str) -> str:
    """What the path of each page of the namespace begins with, below the agent's folder."""
    return f"{PAGES}/{namespace.replace(':', '/')}/" if namespace else f"{PAGES}/"


def _slug(namespace: str, match: re.Match[str]) -> Slug:
    return Slug(f"{namespace}:{_name(match)}" if namespace else _name(match))


def _name(match: re.Match[str]) -> str:
    return (match["wiki"] or match["address"]).strip()


@lru_cache(maxsize=64)
def _entry_pattern(folder: str, namespace: str | None) -> re.Pattern[str]:
    """A list item that begins with a link to a page: from the index, from the vault's root, or beginning with `/`.

    With a namespace `name` is the last part of the slug, with None the path below the pages folder.
    """
    path = f"(?:\\./|/)?(?:{re.escape(folder)}/)?{PAGES}/"
    if namespace:
        path += re.escape(namespace.replace(":", "/")) + "/"
    name = r"[^\[\]()|#<>\n" + ("" if namespace is None else "/") + r"]+?"
    wiki = rf"\[\[{path}(?P<wiki>{name})(?:\.md)?(?:#[^\[\]|\n]*)?(?:\|(?P<shown>[^\[\]\n]*))?\]\]"
    markdown = rf"\[(?P<text>[^\[\]\n]*)\]\(<?{path}(?P<address>{name})(?:\.md)?>?\)"
    return re.compile(rf"^[ \t]*[-*+][ \t]+(?:\[.\][ \t]+)?(?:{wiki}|{markdown})", re.MULTILINE)

"""The links of imported notes: each leads where it led, and only those that would not any more are changed. Pure.

Nothing in code, comments or mathematics is a link (`vault.edit.links`). A link that led nowhere is left as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from zibaldone.errors import InvalidRequest, NotEditable, TargetAmbiguous
from zibaldone.vault.edit.links import LinkTarget, rewrite_links
from zibaldone.wiki.relink import retarget
from zibaldone.wiki.resolve import LinkResolver

_JSON_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_COLON = re.compile(r"\s*:\s*")
_FENCE = b"```dataview"
_FROM = re.compile(rb'(?i)\bfrom\s+-?\s*"[^"\n]+"')


class Rewritten(NamedTuple):
    """The note, how many links were changed in it (`headings`: of them in headings, which other links may name by their
    text), and why one that should have been was not."""

    data: bytes
    links: int = 0
    headings: int = 0
    problem: str = ""


class Relinker:
    """Rewrites notes for their new places.

    Args:
        before: all files of what is imported, by their paths there.
        after: all files of the vault, as it will be.
        moves: from the one to the other.
        slugs: for a wiki: from the slugs and aliases of its pages, as they stand in `[[a:b]]`, to paths in the vault.
    """

    def __init__(
        self,
        before: LinkResolver,
        after: LinkResolver,
        moves: Mapping[str, str],
        slugs: Mapping[str, str] | None = None,
    ) -> None:
        self._before = before
        self._after = after
        self._moves = moves
        self._slugs = slugs or {}

    def rewrite_note(self, source: str, data: bytes) -> Rewritten:
        """The note that was at `source`, for where it goes."""
        changed: list[int] = []

        def change(link: LinkTarget) -> str | None:
            target = self._target(source, link.path)
            if target is None:
                return None
            changed.append(link.line)
            return target + link.place

        try:
            rewritten = rewrite_links(data, change)
            lines = data.split(b"\n") if changed else []
            headings = sum(lines[line - 1].lstrip().startswith(b"#") for line in changed if line <= len(lines))
            return Rewritten(rewritten, len(changed), headings)
        except (InvalidRequest, NotEditable, TargetAmbiguous) as error:
            return Rewritten(data, problem=error.message)

    def rewrite_canvas(self, source: str, data: bytes) -> Rewritten:
        """A canvas, whose cards name files by their path from the root and hold Markdown; its other bytes stay."""
        try:
            text = data.decode("utf-8")
            json.loads(text)
        except (ValueError, RecursionError):
            return Rewritten(data)
        parts: list[str] = []
        at = links = 0
        for key, start, end in _members(text):
            value = json.loads(text[start:end])
            if key == "file":
                led = self._before.resolve(value, "") if value in self._before else None
                new = self._moves.get(led, value) if led else value
                count = int(new != value)
            else:
                try:
                    body = value.encode()
                except UnicodeError:
                    continue
                rewritten = self.rewrite_note(source, body)
                new, count = rewritten.data.decode(), rewritten.links
            if count:
                parts += [text[at:start], json.dumps(new, ensure_ascii=False)]
                at, links = end, links + count
        return Rewritten("".join([*parts, text[at:]]).encode(), links) if links else Rewritten(data)

    def _target(self, source: str, written: str) -> str | None:
        """Another target for what was written, None where it may stay."""
        here = self._moves[source]
        if (page := self._slugs.get(written.strip().casefold())) is not None:
            wanted: str | None = page
        else:
            led = self._before.resolve(written, source) if written else None
            wanted = self._moves.get(led) if led else None
        if wanted is None or self._after.resolve(written, here) == wanted:
            return None
        if ":" in written:  # a slug: no part of it is a name that a link could keep
            name = wanted.rpartition("/")[2].removesuffix(".md")
            return name if self._leads(name, here, wanted) else _page_target(wanted, here, self._after)
        return retarget(written, wanted, here, self._after)

    def _leads(self, name: str, here: str, wanted: str) -> bool:
        return self._after.same_name(wanted) == 1 and self._after.resolve(name, here) == wanted


def links_to(data: bytes) -> Iterator[LinkTarget]:
    """The links of a note, as `rewrite_links` finds them."""
    found: list[LinkTarget] = []

    def collect(link: LinkTarget) -> None:
        found.append(link)

    try:
        rewrite_links(data, collect)
    except (InvalidRequest, NotEditable, TargetAmbiguous):
        return
    yield from found


def names_folders(data: bytes) -> bool:
    """Whether a note asks for notes by folder (Dataview's `FROM "Folder"`), which no rewriting of links reaches."""
    return _FENCE in data and _FROM.search(data) is not None


def _page_target(wanted: str, here: str, after: LinkResolver) -> str | None:
    parts = wanted.removesuffix(".md").split("/")
    forms = ["/".join(parts[at:]) for at in range(1, len(parts))] + [wanted, f"/{wanted}"]
    return next((form for form in forms if after.resolve(form, here) == wanted), None)


def _members(text: str) -> Iterator[tuple[str, int, int]]:
    """The strings in a JSON text that are the value of a `file` or `text`."""
    key = ""
    expected = -1
    for match in _JSON_STRING.finditer(text):
        if match.start() == expected:
            if key in ("file", "text"):
                yield key, match.start(), match.end()
            expected = -1
        elif colon := _COLON.match(text, match.end()):
            key, expected = match[0][1:-1], colon.end()

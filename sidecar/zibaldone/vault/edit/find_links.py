"""Where in a line the addresses of links stand. Pure, and linear in the line's length."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

_WIKILINK = re.compile(r"\[\[([^\[\]|]*?)(?:\\?\|[^\[\]]*)?\]\]")
_BRACKET = re.compile(r"\\.|\[\[|[\[\]]")
_DESTINATION = re.compile(
    r"""\([ \t]*(?:<([^<>]*)>|((?:[^\s()<>\\]|\\.|\((?:[^\s()<>\\]|\\.)*\))+))"""
    r"""(?:[ \t]+(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\)))?[ \t]*\)"""
)
_DEFINITION = re.compile(r" {0,3}\[(?!\^)((?:[^\[\]\\]|\\.)+)\]:[ \t]+(?:<([^<>]*)>|([^\s<>]+))[ \t]*(?=$|[ \t\"'(])")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:|//")  # two letters at least: `C:` is no scheme of a vault's link


class LinkKind(StrEnum):
    WIKI = "wiki"
    MARKDOWN = "markdown"


class Found(NamedTuple):
    """The address alone: `start` to `end`, without brackets, spaces or display text around it."""

    start: int
    end: int
    kind: LinkKind
    embed: bool


def find_links(text: str) -> Iterator[Found]:
    """Wikilinks, embeds, Markdown links and images of a line, images inside of links too, in order of their end."""
    opened: list[int] = []
    at = 0
    while match := _BRACKET.search(text, at):
        at = match.end()
        if match[0] == "[[" and (link := _WIKILINK.match(text, match.start())):
            at = link.end()
            yield from _wiki(text, link)
        elif match[0] == "[[":
            opened.append(match.start())
            at = match.start() + 1
        elif match[0] == "[":
            opened.append(match.start())
        elif match[0] == "]" and opened:
            start = opened.pop()
            if link := _DESTINATION.match(text, at):
                at = link.end()
                yield from _markdown(link, embed=_is_embed(text, start))


def find_definition(text: str) -> Found | None:
    """The address of a reference definition (`[name]: note.md "title"`), which takes up a whole line."""
    match = _DEFINITION.match(text)
    return next(_markdown(match, embed=False, first=2), None) if match else None


def _wiki(text: str, link: re.Match[str]) -> Iterator[Found]:
    written = link[1]
    address = written.strip()
    if address:
        start = link.start(1) + len(written) - len(written.lstrip())
        yield Found(start, start + len(address), LinkKind.WIKI, _is_embed(text, link.start()))


def _markdown(link: re.Match[str], *, embed: bool, first: int = 1) -> Iterator[Found]:
    group = first if link[first] is not None else first + 1
    if link[group] and not _SCHEME.match(link[group]):
        yield Found(link.start(group), link.end(group), LinkKind.MARKDOWN, embed)


def _is_embed(text: str, start: int) -> bool:
    """Whether an unescaped `!` stands before the bracket."""
    if start == 0 or text[start - 1] != "!":
        return False
    at = start - 1
    while at > 0 and text[at - 1] == "\\":
        at -= 1
    return (start - 1 - at) % 2 == 0

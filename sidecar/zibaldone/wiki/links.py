"""The text of a link to a file, in the form that the vault's settings ask for. Pure.

What is written resolves to that file again: each form is tried with the resolver, and a longer one is taken where the
short one would lead elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal
from urllib.parse import quote

from zibaldone.wiki.resolve import LinkResolver

# Obsidian's help, "Internal links": what may not work in a link. A file name that holds one cannot be linked.
_UNLINKABLE = re.compile(r"[#^|\[\]\n\r]|%%")
_BREAKS_HEADING = re.compile(r"[#^|\[\]\\\n\r]|%%|:(?=\s|$)")
# In a Markdown link's address: what would end it, escape in it or be decoded.
_ENCODED = re.compile(r"[\s%()<>\\`\"]")
_DISPLAY = str.maketrans({"[": "(", "]": ")", "|": "/", "`": "'", "<": "‹", ">": "›", "\\": "/"})
_ACTS = re.compile("%%+|::+")


@dataclass(frozen=True, slots=True)
class LinkStyle:
    """`newLinkFormat` and `useMarkdownLinks` of `.obsidian/app.json`; the defaults are Obsidian's."""

    format: Literal["shortest", "relative", "absolute"] = "shortest"
    markdown: bool = False


def read_link_style(app_json: Mapping[str, object]) -> LinkStyle:
    """The style that the vault is set to; anything unknown is the default."""
    markdown = app_json.get("useMarkdownLinks") is True
    match app_json.get("newLinkFormat"):
        case "relative":
            return LinkStyle("relative", markdown)
        case "absolute":
            return LinkStyle("absolute", markdown)
        case _:
            return LinkStyle("shortest", markdown)


def link_to(
    path: str,
    source: str,
    resolver: LinkResolver,
    style: LinkStyle | None = None,
    *,
    display: str = "",
    heading: tuple[str, ...] = (),
    block: str = "",
    embed: bool = False,
) -> str | None:
    """A link in `source` to the file at `path`, None where no link can name it (`#` in its name).

    Args:
        path: a file that the resolver knows.
        display: what is shown; made harmless, and left out where it is what Obsidian shows anyway.
        heading: the path of headings to link to; or `block`, a block's id without `^`.
    """
    style = style or LinkStyle()
    place = f"#^{block}" if block else "".join(f"#{heading_text(part)}" for part in heading)
    if path == source and place:
        target = ""
    else:
        found = next(
            (text for text in _targets(path, source, resolver, style) if _leads(text, path, source, resolver)), None
        )
        if found is None or _UNLINKABLE.search(found):
            return None
        target = found
    shown = display_text(display)
    mark = "!" if embed else ""
    if style.markdown:
        return f"{mark}[{shown or PurePosixPath(path).stem}]({_encode(target)}{_encode(place)})"
    return f"{mark}[[{target}{place}{f'|{shown}' if shown and shown != target + place else ''}]]"


def display_text(text: str) -> str:
    """`text` as the words of a link: on one line, and nothing in it ends the link or acts inside it.

    Escapes do not work there, so brackets and bars become their neighbours.
    """
    return " ".join(_ACTS.sub(lambda run: run[0][0], text.translate(_DISPLAY)).split())


def heading_text(heading: str) -> str:
    """A heading as the part of a link after `#`: what would end the link there becomes a space."""
    return " ".join(_BREAKS_HEADING.sub(" ", heading).split())


def _targets(path: str, source: str, resolver: LinkResolver, style: LinkStyle) -> Iterator[str]:
    """Ways to name `path`, the wanted one first, each with its extension where it needs one."""
    name = path.rpartition("/")[2]
    forms = [path]
    if style.format == "shortest" and resolver.same_name(path) == 1:
        forms.insert(0, name)
    if style.format == "relative":
        relative = relative_target(path, source)
        forms = [relative, f"./{relative}", path]
    for form in (*forms, f"/{path}"):
        # In Markdown links Obsidian writes the extension, which other programs need.
        if form.endswith(".md") and not style.markdown:
            yield form.removesuffix(".md")
        yield form


def _leads(target: str, path: str, source: str, resolver: LinkResolver) -> bool:
    return bool(target) and resolver.resolve(target, source) == path


def relative_target(path: str, source: str) -> str:
    """The way from the folder of the note `source` to `path`: `../b/Note.md`."""
    there = path.split("/")
    here = source.split("/")[:-1]
    shared = 0
    while shared < min(len(there) - 1, len(here)) and there[shared] == here[shared]:
        shared += 1
    return "/".join([".."] * (len(here) - shared) + there[shared:])


def _encode(text: str) -> str:
    return _ENCODED.sub(lambda char: quote(char[0], safe=""), text)

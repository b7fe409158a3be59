"""Citations in Markdown: a link that Obsidian resolves and the lines behind it, and back. Pure.

`[[Bees/Varroa#July|Varroa]] lines 12-14`; of a file beside the vault, to which no link leads, the path as code.
The lines are those that were read; where a note grew since, the words are looked for again (see `agents.relay.pages`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zibaldone.domain.locators import commit_name
from zibaldone.domain.notes import Modality
from zibaldone.schemas.ask import Citation
from zibaldone.vault.inert import make_inert_line
from zibaldone.vault.outside import is_outside

_NAME_CHARS = 300
_BREAKS_A_LINK = frozenset("[]|#^\n\r\\")
_ACTS_IN_A_LINK = re.compile(r"[`<%]|::|[A-Za-z]:\S")  # escapes do not work inside a link
_BREAKS_CODE = re.compile(r"[`\x00-\x1f\x7f]|<%")
_CITED = re.compile(
    r"(?:\[\[([^\[\]|#^]+)(?:#[^\[\]|]*)?(?:\|[^\[\]]*)?\]\]|`(//[^`\r\n]+)`) lines? (\d{1,9})(?:-(\d{1,9}))?"
)
_ALL_CITED = re.compile(rf"\s?\({_CITED.pattern}(?:; {_CITED.pattern})*\)")


@dataclass(frozen=True, slots=True)
class CitedLines:
    """Where a link leads (as Obsidian has it: a path or the end of one, without `.md`; of a file beside the vault its
    whole path), and the lines, 1-based."""

    target: str
    line_start: int
    line_end: int


def link_citation(citation: Citation) -> str:
    """The citation as a link and a place; a path that no link can hold is plain text."""
    if citation.modality == Modality.TEXT:
        return f"{link_note(citation.path, citation.heading)} {_line_span(citation)}"
    if citation.modality == Modality.CODE:
        return make_inert_line(f"{commit_name(citation.source_uri)} {citation.locator}", _NAME_CHARS).rstrip()
    if citation.page is not None:
        return f"{link_note(citation.path, (f'page={citation.page}',))} page {citation.page}"
    return f"{link_note(citation.path)} {make_inert_line(citation.locator, _NAME_CHARS)}".rstrip()


def link_note(path: str, heading: Sequence[str] = ()) -> str:
    """A link to a note, or to a heading by the path of headings down to it; plain text where none can hold it."""
    if is_outside(path) and not _BREAKS_CODE.search(path):
        return f"`{path}`"
    target = path.removesuffix(".md")
    if not target or _BREAKS_A_LINK & set(target) or _ACTS_IN_A_LINK.search(target):
        return make_inert_line(path, _NAME_CHARS)
    headings = [_heading(part) for part in heading]
    if any(_ACTS_IN_A_LINK.search(part) for part in headings):
        headings = []
    return f"[[{'#'.join((target, *headings))}|{target.rpartition('/')[2]}]]"


def find_cited(text: str) -> Iterator[CitedLines]:
    """Each link with lines behind it, as `link_citation` writes them."""
    for match in _CITED.finditer(text):
        first = int(match[3])
        yield CitedLines(match[2] or match[1].strip(), first, max(first, int(match[4] or first)))


def hide_cited(text: str) -> str:
    """The text without its citations in brackets: they are no words of it, and line numbers no figures."""
    return _ALL_CITED.sub("", text)


def _line_span(citation: Citation) -> str:
    if citation.line_start == citation.line_end:
        return f"line {citation.line_start}"
    return f"lines {citation.line_start}-{citation.line_end}"


def _heading(heading: str) -> str:
    """As Obsidian writes headings into links: characters that end a link become spaces."""
    return " ".join("".join(" " if char in _BREAKS_A_LINK else char for char in heading).split())

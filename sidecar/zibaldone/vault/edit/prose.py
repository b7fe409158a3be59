"""Which characters of a note are prose, and which are code, math, comments or Templater's. Pure.

`mask_prose` gives each line back at its own length with what is not prose overwritten, so that whatever is found in
a masked line stands at the same place in the note. The rules are those by which `ingest.parse` cleans a note: what a
citation names as a heading has to be a heading to an edit. A comment hides only up to a closing mark that is really
there. On top of them: `<pre>`, `<script>` and `<style>` are code, and inside another HTML block (until its blank
line) nothing is a heading, as CommonMark and Obsidian have it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

HIDDEN = "\uffff"  # no character, so no note holds it

_FENCE = re.compile(r"([ \t]*(?:>[ \t]*)*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(`{3,}|~{3,})(.*)")
_QUOTE_PREFIX = re.compile(r"[ \t]*(?:>[ \t]*)*")
_HIDING = re.compile(r"`+|<!--|%%|<%")
_CLOSERS = {"<!--": "-->", "%%": "%%", "<%": "%>"}
_TICKS = re.compile("`+")
_VERBATIM = re.compile(r" {0,3}<(pre|script|style|textarea)(?=[\s>]|$)", re.IGNORECASE)
_VERBATIM_END = re.compile(r"</(?:pre|script|style|textarea)>", re.IGNORECASE)
_BLOCK_TAGS = (
    "address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt"
    " fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li"
    " link main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th"
    " thead title tr track ul"
)
_HTML_BLOCK = re.compile(rf" {{0,3}}</?(?:{'|'.join(_BLOCK_TAGS.split())})(?=[\s/>]|$)", re.IGNORECASE)


class Masked(NamedTuple):
    """A line with hidden characters overwritten. `unit` numbers the fence, formula or verbatim block that it belongs
    to (0 is prose); `html` says that it stands in an HTML block, where no heading is made."""

    text: str
    unit: int = 0
    html: bool = False


class Prose(NamedTuple):
    """All lines of a note; `unclosed` is the index of the line that opens a fence which nothing closes."""

    lines: tuple[Masked, ...]
    unclosed: int | None


@dataclass(slots=True)
class _Fence:
    marker: str
    quoted: bool
    opened: int


def mask_prose(lines: Sequence[str], first: int) -> Prose:
    """Mask the lines from index `first` on; those before it (the properties) are hidden whole."""
    last = _last_positions(lines, first)
    masked = [Masked(HIDDEN * len(line)) for line in lines[:first]]
    fence: _Fence | None = None
    hidden = ""
    units = 0
    html = False
    for number in range(first, len(lines)):
        line = lines[number]
        if fence and fence.quoted and not line.lstrip().startswith(">"):
            fence = None
        if not fence and not hidden and (fence := _open_fence(line, number, last)):
            units += 1
            html = False
            masked.append(Masked(HIDDEN * len(line), units))
            fence = None if fence.marker == "<" and _VERBATIM_END.search(line) else fence
        elif fence:
            masked.append(Masked(HIDDEN * len(line), units))
            fence = None if _closes(line, fence) else fence
        else:
            text, hidden = _hide(line, number, hidden, last)
            html = bool(line.strip()) and (html or bool(_HTML_BLOCK.match(text)))
            masked.append(Masked(text, 0, html))
    return Prose(tuple(masked), fence.opened if fence else None)


def mask_code(text: str) -> str:
    """A masked line without its inline code, at the same length."""
    if "`" not in text:
        return text
    ends = code_ends(text)
    kept: list[str] = []
    at = 0
    for run in _TICKS.finditer(text):
        if run.start() >= at and run.start() in ends:
            kept += (text[at : run.start()], HIDDEN * (ends[run.start()] - run.start()))
            at = ends[run.start()]
    return "".join((*kept, text[at:]))


def code_ends(line: str) -> dict[int, int]:
    """Start of each run of backticks that opens inline code -> end of the run of equal length that closes it."""
    ends: dict[int, int] = {}
    following: dict[int, re.Match[str]] = {}
    for run in reversed(list(_TICKS.finditer(line))):
        if closing := following.get(len(run[0])):
            ends[run.start()] = closing.end()
        following[len(run[0])] = run
    return ends


def _last_positions(lines: Sequence[str], first: int) -> dict[str, tuple[int, int]]:
    """Where each closing mark stands last, as (line index, column)."""
    found = {}
    for mark in ("-->", "%%", "%>", "$$"):
        number = next((i for i in range(len(lines) - 1, first - 1, -1) if mark in lines[i]), -1)
        found[mark] = (number, lines[number].rfind(mark) if number >= 0 else -1)
    closing = next((i for i in range(len(lines) - 1, first - 1, -1) if _VERBATIM_END.search(lines[i])), -1)
    return {**found, "</": (closing, 0)}


def _open_fence(line: str, number: int, last: dict[str, tuple[int, int]]) -> _Fence | None:
    if (match := _FENCE.match(line)) and not (match[2][0] == "`" and "`" in match[3]):
        return _Fence(match[2], ">" in match[1], number)
    start = line.lstrip(" \t>")
    if start.startswith("$$") and "$$" not in start[2:] and last["$$"][0] > number:
        return _Fence("$$", ">" in line[: len(line) - len(start)], number)
    if _VERBATIM.match(line) and last["</"][0] >= number:
        return _Fence("<", False, number)
    return None


def _closes(line: str, fence: _Fence) -> bool:
    if fence.marker == "$$":
        return "$$" in line
    if fence.marker == "<":
        return bool(_VERBATIM_END.search(line))
    prefix = _QUOTE_PREFIX.match(line) if fence.quoted else None
    rest = line[prefix.end() if prefix else 0 :].strip()
    return len(rest) >= len(fence.marker) and not rest.strip(fence.marker[0])


def _hide(line: str, number: int, hidden: str, last: dict[str, tuple[int, int]]) -> tuple[str, str]:
    """The line with comments and Templater code masked, and the closing mark that is still awaited after it."""
    at = 0
    kept: list[str] = []
    if hidden:
        end = line.find(hidden)
        if end < 0:
            return HIDDEN * len(line), hidden
        at = end + len(hidden)
        kept.append(HIDDEN * at)
    elif line.strip() == "%%" and last["%%"] == (number, line.find("%%")):
        return HIDDEN * len(line), ""
    ticks = code_ends(line) if "`" in line else {}
    while match := _HIDING.search(line, at):
        mark = match[0]
        if mark[0] == "`" or (end := _comment_end(line, number, match, last)) == match.end():
            end = ticks.get(match.start(), match.end())
            kept.append(line[at:end])
        else:
            kept += (line[at : match.start()], HIDDEN * (min(end, len(line)) - match.start()))
            if end > len(line):
                return "".join(kept), _CLOSERS[mark]
        at = end
    return "".join((*kept, line[at:])), ""


def _comment_end(line: str, number: int, match: re.Match[str], last: dict[str, tuple[int, int]]) -> int:
    """Where what `match` opens ends: in this line, after it (beyond the line's length), or nowhere (its own end)."""
    closer = _CLOSERS[match[0]]
    end = line.find(closer, match.end())
    if end >= 0:
        return end + len(closer)
    return len(line) + 1 if last[closer][0] > number else match.end()

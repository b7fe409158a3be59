"""Is this body whole? What a model cuts, elides or was not shown must not replace what a page says. Pure.

A page that is extended is sent back by a model as Markdown. Small models abbreviate what they were given ("..."), refer
to it ("rest unchanged"), copy a placeholder, or stop in the middle. Each is found here, with its line; the caller
refuses the text and keeps the page.

Not looked at, since there it is quoted or meant: fenced and indented code, inline code, mathematics, blockquotes, and
the words of a link.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate
from typing import NamedTuple

from zibaldone.ingest.frontmatter import split_lines
from zibaldone.wiki.notices import is_notice, is_notice_in_comment

# What our own tools put where they withhold text from a model. It is refused wherever it stands, code included.
WITHHELD = "⟦withheld by zibaldone⟧"


class ElisionKind(StrEnum):
    """How a text shows that it is not all of it."""

    BRACKETED = "bracketed ellipsis"
    ELLIPSIS = "bare ellipsis"
    NOTICE = "notice"
    COMMENT = "comment"
    WITHHELD = "withheld output"
    OPEN_FENCE = "open code fence"
    CUT_OFF = "cut off"


@dataclass(frozen=True, slots=True)
class Elision:
    """`line` is 1-based in the text that was looked at."""

    kind: ElisionKind
    line: int
    text: str


class _Prose(NamedTuple):
    number: int
    text: str


_FENCE = re.compile(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?P<mark>`{3,}|~{3,})(?P<rest>[^\n]*)")
_QUOTE = re.compile(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?>[ \t]?")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+")
_CODE = re.compile(r"(?<!`)(`{1,8})(?!`)[^`]+(?<!`)\1(?!`)")
_LINK = re.compile(r"!?\[\[[^\[\]]*\]\]|!?\[[^\[\]]*\]\([^()]*\)")
_BRACKETED = re.compile(r"\\?\[[ \t]?(?:\.{3,}|…|⋯)[ \t]?\\?\][*_]{0,3}$")
_ELLIPSIS = re.compile(r"[*_(<\\]{0,3}(?:\.{3,}|…{1,3}|⋯{1,2}|\. \. \.|。{3,})[*_)>]{0,3}")
_COMMENT_MARKS = (("<!--", "-->"), ("%%", "%%"))
_PLACEHOLDER = re.compile(
    r"\[?\b(?:tool|function|command|search)[ _-](?:output|result|response)s?[ ,:-]{1,3}(?:was |were |has been )?"
    r"(?:withheld|omitted|truncated|elided|removed|hidden|cleared|not shown)\b"
    r"|\[(?:old |previous )?(?:output|result|response|content)s? "
    r"(?:withheld|omitted|truncated|elided|removed|hidden|cleared)\b[^\[\]]{0,80}\]"
    r"|</?(?:tool_result|tool_response|tool_call|function_results|tool_use_error|system-reminder)\b[^<>]{0,80}>"
    r"|^[\[(<…. ]{0,6}\+?\d[\d,.]{0,9} (?:more )?(?:lines|rows|characters|chars|tokens|bytes|items|results|entries)"
    r" (?:omitted|truncated|elided|not shown|hidden)[\])>…. ]{0,6}$"
    r"|^(?:\.{3}|…) ?\+?\d[\d,.]{0,9} more (?:lines|rows|items|results|entries)[.… ]{0,3}$",
    re.IGNORECASE,
)
# A sentence ends so, in any script; `|` ends a table, a fence is judged by itself, `^id` follows the sentence.
_ENDED = re.compile(
    r"[.!?…。！？｡।॥؟۔։።:：|][ \u00a0\u202f]?[\"'”’»«›)\]）」』】*_~`]{0,6}(?:[ \t]+\^[\w-]{1,80})?[ \t]*$"
    r"|(?:^|[ \t])\^[\w-]{1,80}$"
)


def find_elisions(body: str, *, stopped_by_length: bool = False) -> tuple[Elision, ...]:
    """Every sign that `body` is not whole, in order; nothing where it is.

    Args:
        body: Markdown, without properties.
        stopped_by_length: the model did not end but ran out of tokens; then the last line has to end a sentence.
    """
    lines = split_lines(body)
    found = [Elision(ElisionKind.WITHHELD, i, line.strip()) for i, line in enumerate(lines, 1) if WITHHELD in line]
    prose, open_fence = _read_prose(lines)
    for line in prose:
        if kind := _judge(line.text):
            found.append(Elision(kind, line.number, line.text.strip()))
    found += _find_comments(prose)
    if open_fence:
        found.append(Elision(ElisionKind.OPEN_FENCE, open_fence, lines[open_fence - 1].strip()))
    elif stopped_by_length and (cut := _cut_off(lines)):
        found.append(cut)
    return tuple(sorted(found, key=lambda elision: elision.line))


def _judge(text: str) -> ElisionKind | None:
    line = _LINK.sub("_", _CODE.sub("_", text)).strip()
    if not line:
        return None
    words = line[item.end() :] if (item := _ITEM.match(line)) else line
    if _ELLIPSIS.fullmatch(words):
        return ElisionKind.ELLIPSIS
    if _BRACKETED.search(line):
        return ElisionKind.BRACKETED
    if _PLACEHOLDER.search(line):
        return ElisionKind.WITHHELD
    return ElisionKind.NOTICE if not line.startswith(("<!--", "%%")) and is_notice(words) else None


def _find_comments(prose: list[_Prose]) -> Iterator[Elision]:
    """Comments over one line or more; what is in code is not among these lines."""
    texts = [_CODE.sub("_", line.text) for line in prose]
    starts = list(accumulate((len(text) + 1 for text in texts), initial=0))
    text = "\n".join(texts)
    for opening, closing in _COMMENT_MARKS:
        at = text.find(opening)
        while at >= 0 and (end := text.find(closing, at + len(opening))) >= 0:
            said = text[at + len(opening) : end]
            if _ELLIPSIS.fullmatch(said.strip()) or is_notice_in_comment(said):
                line = prose[bisect_right(starts, at) - 1]
                yield Elision(ElisionKind.COMMENT, line.number, " ".join(said.split()))
            at = text.find(opening, end + len(closing))


def _read_prose(lines: list[str]) -> tuple[list[_Prose], int]:
    """The lines that are text of the page, and the line of a fence that nothing closes (0 where all are closed)."""
    prose: list[_Prose] = []
    fence = ""
    opened = 0
    in_list = quoted = in_code = False
    blank = True
    for number, line in enumerate(lines, 1):
        is_quote = bool(_QUOTE.match(line))
        if fence and quoted and not is_quote:
            fence, opened = "", 0  # the quote's end closes its fence
        inner = _QUOTE.sub("", line) if is_quote else line
        if fence:
            if _closes(inner, fence):
                fence, opened = "", 0
        elif mark := _opens(inner):
            fence, opened, quoted = mark, number, is_quote
        elif not is_quote:
            in_code = _is_indented(line) and not in_list and (blank or in_code)
            if not in_code:
                prose.append(_Prose(number, line))
        if line.strip():
            in_list = bool(_ITEM.match(line)) or (in_list and line[0] in " \t")
        blank = not line.strip()
    return prose, opened if fence != "$$" else 0


def _opens(line: str) -> str:
    """The mark that a line opens, `$$` for mathematics; empty where it opens nothing."""
    if (match := _FENCE.fullmatch(line)) and not (match["mark"][0] == "`" and "`" in match["rest"]):
        return match["mark"]
    start = line.strip()
    return "$$" if start.startswith("$$") and "$$" not in start[2:] else ""


def _closes(line: str, fence: str) -> bool:
    if fence == "$$":
        return "$$" in line
    rest = line.strip()
    return len(rest) >= len(fence) and not rest.strip(fence[0])


def _is_indented(line: str) -> bool:
    return line.startswith(("    ", "\t")) and bool(line.strip())


def _cut_off(lines: list[str]) -> Elision | None:
    last = next((i for i in range(len(lines) - 1, -1, -1) if lines[i].strip()), None)
    if last is None:
        return Elision(ElisionKind.CUT_OFF, 1, "")
    text = lines[last].rstrip()
    fence = _FENCE.fullmatch(text)
    if _ENDED.search(text) or (fence and not fence["rest"].strip()):
        return None
    return Elision(ElisionKind.CUT_OFF, last + 1, text.strip())

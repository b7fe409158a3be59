"""Lines joined into paragraphs, with an empty line between two of them. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median

from zibaldone.ingest.extract import hyphens
from zibaldone.ingest.extract.pdf.columns import Flow
from zibaldone.ingest.extract.pdf.line import Line

_APART = 1.3  # times the usual distance from line to line begins a paragraph
_APART_ALONE = 1.7  # of the line's height, where there is no usual distance
_OTHER_SIZE = 0.2
_INDENT = 0.6  # of the line's height
_ITEM = re.compile(r"(?:[•‣◦▪●–—*-]|\(?\d{1,3}[.)]|\(?[a-z]\))\s")
_ENDS = re.compile(r"[.!?:;…。！？]['\"”’»)\]]*$")
_TAIL = 8  # letters that are looked at for the end of a sentence
# Scripts that put no space between words.
_FIRST_UNSPACED = "\u2e7f"
_UNSPACED = re.compile("[\u2e80-\u312f\u31f0-\u9fff\uf900-\ufaff\uff00-\uff60]")


def join_lines(flows: Iterable[Flow], words: hyphens.Words) -> str:
    """The text of the flows. A sentence that goes on in the next flow stays in one paragraph.

    Args:
        words: of the whole document, to tell divided words from compounds.
    """
    paragraphs: list[str] = []
    above: Line | None = None
    for flow in flows:
        for lines in _split(flow):
            text = _join(lines, words)
            if above and text[0].islower() and not _differ(above, lines[0]):
                paragraphs[-1] = hyphens.join(paragraphs[-1], text, words)
            else:
                paragraphs.append(text)
            above = None
        above = None if _ENDS.search(paragraphs[-1][-_TAIL:]) else flow[-1]
    return "\n\n".join(paragraphs)


def _split(flow: Flow) -> list[Flow]:
    """The lines of each paragraph."""
    if len(flow) == 1:
        return [flow]
    bottoms = [line.bottom for line in flow]
    steps = [above - bottom for above, bottom in pairwise(bottoms)]
    usual = median(steps) if len(steps) > 2 else 0.0
    above = flow[0]
    paragraphs = [[above]]
    for line, below, step in zip(flow[1:], (*flow[2:], None), steps, strict=True):
        if _begins(above, line, below, step, usual):
            paragraphs.append([line])
        else:
            paragraphs[-1].append(line)
        above = line
    return paragraphs


def _begins(above: Line, line: Line, below: Line | None, step: float, usual: float) -> bool:
    _, left, bottom, _, top = line
    height = top - bottom
    if step > (_APART * usual if usual > height * 0.8 else _APART_ALONE * height):
        return True
    if abs(height - (above.top - above.bottom)) > _OTHER_SIZE * height:
        return True
    indent = left - _INDENT * height
    return indent > above.left and below is not None and indent > below.left


def _differ(above: Line, line: Line) -> bool:
    """Whether they are set in type of different sizes."""
    height = line.top - line.bottom
    return abs(height - (above.top - above.bottom)) > _OTHER_SIZE * height


def _join(lines: Sequence[Line], words: hyphens.Words) -> str:
    if len(lines) == 1:
        return lines[0].text
    joined = [lines[0].text]
    edge = max([line.right for line in lines])
    for above, line in pairwise(lines):
        gap = _gap(above, line, edge)
        if above.text[-1] in hyphens.HYPHENS:
            joined[-1] = hyphens.join(joined[-1], line.text, words, gap)
        else:
            joined += (gap, line.text)
    return "".join(joined)


def _gap(above: Line, line: Line, edge: float) -> str:
    """A line that ends before the edge although the next word had fitted in was ended on purpose."""
    text, left, _, right, _ = line
    letter = (right - left) / len(text)
    room = edge - above.right - 2 * letter
    if room > letter and room > letter * len(text.partition(" ")[0]):
        return "\n"
    first = text[0]
    if not first.isalpha() or text[1:2] == ")":
        return "\n" if _ITEM.match(text) else " "
    return "" if first > _FIRST_UNSPACED and _UNSPACED.match(first) and _UNSPACED.match(above.text[-1]) else " "

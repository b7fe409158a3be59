"""Quotes: the words of a note that a claim rests on, verbatim, with their lines. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from zibaldone.domain.words import index_terms, query_terms

QUOTE_CHARS = 280
# A full stop after a figure is more often a date or an ordinal (`3. Mai`) than an end, one after a capital an initial.
_SENTENCE_END = re.compile(r"(?<!\b[A-ZÄÖÜ]\.)(?<=[^\d\s][.!?…])\s+|(?<=[。！？])")
_LIST_OR_ROW = re.compile(r"^\s*([-*+]\s|\d+[.)]\s|\||>|#)")
_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")


@dataclass(frozen=True, slots=True)
class Span:
    """A sentence, list item or table row. Lines are 1-based in the file, inclusive."""

    text: str
    line_start: int
    line_end: int


def split_spans(lines: Sequence[str], first_line: int) -> list[Span]:
    """Sentences of hard- or soft-wrapped paragraphs; items, rows, quotes and headings are spans of their own."""
    spans: list[Span] = []
    paragraph: list[tuple[int, str]] = []

    def flush() -> None:
        text = " ".join(line for _, line in paragraph)
        position = 0
        for sentence in _SENTENCE_END.split(text):
            end = position + len(sentence)
            if sentence.strip():
                spans.append(
                    Span(sentence.strip(), _line_at(paragraph, position), _line_at(paragraph, max(position, end - 1)))
                )
            position = end + (1 if end < len(text) and text[end].isspace() else 0)
        paragraph.clear()

    for number, line in enumerate(lines, first_line):
        if not line.strip():
            flush()
        elif _LIST_OR_ROW.match(line):
            flush()
            paragraph.append((number, line.strip()))
            flush()
        else:
            paragraph.append((number, line.strip()))
    flush()
    return spans


def _line_at(paragraph: Sequence[tuple[int, str]], position: int) -> int:
    for number, line in paragraph:
        if position <= len(line):
            return number
        position -= len(line) + 1
    return paragraph[-1][0]


def choose_quote(spans: Sequence[Span], scores: Sequence[float]) -> Span | None:
    """The best span, with the neighbours that fit into `QUOTE_CHARS`, the better neighbour first."""
    if not spans:
        return None
    best = max(range(len(spans)), key=lambda i: (scores[i], -i))
    first = last = best
    length = len(spans[best].text)
    while True:
        around = [i for i in (first - 1, last + 1) if 0 <= i < len(spans)]
        around = [i for i in around if length + 1 + len(spans[i].text) <= QUOTE_CHARS]
        if not around:
            break
        step = max(around, key=lambda i: (scores[i], i))
        length += 1 + len(spans[step].text)
        first, last = min(first, step), max(last, step)
    chosen = spans[first : last + 1]
    separator = "\n" if any(_LIST_OR_ROW.match(span.text) for span in chosen) else " "
    return Span(separator.join(span.text for span in chosen), chosen[0].line_start, chosen[-1].line_end)


def word_overlap(claim: str, passage: str, weights: Mapping[str, float] | None = None) -> float:
    """Share (0..1) of the claim's content words that stand in the passage; numbers count twice."""
    words = query_terms(claim)
    if not words:
        return 0.0
    there = set(index_terms(passage))
    weight = {word: (2.0 if word[0].isdigit() else 1.0) for word in words}
    return sum(weight[word] for word in words if word in there) / sum(weight.values())


def numbers_of(text: str) -> set[str]:
    """Figures as digits only, so that `2,400` and `2.400` are the same."""
    return {re.sub(r"\D", "", number) for number in _NUMBER.findall(text)}

"""The sentences of a document that a model's statements are about. What goes to a page is the document's own words.

A model of 1.5B knows what matters in a text and tells it wrongly: of a German article it wrote that the Normans came
to Italy in the 880s, every word of which stands there, or it translated all of it. Asked for the numbers of the
sentences that matter it gives the first ones. So its statements are taken as pointers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from zibaldone.agents.relay.cite import SUPPORT_LIKENESS, SUPPORT_OVERLAP, make_citation, measure_likeness
from zibaldone.agents.relay.quote import Span, split_spans, word_overlap
from zibaldone.domain.words import query_terms
from zibaldone.inference.roles import Embedder
from zibaldone.ingest.parse import plain_text
from zibaldone.schemas.search import Hit
from zibaldone.wiki.section import Statement

_LEAST_TERMS = 3
_MARKS = re.compile(r"^(?:>\s?|[-*+]\s+|\d{1,3}[.)]\s+|\[.\]\s+|\[![^\]]*\][-+]?\s*)+")


async def find_sentences(
    texts: Sequence[str], passages: Sequence[Hit], lines: Sequence[str], embedder: Embedder | None
) -> list[Statement]:
    """For each text the sentence of the passages that it is about, where one has half of its words or is alike in
    meaning. A heading, a row of a table, what only leads to a list and a scrap are no sentences.

    Args:
        lines: of the whole document.
    """
    sentences = _read_sentences(passages, lines)
    likeness = await measure_likeness(embedder, texts, [[span for _, span, _ in sentences]])
    found: list[Statement] = []
    for text, [alike] in zip(texts, likeness, strict=True):
        overlap = [word_overlap(text, said) for _, _, said in sentences]
        scores = [words + near for words, near in zip(overlap, alike, strict=True)]
        best = max(range(len(scores)), key=scores.__getitem__, default=None)
        if best is not None and (overlap[best] >= SUPPORT_OVERLAP or alike[best] >= SUPPORT_LIKENESS):
            passage, span, said = sentences[best]
            found.append(Statement(said, (make_citation(1, passage, span, supported=True),)))
    return found


def _read_sentences(passages: Sequence[Hit], lines: Sequence[str]) -> list[tuple[Hit, Span, str]]:
    """Each with its passage and as it is read, without marks. A line that was cut into two passages counts once."""
    found: dict[Span, tuple[Hit, Span, str]] = {}
    for passage in passages:
        for span in split_spans(lines[passage.line_start - 1 : passage.line_end], passage.line_start):
            bare = _MARKS.sub("", span.text)
            said = plain_text(bare)
            is_scrap = len(query_terms(said)) < _LEAST_TERMS or (bare == span.text and said[:1].islower())
            if not (is_scrap or span.text.startswith(("#", "|")) or said.endswith((":", "："))):
                found.setdefault(span, (passage, span, said))
    return list(found.values())

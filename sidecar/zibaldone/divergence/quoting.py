"""A sentence as it goes over the wire. Pure."""

from __future__ import annotations

from zibaldone.divergence.notes import Sentence
from zibaldone.schemas.divergence import Quote


def quote(sentence: Sentence) -> Quote:
    return Quote(
        path=sentence.path,
        title=sentence.title,
        line_start=sentence.line_start,
        line_end=sentence.line_end,
        text=sentence.text,
    )

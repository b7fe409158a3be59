"""The answer to a broad question: what was found at a level, node by node, each with the words that it rests on. Pure.

It is put together by code. A small model that is shown three of forty passages tells of these three; and what is put
together is right as far as the nodes are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zibaldone.agents.relay.phrases import say
from zibaldone.hierarchy.events.sentences import read_aloud
from zibaldone.schemas.ask import Citation
from zibaldone.schemas.search import SearchResponse


@dataclass(frozen=True, slots=True)
class OverviewNode:
    """`about` tells when, and of how much; `quotes` are its most telling words, as they are shown."""

    title: str
    about: str
    quotes: Sequence[Citation]


@dataclass(frozen=True, slots=True)
class Overview:
    """`found` has the hits that the quotes are of, and the matched nodes."""

    found: SearchResponse
    nodes: Sequence[OverviewNode]


def render_overview(overview: Overview, language: str) -> tuple[str, list[Citation]]:
    """The text, and what it cites."""
    lines = [say("overview", language)]
    citations: list[Citation] = []
    for node in overview.nodes:
        lines.append(f"- **{node.title}**{f' ({node.about})' if node.about else ''}")
        for quote in node.quotes:
            citations.append(quote.model_copy(update={"marker": len(citations) + 1}))
            lines.append(f"  - “{read_aloud(quote.quote)}” [{len(citations)}]")
    return "\n".join(lines), citations

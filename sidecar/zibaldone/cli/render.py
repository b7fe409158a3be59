"""Hits, answers and abstentions as text for a terminal. Each function gives lines; nothing is printed here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from zibaldone.cli.output import clean, snippet, wrap
from zibaldone.domain.locators import commit_name

if TYPE_CHECKING:
    from zibaldone.schemas.ask import Answer, Citation, Writeback
    from zibaldone.schemas.search import Explanation, Hit, SearchResponse

_REASONS = {
    "weak_retrieval": "No passage matches the question well enough, so no model was asked.",
    "llm_insufficient": "The model read the closest passages and found no answer in them.",
    "unsupported": "What the model wrote is not supported by the passages, so it is not shown.",
}
_CLOSEST = 3


def render_search(response: SearchResponse, *, explain: bool) -> Iterator[str]:
    for node in response.matched_nodes:
        yield wrap(
            f"{node.level} {node.score:.2f}  {clean(node.title)}  ({node.events} events)", indent="    ", first=""
        )
    if not response.hits:
        yield "Nothing was found."
    elif response.abstain:
        yield "Nothing good enough was found. The closest passages:"
    for hit in response.hits:
        yield ""
        yield from render_hit(hit, explain=explain)
    if response.explanation:
        yield ""
        yield from _render_explanation(response.explanation)
    if explain:
        timing = response.timing
        yield ""
        yield wrap(
            f"strategy {response.strategy}, profile {response.profile}, best score "
            f"{response.top_score:.2f}; {timing.total_ms:.0f} ms (embed {timing.embed_ms:.0f}, "
            f"lexical {timing.lexical_ms:.0f}, vectors {timing.vector_ms:.0f})"
        )


def _render_explanation(why: Explanation) -> Iterator[str]:
    yield wrap(f"searched for: {clean(why.searched) or 'all notes, the newest first'}")
    if why.words:
        words = ", ".join(f"{clean(word)} ({count})" for word, count in why.words.items())
        yield wrap(f"words, and the passages that hold them: {words}")
        yield wrap(
            f"meaning counts {why.semantic_weight:.0%}, words {1 - why.semantic_weight:.0%}: the best passage holds "
            f"{why.coverage:.0%} of what was asked, the nearest stands out by {why.standout:.2f}"
        )
    if why.time:
        yield wrap(f"time: {why.time}")
    if why.latest:
        yield "the newest is asked for"
    for side in why.subqueries:
        yield wrap(f"searched as well for: {clean(side)}")
    for left_out in why.left_out:
        yield wrap(f"left out: {left_out}")


def render_hit(hit: Hit, *, explain: bool = False) -> Iterator[str]:
    yield f"{hit.rank:>2}  {_bold(_place(hit))}  {hit.score:.2f}"
    if hit.heading:
        yield wrap(" > ".join(hit.heading), indent="    ")
    yield snippet(hit.text, indent="    ")
    if hit.also:
        yield wrap(f"also in {', '.join(map(clean, hit.also))}", indent="    ")
    if explain:
        if hit.subquery:
            yield wrap(f"found for “{clean(hit.subquery)}”", indent="    ")
        parts = [f"{name} {value:.2f}" for name, value in hit.components.model_dump().items() if value]
        yield wrap("  ".join(parts), indent="    ")


def render_abstention(answer: Answer) -> Iterator[str]:
    yield wrap("Nothing good enough to answer this was found in your notes.")
    if answer.abstention_reason:
        yield wrap(_REASONS[answer.abstention_reason])
    if answer.hits:
        yield ""
        yield "Closest passages"
        for hit in answer.hits[:_CLOSEST]:
            yield f"{hit.rank:>2}  {_bold(_place(hit))}"
            yield snippet(hit.text, indent="    ", lines=2)


def render_sources(citations: list[Citation]) -> Iterator[str]:
    yield "Sources"
    for citation in citations:
        doubt = "" if citation.supported else "  (does not support the claim)"
        yield f"[{citation.marker}] {_bold(_place(citation))}{doubt}"
        if citation.heading:
            yield wrap(" > ".join(citation.heading), indent="    ")
        yield snippet(f"“{citation.quote}”", indent="    ")


def render_rest(answer: Answer) -> Iterator[str]:
    """Everything that follows the answer's text."""
    if answer.citations:
        yield ""
        yield from render_sources(answer.citations)
    for claim in answer.unsupported_claims:
        yield wrap(f"not supported by your notes: {claim}", indent="  ", first="")
    if answer.not_covered:
        yield wrap(f"not covered: {answer.not_covered}", indent="  ", first="")
    for cut in answer.truncated:
        yield wrap(cut, indent="  ", first="")
    if answer.writeback:
        yield ""
        yield _recorded(answer.writeback)


def render_debug(answer: Answer) -> Iterator[str]:
    for number, trace in enumerate(answer.debug or [], start=1):
        yield f"--- prompt {number} ---"
        yield clean(trace.prompt)
        yield f"--- output {number} ---"
        yield clean(trace.output)


def _recorded(writeback: Writeback) -> str:
    if writeback.commit:
        return clean(f"recorded: {writeback.path} commit {writeback.commit[:7]}")
    why = f": {writeback.reason}" if writeback.reason else ""
    state = "the commit waits" if writeback.queued else "not committed"
    return clean(f"recorded: {writeback.path} ({state}{why})")


def _place(item: Hit | Citation) -> str:
    if item.modality != "text":
        name = commit_name(item.source_uri) if item.modality == "code" else item.path
        return clean(f"{name} {item.locator}").rstrip()
    end = f"-{item.line_end}" if item.line_end != item.line_start else ""
    then = f" at {item.commit[:7]}" if item.commit else ""
    return clean(f"{item.path}:{item.line_start}{end}{then}")


def _bold(text: str) -> str:
    return click.style(text, bold=True)

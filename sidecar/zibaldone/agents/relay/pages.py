"""Pages as evidence: read first, because they are short and were worked out from the notes; never believed alone.

A passage of a page whose notes have changed since is set aside: the notes themselves are indexed, so nothing is lost.
What is answered from a page is cited to the page and to the lines of the notes that hold it. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from zibaldone.agents.relay.cite import Cited
from zibaldone.agents.relay.draft import Claim
from zibaldone.schemas.search import Hit

# How far down the ranks a page still says that the question is about it, and how many of its passages are read then.
_BEST = 4
_MOST_PASSAGES = 3


@dataclass(frozen=True, slots=True)
class PagePassage:
    """What a passage of a page rests on: the cited lines of notes as hits, and what has happened to notes since
    (`Bees.md has changed`)."""

    sources: tuple[Hit, ...] = ()
    changed: tuple[str, ...] = ()


Passages = Mapping[str, PagePassage]


def set_stale_aside(hits: Sequence[Hit], passages: Passages) -> tuple[list[Hit], list[str]]:
    """The hits without passages whose notes have changed, and a sentence about each page that lost one."""
    stale = {hit.path: passages[hit.chunk_id].changed for hit in hits if _is_stale(hit, passages)}
    told = [f"A passage of {path} was not used: {', '.join(changed)} since." for path, changed in stale.items()]
    return [hit for hit in hits if not _is_stale(hit, passages)], told


def leading_pages(hits: Sequence[Hit], passages: Passages) -> list[Hit]:
    """What is read before any note: the best passages of the one page that stands highest among the best hits."""
    with_sources = [hit for hit in hits if hit.chunk_id in passages and passages[hit.chunk_id].sources]
    page = next((hit.path for hit in with_sources if hit in hits[:_BEST]), None)
    return [hit for hit in with_sources if hit.path == page][:_MOST_PASSAGES]


def follow_pages(
    cited: Sequence[Cited], evidence: Sequence[Hit], passages: Passages
) -> tuple[list[Claim], list[Hit]] | None:
    """The claims with markers for the lines behind the pages that they were cited to, and the evidence with these lines
    at its end; None where no page was cited."""
    following = list(evidence)
    behind: dict[int, list[int]] = {}
    for marker in sorted({citation.marker for one in cited for citation in one.citations}):
        for source in passages.get(evidence[marker - 1].chunk_id, PagePassage()).sources:
            following.append(source)
            behind.setdefault(marker, []).append(len(following))
    if not behind:
        return None
    marked = [[c.marker for c in one.citations] for one in cited]
    claims = [
        replace(one.claim, markers=(*near, *(far for marker in near for far in behind.get(marker, ()))))
        for one, near in zip(cited, marked, strict=True)
    ]
    return claims, following


def drop_unheld(cited: Sequence[Cited], shown: int) -> list[Cited]:
    """Without citations of lines behind a page (markers above `shown`) that do not hold the claim: a passage of a page
    holds several statements, each from its own lines."""
    return [replace(one, citations=[c for c in one.citations if c.supported or c.marker <= shown]) for one in cited]


def _is_stale(hit: Hit, passages: Passages) -> bool:
    return bool(passages.get(hit.chunk_id, PagePassage()).changed)

"""Citations that hold: each claim of a draft against the words of the note that it names.

Quotes are taken from the file as it is on disk now, never from the model, so they are verbatim by construction; what
is checked is whether the quote holds the claim. A claim in another language than its note shares few words with it,
so likeness of meaning counts beside words where an embedder is there.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import numpy as np

from zibaldone.agents.relay.draft import Claim
from zibaldone.agents.relay.parts import wants_yes_or_no
from zibaldone.agents.relay.quote import Span, choose_quote, numbers_of, split_spans, word_overlap
from zibaldone.domain.locators import line_locator
from zibaldone.domain.notes import Modality
from zibaldone.domain.words import index_terms, query_terms
from zibaldone.errors import ZibaldoneError
from zibaldone.inference.roles import Embedder
from zibaldone.schemas.ask import Citation
from zibaldone.schemas.search import Hit

log = logging.getLogger(__name__)

ReadLines = Callable[[str, int, int], Awaitable[list[str]]]

# A claim rests on a quote when this share of its words stands there, or when the two are this alike (0..1 in the
# embedder's own range).
SUPPORT_OVERLAP = 0.5
SUPPORT_LIKENESS = 0.6
# By how much other evidence must be nearer to a claim than what its marker names to be cited in its place.
CLEARLY_NEARER = 0.2


@dataclass(frozen=True, slots=True)
class Cited:
    """A claim with its citations; `supported` when at least one of them holds it."""

    claim: Claim
    citations: list[Citation]

    @property
    def supported(self) -> bool:
        return any(citation.supported for citation in self.citations)


async def cite_claims(
    claims: Sequence[Claim], question: str, hits: Sequence[Hit], read_lines: ReadLines, embedder: Embedder | None
) -> list[Cited]:
    """Find for each claim the words that it rests on, and say whether they hold it.

    `hits[i]` is what marker i + 1 names. A claim without a marker, or whose marker names evidence that does not hold it
    (small models count badly), is cited to the evidence that is nearest to it where that holds it.
    """
    spans = [split_spans(await lines_of(hit, read_lines), hit.line_start) for hit in hits]
    likeness = await measure_likeness(embedder, [claim.text for claim in claims], spans)
    cited: list[Cited] = []
    for claim, alike in zip(claims, likeness, strict=True):
        scores = [_score_spans(claim.text, item, near) for item, near in zip(spans, alike, strict=True)]

        def cite(
            marker: int, claim: Claim = claim, scores: list[list[float]] = scores, alike: list[list[float]] = alike
        ) -> Citation | None:
            quote = choose_quote(spans[marker - 1], scores[marker - 1])
            if quote is None:
                return None
            likest = max(alike[marker - 1], default=0.0)
            return make_citation(marker, hits[marker - 1], quote, _holds(claim.text, quote, question, likest))

        citations = [citation for marker in claim.markers if (citation := cite(marker))]
        nearest = [citation for marker in _nearest_item(scores) if (citation := cite(marker))]
        nearer = _best(scores, [c.marker for c in nearest]) > _best(scores, claim.markers) + CLEARLY_NEARER
        held = any(citation.supported for citation in citations)
        if not citations or (any(citation.supported for citation in nearest) and (nearer or not held)):
            citations = nearest
        cited.append(Cited(claim, citations))
    return cited


async def lines_of(hit: Hit, read_lines: ReadLines) -> list[str]:
    """The lines of a hit: a note's as they are on disk now, of any other file those that were read out of it."""
    if hit.modality != Modality.TEXT:
        return hit.text.split("\n")
    return await read_lines(hit.path, hit.line_start, hit.line_end)


def make_citation(marker: int, hit: Hit, quote: Span, supported: bool) -> Citation:
    return Citation(
        marker=marker,
        path=hit.path,
        source_uri=hit.source_uri,
        heading=hit.heading,
        locator=line_locator(quote.line_start, quote.line_end) if hit.modality == Modality.TEXT else hit.locator,
        line_start=quote.line_start,
        line_end=quote.line_end,
        page=hit.page,
        modality=hit.modality,
        quote=quote.text,
        supported=supported,
        commit=hit.commit,
    )


def _holds(claim: str, quote: Span, question: str, likeness: float) -> bool:
    """Whether a quote holds a claim: every figure of the claim stands in it (or in the question), and enough of the
    words do that the claim adds to the question, or the two are alike. A claim that only says the question again
    holds nothing, unless the question wants a yes or no."""
    if numbers_of(claim) - numbers_of(quote.text) - numbers_of(question):
        return False
    asked = set(index_terms(question))
    added = [word for word in query_terms(claim) if word not in asked]
    if not added and not wants_yes_or_no(question):
        return False
    held = set(index_terms(quote.text))
    enough = sum(word in held for word in added) >= SUPPORT_OVERLAP * len(added)
    return (enough and word_overlap(claim, quote.text) > 0) or likeness >= SUPPORT_LIKENESS


def _score_spans(claim: str, spans: Sequence[Span], likeness: Sequence[float]) -> list[float]:
    return [word_overlap(claim, span.text) + near for span, near in zip(spans, likeness, strict=True)]


def _best(scores: Sequence[Sequence[float]], markers: Sequence[int]) -> float:
    return max((max(scores[marker - 1], default=0.0) for marker in markers), default=0.0)


def _nearest_item(scores: Sequence[Sequence[float]]) -> tuple[int, ...]:
    best = [max(item, default=0.0) for item in scores]
    return (best.index(max(best)) + 1,) if best and max(best) > 0 else ()


async def measure_likeness(
    embedder: Embedder | None, claims: Sequence[str], spans: Sequence[Sequence[Span]]
) -> list[list[list[float]]]:
    """For each claim and each evidence item the likeness (0..1) of the item's spans; zeros without an embedder."""
    nothing = [[[0.0] * len(item) for item in spans] for _ in claims]
    texts = [span.text for item in spans for span in item]
    if embedder is None or not claims or not texts:
        return nothing
    try:
        vectors = await embedder.embed_passages([*claims, *texts])
    except ZibaldoneError as error:
        log.warning("quotes are chosen by words only: %s", error.code)
        return nothing
    low, high = embedder.cosine_range
    cosines = vectors[: len(claims)] @ vectors[len(claims) :].T
    alike = np.clip((cosines - low) / (high - low), 0.0, 1.0)
    ends = np.cumsum([len(item) for item in spans])[:-1]
    return [[[float(x) for x in part] for part in np.split(row, ends)] for row in alike]

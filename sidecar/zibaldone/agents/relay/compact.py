"""What a turn leaves in the wiki, and where: code decides, the model only names a new page. Pure.

outmem leaves both to the model, which doubles pages and forgets to write. Here a supported answer goes to the page that
is about it, else to a new one; what a page says already, and what was not answered, is only logged.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence, Set
from dataclasses import dataclass

from zibaldone.agents.relay.draft import read_draft
from zibaldone.agents.relay.quote import numbers_of
from zibaldone.domain.lexicon import question_terms
from zibaldone.domain.words import STOP_WORDS, index_terms, query_terms
from zibaldone.schemas.ask import Answer
from zibaldone.vault.cited import hide_cited
from zibaldone.vault.inert import read_inert
from zibaldone.wiki.section import Statement
from zibaldone.wiki.slug import Slug

# A page is about an answer from this likeness on (0..1 in the embedder's own range), or from the second where it rests
# on one of the same notes. Calibrated, see ARCHITECTURE.md, "Writing back".
ALIKE = 0.8
ALIKE_SAME_NOTES = 0.5
# A page says a statement already where one of its lines holds this share of its words, and its figures.
SAID = 0.8
# A model is asked for one to three sentences and answers first; what it says beyond that is seldom to the point.
MOST_STATEMENTS = 3
# A page that has grown beyond this gets no further section: it would be no page about one thing any more.
MOST_PAGE_CHARS = 16_000

_LEAST_TERMS = 2
_LEAST_SUBJECT = 3
_ITEM = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+")
_SAYS = re.compile(r"[^\W\d_]{2,}")
_IS_LINK = re.compile(r"[^\s#|]+(?: [^\s#|]+){0,7}#\S.*|\[\[.*\]\]\.?")
_ENDS = re.compile(r"[.!?…。！？:;)\]\"'”’»]$")


@dataclass(frozen=True, slots=True)
class NearPage:
    """A page that may be about the answer. `likeness` is that of its nearest passage, `rests_on` the notes that it
    names as its provenance."""

    slug: Slug
    path: str
    likeness: float
    rests_on: Set[str]
    chars: int


def read_statements(answer: Answer, is_own: Set[str]) -> list[Statement]:
    """The sentences of an answer that the person's notes hold, each once. What only a page holds (`is_own`: paths of
    pages) is there already; a last sentence that was cut off is none, nor is one that was found to be unsupported, a
    bare figure among several, or a link."""
    claims = read_draft(answer.answer, max((c.marker for c in answer.citations), default=0)).claims
    if answer.truncated and claims and not _ENDS.search(claims[-1].text):
        claims = claims[:-1]
    notes = [c for c in answer.citations if c.supported and c.path not in is_own]
    found = [
        Statement(_ITEM.sub("", claim.text, count=1), tuple(c for c in notes if c.marker in claim.markers))
        for claim in claims
    ]
    unsupported = {_ITEM.sub("", text, count=1) for text in answer.unsupported_claims}
    held = {one.text: one for one in found if one.citations and one.text not in unsupported}
    alone = len(held) == 1
    return [one for text, one in held.items() if (alone or _SAYS.search(text)) and not _IS_LINK.fullmatch(text)]


def names_a_matter(question: str) -> bool:
    """Whether a question can head a section: "What else?" means nothing a day later."""
    return len([term for term in query_terms(question) if term not in STOP_WORDS]) >= _LEAST_TERMS


def subject_words(question: str, languages: Collection[str]) -> dict[str, tuple[str, ...]]:
    """What a question may be about, as notes can be named after it: the words, with the terms of the index that stand
    for each in the `languages` of the vault."""
    words = [word for word in query_terms(question) if len(word) >= _LEAST_SUBJECT and word not in STOP_WORDS]
    return {word: asked.forms for word in words for asked in question_terms(word, languages)}


def choose_page(pages: Iterable[NearPage], cited: Set[str]) -> NearPage | None:
    """The page that is about what rests on the notes `cited`; None where a new one is to be begun."""
    fitting = [
        page
        for page in pages
        if page.chars <= MOST_PAGE_CHARS and page.likeness >= (ALIKE_SAME_NOTES if page.rests_on & cited else ALIKE)
    ]
    return max(fitting, key=lambda page: (page.likeness, page.slug), default=None)


def says_already(lines: Sequence[str], statements: Sequence[Statement]) -> bool:
    """Whether each statement stands in one of the lines, in these or nearly these words."""
    bare = [read_inert(hide_cited(line)) for line in lines if line.strip()]
    held = [(set(index_terms(line)), numbers_of(line)) for line in bare]
    return all(_is_said(statement.text, held) for statement in statements)


def _is_said(text: str, held: Sequence[tuple[set[str], set[str]]]) -> bool:
    terms, numbers = query_terms(text), numbers_of(text)
    return any(
        numbers <= figures and sum(term in words for term in terms) >= SAID * len(terms) for words, figures in held
    )

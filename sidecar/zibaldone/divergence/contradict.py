"""Pairs of claims that may disagree, and how likely they do. Pure.

A pair is alike in meaning (by the sentences' vectors) and differs in something that can be named (`marks`). How likely
it is that the two disagree is a sum of log odds: what code can see of the pair, and what the model thinks of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import exp

import numpy as np

from zibaldone.divergence.marks import Marks, compare_marks, known_names, read_marks
from zibaldone.divergence.notes import NoteText, Sentence
from zibaldone.divergence.quoting import quote
from zibaldone.divergence.vocabulary import COMMON, MONTHS, NUMBERS, UNITS, WEEKDAYS, german_words
from zibaldone.domain.words import fold, index_terms, query_terms
from zibaldone.inference.roles import Vectors
from zibaldone.schemas.divergence import Contradiction, MarkKind

# Log odds of each kind of difference between sentences that are alike, and of what speaks against one subject.
_WEIGHT: dict[MarkKind, float] = {
    "figure": 1.0, "date": 1.0, "negation": 1.0, "opposite": 1.0, "value": 0.3, "claim": -2.0,
}  # fmt: skip
# A likeness of 1 is that of two texts which say the same, by the embedder's own range; more is told of no two.
_LIKENESS, _EVEN_LIKENESS, _MOST_LIKENESS = 5.0, 0.65, 1.0
_OTHER_NAME, _OTHER_SUBJECT, _OTHER_WORDS = 3.5, 2.5, 1.2
_NO_SUBJECT, _SIBLINGS, _SAME_PLACE, _FORMULA = 2.5, 3.0, 2.0, 3.0
_LEAST_LIKENESS = 0.3
# Names and rare words that two sentences about one thing share.
_SHARED = 2
_NOT_SHARED = COMMON | UNITS.keys() | NUMBERS.keys() | MONTHS.keys() | WEEKDAYS.keys()
# Words of a claim, and of those without links and figures; letters of a word, and notes, that make it telling.
_MIN_TERMS, _MIN_PLAIN, _MIN_CHARS, _FEW = 3, 2, 4, 3
_NOTES_PER_FEW = 40
_SAME_FORM = 0.6
_LEAST_OVERLAP, _FAR_APART = 0.25, 3.0
_LOWER = re.compile(r"\b[^\W\d_A-Z][^\W\d_]+")
_BLOCK = 1024
_NEAREST = 12
# A sentence that more than so many others repeat but for its names and figures is a formula (a template, a diary's).
_REPEATED = 2
# Less likely pairs than this no verdict of the model could make likely.
_WORTH = -3.0

_SAYS: dict[MarkKind, str] = {
    "figure": "The figures differ: {} and {}.",
    "date": "The times differ: {} and {}.",
    "negation": "One says it, the other denies it.",
    "opposite": "They say the opposite: {} and {}.",
    "value": "They name different things: {} and {}.",
    "claim": "They speak of the same and do not say the same.",
}


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence that can be held against another.

    `subject` are words of its title and headings, and `rare` of its own, that few notes have; `date` is when it was
    said, as far as that is stated.
    """

    sentence: Sentence
    marks: Marks
    subject: frozenset[str]
    rare: frozenset[str]
    date: str | None


@dataclass(frozen=True, slots=True)
class Candidate:
    """`prior` are log odds before a model has looked at it; `changed`: it would be an update, no contradiction."""

    a: Claim
    b: Claim
    likeness: float
    kind: MarkKind
    reason: str
    prior: float
    changed: bool


def read_claims(notes: Sequence[NoteText]) -> list[Claim]:
    """The sentences of all notes that state something; questions and headings state nothing."""
    stating = [
        (note, sentence)
        for note in notes
        for sentence in note.sentences
        if len(sentence.terms) >= _MIN_TERMS and sentence.text.rstrip('*_ "”»')[-1:] not in ("?", "？", ":")
    ]
    ordinary = {fold(word) for _, one in stating for word in _LOWER.findall(one.text)}
    # What many notes have in their titles and headings tells none of them from the others.
    heads = [_head_terms(note.title, *note.aliases, *note.headings) for note in notes]
    known = Counter(term for head in heads for term in head)
    spoken = Counter(term for note in notes for term in frozenset().union(*(one.terms for one in note.sentences)))
    few = max(_FEW, len(notes) // _NOTES_PER_FEW)
    telling = frozenset(term for term, count in known.items() if count <= few)
    common = _NOT_SHARED | german_words(one.text for _, one in stating)
    rare = frozenset(
        term for term, count in spoken.items() if count <= few and len(term) >= _MIN_CHARS and term not in common
    )
    claims = [
        Claim(
            sentence,
            read_marks(sentence.text, ordinary),
            _head_terms(note.title, *note.aliases, *sentence.heading) & telling,
            sentence.terms & rare,
            _said_at(note, sentence),
        )
        for note, sentence in stating
    ]
    return [claim for claim in claims if len(query_terms(claim.marks.plain)) >= _MIN_PLAIN]


def find_candidates(claims: Sequence[Claim], vectors: Vectors, cosine_range: tuple[float, float]) -> list[Candidate]:
    """The likeliest pairs first. `vectors` has a row for each claim, of its `marks.plain`: in what two
    differ must not count as what they are about. Every two are compared, in blocks."""
    repeated = Counter(_formula(claim) for claim in claims)
    found: list[Candidate] = []
    for i, j, cosine in _alike(claims, vectors):
        candidate = _weigh(claims[i], claims[j], _scale(cosine, cosine_range))
        if candidate is not None:
            formula = max(repeated[_formula(claims[i])], repeated[_formula(claims[j])]) > _REPEATED
            found.append(replace(candidate, prior=candidate.prior - _FORMULA) if formula else candidate)
    return sorted(found, key=lambda one: (-one.prior, one.a.sentence.path, one.a.sentence.line_start))


def probability(candidate: Candidate, verdict: float | None) -> float:
    """How likely the two disagree (0..1). `verdict`: the model's log odds that they do, None where it was not asked."""
    return 1 / (1 + exp(-(candidate.prior + (verdict or 0.0))))


def tell(candidate: Candidate, likely: float | None) -> Contradiction:
    a, b = candidate.a, candidate.b
    verdict = "changed" if candidate.changed else "contradicts"
    return Contradiction(
        verdict="unjudged" if likely is None else verdict,
        kind=candidate.kind,
        reason=candidate.reason,
        probability=None if likely is None else round(likely, 3),
        quotes=[quote(a.sentence), quote(b.sentence)],
        dates=[a.date, b.date],
    )


def one_of_each(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Each claim once: of the pairs that it is in the first."""
    seen: set[Sentence] = set()
    kept: list[Candidate] = []
    for one in candidates:
        if one.a.sentence not in seen and one.b.sentence not in seen:
            seen |= {one.a.sentence, one.b.sentence}
            kept.append(one)
    return kept


def _alike(claims: Sequence[Claim], vectors: Vectors) -> Iterator[tuple[int, int, float]]:
    """Pairs of which one is among the other's nearest."""
    seen: set[tuple[int, int]] = set()
    for start in range(0, len(claims), _BLOCK):
        block = vectors[start : start + _BLOCK] @ vectors.T
        k = min(_NEAREST, block.shape[1] - 1)
        for row, columns in enumerate(np.argpartition(-block, k, axis=1)[:, : k + 1].tolist()):
            i = start + row
            for j in columns:
                pair = (min(i, j), max(i, j))
                if i != j and pair not in seen:
                    seen.add(pair)
                    yield *pair, float(block[row, j])


def _weigh(a: Claim, b: Claim, likeness: float) -> Candidate | None:
    if likeness < _LEAST_LIKENESS or fold(a.sentence.text) == fold(b.sentence.text):
        return None
    same_note = a.sentence.path == b.sentence.path
    if same_note and abs(a.sentence.line_start - b.sentence.line_start) <= 1:
        return None
    if _count_shared(a, b) < _SHARED:
        return None
    if same_note and a.sentence.text[:1] == b.sentence.text[:1] == "|":  # rows of a table are of different things
        return None
    differences = [one for one in compare_marks(a.marks, b.marks) if one[0] != "value" or not _name_titles(a, b)]
    kind, left, right = differences[0] if differences else ("claim", "", "")
    changed = _is_update(a, b, kind)
    if changed and not differences:  # nothing can be named that changed
        return None
    prior = _LIKENESS * (min(likeness, _MOST_LIKENESS) - _EVEN_LIKENESS) + _WEIGHT[kind]
    common = _common_names(a, b)
    apart = _tell_apart(a, b, common)
    if apart and common and kind == "value":  # it is a name in which they may differ
        prior -= min(apart, _OTHER_WORDS)
    elif apart:
        prior -= apart
    elif not common:
        prior -= _SIBLINGS if _are_siblings(a, b) else _NO_SUBJECT
    if kind in ("negation", "opposite", "value") and _overlap(a, b) < _LEAST_OVERLAP:  # it may be of another thing
        prior -= _FAR_APART
    if same_note:
        prior -= _SAME_PLACE
    return Candidate(a, b, likeness, kind, _SAYS[kind].format(left, right), prior, changed)


def _common_names(a: Claim, b: Claim) -> frozenset[str]:
    """What both are about: what both name, one of them perhaps in its headings only, or a word that few notes have."""
    named = known_names(a.marks.names, b.marks.words | b.subject) | known_names(
        b.marks.names, a.marks.words | a.subject
    )
    return named | (a.subject & b.subject) | (a.rare & b.rare)


def _name_titles(a: Claim, b: Claim) -> bool:
    """Whether one names what the note of the other is about: no other thing, but that one."""
    return any(
        known_names(one.marks.names - other.marks.words, frozenset(query_terms(other.sentence.title)))
        for one, other in ((a, b), (b, a))
    )


def _count_shared(a: Claim, b: Claim) -> int:
    """How many names, and words that few notes have, stand in both; a name of several words counts once."""
    one, other = (a.marks.names | a.rare) - _NOT_SHARED, (b.marks.names | b.rare) - _NOT_SHARED
    return max(_count_apart(a, known_names(one, other)), _count_apart(b, known_names(other, one)))


def _count_apart(claim: Claim, shared: frozenset[str]) -> int:
    words = [word if word in shared else "" for word in index_terms(claim.sentence.text)]
    names = claim.marks.names
    joined = {word for before, word in pairwise(words) if before in names and word in names}
    return len(shared - joined)


def _tell_apart(a: Claim, b: Claim, common: frozenset[str]) -> float:
    """What speaks against one subject: each names something that the other, its headings included, knows nothing of.

    It says most where one sentence is the other with another name in it, and least where rare words are common.
    """
    only_a = a.marks.names - known_names(a.marks.names, b.marks.words | b.subject)
    only_b = b.marks.names - known_names(b.marks.names, a.marks.words | a.subject)
    if not only_a or not only_b:
        return 0.0
    one, other = _formula(a), _formula(b)
    if len(one & other) >= _SAME_FORM * len(one | other):
        return _OTHER_NAME
    if not common:
        return _OTHER_SUBJECT
    return _OTHER_WORDS if common <= (a.rare & b.rare) else 0.0


def _overlap(a: Claim, b: Claim) -> float:
    """The share (0..1) of the shorter one's words that the other has."""
    one, other = a.sentence.terms, b.sentence.terms
    return len(one & other) / min(len(one), len(other))


def _formula(claim: Claim) -> frozenset[str]:
    return frozenset(term for term in claim.marks.words - claim.marks.names if not any(map(str.isdigit, term)))


def _are_siblings(a: Claim, b: Claim) -> bool:
    """Whether they stand in two notes of one folder that are about different things: neither says the other's title."""
    one, other = a.sentence, b.sentence
    if one.path == other.path or one.path.rpartition("/")[0] != other.path.rpartition("/")[0]:
        return False
    title_a, title_b = set(query_terms(one.title)), set(query_terms(other.title))
    return not (title_a & (title_b | b.marks.words) or title_b & a.marks.words)


def _is_update(a: Claim, b: Claim, kind: MarkKind) -> bool:
    """The same fact at two stated dates. Two dates of one event are none, unless a word says that something changed."""
    if not a.date or not b.date or a.date == b.date:
        return False
    return kind != "date" or a.marks.changing or b.marks.changing


def _head_terms(*texts: str) -> frozenset[str]:
    return frozenset(query_terms(" ".join(texts)))


def _said_at(note: NoteText, sentence: Sentence) -> str | None:
    """A date in the sentence, in the headings above it, or the note's own."""
    for text in (sentence.text, *reversed(sentence.heading)):
        marks = read_marks(text)
        dates = [date for date in (marks.stamp, *marks.dates) if date and date[:4].isdigit()]
        if dates:
            return max(dates, key=lambda date: (len(date), date))
    return note.date


def _scale(cosine: float, cosine_range: tuple[float, float]) -> float:
    low, high = cosine_range
    return (cosine - low) / (high - low)


def choose_judged(candidates: Sequence[Candidate], most: int) -> list[Candidate]:
    """Those that are worth the model's time."""
    return [one for one in candidates if one.prior > _WORTH][:most]

"""What ties two notes together, each tie with its reason, a quote of both and a cost. Pure.

A link is a reason that somebody wrote down; a rare word, a tag or a day that only a few notes share is one that nobody
did; nearness in meaning is the weakest, as anything is near to something. The fewer share it the less a tie costs.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log2

import numpy as np

from zibaldone.divergence.marks import read_marks
from zibaldone.divergence.notes import NoteText, Sentence
from zibaldone.divergence.quoting import quote
from zibaldone.divergence.vocabulary import COMMON, german_words
from zibaldone.domain.words import fold, query_terms
from zibaldone.inference.roles import Vectors
from zibaldone.schemas.divergence import Step, TieKind

_LINK, _TERM, _TAG, _DATE, _MEANING = 1.0, 1.4, 1.8, 2.0, 3.0
# What more notes than these share says little about two of them.
_MOST_SHARING, _NOTES_PER_SHARING = 5, 40
_MIN_TERM_CHARS = 4
_NEIGHBOURS = 4
_HASHTAG = re.compile(r"(?<!\S)#\S+")
_BLOCK = 1024


@dataclass(frozen=True, slots=True)
class Tie:
    """From the note of the first quote to that of the second."""

    kind: TieKind
    reason: str
    cost: float
    source: Sentence
    target: Sentence

    def turned(self) -> Tie:
        return Tie(self.kind, self.reason, self.cost, self.target, self.source)

    def step(self) -> Step:
        return Step(
            kind=self.kind,
            reason=self.reason,
            source=self.source.path,
            target=self.target.path,
            quotes=[quote(self.source), quote(self.target)],
        )


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk by its place, for which there is a vector."""

    path: str
    line_start: int
    line_end: int


Ties = Mapping[str, Mapping[str, Tie]]


def find_ties(notes: Sequence[NoteText], passages: Sequence[Passage], vectors: Vectors) -> Ties:
    """The strongest tie between any two notes, both ways, by path. `vectors` has a row for each passage."""
    found: dict[str, dict[str, Tie]] = {note.path: {} for note in notes}
    by_path = {note.path: note for note in notes}
    for tie in [
        *_links(by_path),
        *_shared_terms(notes),
        *_shared_tags(notes),
        *_shared_dates(notes),
        *_near(by_path, passages, vectors),
    ]:
        for one in (tie, tie.turned()):
            known = found[one.source.path].get(one.target.path)
            if known is None or one.cost < known.cost:
                found[one.source.path][one.target.path] = one
    return found


def _links(notes: Mapping[str, NoteText]) -> Iterator[Tie]:
    for note in notes.values():
        for link in note.links:
            target = notes.get(link.leads_to or "")
            if target is not None and target is not note:
                reason = f"{note.path} links to {target.title}."
                yield Tie("link", reason, _LINK, link.sentence, _below(target, link.link.heading, link.sentence))


def _below(note: NoteText, heading: str | None, about: Sentence) -> Sentence:
    """The sentence of a note that a link means best: one below its heading, else the one with most of the words."""
    wanted = fold(heading.rpartition("#")[2]) if heading else None
    there = [one for one in note.sentences if wanted and any(fold(part) == wanted for part in one.heading)]
    terms = about.terms
    return max(there or note.sentences, key=lambda one: len(one.terms & terms), default=note.head)


def _shared_terms(notes: Sequence[NoteText]) -> Iterator[Tie]:
    where: dict[str, dict[str, Sentence]] = defaultdict(dict)
    ordinary = COMMON | german_words(one.text for note in notes for one in note.sentences)
    for note in notes:
        for sentence in note.sentences:
            for term in query_terms(_HASHTAG.sub(" ", sentence.text)):
                if len(term) >= _MIN_TERM_CHARS and not term[0].isdigit() and term not in ordinary:
                    where[term].setdefault(note.path, sentence)
    # In a small vault most ordinary words are rare as well.
    most = max(2, min(_MOST_SHARING, len(notes) // _NOTES_PER_SHARING))
    for pair, terms in _sharing(where, most).items():
        # The rarest word, and of several the longest: it says most.
        term = min(terms, key=lambda one: (len(where[one]), -len(one), one))
        cost = _rare(_TERM, len(where[term])) - min(0.3, 0.1 * (len(terms) - 1))
        reason = f"Both speak of “{term}”, which only {_few(len(where[term]))} do."
        yield Tie("term", reason, cost, where[term][pair[0]], where[term][pair[1]])


def _shared_tags(notes: Sequence[NoteText]) -> Iterator[Tie]:
    where: dict[str, dict[str, Sentence]] = defaultdict(dict)
    for note in notes:
        for tag in note.tags:
            named = next((one for one in note.sentences if f"#{tag}" in one.text), note.head)
            where[fold(tag)][note.path] = named
    for pair, tags in _sharing(where).items():
        tag = min(tags, key=lambda one: (len(where[one]), one))
        reason = f"Both have the tag #{tag}, which {_few(len(where[tag]))} have."
        yield Tie("tag", reason, _rare(_TAG, len(where[tag])), where[tag][pair[0]], where[tag][pair[1]])


def _shared_dates(notes: Sequence[NoteText]) -> Iterator[Tie]:
    """The same day, stated by the note or in a sentence; months and years are shared by too many."""
    where: dict[str, dict[str, Sentence]] = defaultdict(dict)
    for note in notes:
        for sentence in note.sentences:
            marks = read_marks(sentence.text)
            for date in (*marks.dates, marks.stamp or ""):
                if len(date) == len("2026-03-04"):
                    where[date].setdefault(note.path, sentence)
        if note.date:
            where[note.date].setdefault(note.path, note.head)
    for pair, dates in _sharing(where).items():
        date = min(dates, key=lambda one: (len(where[one]), one))
        reason = f"Both belong to {date}, as {_few(len(where[date]))} do."
        yield Tie("date", reason, _rare(_DATE, len(where[date])), where[date][pair[0]], where[date][pair[1]])


def _sharing(
    where: Mapping[str, Mapping[str, Sentence]], most: int = _MOST_SHARING
) -> dict[tuple[str, str], list[str]]:
    """What each two notes share that few have."""
    shared: dict[tuple[str, str], list[str]] = defaultdict(list)
    for what, paths in where.items():
        if 2 <= len(paths) <= most:
            for pair in combinations(sorted(paths), 2):
                shared[pair].append(what)
    return shared


def _rare(cost: float, sharing: int) -> float:
    return cost + 0.5 * log2(sharing / 2) if sharing > 2 else cost


def _few(number: int) -> str:
    return "these two notes" if number == 2 else f"{number} notes"


def _near(notes: Mapping[str, NoteText], passages: Sequence[Passage], vectors: Vectors) -> Iterator[Tie]:
    for a, b, cosine, above in near_passages(passages, vectors, _NEIGHBOURS):
        if a.path in notes and b.path in notes:
            one, other = closest_sentences(within(notes[a.path], a), within(notes[b.path], b))
            reason = f"These passages are near in meaning (cosine {cosine:.2f})."
            yield Tie("meaning", reason, _MEANING + max(0.0, 1.0 - above), one, other)


def near_passages(
    passages: Sequence[Passage], vectors: Vectors, k: int
) -> Iterator[tuple[Passage, Passage, float, float]]:
    """Pairs of passages of different notes, each among the other's `k` nearest, with their cosine and how many standard
    deviations that lies above the cosine of any two passages, as a share of five. Exact; a block of rows at a time."""
    if len(passages) < 2:
        return
    codes = {path: i for i, path in enumerate(dict.fromkeys(one.path for one in passages))}
    of = np.array([codes[one.path] for one in passages])
    nearest: list[set[int]] = []
    cosines: dict[tuple[int, int], float] = {}
    total, squares, count = 0.0, 0.0, 0
    for start in range(0, len(passages), _BLOCK):
        block = vectors[start : start + _BLOCK] @ vectors.T
        total, squares, count = total + float(block.sum()), squares + float((block**2).sum()), count + block.size
        block[of[start : start + _BLOCK, None] == of[None, :]] = -1.0
        best = np.argpartition(-block, min(k, block.shape[1] - 1), axis=1)[:, :k]
        for row, columns in enumerate(best):
            nearest.append({int(column) for column in columns if block[row, column] > -1.0})
            cosines.update({(start + row, int(column)): float(block[row, column]) for column in columns})
    mean = total / count
    spread = max(1e-6, (squares / count - mean * mean) ** 0.5)
    for i, found in enumerate(nearest):
        for j in sorted(found):
            if i < j and i in nearest[j]:
                cosine = cosines[i, j]
                yield passages[i], passages[j], cosine, (cosine - mean) / spread / 5


def closest_sentences(a: Sequence[Sentence], b: Sequence[Sentence]) -> tuple[Sentence, Sentence]:
    """The two that share most of their words; the first ones where none share any."""
    terms = {one: one.terms for one in (*a, *b)}
    counts = Counter(term for held in terms.values() for term in held)
    pairs = ((x, y) for x in a for y in b)
    return max(pairs, key=lambda pair: sum(1 / counts[term] for term in terms[pair[0]] & terms[pair[1]]))


def within(note: NoteText, passage: Passage) -> Sequence[Sentence]:
    there = [one for one in note.sentences if passage.line_start <= one.line_start <= passage.line_end]
    return there[:30] or [note.head]

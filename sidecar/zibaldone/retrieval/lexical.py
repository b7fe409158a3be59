"""The lexical leg: which passages hold the question's words, and how well.

FTS5 says which passages hold a word; the best of them are chosen by the rarity of the words that they and their notes
hold, and scored exactly. At most `ROWS` passages are looked at however large the vault is, those with the rarest words
first: a word that stands everywhere tells nothing about any of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log, log1p

import numpy as np
from numpy.typing import NDArray

from zibaldone.domain.day_terms import terms_of_range
from zibaldone.domain.lexicon import Asked, question_terms
from zibaldone.retrieval.query.times import TimeHint
from zibaldone.retrieval.scope import Scope
from zibaldone.retrieval.union import SearchStore
from zibaldone.store.index_db import Candidate, Totals, note_sizes, notes_of

ROWS = 12000
# Passages that the leg brings, how many of those whose title holds a word, and of each note.
DEPTH, TITLED, OF_NOTE = 60, 20, 3
# Among how many of the best these are looked for.
_SORTED = 1500
# BM25 with the constants of SQLite's FTS5 (fts5_aux.c), and the weights of title, headings, tags, body and days.
_K1, _B = 1.2, 0.75
_WEIGHTS = (2.0, 1.5, 1.5, 1.0, 0.6)
_LEAST_IDF = 1e-6
# What a note's BM25, with its passages that hold a word as the word's count, weighs beside the passage's own: a
# question's words are spread over the note that answers it (ARCHITECTURE.md, "Words").
_NOTE_WEIGHT = 2.0

Rows = NDArray[np.int64]
Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class WordScore:
    """How well a passage answers by its words: `bm25` with its note's, `lexical` by how often they stand there alone;
    `held` are the numbers of the words that it holds, `titled` is the share of them in its title."""

    bm25: float = 0.0
    lexical: float = 0.0
    held: frozenset[int] = frozenset()
    titled: float = 0.0


@dataclass(frozen=True)
class Words:
    """The question's words as the vault uses them: in how many passages each form stands, and in which (of those that
    were looked at). Made by `look_up`."""

    asked: list[Asked]
    counts: Mapping[str, int]
    rows: Mapping[str, Rows]
    totals: Totals

    @cached_property
    def notes(self) -> tuple[Rows, Scores]:
        """The notes that hold any of the words, and the BM25 of each, where a word stands as often in a note as
        passages of it hold the word, and a note is as long as it has passages."""
        if not self.rows:
            return np.empty(0, np.int64), np.empty(0)
        average = self.totals.chunks / max(1, self.totals.notes)
        holding, scores = [], []
        for rows in self.rows.values():
            notes, first, often = np.unique(notes_of(rows), return_index=True, return_counts=True)
            damped = _K1 * (1 - _B + _B * note_sizes(rows[first]) / average)
            holding.append(notes)
            scores.append(_rarity(len(notes), self.totals.notes) * often * (_K1 + 1) / (often + damped))
        found, at = np.unique(np.concatenate(holding), return_inverse=True)
        return found, np.bincount(at, np.concatenate(scores)).astype(float)

    @cached_property
    def information(self) -> list[float]:
        """Of each word, in nats: the rarer, the more. None in a name that the vault only has in parts."""
        weights = []
        for word in self.asked:
            count = min(sum(self.counts[form] for form in word.forms), self.totals.chunks)
            weights.append(0.0 if word.is_optional and not count else log((self.totals.chunks + 1) / (count + 0.5)))
        return weights

    @property
    def known(self) -> float:
        """The share of the words that the vault uses at all."""
        told = [any(self.counts[form] for form in word.forms) for word in self.asked if not word.is_optional]
        return sum(told) / len(told) if told else 0.0

    def cover(self, held: Iterable[frozenset[int]]) -> float:
        """The largest share of the question's information that one of some passages holds."""
        total = sum(self.information)
        return max((sum(self.information[n] for n in one) / total for one in held), default=0.0) if total > 0 else 0.0


def look_up(question: str, time: TimeHint | None, store: SearchStore, limit: int = ROWS) -> Words:
    """One lookup in the index for each form of each word; the time that is asked about is a word, too."""
    asked = question_terms(question, store.languages())
    if time:
        asked += _time_words(time)
    forms = list(dict.fromkeys(form for word in asked for form in word.forms))
    counts = store.document_frequency(forms)
    rows: dict[str, Rows] = {}
    left = limit
    for form in sorted((form for form in forms if counts[form]), key=lambda form: counts[form]):
        if left <= 0:
            break
        rows[form] = store.rows_with([form], left)
        left -= len(rows[form])
    return Words(asked, counts, rows, store.totals())


def _time_words(time: TimeHint) -> list[Asked]:
    of_year = terms_of_range(time.start, time.end)
    if not time.of_any_year:
        return [Asked(of_year, is_optional=True)] if of_year else []
    of_any = terms_of_range(time.start, time.end, of_any_year=True)
    return [Asked(terms, is_optional=True) for terms in (of_any, of_year) if terms]


def find_worded(words: Words, store: SearchStore, scope: Scope) -> list[int]:
    """The rows of the passages that are best by their words, at a glance."""
    if not words.rows:
        return []
    held = np.concatenate(list(words.rows.values()))
    weight = np.concatenate([np.full(len(rows), _idf(words, form)) for form, rows in words.rows.items()])
    rows, at = np.unique(held, return_inverse=True)
    score: Scores = np.bincount(at, weight).astype(float)
    score += _NOTE_WEIGHT * _score_notes(words, rows)
    score[~scope.admits(rows)] = -1.0
    best = _highest(rows, score, DEPTH)
    titled = np.isin(rows, store.rows_with(list(words.rows), ROWS // 10, titles=True))
    return list(dict.fromkeys([*best, *_highest(rows[titled], score[titled], TITLED)]))


def score_words(words: Words, candidates: Sequence[Candidate]) -> dict[str, WordScore]:
    """By chunk id, for those that hold any of the words."""
    forms = frozenset(form for form, count in words.counts.items() if count)
    idf = {form: _idf(words, form) for form in forms}
    average = words.totals.terms / max(1, words.totals.chunks)
    of_note = _score_notes(words, np.array([candidate.row for candidate in candidates], np.int64))
    numbers = {form: number for number, word in enumerate(words.asked) for form in word.forms}
    whole = sum(not word.is_optional for word in words.asked) or 1
    scores: dict[str, WordScore] = {}
    for candidate, note_score in zip(candidates, of_note, strict=True):
        columns = [
            candidate.title_terms.split(),
            candidate.heading_terms.split(),
            candidate.tag_terms.split(),
            candidate.body_terms.split(),
            candidate.date_terms.split(),
        ]
        found: dict[str, float] = {}
        for weight, column in zip(_WEIGHTS, columns, strict=True):
            for form in forms.intersection(column):
                found[form] = found.get(form, 0.0) + weight * column.count(form)
        if not found:
            continue
        damped = _K1 * (1 - _B + _B * sum(map(len, columns[:-1])) / average)
        own = sum(idf[form] * often * (_K1 + 1) / (often + damped) for form, often in found.items())
        titled = {numbers[form] for form in found.keys() & set(columns[0])}
        scores[candidate.id] = WordScore(
            bm25=own + _NOTE_WEIGHT * float(note_score),
            lexical=sum(log1p(often) for often in found.values()),
            held=frozenset(numbers[form] for form in found),
            titled=sum(not words.asked[number].is_optional for number in titled) / whole,
        )
    return scores


def _score_notes(words: Words, rows: Rows) -> Scores:
    """The BM25 of each passage's note."""
    notes, scores = words.notes
    if not len(notes):
        return np.zeros(len(rows))
    wanted = notes_of(rows)
    at = np.minimum(np.searchsorted(notes, wanted), len(notes) - 1)
    return np.where(notes[at] == wanted, scores[at], 0.0)


def _idf(words: Words, form: str) -> float:
    return _rarity(words.counts[form], words.totals.chunks)


def _rarity(count: int, total: int) -> float:
    """Inverse document frequency, as FTS5 has it."""
    return max(log((total - count + 0.5) / (count + 0.5)), _LEAST_IDF)


def _highest(rows: Rows, score: Scores, limit: int) -> list[int]:
    """The best rows, a few of each note: else one long note would take all places."""
    if len(rows) > _SORTED:
        high = np.argpartition(-score, _SORTED)[:_SORTED]
        rows, score = rows[high], score[high]
    taken: Counter[int] = Counter()
    best: list[int] = []
    order = np.argsort(-score, kind="stable")
    for row, note, value in zip(rows[order].tolist(), notes_of(rows[order]).tolist(), score[order], strict=True):
        if len(best) == limit or value < 0:
            break
        if taken[note] < OF_NOTE:
            taken[note] += 1
            best.append(row)
    return best

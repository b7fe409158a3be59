"""Where a search may look: what its operators leave of the vault. Settled before anything is ranked."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zibaldone.domain.lexicon import question_terms
from zibaldone.domain.notes import Modality, Origin
from zibaldone.retrieval.query.syntax import Query
from zibaldone.retrieval.union import SearchStore
from zibaldone.retrieval.within import Within
from zibaldone.store.index_db import NoteRow, notes_of

Rows = NDArray[np.int64]

# Passages whose text is looked at for a phrase or an excluded word.
_READ = 4000


@dataclass(frozen=True, slots=True)
class Scope:
    """Rows of notes and of passages; `notes` and `passages` None: all. `left_out` tells, for the person, why."""

    notes: Rows | None
    passages: Rows | None
    barred_notes: Rows
    barred_passages: Rows
    left_out: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()

    @property
    def is_open(self) -> bool:
        return self.notes is None and self.passages is None

    def admits(self, rows: Rows) -> NDArray[np.bool_]:
        """Of each passage, whether it may be found."""
        notes = notes_of(rows)
        admitted = np.ones(len(rows), bool)
        if self.notes is not None:
            admitted &= np.isin(notes, self.notes)
        if self.passages is not None:
            admitted &= np.isin(rows, self.passages)
        if len(self.barred_notes):
            admitted &= ~np.isin(notes, self.barred_notes)
        if len(self.barred_passages):
            admitted &= ~np.isin(rows, self.barred_passages)
        return admitted


def open_scope(
    query: Query,
    modality: tuple[str, ...],
    store: SearchStore,
    within: Within | None = None,
    among: Collection[str] | None = None,
) -> Scope:
    """Of all passages, of those `within` what a person named, or `among` those (ids) that something else has chosen.

    One look over the notes where there are filters, and into the passages that hold a phrase's or excluded words.

    A phrase that stands nowhere is searched by its words: a title is often quoted from memory.
    """
    notes: Rows | None = None
    left_out: list[str] = []
    notices: list[str] = []
    if not query.filters.is_empty or modality or within is not None:
        every = store.notes()
        wanted = frozenset(modality)
        admitted = [
            note.row
            for note in every
            for kinds in [_kinds(note)]
            if (not wanted or not wanted.isdisjoint(kinds))
            and (within is None or within.admit(note.path, note.tags))
            and query.filters.admit(note.path, note.tags, kinds, note.date)
        ]
        notes = np.array(admitted, np.int64)
        left_out.append(f"{len(every) - len(admitted)} of {len(every)} notes by the filters")
        undated = sum(note.date is None for note in every)
        if undated and (query.filters.before or query.filters.after):
            notices.append(
                f"{undated} of {len(every)} notes have no date of their own (in the note, its name, or a commit from "
                "before they were indexed): `before:` and `after:` leave them out."
            )
        there = {kind.casefold() for note in every for kind in _kinds(note)}
        if unknown := [kind for kind in query.filters.types if kind not in there]:
            notices.append(
                f"Nothing here is of the type {', '.join(unknown)}. `type:` can be {', '.join(sorted(there))}."
            )
    passages: Rows | None = None
    if query.phrases:
        held = _holding(query, query.phrases, store, every_word=True)
        if len(held):
            passages = held
            left_out.append("passages without the phrase")
        else:
            notices.append("No passage holds the quoted words as they are: searched by each of them.")
    if among is not None:
        rows = np.array([one.row for one in store.candidates(list(among)).values()], np.int64)
        passages = rows if passages is None else np.intersect1d(passages, rows)
    barred = _holding(query, query.excluded, store, every_word=False) if query.excluded else np.empty(0, np.int64)
    if len(barred):
        left_out.append(f"{len(barred)} passages with excluded words")
    return Scope(notes, passages, store.held_notes(), barred, tuple(left_out), tuple(notices))


def _kinds(note: NoteRow) -> tuple[str, ...]:
    """All that `type:` may call it."""
    if note.modality != Modality.TEXT:
        return note.modality, note.origin, *(("git", "commit") if note.modality == Modality.CODE else ("file",))
    return note.modality, note.origin, "page" if note.origin == Origin.AGENT else "note"


def _holding(query: Query, wordings: tuple[str, ...], store: SearchStore, *, every_word: bool) -> Rows:
    """The passages that hold the wordings: all of them, or any."""
    found: Rows | None = None
    for wording in wordings:
        rows: Rows | None = None
        for word in question_terms(wording, store.languages()):
            if word.is_optional:
                continue
            some = store.rows_with(word.forms, _READ)
            rows = some if rows is None else np.intersect1d(rows, some)
        if rows is None:
            continue
        sought = Query(text="", phrases=(wording,))
        texts = store.chunks(rows=rows.tolist()).values()
        rows = np.array([one.row for one in texts if sought.admit(_shown(one.title, one.text))], np.int64)
        both = np.intersect1d if every_word else np.union1d
        found = rows if found is None else both(found, rows)
    return np.empty(0, np.int64) if found is None else found


def _shown(title: str, text: str) -> str:
    return f"{title}\n{text}"

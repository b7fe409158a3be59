"""From the versions of notes to what was changed in them, sentence by sentence. Pure.

An edit is a run of neighbouring sentences that gave way to others. Sentences that only moved, within a commit, from one
note to another are none, nor is a change of spelling of the same words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from difflib import SequenceMatcher

from zibaldone.agents.relay.quote import Span, split_spans
from zibaldone.domain.notes import Chunk
from zibaldone.domain.words import index_terms


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, list item or row, where it stands; `key` is what it says without spelling."""

    span: Span
    trail: tuple[str, ...]
    key: tuple[str, ...]

    @property
    def context(self) -> str:
        return f"{' > '.join(self.trail)}\n{self.span.text}"


@dataclass(frozen=True, slots=True)
class Version:
    """A note as a commit left it; no sentences: it is not there. `at` is the committer's time."""

    commit: str
    at: datetime
    path: str
    sentences: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True)
class Edit:
    """What a commit did at one place. `was` and `now` are the versions around it."""

    was: Version | None
    now: Version
    before: tuple[Sentence, ...]
    after: tuple[Sentence, ...]


def read_sentences(title: str, chunks: Sequence[Chunk], lines: Sequence[str]) -> tuple[Sentence, ...]:
    """The sentences of a note, without headings; `lines` are the file's."""
    found: list[Sentence] = []
    for chunk in chunks:
        trail = (title, *(part for part in chunk.heading if part != title))
        for span in split_spans(lines[chunk.line_start - 1 : chunk.line_end], chunk.line_start):
            key = tuple(index_terms(span.text))
            if key and not span.text.startswith("#"):
                found.append(Sentence(span, trail, key))
    return tuple(found)


def find_edits(notes: Sequence[Sequence[Version]]) -> list[Edit]:
    """The edits of all notes, the oldest first.

    Args:
        notes: for each note its versions, the oldest first. One that went and came back is compared with what it was.
    """
    edits = [edit for versions in notes for edit in _edits_of(versions)]
    edits.sort(key=lambda edit: edit.now.at)
    return list(_without_moves(edits))


def _edits_of(versions: Sequence[Version]) -> Iterator[Edit]:
    was: Version | None = None
    for number, now in enumerate(versions):
        if not now.sentences and number + 1 < len(versions):
            continue
        old = was.sentences if was else ()
        matcher = SequenceMatcher(None, [one.key for one in old], [one.key for one in now.sentences], autojunk=False)
        for kind, first, last, begin, end in matcher.get_opcodes():
            if kind != "equal":
                yield Edit(was, now, old[first:last], now.sentences[begin:end])
        was = now


def _without_moves(edits: Sequence[Edit]) -> Iterator[Edit]:
    went: dict[str, Counter[tuple[str, ...]]] = {}
    came: dict[str, Counter[tuple[str, ...]]] = {}
    for edit in edits:
        went.setdefault(edit.now.commit, Counter()).update(one.key for one in edit.before)
        came.setdefault(edit.now.commit, Counter()).update(one.key for one in edit.after)
    for edit in edits:
        moved = went[edit.now.commit] & came[edit.now.commit]
        before = tuple(one for one in edit.before if one.key not in moved)
        after = tuple(one for one in edit.after if one.key not in moved)
        if before or after:
            yield replace(edit, before=before, after=after)

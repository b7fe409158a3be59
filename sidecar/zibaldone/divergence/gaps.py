"""What one would expect of a topic and is absent. Pure.

Expected is what somebody asked for, linked to, or did in nearly all of a series of notes.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from zibaldone.divergence.notes import NoteText, Sentence
from zibaldone.divergence.quoting import quote
from zibaldone.domain.words import fold, query_terms
from zibaldone.schemas.divergence import Gap, GapKind

# A heading or property that this share of at least so many notes of a folder has is expected of the others.
_SERIES, _SHARE = 4, 0.7
# Any notes of one topic are near to others: only the nearest are told.
_MOST_UNLINKED = 3
_LOG_ENTRY = re.compile(r"## (\d\d:\d\d) (.+)")
_NO_ANSWER = "No answer:"


@dataclass(frozen=True, slots=True)
class Asked:
    """An entry of the log: its heading as a sentence, the question, and whether it was answered."""

    sentence: Sentence
    question: str
    answered: bool
    reason: Sentence | None = None


def read_log(path: str, text: str) -> list[Asked]:
    """The questions of a day's log, in order."""
    lines = text.splitlines()
    heads = [number for number, line in enumerate(lines) if _LOG_ENTRY.fullmatch(line)]
    found: list[Asked] = []
    for head, end in zip(heads, [*heads[1:], len(lines)], strict=True):
        match = _LOG_ENTRY.fullmatch(lines[head])
        question = match[2] if match else ""
        refusal = next((n for n in range(head + 1, end) if lines[n].startswith(_NO_ANSWER)), None)
        answered = refusal is None and any(line.startswith(">") for line in lines[head + 1 : end])
        if refusal is None and not answered:  # a text that was only noted
            continue
        found.append(
            Asked(
                _line(path, head, lines),
                question,
                answered,
                None if refusal is None else _line(path, refusal, lines),
            )
        )
    return found


def unanswered(
    asked: Sequence[Asked], concerns: Callable[[str], bool], same: Callable[[str, str], bool]
) -> Iterator[Gap]:
    """Questions that concern the topic and that no later entry answers, each once.

    Args:
        asked: all entries, the oldest first.
    """
    told: list[str] = []
    for i, one in reversed(list(enumerate(asked))):
        if one.answered or not concerns(one.question) or any(same(one.question, other) for other in told):
            continue
        if any(later.answered and same(one.question, later.question) for later in asked[i + 1 :]):
            continue
        told.append(one.question)
        quotes = [one.sentence, *([one.reason] if one.reason else [])]
        yield _gap("unanswered", one.question, "It was asked, and the notes did not answer it.", quotes)


def unresolved(area: Sequence[NoteText], others: Sequence[NoteText], concerns: Callable[[str], bool]) -> Iterator[Gap]:
    """Links of the area, and links of others whose target concerns it, that lead nowhere; by target."""
    where: dict[str, list[tuple[str, Sentence]]] = defaultdict(list)
    for note in (*area, *others):
        inside = note in area
        for link in note.links:
            name = link.link.target.rpartition("/")[2]
            if link.leads_to is None and (inside or concerns(name)):
                where[fold(name)].append((name, link.sentence))
    for found in sorted(where.values(), key=lambda one: (-len(one), one[0][0])):
        name, times = found[0][0], len(found)
        reason = f"{'One link leads' if times == 1 else f'{times} links lead'} to “{name}”, which does not exist."
        yield _gap("unresolved_link", name, reason, [sentence for _, sentence in found[:3]])


def unlinked(
    area: Collection[str], notes: Mapping[str, NoteText], near: Sequence[tuple[Sentence, Sentence, float]]
) -> Iterator[Gap]:
    """Notes near in meaning, one of them of the area, that no link joins either way.

    Args:
        near: passages of two notes, by a sentence of each, with their cosine; the nearest first.
    """
    told: set[tuple[str, str]] = set()
    for one, other, cosine in near:
        a, b = notes[one.path], notes[other.path]
        pair = (a.path, b.path)
        if pair in told or not {a.path, b.path} & set(area) or _links(a, b) or _links(b, a):
            continue
        if len(told) == _MOST_UNLINKED:
            return
        told.add(pair)
        reason = f"They are near in meaning (cosine {cosine:.2f}), and neither links to the other."
        yield _gap("unlinked", f"{a.title} and {b.title}", reason, [one, other])


def missing(area: Collection[str], notes: Sequence[NoteText]) -> Iterator[Gap]:
    """Sections and properties that nearly all notes of a folder have, and one of the area lacks."""
    folders: dict[str, list[NoteText]] = defaultdict(list)
    for note in notes:
        folders[note.folder].append(note)
    for series in folders.values():
        if len(series) < _SERIES:
            continue
        yield from _lacking("missing_section", "section", area, series, lambda note: note.headings)
        yield from _lacking("missing_property", "property", area, series, lambda note: note.properties)


def _lacking(
    kind: GapKind,
    word: str,
    area: Collection[str],
    series: Sequence[NoteText],
    parts: Callable[[NoteText], Sequence[str]],
) -> Iterator[Gap]:
    having: dict[str, list[tuple[str, NoteText]]] = defaultdict(list)
    for note in series:
        for key, name in {fold(part): part for part in parts(note)}.items():
            having[key].append((name, note))
    for key, found in having.items():
        if len(found) == len(series) or len(found) < _SHARE * len(series):
            continue
        name, sibling = found[0]
        for note in series:
            if note.path in area and key not in map(fold, parts(note)):
                reason = f"{len(found)} of {len(series)} notes of this folder have a {word} “{name}”, this one has not."
                there = next(
                    (one for one in sibling.sentences if one.heading and fold(one.heading[-1]) == key), sibling.head
                )
                yield _gap(kind, f"{note.title}: {name}", reason, [note.head, there])


def shares_words(a: str, b: str) -> bool:
    """Whether two questions ask for the same, by their words: where there are no vectors."""
    one, other = set(query_terms(a)), set(query_terms(b))
    return len(one & other) >= 0.7 * max(len(one), len(other))


def interleave(kinds: Sequence[Sequence[Gap]], top: int) -> list[Gap]:
    """The first of each kind, then the second of each: none crowds the others out."""
    most = max(map(len, kinds), default=0)
    return [kind[i] for i in range(most) for kind in kinds if i < len(kind)][:top]


def _links(a: NoteText, b: NoteText) -> bool:
    return any(link.leads_to == b.path for link in a.links)


def _gap(kind: GapKind, subject: str, reason: str, quotes: Sequence[Sentence]) -> Gap:
    return Gap(kind=kind, subject=subject, reason=reason, quotes=[quote(one) for one in quotes])


def _line(path: str, index: int, lines: Sequence[str]) -> Sentence:
    return Sentence(path, path.rpartition("/")[2].removesuffix(".md"), (), index + 1, index + 1, lines[index])

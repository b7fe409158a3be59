"""The planted year as a vault: notes as people keep them, and the ledger of what stands where."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from support.planted_vault.plan import KINDS, YEAR, Episode, Happening, Plan, plan_year
from support.planted_vault.tell import Half, Told, read_phrasings, tell

_EMPTY_SHARE = 0.3
_WRAPPED_AT = 88
_HEADINGS = {
    "en": dict(zip(KINDS, ("Decisions", "Learned", "Fixed", "Tasks", "Changes", "Meetings"), strict=True)),
    "de": dict(zip(KINDS, ("Entscheidungen", "Gelernt", "Behoben", "Aufgaben", "Änderungen", "Treffen"), strict=True)),
}
_TITLES = {"en": ("Notes", "Progress", "Log", "Update"), "de": ("Notizen", "Stand", "Protokoll", "Verlauf")}
_GOODS = {
    "en": "apples,rice,onions,soap,tea,candles,yoghurt,batteries,paper towels,pepper,beans,honey".split(","),
    "de": "Äpfel,Reis,Zwiebeln,Seife,Tee,Kerzen,Joghurt,Batterien,Küchenrolle,Pfeffer,Bohnen,Honig".split(","),
}


@dataclass(frozen=True)
class Entry:
    """A line of the ledger: `text` stands in `note` on the lines `line_start` to `line_end`. `day` is ISO 8601."""

    note: str
    line_start: int
    line_end: int
    text: str
    kind: str
    day: str
    day_is_stated: bool
    who: tuple[str, ...]
    episode: int
    concept: str
    claim: int | None


@dataclass
class Year:
    """Notes by path, and what is true of them. `contradictions` are pairs of numbers of ledger lines; `forgotten` are
    concepts, and `forgotten_episodes` the largest of each."""

    notes: dict[str, str] = field(default_factory=dict)
    ledger: list[Entry] = field(default_factory=list)
    drifted: list[str] = field(default_factory=list)
    relearned: list[str] = field(default_factory=list)
    forgotten: list[str] = field(default_factory=list)
    forgotten_episodes: list[int] = field(default_factory=list)
    contradictions: list[tuple[int, int]] = field(default_factory=list)

    def write(self, root: Path) -> None:
        """The notes below `root`, and `ledger.json` beside it."""
        for path, text in self.notes.items():
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        ledger = asdict(self) | {"notes": sorted(self.notes)}
        root.with_name(f"{root.name}.ledger.json").write_text(json.dumps(ledger, ensure_ascii=False, indent=1), "utf-8")


@dataclass(frozen=True)
class _Piece:
    """Text of a note; with `happening`, the words that tell of it."""

    text: str
    told: Told | None = None
    happening: Happening | None = None
    episode: int = 0


def plant_year(seed: int, half: Half = "held") -> Year:
    draw = random.Random(seed)
    plan = plan_year(draw)
    year = Year(drifted=plan.drifted, relearned=plan.relearned, forgotten=plan.forgotten)
    daily: dict[date, list[list[_Piece]]] = {}
    for episode in plan.episodes:
        _write_episode(year, plan, episode, daily, half, draw)
    for day, blocks in sorted(daily.items()):
        _add(year, f"Daily/{day.isoformat()}.md", blocks, draw)
    _write_empty(year, plan, half, draw)
    year.forgotten_episodes = [
        max((one for one in plan.episodes if one.subject == name), key=lambda one: len(one.happenings)).number
        for name in plan.forgotten
    ]
    pairs: dict[int, list[int]] = {}
    for number, entry in enumerate(year.ledger):
        if entry.claim is not None:
            pairs.setdefault(entry.claim, []).append(number)
    year.contradictions = [(pair[0], pair[1]) for _, pair in sorted(pairs.items())]
    return year


def _write_episode(
    year: Year, plan: Plan, episode: Episode, daily: dict[date, list[list[_Piece]]], half: Half, draw: random.Random
) -> None:
    subject = plan.subjects[episode.subject]
    days = [episode.start + timedelta(n) for n in range(episode.days)]
    by_day: dict[date, list[_Piece]] = {}
    for n, happening in enumerate(episode.happenings):
        day = days[n * len(days) // len(episode.happenings)]
        told = tell(happening, plan.subjects[happening.subject], day, episode.start, half, draw)
        by_day.setdefault(day, []).append(_Piece(told.text, told, happening, episode.number))
    for day, pieces in by_day.items():
        form = draw.random()
        if form < 0.3:
            link = _Piece(f"[[{subject['name']}]]:")
            daily.setdefault(day, []).extend(_as_bullets(pieces, link))
        elif form < 0.55:
            _add(year, _note_path(subject, day, draw), _under_headings(pieces, subject, day), draw)
        else:
            blocks = _in_paragraphs(pieces, subject, half, draw)
            _add(year, _note_path(subject, day, draw), blocks, draw)


def _note_path(subject: dict[str, Any], day: date, draw: random.Random) -> str:
    title = draw.choice(_TITLES[subject["language"]])
    return f"{subject['folder']}/{day.isoformat()} {title}.md"


def _as_bullets(pieces: Sequence[_Piece], link: _Piece) -> list[list[_Piece]]:
    """In a daily note: an item for each, with a link to its project; a task has it at its end."""
    return [
        [piece, _Piece(link.text.rstrip(":"))] if piece.told and piece.told.is_item else [_Piece("-"), link, piece]
        for piece in pieces
    ]


def _under_headings(pieces: Sequence[_Piece], subject: dict[str, Any], day: date) -> list[list[_Piece]]:
    blocks = [[_Piece(f"# {subject['name']}")], [_Piece("")]]
    names = _HEADINGS[subject["language"]]
    for kind in KINDS:
        its = [piece for piece in pieces if piece.happening and piece.happening.kind == kind]
        if its:
            blocks.append([_Piece(f"## {names[kind]}")])
            blocks += [[piece] if piece.told and piece.told.is_item else [_Piece("-"), piece] for piece in its]
            blocks.append([_Piece("")])
    return blocks


def _in_paragraphs(
    pieces: Sequence[_Piece], subject: dict[str, Any], half: Half, draw: random.Random
) -> list[list[_Piece]]:
    """Prose with sentences between that tell of nothing; what is no sentence has a line of its own behind it."""
    language = subject["language"]
    noise = [*read_phrasings()[half]["none"][language], *subject["known"]]
    blocks: list[list[_Piece]] = [[_Piece(f"# {subject['name']}")], [_Piece("")]]
    prose = [piece for piece in pieces if piece.told and piece.told.is_sentence]
    paragraph: list[_Piece] = []
    for piece in prose:
        other = draw.choice(noise)
        if other.startswith(">"):
            blocks += [[_Piece(other)], [_Piece("")]]
        elif draw.random() < 0.6:
            paragraph.append(_Piece(other))
        paragraph.append(piece)
        if draw.random() < 0.4:
            blocks += [paragraph, [_Piece("")]]
            paragraph = []
    if paragraph:
        blocks += [paragraph, [_Piece("")]]
    return [*blocks, *([piece] for piece in pieces if piece not in prose)]


def _add(year: Year, path: str, blocks: Sequence[Sequence[_Piece]], draw: random.Random) -> None:
    """Write the blocks below each other, some notes with properties or lines of a fixed width; extend the ledger."""
    while path in year.notes:
        path = path.removesuffix(".md") + " b.md"
    lines: list[str] = []
    if draw.random() < 0.3 and not path.startswith("Daily/"):
        day = path.rpartition("/")[2][:10]
        path = path.replace(f"{day} ", f"{len(year.notes)} ")
        lines = ["---", f"date: {day}", "---", ""]
    wrapped = draw.random() < 0.2
    for block in blocks:
        text = " ".join(piece.text for piece in block)
        shown = _wrap(text) if wrapped and not text.startswith(("-", "*", "#", ">")) else text
        position = 0
        for piece in block:
            if piece.told and piece.happening:
                first = len(lines) + 1 + shown.count("\n", 0, position)
                last = len(lines) + 1 + shown.count("\n", 0, position + len(piece.text))
                year.ledger.append(_entry(path, first, last, piece, piece.told, piece.happening))
            position += len(piece.text) + 1
        lines += shown.split("\n")
    year.notes[path] = "\n".join(lines).rstrip("\n") + "\n"


def _entry(path: str, first: int, last: int, piece: _Piece, told: Told, happening: Happening) -> Entry:
    return Entry(
        path,
        first,
        last,
        told.text,
        happening.kind,
        told.day.isoformat(),
        told.is_stated,
        told.who,
        piece.episode,
        happening.subject,
        happening.claim,
    )


def _wrap(text: str) -> str:
    """Some spaces as line breaks, so that every word stays where it was."""
    shown, start = list(text), 0
    while len(text) - start > _WRAPPED_AT:
        at = text.rfind(" ", start, start + _WRAPPED_AT)
        if at <= start:
            break
        shown[at] = "\n"
        start = at + 1
    return "".join(shown)


def _write_empty(year: Year, plan: Plan, half: Half, draw: random.Random) -> None:
    """Notes without any event, until they are `_EMPTY_SHARE` of all."""
    phrasings = read_phrasings()[half]
    empty = [lines for language in ("en", "de") for lines in phrasings["empty"][language]]
    for title, *lines in empty:
        year.notes[f"Inbox/{title}.md"] = "\n".join([f"# {title}", "", *lines]) + "\n"
    for subject in plan.subjects.values():
        page = [f"# {subject['name']}", "", *subject["known"]]
        year.notes[f"{subject['folder']}/{subject['name']}.md"] = "\n".join(page) + "\n"
    written = len(empty) + len(plan.subjects)
    while written < _EMPTY_SHARE * len(year.notes):
        day = date(YEAR, 1, 1) + timedelta(draw.randrange(360))
        language = draw.choice(("en", "en", "de"))
        musing = draw.random() < 0.6
        path = f"Daily/{day.isoformat()}.md" if musing else f"Inbox/{day.isoformat()} {_GOODS[language][0]}.md"
        if path in year.notes:
            continue
        thoughts, goods = draw.sample(phrasings["none"][language], 4), draw.sample(_GOODS[language], 5)
        year.notes[path] = ("\n\n".join(thoughts) if musing else "\n".join(f"- {one}" for one in goods)) + "\n"
        written += 1

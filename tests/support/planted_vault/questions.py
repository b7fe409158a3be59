"""Broad questions about a planted year, in several wordings, and whether an answer rests on the right evidence. Pure.

The questions come from the ledger and the seed, so that other years have other ones.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from support.planted_vault.plan import YEAR, read_subjects
from support.planted_vault.year import Entry, Year
from zibaldone.domain.moment import NAMES

Kind = Literal["themes", "subject", "change", "period"]
LANGUAGES = ("en", "de")
# Questions of each kind; with the three subjects that drift, 20.
_SUBJECTS, _CONTRADICTED, _PERIODS = 4, 4, 7
# Shares of an answer's citations that have to be about what was asked, and of the year's concepts that all themes show.
_OF_TIME, _OF_SUBJECT, _OF_CONCEPTS = 0.8, 0.5, 0.5
_EPISODES_OF_A_MONTH, _EPISODES_OF_A_SUBJECT = 3, 2


@dataclass(frozen=True)
class Question:
    """`about` is a subject, or a month as `YYYY-MM`; nothing for all themes."""

    text: str
    kind: Kind
    about: str = ""


@dataclass(frozen=True)
class Cited:
    """The lines of a note that an answer rests on, 1-based and inclusive."""

    path: str
    line_start: int
    line_end: int


def ask_about(year: Year, seed: int) -> list[Question]:
    """All themes in each language; those of some subjects; what changed in subjects that drift or hold a contradiction;
    what happened in some months."""
    draw = random.Random(seed)
    subjects = read_subjects()
    questions = [Question(draw.choice(_wordings()[language]["themes"]), "themes") for language in LANGUAGES]
    contradicted = [year.ledger[first].concept for first, _ in year.contradictions]
    changed = year.drifted + draw.sample([one for one in contradicted if one not in year.drifted], _CONTRADICTED)
    for kind, names in (("subject", draw.sample(sorted(subjects), _SUBJECTS)), ("change", changed)):
        for name in names:
            subject = subjects[name]
            wording = draw.choice(_wordings()[subject["language"]][kind])
            questions.append(Question(wording.format(subject=subject["name"]), kind, name))
    months = [month for month in range(1, 13) if len(_episodes_of(year, _month(month))) >= _EPISODES_OF_A_MONTH]
    for month, language in sorted(draw.sample([(month, one) for month in months for one in LANGUAGES], _PERIODS)):
        wording = draw.choice(_wordings()[language]["period"])
        shown = NAMES[language].months[month - 1]
        questions.append(Question(wording.format(month=shown, year=YEAR), "period", _month(month)))
    return questions


def _month(number: int) -> str:
    return f"{YEAR}-{number:02}"


def _episodes_of(year: Year, month: str) -> set[int]:
    return {entry.episode for entry in year.ledger if entry.day.startswith(month)}


def is_right(question: Question, cited: Sequence[Cited], year: Year) -> bool:
    """Whether an answer that cites this rests on the right evidence.

    All themes: on half of the concepts. A subject: half of the citations are about it, from two of its episodes. A
    change: as well, from both halves of its time, and on both sides of its contradiction where it holds one. A month:
    four of five citations are of it, from three of its episodes.
    """
    if not cited:
        return False
    told = [[entry for entry in year.ledger if _overlaps(one, entry)] for one in cited]
    entries = [entry for its in told for entry in its]
    if question.kind == "themes":
        return len({entry.concept for entry in entries}) >= _OF_CONCEPTS * len(read_subjects())
    if question.kind == "period":
        fitting = [[entry for entry in its if entry.day.startswith(question.about)] for its in told]
        episodes = {entry.episode for its in fitting for entry in its}
        return sum(map(bool, fitting)) >= _OF_TIME * len(cited) and len(episodes) >= _EPISODES_OF_A_MONTH
    folder = f"{read_subjects()[question.about]['folder']}/"
    own = [entry for entry in entries if entry.concept == question.about]
    about = sum(
        one.path.startswith(folder) or any(entry.concept == question.about for entry in its)
        for one, its in zip(cited, told, strict=True)
    )
    episodes = {entry.episode for entry in own}
    if about < _OF_SUBJECT * len(cited) or len(episodes) < _EPISODES_OF_A_SUBJECT:
        return False
    return question.kind == "subject" or _shows_change(question.about, own, year)


def _shows_change(subject: str, own: Sequence[Entry], year: Year) -> bool:
    days = sorted(entry.day for entry in year.ledger if entry.concept == subject)
    middle = days[len(days) // 2]
    halves = {entry.day >= middle for entry in own}
    sides = {number for pair in year.contradictions for number in pair if year.ledger[number].concept == subject}
    return len(halves) == 2 and all(year.ledger[number] in own for number in sides)


def _overlaps(cited: Cited, entry: Entry) -> bool:
    return cited.path == entry.note and cited.line_start <= entry.line_end and entry.line_start <= cited.line_end


@cache
def _wordings() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("questions.toml").read_text(encoding="utf-8"))

"""What happens in the planted year: subjects, episodes and their events, before any words are chosen."""

from __future__ import annotations

import random
import tomllib
from dataclasses import dataclass, field
from datetime import date, timedelta
from importlib.resources import files
from typing import Any, TypeVar

KINDS = ("decision", "learning", "fix", "task", "change", "meeting")
YEAR = 2025
EPISODES, EVENTS, CONTRADICTIONS = 60, 400, 10
_FORGOTTEN, _RELEARNED, _EPISODES_FORGOTTEN = 5, 2, 3
_DAYS_BETWEEN = 24  # episodes of a subject, so that no window of 30 days between them is empty
_GUESTS = 0.4  # episodes with an event of another subject


T = TypeVar("T")


@dataclass(frozen=True)
class Happening:
    """`content` is a line of `subjects.toml`; `claim` is the number of the contradiction that it is a side of."""

    subject: str
    kind: str
    content: str
    claim: int | None = None


@dataclass
class Episode:
    """What happens in a subject's folder from the day `start` on, for `days` days."""

    number: int
    subject: str
    start: date
    days: int
    happenings: list[Happening] = field(default_factory=list)


@dataclass(frozen=True)
class Plan:
    subjects: dict[str, dict[str, Any]]
    episodes: list[Episode]
    drifted: list[str]
    relearned: list[str]
    forgotten: list[str]


def read_subjects() -> dict[str, dict[str, Any]]:
    return tomllib.loads(files(__package__).joinpath("subjects.toml").read_text(encoding="utf-8"))


def plan_year(draw: random.Random) -> Plan:
    subjects = read_subjects()
    drifted = [name for name, subject in subjects.items() if subject.get("drifts")]
    rest = [name for name in subjects if name not in drifted]
    draw.shuffle(rest)
    forgotten, relearned = rest[:_FORGOTTEN], rest[_FORGOTTEN : _FORGOTTEN + _RELEARNED]
    episodes = _place(subjects, forgotten, relearned, draw)
    _fill(subjects, episodes, forgotten, draw)
    _contradict(subjects, episodes, draw)
    return Plan(subjects, episodes, drifted, relearned, forgotten)


def _place(
    subjects: dict[str, dict[str, Any]], forgotten: list[str], relearned: list[str], draw: random.Random
) -> list[Episode]:
    """Forgotten subjects end in spring, relearned ones begin again in autumn, the others end in December."""
    first = {name: date(YEAR, 1, 3) + timedelta(draw.randrange(12)) for name in subjects}
    last = {name: date(YEAR, 12, 2) + timedelta(draw.randrange(16)) for name in subjects}
    starts = {
        name: [first[name] + timedelta(_DAYS_BETWEEN * n) for n in range(_EPISODES_FORGOTTEN)] for name in forgotten
    }
    for name in relearned:
        starts[name] = [first[name], first[name] + timedelta(_DAYS_BETWEEN)]
        starts[name] += [last[name] - timedelta(_DAYS_BETWEEN * n) for n in (2, 1, 0)]
    others = [name for name in subjects if name not in starts]
    left = EPISODES - sum(map(len, starts.values()))
    for number, name in enumerate(others):
        count = left // len(others) + (number < left % len(others))
        starts[name] = [last[name] - timedelta(_DAYS_BETWEEN * n) for n in reversed(range(count))]
    placed = [(start, name) for name in subjects for start in starts[name]]
    return [Episode(n, name, start, draw.choice((2, 2, 3))) for n, (start, name) in enumerate(placed)]


def _fill(
    subjects: dict[str, dict[str, Any]], episodes: list[Episode], forgotten: list[str], draw: random.Random
) -> None:
    """Every content once at most; those of a subject that drifts in two halves."""
    plenty = sum(episode.subject in forgotten for episode in episodes) * 2
    each, more = divmod(EVENTS - plenty, len(episodes))
    for name, subject in subjects.items():
        its = [episode for episode in episodes if episode.subject == name]
        parts = 2 if subject.get("drifts") else 1
        for part in range(parts):
            pool = [Happening(name, kind, one) for kind in KINDS for one in _part(subject[kind], part, parts)]
            draw.shuffle(pool)
            for episode in _part(its, part, parts):
                wanted = each + (episode.number < more) + 2 * (name in forgotten)
                episode.happenings, pool = pool[:wanted], pool[wanted:]
    for episode in episodes:
        if draw.random() < _GUESTS:
            guest = draw.choice([one for one in episodes if one.subject != episode.subject and len(one.happenings) > 3])
            episode.happenings.append(guest.happenings.pop())


def _part(things: list[T], part: int, parts: int) -> list[T]:
    """The `part`-th of so many equal parts, from 0."""
    return things[part * len(things) // parts : (part + 1) * len(things) // parts]


def _contradict(subjects: dict[str, dict[str, Any]], episodes: list[Episode], draw: random.Random) -> None:
    """One claim in a subject's first episode, the other in its last, each in place of another learning or event."""
    able = [name for name, subject in subjects.items() if "claims" in subject]
    for number, name in enumerate(draw.sample(able, CONTRADICTIONS)):
        its = [episode for episode in episodes if episode.subject == name]
        for episode, claim in zip((its[0], its[-1]), subjects[name]["claims"], strict=True):
            own = [n for n, one in enumerate(episode.happenings) if one.subject == name and one.claim is None]
            at = next((n for n in own if episode.happenings[n].kind == "learning"), own[0])
            episode.happenings[at] = Happening(name, "learning", claim, number)

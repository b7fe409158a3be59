"""Events of a made-up year, with what is true of them, and vectors whose cosines lie as e5's do (.75 to .95)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from zibaldone.domain.hierarchy import Event, EventKind, event_id
from zibaldone.domain.vectors import unit
from zibaldone.hierarchy.space import Vectors

E5_RANGE = (0.75, 0.9)
NEW_YEAR = date(2026, 1, 1)
_DIMENSIONS = 384
# Shares of a vector's square: what all texts have in common, and of the rest the topic, the language, the kind.
_COMMON, _TOPIC, _LANGUAGE, _KIND = 0.82, 0.40, 0.08, 0.04
_TOPICS = {
    "english": "sourdough database marathon garden guitar taxes travel login hiring sleep cluster".split(),
    "german": "Heizung Fotografie Doktorarbeit Schulfest".split(),
}
_SAID = {
    "english": "we have seen how the {} of {} is with {}",
    "german": "wir haben gesehen wie die {} von {} mit {} ist",
}


@dataclass(frozen=True, slots=True)
class PlantedYear:
    """`concepts` and `episodes` label the events; the others are labels of concepts."""

    events: tuple[Event, ...]
    vectors: Vectors
    concepts: tuple[int, ...]
    episodes: tuple[int, ...]
    drifted: frozenset[int]
    relearned: frozenset[int]
    forgotten: frozenset[int]


def plant_year(seed: int = 1, events: int = 400, concepts: int = 15, episodes: int = 60) -> PlantedYear:
    """Concepts 0 to 2 drift in July, 3 and 4 are learned again after four months, 5 to 9 end in March."""
    rng = np.random.default_rng(seed)
    drifted, relearned, forgotten = frozenset(range(3)), frozenset((3, 4)), frozenset(range(5, 10))
    common, *shared = _directions(rng, 1 + 2 + len(EventKind))
    topics, later = _directions(rng, concepts), _directions(rng, concepts)
    tongues, kinds = shared[:2], dict(zip(EventKind, shared[2:], strict=True))
    planted: list[Event] = []
    vectors, of_concept, of_episode = [], [], []
    for number in range(events):
        episode = number % episodes
        concept = episode % concepts
        day = _day(
            episode // concepts, max(1, episodes // concepts), concept, concept in forgotten, concept in relearned
        )
        topic = topics[concept]
        if concept in drifted and day.month >= 7:
            topic = unit(0.8 * topic + 0.6 * later[concept])
        language = "german" if concept % len(topics) >= 11 else "english"
        kind = list(EventKind)[int(rng.integers(len(EventKind)))]
        own = (
            np.sqrt(_TOPIC) * topic
            + np.sqrt(_LANGUAGE) * tongues[language == "german"]
            + np.sqrt(_KIND) * kinds[kind]
            + np.sqrt(1 - _TOPIC - _LANGUAGE - _KIND) * _directions(rng, 1)[0]
        )
        vectors.append(np.sqrt(_COMMON) * common + np.sqrt(1 - _COMMON) * own)
        planted.append(_event(number, concept, episode, kind, language, day + timedelta(days=int(rng.integers(2)))))
        of_concept.append(concept)
        of_episode.append(episode)
    rows = unit(np.asarray(vectors, dtype=np.float32))
    return PlantedYear(tuple(planted), rows, tuple(of_concept), tuple(of_episode), drifted, relearned, forgotten)


def _directions(rng: np.random.Generator, number: int) -> Vectors:
    return unit(rng.standard_normal((number, _DIMENSIONS)).astype(np.float32))


def _day(turn: int, turns: int, concept: int, is_forgotten: bool, is_relearned: bool) -> date:
    """The first day of a concept's episode `turn`."""
    if is_forgotten:
        return NEW_YEAR + timedelta(days=concept + 20 * turn)
    if is_relearned:
        return NEW_YEAR + timedelta(days=concept + (10 * turn if 2 * turn < turns else 250 + 10 * turn))
    return NEW_YEAR + timedelta(days=concept + round(350 * (turn + 0.5) / turns) - 20)


def _event(number: int, concept: int, episode: int, kind: EventKind, language: str, day: date) -> Event:
    words = [word for its in _TOPICS.values() for word in its]
    topic = words[concept % len(words)] + ("" if concept < len(words) else str(concept))
    quote = _SAID[language].format(topic, number, chr(97 + number % 26) * 4)
    source = f"source-{number // 2}"
    return Event(
        id=event_id(source, kind, quote),
        source_id=source,
        path=f"Projects/{topic}/{number // 2}.md",
        uri=f"note:{number // 2}",
        chunk_id=f"chunk-{number}",
        kind=kind,
        title=f"{topic} {chr(97 + number % 26) * 4}",
        quote=quote,
        line_start=number % 7 + 1,
        line_end=number % 7 + 1,
        day=day,
        tags=(f"topic{concept % 5}", f"episode{episode % 9}"),
    )

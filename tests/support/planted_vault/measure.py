"""How well what was found agrees with the ledger. Pure.

An event is found where a quote stands in the same note on lines that overlap the ledger's and the two share at least
half of the content words of each. A ledger line is found once: a second event about it counts against precision.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from support.agreement import adjusted_rand, v_measure
from support.planted_vault.year import Entry
from zibaldone.domain.hierarchy import Event
from zibaldone.domain.words import index_terms, query_terms

_SHARED = 0.5


@dataclass(frozen=True)
class EventFigures:
    """Shares in 0..1. `kind`, `day` and `who` are of the events that were found."""

    found: int
    recall: float
    precision: float
    verbatim: float
    kind: float
    day: float
    who: float


def match_events(ledger: Sequence[Entry], events: Sequence[Event]) -> dict[int, int]:
    """From the number of a ledger line to that of the event that tells it, the most alike pairs first."""
    by_note: dict[str, list[int]] = {}
    for number, event in enumerate(events):
        by_note.setdefault(event.path, []).append(number)
    pairs = sorted(
        (
            (-likeness, line, number)
            for line, entry in enumerate(ledger)
            for number in by_note.get(entry.note, ())
            if (likeness := _likeness(entry, events[number])) >= _SHARED
        ),
    )
    matched: dict[int, int] = {}
    for _, line, number in pairs:
        if line not in matched and number not in matched.values():
            matched[line] = number
    return matched


def measure_events(ledger: Sequence[Entry], events: Sequence[Event], notes: Mapping[str, str]) -> EventFigures:
    """`notes` are the texts of the vault, by path."""
    matched = match_events(ledger, events)
    pairs = [(ledger[line], events[number]) for line, number in matched.items()]
    return EventFigures(
        found=len(events),
        recall=_share(len(matched), len(ledger)),
        precision=_share(len(matched), len(events)),
        verbatim=_share(sum(_is_verbatim(event, notes) for event in events), len(events)),
        kind=_share(sum(entry.kind == event.kind for entry, event in pairs), len(pairs)),
        day=_share(sum(entry.day == f"{event.day}" for entry, event in pairs), len(pairs)),
        who=_share(sum(_last_names(entry.who) == _last_names(event.who) for entry, event in pairs), len(pairs)),
    )


def measure_episodes(ledger: Sequence[Entry], events: Sequence[Event], episode_of: Mapping[str, str]) -> float:
    """Adjusted Rand index over the events that were found; `episode_of` is by event id."""
    matched = match_events(ledger, events)
    found = [episode_of.get(events[n].id, f"alone {n}") for n in matched.values()]
    return adjusted_rand([ledger[line].episode for line in matched], found)


def measure_concepts(ledger: Sequence[Entry], events: Sequence[Event], concept_of: Mapping[str, str]) -> float:
    """V-measure over the events that were found and are in a concept; `concept_of` is by event id."""
    matched = [(line, n) for line, n in match_events(ledger, events).items() if events[n].id in concept_of]
    return v_measure([ledger[line].concept for line, _ in matched], [concept_of[events[n].id] for _, n in matched])


def label_groups(
    ledger: Sequence[Entry], events: Sequence[Event], groups: Mapping[str, Sequence[str]], of: str
) -> dict[str, str]:
    """What most events of each group (ids, by the group's id) are about by the ledger: its `episode` or `concept`."""
    told = {events[number].id: str(getattr(ledger[line], of)) for line, number in match_events(ledger, events).items()}
    labels: dict[str, str] = {}
    for group, members in groups.items():
        known = [told[one] for one in members if one in told]
        if known:
            labels[group] = max(sorted(set(known)), key=known.count)
    return labels


def share_in_top(planted: Sequence[str], ranked: Sequence[str], labels: Mapping[str, str], top: int) -> float:
    """The share of `planted` labels that the first `top` groups of a ranking stand for."""
    shown = {labels.get(group) for group in ranked[:top]}
    return _share(sum(one in shown for one in planted), len(planted))


def share_under_top(
    ledger: Sequence[Entry], events: Sequence[Event], planted: Sequence[int], shown: Collection[str]
) -> float:
    """The share of `planted` episodes of which at least half of the events that were found are among `shown` (ids):
    what is about one concept stands there with it, and not once more as an episode."""
    held: dict[int, list[bool]] = {}
    for line, number in match_events(ledger, events).items():
        held.setdefault(ledger[line].episode, []).append(events[number].id in shown)
    return _share(sum(2 * sum(held.get(one, [False])) >= len(held.get(one, [False])) for one in planted), len(planted))


def _likeness(entry: Entry, event: Event) -> float:
    """The lesser share of the words of the one that the other has, 0 where the lines are others."""
    if event.line_end < entry.line_start or event.line_start > entry.line_end:
        return 0.0
    told, quoted = _words(entry.text), _words(event.quote)
    return min(_share(len(told & quoted), len(told)), _share(len(told & quoted), len(quoted)))


def _words(text: str) -> set[str]:
    return set(query_terms(text)) or set(index_terms(text))


def _is_verbatim(event: Event, notes: Mapping[str, str]) -> bool:
    lines = notes.get(event.path, "").split("\n")[event.line_start - 1 : event.line_end]
    return event.quote in "\n".join(lines)


def _last_names(names: Sequence[str]) -> set[str]:
    return {name.split()[-1] for name in names if name.strip()}


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0

"""Who is who after a build: groups of events keep the identity of the group that they were before. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from zibaldone.domain.hierarchy import Merged, Split, Succession, content_id

Members = frozenset[str]
# A group is the one that it was when they share this part of the smaller of the two.
LEAST_SHARED = 0.5


@dataclass(frozen=True, slots=True)
class Known:
    """The groups of the last build by id, and those of earlier ones that no group continues: one of them that comes
    back is itself again, with its history."""

    live: Mapping[str, Members] = field(default_factory=dict)
    retired: Mapping[str, Members] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CarriedOver:
    """`ids` has one for each group, in order. `heirs` leads from an id of the last build that is gone to the one that
    has the greater part of what it had."""

    ids: tuple[str, ...]
    known: Known
    heirs: Mapping[str, str]
    successions: tuple[Succession, ...]


def carry_over(groups: Sequence[Members], before: Known, kind: str) -> CarriedOver:
    """Identities for `groups`, which share no member. `kind` keeps new ids of episodes and concepts apart.

    The best match comes first (greedily by Jaccard's index), so that of a group that was split the part keeps the
    identity that has most of it, and of groups that were merged the one that gave most.
    """
    taken: dict[int, str] = {}
    for candidates in (before.live, before.retired):
        _match(groups, candidates, taken)
    used = {*before.live, *before.retired}
    for index, group in enumerate(groups):
        if index not in taken:
            taken[index] = _new_id(kind, group, used)
            used.add(taken[index])
    ids = tuple(taken[index] for index in range(len(groups)))
    live = dict(zip(ids, groups, strict=True))
    return CarriedOver(
        ids, Known(live, _retire(live, before)), _heirs(live, before.live), tuple(_successions(live, before.live))
    )


def _match(groups: Sequence[Members], candidates: Mapping[str, Members], taken: dict[int, str]) -> None:
    """Adds to `taken` the id of each group that is one of `candidates`."""
    ranked = sorted(
        (-shared / len(groups[index] | candidates[name]), name, index)
        for index, name, shared in _overlaps(groups, candidates)
        if index not in taken and shared >= LEAST_SHARED * min(len(groups[index]), len(candidates[name]))
    )
    given = set(taken.values())
    for _, name, index in ranked:
        if index not in taken and name not in given:
            taken[index] = name
            given.add(name)


def _overlaps(groups: Sequence[Members], candidates: Mapping[str, Members]) -> Iterator[tuple[int, str, int]]:
    """Index of a group, name of a candidate, how many members they share, where they share any."""
    where: dict[str, list[str]] = defaultdict(list)
    for name, members in candidates.items():
        for member in members:
            where[member].append(name)
    for index, group in enumerate(groups):
        for name, shared in Counter(name for member in group for name in where.get(member, ())).items():
            yield index, name, shared


def _new_id(kind: str, group: Members, used: set[str]) -> str:
    founders = [kind, *sorted(group)]
    name = content_id(founders)
    while name in used:
        founders.append(name)
        name = content_id(founders)
    return name


def _retire(live: Mapping[str, Members], before: Known) -> dict[str, Members]:
    """What is continued by no group, without the members that are gone; nothing of which any is left is forgotten."""
    there = frozenset[str]().union(*live.values())
    gone = {name: members & there for name, members in {**before.retired, **before.live}.items() if name not in live}
    return {name: members for name, members in gone.items() if members}


def _heirs(live: Mapping[str, Members], before: Mapping[str, Members]) -> dict[str, str]:
    names = list(live)
    best: dict[str, tuple[int, str]] = {}
    for index, name, shared in _overlaps(list(live.values()), before):
        if name not in live:
            best[name] = max(best.get(name, (0, "")), (shared, names[index]))
    return {name: heir for name, (_, heir) in sorted(best.items())}


def _successions(live: Mapping[str, Members], before: Mapping[str, Members]) -> Iterator[Succession]:
    names = list(live)
    came: dict[str, list[str]] = defaultdict(list)
    went: dict[str, list[str]] = defaultdict(list)
    known = frozenset[str]().union(*before.values())
    for index, name, shared in _overlaps(list(live.values()), before):
        target = names[index]
        if 2 * shared > len(before[name]):
            came[target].append(name)
        if 2 * shared > len(live[target] & known):
            went[name].append(target)
    yield from (Merged(target, tuple(sorted(sources))) for target, sources in came.items() if len(sources) > 1)
    yield from (Split(source, tuple(sorted(targets))) for source, targets in went.items() if len(targets) > 1)

"""What answers used, and what the person opened or accepted: ids, kinds and times, where the person wants that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime

from zibaldone.config.settings import MemoryOfVaultSettings
from zibaldone.domain.hierarchy import Touch, TouchKind
from zibaldone.hierarchy.usage import WEIGHTS, last_touches, spread_touches, strengths
from zibaldone.runtime.hierarchy.levels import VaultLevels
from zibaldone.runtime.hierarchy.tell import Live, node_levels, nodes_above
from zibaldone.schemas.hierarchy import NodesRequest, UsedLevel, UsedTarget
from zibaldone.store.hierarchy import HierarchyStore
from zibaldone.store.identities import IdentityStore

_HALF = WEIGHTS[TouchKind.ACCEPTED]


class UseKeeper:
    """All calls block for the disk."""

    def __init__(
        self,
        store: HierarchyStore,
        identities: IdentityStore,
        settings: MemoryOfVaultSettings,
        clock: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._identities = identities
        self._settings = settings
        self._clock = clock

    def note(self, targets: Sequence[str], kind: TouchKind) -> None:
        """Of a passage its events are used too: they are the same when the passage is another one tomorrow."""
        events = self._store.events_at(targets)
        every = dict.fromkeys([*targets, *(event for its in events.values() for event in its)])
        now = self._clock()
        self._identities.touch([Touch(target, kind, now) for target in every])

    def strengths(self) -> dict[str, float]:
        """How much each target is used, in 0..1: half for an answer that was accepted just now."""
        strong = strengths(self.touches(), self._clock(), half_life_days=self._settings.half_life_days)
        return {target: strength / (strength + _HALF) for target, strength in strong.items()}

    def touches(self) -> list[Touch]:
        return self._identities.touches()

    def clear(self) -> int:
        return self._identities.clear_touches()

    def show(self, view: VaultLevels, live: Live, request: NodesRequest) -> tuple[list[UsedTarget], int]:
        """What is used most first, with the nodes above what was used."""
        touches = spread_touches(self.touches(), nodes_above(view))
        strong = strengths(touches, self._clock(), half_life_days=self._settings.half_life_days)
        last, times = last_touches(touches), Counter(one.target for one in touches)
        named = _names(view, live)
        found = [
            UsedTarget(
                target=target,
                level=named[target][0],
                title=named[target][1],
                strength=round(strength, 4),
                touches=times[target],
                last=last[target].isoformat(timespec="seconds"),
            )
            for target, strength in strong.items()
            if target in named and request.level in (None, named[target][0])
        ]
        found.sort(key=lambda one: (-one.strength, one.target))
        return found[: request.top], len(found)


def _names(view: VaultLevels, live: Live) -> dict[str, tuple[UsedLevel, str]]:
    """Level and title of all that can be used."""
    levels = node_levels(view)
    return {
        **{id_: ("passage", _place(chunk.title, chunk.heading)) for id_, chunk in live.items()},
        **{event.id: ("event", event.title) for event in view.events},
        **{one.id: (levels[one.id], one.title) for one in view.groups},
    }


def _place(title: str, heading: Sequence[str]) -> str:
    return " > ".join(dict.fromkeys((title, *heading)))

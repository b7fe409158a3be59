"""The levels above the events: built from all of them, kept, and read back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pydantic import TypeAdapter

from zibaldone.config.settings import MemoryOfVaultSettings
from zibaldone.domain.hierarchy import Concept, Episode, Event, Merged, Succession
from zibaldone.domain.words import fold
from zibaldone.hierarchy.levels import BuiltLevels, Identities, Levels, build_levels
from zibaldone.hierarchy.lineage import Known
from zibaldone.hierarchy.model_names import EXAMPLES, TASK, read_name, show_titles
from zibaldone.hierarchy.projects import NoteLink
from zibaldone.hierarchy.wording import WORD_COSINES, word_vectors
from zibaldone.inference.roles import ChatModel, Embedder, Message, Sampling
from zibaldone.runtime.hierarchy.asking import BackgroundChat
from zibaldone.runtime.hierarchy.vectors import TextVectors
from zibaldone.store.hierarchy import HierarchyStore, StoredEvent
from zibaldone.store.identities import Group, IdentityStore

# Raised whenever the same events would give other levels.
LEVELS_VERSION = 3
_LEVELS = TypeAdapter(Levels)
_NAME = Sampling(max_tokens=24, stop=("\n",), deadline_s=120.0)
# Who names a group whose words do: nobody, or a model that was asked in vain.
_BY_WORDS = ""


@dataclass(frozen=True, slots=True)
class VaultLevels:
    """What was last built, with the events that it rests on by id, all of which are there."""

    stored: Mapping[str, StoredEvent]
    levels: Levels

    @property
    def events(self) -> list[Event]:
        return [one.event for one in self.stored.values()]

    @property
    def groups(self) -> list[Concept | Episode]:
        return [*self.levels.concepts, *self.levels.episodes]

    def event(self, id_: str) -> Event | None:
        return self.stored[id_].event if id_ in self.stored else None


class LevelKeeper:
    """`links` gives what the notes link to, by path and line."""

    def __init__(
        self,
        store: HierarchyStore,
        identities: IdentityStore,
        vectors: TextVectors,
        links: Callable[[], Sequence[NoteLink]],
        settings: MemoryOfVaultSettings,
    ) -> None:
        self._store = store
        self._identities = identities
        self._vectors = vectors
        self._links = links
        self._settings = settings
        self._read: tuple[str, Levels] | None = None

    def read(self) -> VaultLevels:
        """Empty where nothing was built."""
        stored = {one.event.id: one for one in self._store.events()}
        return VaultLevels(stored, _without_gone(self._levels(), stored))

    @property
    def built_at(self) -> str | None:
        return self._store.read_document("built_at")

    def is_current(self, embedder: Embedder | None) -> bool:
        """Whether the levels are what a build would make now, but for the links of notes."""
        return self._store.read_document("built_of") == self._stamp(embedder)

    async def rebuild(self, embedder: Embedder | None, now: datetime) -> Levels:
        """Raises what the embedder raises; then all is as it was."""
        stamp, stored = await asyncio.to_thread(lambda: (self._stamp(embedder), self._store.events()))
        texts = [one.text for one in stored]
        if embedder is not None:
            vectors, cosines = await self._vectors.embed(texts, embedder), embedder.cosine_range
        else:
            vectors, cosines = await asyncio.to_thread(word_vectors, texts), WORD_COSINES

        def build() -> Levels:
            events = [one.event for one in stored]
            groups = {level: self._identities.groups(level) for level in ("episode", "concept")}
            before = _identities_of(groups["episode"], groups["concept"])
            built = build_levels(events, vectors, cosines, self._links(), before, self._settings)
            named_by = {one.id: (one.title, one.named_by) for its in groups.values() for one in its}
            self._identities.put_groups(_groups_of(built, named_by), _pairs(built.successions), built.heirs, now)
            self._keep(built.levels)
            self._store.put_document("built_of", stamp)
            self._store.put_document("built_at", now.isoformat(timespec="seconds"))
            return built.levels

        return await asyncio.to_thread(build)

    async def name_concepts(
        self, chat: ChatModel, asking: BackgroundChat, report: Callable[[int, int], None] = lambda done, total: None
    ) -> None:
        """Ask for a name for each concept that has only its words, once; one that is no name leaves these.

        Raises what the model raises; names that were found by then are kept.
        """
        groups = {one.id: one for one in await asyncio.to_thread(self._identities.groups, "concept")}
        view = await asyncio.to_thread(self.read)
        order = sorted(view.levels.concepts, key=lambda one: (-view.levels.importance.get(one.id, 0.0), one.id))
        unnamed = [one for one in order if groups[one.id].named_by == _BY_WORDS]
        for number, concept in enumerate(unnamed):
            report(number, len(unnamed))
            titles = [event.title for id_ in concept.events if (event := view.event(id_))]
            answer = await asking.ask(chat, _name_messages(titles), _NAME)
            await asyncio.to_thread(self._rename, concept, answer, chat.name)

    def _rename(self, concept: Concept, answer: str, named_by: str) -> None:
        levels, id_ = self._levels(), concept.id
        taken = {fold(one.title) for one in levels.concepts if one.id != id_}
        title = read_name(answer, taken) or concept.title
        self._identities.name_group(id_, title, named_by)
        self._keep(
            replace(
                levels,
                concepts=tuple(replace(one, title=title) if one.id == id_ else one for one in levels.concepts),
                drifts=tuple(replace(one, title=title) if one.id == id_ else one for one in levels.drifts),
            )
        )

    def _stamp(self, embedder: Embedder | None) -> str:
        model = embedder.fingerprint if embedder else ""
        return f"{LEVELS_VERSION}:{model}:{self._settings.model_dump_json()}:{self._store.digest()}"

    def _levels(self) -> Levels:
        stored = self._store.read_document("levels")
        if stored is None:
            return Levels()
        if self._read is None or self._read[0] != stored:
            self._read = stored, _LEVELS.validate_json(stored)
        return self._read[1]

    def _keep(self, levels: Levels) -> None:
        self._store.put_document("levels", _LEVELS.dump_json(levels).decode())


def _without_gone(levels: Levels, stored: Mapping[str, StoredEvent]) -> Levels:
    """Events may have gone since the levels were built."""
    if all(event in stored for one in VaultLevels(stored, levels).groups for event in one.events):
        return levels
    concepts = [replace(one, events=tuple(its for its in one.events if its in stored)) for one in levels.concepts]
    episodes = [replace(one, events=tuple(its for its in one.events if its in stored)) for one in levels.episodes]
    return replace(
        levels,
        concepts=tuple(one for one in concepts if one.events),
        episodes=tuple(one for one in episodes if one.events),
    )


def _identities_of(episodes: Sequence[Group], concepts: Sequence[Group]) -> Identities:
    return Identities(
        _known(episodes),
        _known(concepts),
        {one.id: Episode(one.id, one.title, "", one.members, one.named_for) for one in episodes},
        {one.id: Concept(one.id, one.title, one.members, one.named_for) for one in concepts},
    )


def _known(groups: Sequence[Group]) -> Known:
    return Known(
        {one.id: frozenset(one.members) for one in groups if one.is_live},
        {one.id: frozenset(one.members) for one in groups if not one.is_live},
    )


def _groups_of(built: BuiltLevels, named_by: dict[str, tuple[str, str]]) -> list[Group]:
    """All groups that are known after a build; a name that was kept is still by whom it was."""
    identities = built.identities
    groups = []
    for level, known, named in (
        ("episode", identities.episodes, identities.named_episodes),
        ("concept", identities.concepts, identities.named_concepts),
    ):
        for is_live, members in ((True, known.live), (False, known.retired)):
            for id_, its in members.items():
                one = named[id_]
                before = named_by.get(id_)
                by = before[1] if before and before[0] == one.title else _BY_WORDS
                groups.append(Group(id_, level, is_live, tuple(sorted(its)), one.title, tuple(one.named_for), by))
    return groups


def _pairs(successions: Sequence[Succession]) -> list[tuple[str, str, str]]:
    pairs = []
    for one in successions:
        if isinstance(one, Merged):
            pairs += [("merged", source, one.target) for source in one.sources]
        else:
            pairs += [("split", one.source, target) for target in one.targets]
    return pairs


def _name_messages(titles: Sequence[str]) -> list[Message]:
    shown = [Message("system", TASK)]
    for lines, name in EXAMPLES:
        shown += [Message("user", show_titles(lines)), Message("assistant", name)]
    return [*shown, Message("user", show_titles(titles))]

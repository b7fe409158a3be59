"""A note for each concept and episode, under the agent's folder: kept in step with what was built, one commit a run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from zibaldone.agents.concepts.note import NodeKind, NodeNote, Quoted, file_name, node_of, retire_note, write_note
from zibaldone.config.settings import Settings
from zibaldone.domain.hierarchy import Concept, Episode, Event
from zibaldone.errors import InvalidRequest
from zibaldone.runtime.hierarchy.levels import LevelKeeper, VaultLevels
from zibaldone.runtime.hierarchy.tell import Live, event_locator, live_events
from zibaldone.runtime.writer import Read, VaultWriter
from zibaldone.schemas.hierarchy import ConceptNotesWritten
from zibaldone.store.identities import IdentityStore
from zibaldone.vault.files import VaultFiles
from zibaldone.vault.listing import list_files
from zibaldone.vault.outside import is_outside
from zibaldone.wiki.links import link_to
from zibaldone.wiki.resolve import LinkResolver

_FOLDERS = {"concept": "concepts", "episode": "episodes"}
# Events and related concepts that a note tells.
_MOST_QUOTES, _RELATED = 100, 8


@dataclass(frozen=True, slots=True)
class _Shelf:
    """Where the note of each node is or is to be, and how links are written."""

    paths: Mapping[str, str]
    resolver: LinkResolver

    def link(self, node: str, title: str, source: str) -> str:
        return self.to(self.paths[node], title, source)

    def to(self, path: str, title: str, source: str) -> str:
        linked = None if is_outside(path) or path not in self.resolver else link_to(path, source, self.resolver)
        if linked is None:
            return f"`{path.replace('`', '')}`"
        shown = link_to(path, source, self.resolver, display=title) if title else linked
        return shown or linked


class ConceptNotes:
    """`live` gives of passages (ids) those that are there now."""

    def __init__(
        self,
        files: VaultFiles,
        writer: VaultWriter,
        keeper: LevelKeeper,
        identities: IdentityStore,
        live: Callable[[Collection[str]], Live],
        settings: Settings,
    ) -> None:
        self._files = files
        self._writer = writer
        self._keeper = keeper
        self._identities = identities
        self._live = live
        self._settings = settings

    def write(self, now: datetime) -> ConceptNotesWritten:
        """Blocks for the disk.

        Raises:
            InvalidRequest: nothing may be written in the vault.
            GitUnavailable, VaultChanged, VaultUnwritable: see `VaultWriter.change`.
        """
        if self._settings.read_only:
            raise InvalidRequest("Nothing in the vault is changed in read-only mode.", "Set read_only = false.")
        view = self._keeper.read()
        live = self._live({event.chunk_id for event in view.events})
        counts = {"unchanged": 0}

        def plan(read: Read) -> dict[str, bytes | None]:
            existing = self._existing(read)
            after = self._plan(view, live, existing)
            counts["unchanged"] = sum(existing.get(path) == data for path, data in after.items())
            return {path: data for path, data in after.items() if existing.get(path) != data}

        written = self._writer.change("concepts", "concepts: what the notes are about", now, plan)
        if written is None:
            return ConceptNotesWritten(written=0, removed=0, unchanged=counts["unchanged"], paths=[])
        there = [path for path in written.paths if self._is_there(path)]
        return ConceptNotesWritten(
            written=len(there),
            removed=len(written.paths) - len(there),
            unchanged=counts["unchanged"],
            paths=list(written.paths),
            commit=written.commit,
            queued=written.queued,
            reason=written.reason,
        )

    def _existing(self, read: Read) -> dict[str, bytes]:
        """Our notes by path, wherever in the two folders the person put them."""
        found: dict[str, bytes] = {}
        for kind in _FOLDERS.values():
            for path in list_files(self._files.root, f"{self._settings.folder}/{kind}"):
                data = read(path) if path.endswith(".md") else None
                if data is not None and node_of(data) is not None:
                    found[path] = data
        return found

    def _plan(self, view: VaultLevels, live: Live, existing: Mapping[str, bytes]) -> dict[str, bytes | None]:
        shown = [one for one in view.groups if live_events(view, live, one.events)]
        there: dict[str, str] = {}
        for path, data in sorted(existing.items()):
            there.setdefault(node_of(data) or "", path)
        shelf = self._place(shown, there)
        after: dict[str, bytes | None] = {}
        for one in shown:
            path = shelf.paths[one.id]
            after[path] = write_note(existing.get(path), self._note(one, path, view, live, shelf))
        successors = self._successors(shelf)
        for path, data in existing.items():
            if path not in after:
                node = node_of(data) or ""
                kind: NodeKind = "episode" if f"/{_FOLDERS['episode']}/" in path else "concept"
                links = [shelf.link(id_, "", path) for id_ in successors.get(node, ())]
                after[path] = retire_note(data, node, kind, links)
        return after

    def _place(self, shown: Sequence[Concept | Episode], there: Mapping[str, str]) -> _Shelf:
        """A path for each: the one that its note has, else a name that no other file of the vault has, so that no link
        of the person's leads elsewhere because of it."""
        resolver = LinkResolver(list_files(self._files.root))
        for path in there.values():
            resolver.add(path)
        paths: dict[str, str] = {}
        for one in shown:
            path = there.get(one.id) or self._new_path(one, resolver)
            resolver.add(path)
            paths[one.id] = path
        return _Shelf(paths, resolver)

    def _new_path(self, one: Concept | Episode, resolver: LinkResolver) -> str:
        kind = "concept" if isinstance(one, Concept) else "episode"
        name = file_name(one.title)
        names = (name, f"{name} ({kind})", f"{name} ({kind} {one.id[:6]})")
        paths = [f"{self._settings.folder}/{_FOLDERS[kind]}/{each}.md" for each in names]
        return next((path for path in paths if not resolver.same_name(path)), paths[-1])

    def _note(self, one: Concept | Episode, path: str, view: VaultLevels, live: Live, shelf: _Shelf) -> NodeNote:
        events = sorted(live_events(view, live, one.events), key=_place_of)
        days = [event.day.isoformat() for event in events if event.day]
        when = "" if not days else f", {days[0]}" if days[0] == days[-1] else f", {days[0]} to {days[-1]}"
        kind: NodeKind = "concept" if isinstance(one, Concept) else "episode"
        ties = dict(self._ties(one, path, view, shelf))
        more = f" The newest {_MOST_QUOTES} are below." if len(events) > _MOST_QUOTES else ""
        return NodeNote(
            one.id,
            kind,
            one.title,
            f"{len(events)} event{'' if len(events) == 1 else 's'}{when}.{more}",
            [
                Quoted(
                    event.day.isoformat() if event.day else "",
                    event.quote,
                    shelf.to(live[event.chunk_id].path, "", path),
                    _lines(event, live),
                )
                for event in events[-_MOST_QUOTES:]
            ],
            list(ties.items()),
        )

    def _ties(
        self, one: Concept | Episode, path: str, view: VaultLevels, shelf: _Shelf
    ) -> Iterator[tuple[str, list[str]]]:
        own = frozenset(one.events)
        if isinstance(one, Concept):
            others = [its for its in view.levels.episodes if not own.isdisjoint(its.events) and its.id in shelf.paths]
            yield "Episodes", [shelf.link(its.id, its.title, path) for its in others]
            titles = {its.id: its.title for its in view.levels.concepts if its.id in shelf.paths}
            near = [
                other
                for relation in view.levels.relations
                if one.id in (relation.a, relation.b)
                and (other := relation.b if relation.a == one.id else relation.a) in titles
            ]
            yield "Related", [shelf.link(other, titles[other], path) for other in near[:_RELATED]]
        else:
            about = [its for its in view.levels.concepts if not own.isdisjoint(its.events) and its.id in shelf.paths]
            yield "Concepts", [shelf.link(its.id, its.title, path) for its in about]

    def _successors(self, shelf: _Shelf) -> dict[str, list[str]]:
        """Of nodes that are gone those that they became, as far as these have notes."""
        found: dict[str, list[str]] = {}
        for one in self._identities.successions():
            if one.target in shelf.paths and one.target not in found.get(one.source, ()):
                found.setdefault(one.source, []).append(one.target)
        return found

    def _is_there(self, path: str) -> bool:
        return (Path(self._files.root) / path).is_file()


def _place_of(event: Event) -> tuple[str, str, int, str]:
    return event.day.isoformat() if event.day else "", event.path, event.line_start, event.id


def _lines(event: Event, live: Live) -> str:
    locator = event_locator(event, live[event.chunk_id])
    return f" ({locator})" if locator else ""

"""Links that a note could have, as a proposal."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from urllib.parse import unquote

from zibaldone.errors import NotFound
from zibaldone.runtime.proposals import ProposalDesk
from zibaldone.schemas.proposals import Suggested, SuggestLinksRequest
from zibaldone.store.index_db import IndexStore
from zibaldone.vault.edit.find_links import find_links
from zibaldone.vault.edit.lines import Note, apply_splices, read_note
from zibaldone.vault.edit.mentions import find_mentions, is_telling, name_key
from zibaldone.vault.files import VaultFiles

_REASON = "These notes are named there, without a link."


class LinkSuggester:
    """Looks through one note for the names of all others. What it proposes waits like any other proposal."""

    def __init__(self, files: VaultFiles, store: IndexStore, desk: ProposalDesk, folder: str) -> None:
        self._files = files
        self._store = store
        self._desk = desk
        self._folder = folder

    def suggest(self, request: SuggestLinksRequest, now: datetime) -> Suggested:
        """What waits for the same note from before is given again.

        Raises:
            NotFound: there is no such note.
            NotEditable: it cannot be edited safely.
        """
        path = request.path
        data = self._files.read_stable(path)
        for waiting in self._desk.list(only_open=True):
            if waiting.reason == _REASON and path in waiting.files and waiting.files[path].base == data:
                return Suggested(proposal=self._desk.show(waiting.id))
        paths = self._linkable()
        if path not in self._store.recorded([path]):
            raise NotFound(f"There is no note {path}.", "Save it, and try again in a moment.")
        stems = Counter(name_key(_stem(one)) for one in paths)
        links = {one: _stem(one) if stems[name_key(_stem(one))] == 1 else one.removesuffix(".md") for one in paths}
        names: dict[str, tuple[str, str]] = {}
        for one, said in self._names(paths):
            if one != path and is_telling(said):
                names.setdefault(name_key(said), (said, links[one]))
        note = read_note(data)
        wanted = apply_splices(note, find_mentions(note, names, _linked(note, links)))
        made = self._desk.propose(f"Link {path}", _REASON, {path: wanted}, now, based_on={path: data})
        return Suggested(proposal=made)

    def _linkable(self) -> list[str]:
        """The person's notes and the pages of the wiki."""
        own, pages = f"{self._folder}/", f"{self._folder}/pages/"
        known = self._store.recorded()
        return [
            path
            for path, one in known.items()
            if not one.skipped and not one.held and path.endswith(".md")
            if not path.startswith(own) or path.startswith(pages)
        ]

    def _names(self, paths: list[str]) -> list[tuple[str, str]]:
        """Each note with its name and, behind the names of all, its other ones."""
        there = set(paths)
        return [*((path, _stem(path)) for path in paths), *(one for one in self._store.aliases() if one[0] in there)]


def _linked(note: Note, links: dict[str, str]) -> set[str]:
    """What links to notes say that this one links to already."""
    targets = {
        name_key(_stem(unquote(line[found.start : found.end]).partition("#")[0]))
        for line in note.contents()
        for found in find_links(line)
    }
    return {link for one, link in links.items() if name_key(_stem(one)) in targets}


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")

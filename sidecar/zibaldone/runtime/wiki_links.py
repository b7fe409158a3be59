"""Links to a page: who links to it, and what becomes of the links when it moves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from zibaldone.errors import InvalidRequest, NotEditable, NotFound
from zibaldone.ingest.parse import SkipReason
from zibaldone.runtime.writer import Read
from zibaldone.schemas.wiki import Backlink, Backlinks
from zibaldone.store.index_db import IndexStore
from zibaldone.vault.edit.properties import set_property_lines
from zibaldone.vault.exclusions import Exclusions
from zibaldone.vault.listing import list_files
from zibaldone.vault.paths import is_markdown
from zibaldone.vault.scan import FoundNote, scan_notes
from zibaldone.wiki.page import SetProperty, read_page
from zibaldone.wiki.provenance import entry_value
from zibaldone.wiki.relink import relink
from zibaldone.wiki.resolve import LinkResolver, fold_path
from zibaldone.wiki.slug import is_page_path, page_path, parse_slug


class LinkKeeper:
    """Knows the vault's files and, for backlinks, what the index has of their links.

    Args:
        exclusions: which notes may not be read.
        folder: the agent's own.
    """

    def __init__(self, root: Path, store: IndexStore, exclusions: Callable[[], Exclusions], folder: str) -> None:
        self._root = root
        self._store = store
        self._exclusions = exclusions
        self._folder = folder

    def backlinks(self, name: str) -> Backlinks:
        """Notes and pages that link to a page (by its slug) or to a note (by its path, or as a link names it).

        Raises:
            NotFound: there is neither.
        """
        resolver = LinkResolver(list_files(self._root))
        path = self._find(name, resolver)
        stems = {fold_path(path).rpartition("/")[2], fold_path(path).rpartition("/")[2].removesuffix(".md")}
        found = [
            Backlink(
                path=one.path,
                title=one.title,
                origin=one.origin.value,
                line=one.link.line,
                heading=one.link.heading,
                block=one.link.block,
                alias=one.link.alias,
                embed=one.link.embed,
            )
            for one in self._store.links()
            if one.path != path
            and fold_path(one.link.target).rpartition("/")[2] in stems
            and resolver.resolve(one.link.target, one.path) == path
        ]
        return Backlinks(path=path, backlinks=found)

    def follow(self, old: str, new: str) -> Follow:
        """What links have to say when the page at `old` moves to `new`. Looks at the names of all files."""
        before = LinkResolver(list_files(self._root))
        after = LinkResolver(list_files(self._root))
        after.rename(old, new)
        return Follow(self._root, self._folder, self._exclusions(), (old, new), before, after)

    def _find(self, name: str, resolver: LinkResolver) -> str:
        try:
            page = page_path(parse_slug(name), self._folder)
        except InvalidRequest:
            page = ""
        for target in filter(None, (page, name.strip())):
            if (path := resolver.resolve(target, "")) is not None:
                return path
        raise NotFound(f"There is no page or note {name}.", "Give a slug, or a path in the vault.")


@dataclass(slots=True)
class Follow:
    """The links of a vault in which one page moves. `left` are sentences about notes that could not be changed."""

    root: Path
    folder: str
    exclusions: Exclusions
    moved: tuple[str, str]
    before: LinkResolver
    after: LinkResolver
    left: list[str] = field(default_factory=list)

    def ours(self, read: Read, changes: Mapping[str, bytes | None]) -> dict[str, bytes | None]:
        """The notes of the agent's folder with their links, and what they rest on, brought up to date, on top of
        `changes`. Copies of documents (`sources/`) stay as they are: their content is their name."""
        old, new = self.moved
        found: dict[str, bytes | None] = {}
        for path in list_files(self.root, self.folder):
            if not is_markdown(path) or path.startswith(f"{self.folder}/sources/"):
                continue
            place = new if path == old else path
            data = changes[place] if place in changes else read(path)
            if data is None:
                continue
            after = self._rests_on(path, self._relink(path, data))
            if after != data:
                found[place] = after
        return found

    def theirs(self, read: Read) -> dict[str, tuple[bytes, bytes]]:
        """The person's notes as they are and as they would be, where that differs."""
        found: dict[str, tuple[bytes, bytes]] = {}
        for note in scan_notes(self.root, self.exclusions):
            if not isinstance(note, FoundNote) or self.exclusions.is_own(note.path):
                continue
            data = read(note.path)
            if data is not None and (after := self._relink(note.path, data)) != data:
                found[note.path] = (data, after)
        return found

    def _relink(self, path: str, data: bytes) -> bytes:
        if path != self.moved[0] and not _may_name(data, self.moved):
            return data
        try:
            return relink(data, path, self.moved, self.before, self.after)
        except (InvalidRequest, NotEditable) as error:
            self._leave(path, error.message)
            return data

    def _rests_on(self, path: str, data: bytes) -> bytes:
        """A page with what it rests on under its new name."""
        old, new = self.moved
        if not is_page_path(path, self.folder) or old.removesuffix(".md").encode() not in data:
            return data
        page = read_page(data)
        if isinstance(page, SkipReason) or page.provenance_problems:
            return data
        entries = [replace(entry, path=_moved(entry.path, old, new)) for entry in page.provenance]
        if entries == list(page.provenance):
            return data
        lines = SetProperty("provenance", [entry_value(entry) for entry in entries]).lines
        try:
            return set_property_lines(data, "provenance", lines)
        except (InvalidRequest, NotEditable) as error:
            self._leave(path, error.message)
            return data

    def _leave(self, path: str, why: str) -> None:
        sentence = f"The links in {path} stay as they are: {why}."
        if sentence not in self.left:
            self.left.append(sentence)


def _moved(path: str, old: str, new: str) -> str:
    if path == old.removesuffix(".md"):
        return new.removesuffix(".md")
    return new if path == old else path


def _may_name(data: bytes, paths: Iterable[str]) -> bool:
    """Whether a link in `data` could name one of these files. A name beyond ASCII may be spelt in several ways."""
    if b"[" not in data:
        return False
    folded = data.lower()
    return any(not stem.isascii() or stem.encode() in folded for stem in _stems(paths)) or b"\0" in data


def _stems(paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        yield path.rpartition("/")[2].removesuffix(".md")

"""The memory on disk: three pages and their archive in the vault, and beside them what they do not say.

The pages are what counts. Each use first takes over what the person changed in them by hand; each change is written to
the lines that it is about, and committed. A confirmation alone changes no page: it reaches them with the nightly run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from zibaldone.errors import NotFound
from zibaldone.profile.page import ARCHIVE, Edit, Item, Page, Problem, edit_page, memory_path, read_page
from zibaldone.profile.takeover import Change, take_over
from zibaldone.runtime.writer import Read, VaultWriter, Written
from zibaldone.schemas.memory import MEMORY_TYPES, MemoryEntry, MemoryType
from zibaldone.store.memory import MemoryStore
from zibaldone.vault.files import VaultFiles, sha256_hex

# What a confirmation changes: nothing that a page has to say before the night.
_QUIET = ("updated_at", "confidence", "source_count", "sources")


@dataclass(frozen=True, slots=True)
class Known:
    """All entries there ever were, whatever their state; what could not be read, by page."""

    entries: list[MemoryEntry] = field(default_factory=list)
    problems: list[tuple[str, Problem]] = field(default_factory=list)

    @property
    def active(self) -> list[MemoryEntry]:
        return [entry for entry in self.entries if entry.state == "active"]


class MemoryPages:
    """One at a time: whoever calls holds the lock of `runtime.memory`."""

    def __init__(self, files: VaultFiles, writer: VaultWriter, store: MemoryStore, folder: str) -> None:
        self._files = files
        self._writer = writer
        self._store = store
        self._folder = folder

    def path(self, name: str) -> str:
        return memory_path(self._folder, name)

    def read(self, now: datetime) -> Known:
        """What is known, after taking over what was changed by hand. A page that is gone says nothing: it may be on its
        way (a sync, another branch), and comes back with the next change. One that our undo took away is empty."""
        hashes = self._store.page_hashes()
        problems: list[tuple[str, Problem]] = []
        known = {entry.id: entry for entry in self._store.entries()}
        pages: dict[MemoryType, tuple[str, Page]] = {}
        for kind in MEMORY_TYPES:
            data = self._read(self.path(kind))
            if data is None and self._writer.removed(self.path(kind)):
                data = b""
            if data is not None:
                pages[kind] = sha256_hex(data), read_page(data)
        changes: list[Change] = []
        read: list[tuple[str, str]] = []
        for kind, (sha, page) in pages.items():
            path = self.path(kind)
            problems.extend((path, problem) for problem in page.problems)
            if sha == hashes.get(path) or page.is_torn:
                continue
            elsewhere = {item.id for other, (_, one) in pages.items() if other != kind for item in one.items if item.id}
            taken = take_over(kind, page, list(known.values()), now, elsewhere)
            known |= {change.entry.id: change.entry for change in taken}
            changes.extend(taken)
            read.append((path, sha))
        if read:
            self._store.record(changes, read, now)
        return Known(list(known.values()), problems)

    def change(self, changes: Sequence[Change], message: str, now: datetime, *, quiet: bool = True) -> Written | None:
        """Make the entries as the changes have them; None where no page had to be written.

        Args:
            quiet: what is only confirmed is not written.

        Raises:
            GitUnavailable: nothing can be committed.
            VaultChanged: a page is being written to by somebody else.
        """
        before = {entry.id: entry for entry in self._store.entries()}
        edits: dict[str, list[Edit]] = {}
        for change in changes:
            if not (quiet and _is_quiet(before.get(change.entry.id), change.entry)):
                for path, edit in self._edits(before.get(change.entry.id), change.entry):
                    edits.setdefault(path, []).append(edit)
        entries = before | {change.entry.id: change.entry for change in changes}
        seen = self._store.page_hashes()
        found: dict[str, str | None] = {}
        after: dict[str, bytes] = {}

        def plan(read: Read) -> dict[str, bytes | None]:
            after.clear()
            for path, of_page in edits.items():
                existing = read(path)
                found[path] = sha256_hex(existing) if existing is not None else None
                name = path.rpartition("/")[2].removesuffix(".md")
                edited = edit_page(existing, name, of_page if existing is not None else self._whole(path, entries))
                if edited is not None and edited != existing:
                    after[path] = edited
            return dict(after)

        written = self._writer.change("remember", message, now, plan) if edits else None
        # A page that the person changed meanwhile is read again: only what we know is noted as read.
        ours = [(path, sha256_hex(data)) for path, data in after.items() if found[path] in (None, seen.get(path))]
        self._store.record(changes, ours, now)
        return written

    def flush(self, now: datetime, *, dry: bool = False) -> list[MemoryEntry]:
        """Write to the lines what only the state knew: how often something was said, and when last; the entries whose
        lines were written. Lines that a person typed without fields stay as they are."""
        known = {entry.id: entry for entry in self.read(now).active}
        seen = self._store.page_hashes()
        told: list[MemoryEntry] = []
        after: dict[str, bytes] = {}

        def plan(read: Read) -> dict[str, bytes | None]:
            told.clear()
            after.clear()
            for path in map(self.path, MEMORY_TYPES):
                existing = read(path)
                if existing is None or sha256_hex(existing) != seen.get(path):
                    continue  # it is being edited: another night will do
                items = read_page(existing).items
                stale = [known[one.id] for one in items if one.id in known and _is_behind(one, known[one.id])]
                edited = edit_page(existing, path, [Edit(entry, entry) for entry in stale])
                if edited is not None and edited != existing:
                    told.extend(stale)
                    after[path] = edited
            return {} if dry else dict(after)

        self._writer.change("remember", "remember: what was said again", now, plan)
        if not dry:
            self._store.note_pages((path, sha256_hex(data)) for path, data in after.items())
        return told

    def note_read(self) -> None:
        """What the pages say now is known."""
        pages = [
            (path, sha256_hex(data)) for path in map(self.path, MEMORY_TYPES) if (data := self._read(path)) is not None
        ]
        self._store.note_pages(pages)

    def require(self, id_: str, entries: Sequence[MemoryEntry]) -> MemoryEntry:
        """By its id or the beginning of it. Raises `NotFound`."""
        found = [entry for entry in entries if entry.id.startswith(id_.casefold())] if len(id_) >= 3 else []
        if len(found) != 1:
            said = f"{len(found)} entries begin with {id_}" if found else f"There is no entry {id_}"
            raise NotFound(f"{said} in the memory.", "`zib memory list --json` shows the ids.")
        return found[0]

    def _edits(self, before: MemoryEntry | None, after: MemoryEntry) -> list[tuple[str, Edit]]:
        was = self.path(before.type) if before is not None and before.state == "active" else None
        now = self._page_of(after)
        if was == now:
            return [(now, Edit(before, after))]
        return [*([(was, Edit(before, None))] if was else ()), (now, Edit(None, after))]

    def _whole(self, path: str, entries: Mapping[str, MemoryEntry]) -> list[Edit]:
        """All that a page has to say, for one that is gone."""
        return [Edit(None, entry) for entry in entries.values() if self._page_of(entry) == path]

    def _page_of(self, entry: MemoryEntry) -> str:
        return self.path(entry.type if entry.state == "active" else ARCHIVE)

    def _read(self, path: str) -> bytes | None:
        try:
            return self._files.read_stable(path)
        except NotFound:
            return None


def _is_quiet(before: MemoryEntry | None, after: MemoryEntry) -> bool:
    return before is not None and before.model_copy(update={name: getattr(after, name) for name in _QUIET}) == after


def _is_behind(item: Item, entry: MemoryEntry) -> bool:
    """Whether the line says less than is known. A hundredth of confidence is no matter."""
    day = (item.confirmed or item.added or date.min).isoformat()
    sure = 1.0 if item.confidence is None else item.confidence
    return (
        day != datetime.fromisoformat(entry.updated_at).date().isoformat()
        or (item.source_count or 1) != entry.source_count
        or abs(sure - entry.confidence) > 0.01
    )

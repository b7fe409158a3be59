"""Forgetting: some words are taken out of everything that we keep; a hash stays, so that no later run brings them back.

Git's history of the vault is the person's: what it still holds is said, and not rewritten. So are their own notes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from shutil import rmtree

from zibaldone.config.places import VaultPlaces
from zibaldone.errors import ZibaldoneError
from zibaldone.profile.page import read_page
from zibaldone.runtime.writer import Read, VaultWriter
from zibaldone.store.index_db import IndexStore
from zibaldone.store.state_db import StateStore
from zibaldone.vault.history.git import Git
from zibaldone.vault.inert import make_inert, read_inert
from zibaldone.vault.undo import UndoStore

# What stands where words were.
GONE = "…"
_COMMITS = 50


class Eraser:
    """Goes through each place in turn, and reads all that is kept: seldom, and never for a question."""

    def __init__(
        self,
        vault: Path,
        writer: VaultWriter,
        undo: UndoStore,
        state: StateStore,
        index: IndexStore,
        places: VaultPlaces,
        folder: str,
        drop_derived: Callable[[], None],
    ) -> None:
        self._vault = vault
        self._writer = writer
        self._undo = undo
        self._state = state
        self._index = index
        self._places = places
        self._folder = folder
        self._drop_derived = drop_derived

    def erase(self, texts: Sequence[str], ids: Sequence[str], now: datetime) -> tuple[list[str], list[str]]:
        """Take out the lines of these entries and every mention of their words; the vault paths that changed, and what
        else was cleaned."""
        words = _mentions(texts)
        pages = self._clean_folder(words, frozenset(ids), now)

        def holds(version: bytes) -> bool:
            said = version.decode("utf-8", "replace")
            return bool(words.search(said)) or _without_items(version, frozenset(ids)) != version

        cleaned = [
            *(["displaced versions"] if self._clean_undo(holds) else ()),
            *(["proposals"] if self._state.proposals.withdraw(holds) else ()),
            *(["conversations"] if self._state.erase(words.sub, GONE) else ()),
            *(["indexes of earlier days"] if self._drop_past() else ()),
        ]
        return pages, cleaned

    def settle(self) -> None:
        """After the index was brought up to date: nothing of what it held stays in its files."""
        self._drop_derived()
        self._index.compact()
        self._state.compact()

    def in_history(self, texts: Sequence[str]) -> list[str]:
        """Commits, the newest first, that added or removed one of the texts."""
        found: list[str] = []
        for text in texts:
            for form in dict.fromkeys((text, make_inert(text))):
                try:
                    found.extend(
                        Git(self._vault)
                        .run("log", "--all", "--format=%h %ad", "--date=short", f"-S{form}", f"-{_COMMITS}")
                        .text.splitlines()
                    )
                except ZibaldoneError:
                    continue
        return list(dict.fromkeys(found))

    def in_notes(self, texts: Sequence[str]) -> list[str]:
        """The person's own notes that hold one of the texts."""
        words = _mentions(texts)
        own = f"{self._folder}/"
        paths = (path for path in sorted(self._index.recorded()) if not path.startswith(own))
        return [path for path in paths if words.search(self._text(path))]

    def _clean_folder(self, words: re.Pattern[str], ids: frozenset[str], now: datetime) -> list[str]:
        root = self._vault / self._folder
        paths = [file.relative_to(self._vault).as_posix() for file in sorted(root.rglob("*.md"))]
        memory = f"{self._folder}/memory/"

        def plan(read: Read) -> dict[str, bytes | None]:
            after: dict[str, bytes | None] = {}
            for path in paths:
                data = read(path)
                if data is None:
                    continue
                cleaned = _without_items(data, ids) if path.startswith(memory) else data
                text = cleaned.decode("utf-8", "surrogateescape")
                if words.search(text):
                    cleaned = words.sub(GONE, text).encode("utf-8", "surrogateescape")
                if cleaned != data:
                    after[path] = cleaned
            return after

        written = self._writer.change("forget", "forget an entry of the memory", now, plan)
        return list(written.paths) if written else []

    def _clean_undo(self, holds: Callable[[bytes], bool]) -> int:
        gone = [sha for sha, version in self._undo.versions() if holds(version)]
        for sha in gone:
            self._undo.forget(sha)
        return len(gone)

    def _drop_past(self) -> bool:
        if not self._places.past.exists():
            return False
        rmtree(self._places.past, ignore_errors=True)
        return True

    def _text(self, path: str) -> str:
        try:
            return (self._vault / path).read_text("utf-8", "replace")
        except OSError:
            return ""


def _mentions(texts: Sequence[str]) -> re.Pattern[str]:
    """Each text, plain or escaped for Obsidian, whatever the spaces and the case. A single word is none, but
    in what a change is called."""
    said = [text for text in texts if len(text.split()) > 1]
    forms = {form for text in said for form in (text, make_inert(text), read_inert(text))}
    spaced = (r"\s+".join(map(re.escape, form.split())) for form in sorted(forms, key=len, reverse=True))
    patterns = [rf"(?<!\w){form}(?!\w)" for form in spaced]
    patterns += [rf"(?<=\Aremember: ){re.escape(text)}\Z" for text in texts if text not in said]
    return re.compile("|".join(patterns) or r"(?!)", re.IGNORECASE)


def _without_items(data: bytes, ids: frozenset[str]) -> bytes:
    numbers = {item.number for item in read_page(data).items if item.id in ids}
    lines = data.splitlines(keepends=True)
    return b"".join(line for number, line in enumerate(lines) if number not in numbers)

"""Which notes are left out, and why, as one sentence that the person can be shown.

Decided here:
- A folder entry of the settings means exactly that folder and what is in it ("Priv" is not "Private"), with
  or without a slash at the end. It is case-sensitive first: where a folder of exactly this spelling exists,
  only that one is meant; where none does, spelling differences of case are ignored, so that "private" still
  protects "Private". An empty entry means nothing. An entry may also name one note.
- Obsidian's own list ("Excluded files") holds path prefixes and `/regular expressions/`. A prefix that is the
  name of a folder or file means exactly that one; any other is a plain prefix. Both ignore case, as Obsidian
  does. An expression that cannot be used is reported in `problems`.
- Of the agent's folder only `pages/` can be evidence, and the include list does not touch those.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from zibaldone.config.settings import ExclusionSettings
from zibaldone.vault.paths import is_hidden, nfc

_APP_JSON = ".obsidian/app.json"
_APP_JSON_BYTES = 1 << 20
_PATTERN_CHARS = 500
# A repeated group that repeats inside can take exponential time: `(a+)+`. The list syncs, so it is refused.
_NESTED_REPEAT = re.compile(r"\((?:[^()\\]|\\.)*[+*}](?:[^()\\]|\\.)*\)\s*[+*{]")
_NAMED_GROUP = re.compile(r"\(\?<(?![=!])")

KEPT = "kept by Zibaldone"

_Rule = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class _FolderRule:
    parts: tuple[str, ...]
    exact: bool

    def __call__(self, rel: str) -> bool:
        parts = tuple((rel if self.exact else rel.casefold()).split("/"))
        return parts[: len(self.parts)] == self.parts


@dataclass(frozen=True, slots=True)
class Exclusions:
    """Read once per scan with `read`; `problems` are sentences about entries that cannot be used."""

    folder: str
    folders: tuple[tuple[str, _Rule], ...] = ()
    include: tuple[_Rule, ...] = ()
    obsidian: tuple[tuple[str, _Rule], ...] = ()
    problems: tuple[str, ...] = ()

    @classmethod
    def read(cls, root: Path, settings: ExclusionSettings, folder: str = "Zibaldone") -> Exclusions:
        """The exclusions of the vault at `root`; `folder` is the agent's. Never raises: an unreadable list is
        a problem to report."""
        problems: list[str] = []
        filters = _obsidian_filters(root, problems) if settings.use_obsidian else []
        obsidian = [(entry, _obsidian_rule(root, entry, problems)) for entry in filters]
        return cls(
            folder=nfc(folder),
            folders=tuple(_folder_rules(root, settings.folders)),
            include=tuple(rule for _, rule in _folder_rules(root, settings.include)),
            obsidian=tuple((entry, rule) for entry, rule in obsidian if rule is not None),
            problems=tuple(problems),
        )

    def is_own(self, rel_path: str) -> bool:
        """Whether a path lies in the agent's own folder."""
        return self._below_own(nfc(rel_path)) is not None

    def _below_own(self, rel: str) -> str | None:
        """The path below the agent's own folder; None for one that is not there."""
        own, _, rest = rel.partition("/")
        return rest if rest and own.casefold() == self.folder.casefold() else None

    def reason(self, rel_path: str) -> str | None:
        """Why the note at `rel_path` (POSIX, relative) is left out, or None."""
        rel = nfc(rel_path)
        if is_hidden(rel):
            return "in a hidden folder, or hidden itself"
        own = self._below_own(rel)
        is_page = own is not None and own.startswith("pages/")
        if own is not None and not is_page:
            return KEPT
        for entry, rule in self.folders:
            if rule(rel):
                return f"excluded in the settings ({entry})"
        for entry, rule in self.obsidian:
            if rule(rel):
                return f"excluded in Obsidian ({entry})"
        if self.include and not is_page and not any(rule(rel) for rule in self.include):
            return "not in a folder that the settings include"
        return None


def _folder_rules(root: Path, entries: Iterable[str]) -> list[tuple[str, _Rule]]:
    rules: list[tuple[str, _Rule]] = []
    for entry in entries:
        parts = _entry_parts(entry)
        if parts and ".." not in parts:
            rules.append((entry, _folder_rule(root, parts)))
    return rules


def _entry_parts(entry: str) -> tuple[str, ...]:
    text = nfc(entry.strip().replace("\\", "/"))
    return tuple(part for part in text.split("/") if part not in ("", "."))


def _folder_rule(root: Path, parts: tuple[str, ...]) -> _FolderRule:
    if _is_on_disk(root, parts):
        return _FolderRule(parts, exact=True)
    return _FolderRule(tuple(part.casefold() for part in parts), exact=False)


def _is_on_disk(folder: Path, parts: tuple[str, ...]) -> bool:
    """Whether there is an entry of exactly this spelling, on file systems that ignore case as well."""
    for part in parts:
        try:
            found = [name for name in os.listdir(folder) if nfc(name) == part]  # noqa: PTH208
        except OSError:
            return False
        if not found:
            return False
        folder = folder / found[0]
    return True


def _obsidian_filters(root: Path, problems: list[str]) -> list[str]:
    path = root / _APP_JSON
    try:
        if not path.is_file():
            return []
        with path.open("rb") as file:
            data = file.read(_APP_JSON_BYTES + 1)
        if len(data) > _APP_JSON_BYTES:
            raise ValueError("too large")
        parsed = json.loads(data.decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        problems.append(f"Obsidian's excluded files are unknown: {_APP_JSON} cannot be read ({error})")
        return []
    filters = parsed.get("userIgnoreFilters") if isinstance(parsed, dict) else None
    if filters is None:
        return []
    if not isinstance(filters, list):
        problems.append(f"Obsidian's excluded files are unknown: userIgnoreFilters in {_APP_JSON} is no list")
        return []
    return [entry for entry in filters if isinstance(entry, str) and entry.strip()]


def _obsidian_rule(root: Path, entry: str, problems: list[str]) -> _Rule | None:
    if len(entry) > 2 and entry.startswith("/") and entry.endswith("/"):
        return _regex_rule(entry, problems)
    parts = _entry_parts(entry)
    if not parts:
        return None
    folded = tuple(part.casefold() for part in parts)
    if entry.endswith("/") or _names_something(root, folded):
        return _FolderRule(folded, exact=False)
    prefix = "/".join(folded)
    return lambda rel: rel.casefold().startswith(prefix)


def _names_something(folder: Path, folded: tuple[str, ...]) -> bool:
    for part in folded:
        try:
            found = [name for name in os.listdir(folder) if nfc(name).casefold() == part]  # noqa: PTH208
        except OSError:
            return False
        if not found:
            return False
        folder = folder / found[0]
    return True


def _regex_rule(entry: str, problems: list[str]) -> _Rule | None:
    source = entry[1:-1]
    if len(source) > _PATTERN_CHARS or _NESTED_REPEAT.search(source):
        problems.append(f"Obsidian's exclusion {entry} is not applied: it could take forever")
        return None
    try:
        pattern = re.compile(_NAMED_GROUP.sub("(?P<", source), re.IGNORECASE)
    except (re.error, RecursionError, OverflowError) as error:
        problems.append(f"Obsidian's exclusion {entry} is not applied: {error}")
        return None
    return lambda rel: pattern.search(rel) is not None

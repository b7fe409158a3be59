"""What a page rests on: registered sources and notes, each with the hash that was read. Pure.

In the frontmatter an entry is a plain string (`Bees/Varroa.md`, or `[[Bees/Varroa]]`, which Obsidian keeps right when
the note is renamed) or a mapping:

    provenance:
      - Bees/Varroa.md
      - path: Zibaldone/sources/0f3a/guideline.pdf
        sha256: "0f3a..."
        page_range: "12-14"

`finding`, `scope`, `note`, `date` and `superseded_ok` are outmem's and understood: `superseded_ok` is the reason why
an older version is meant, and holds until a version newer than `date` is registered.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from typing import NamedTuple

from zibaldone.vault.outside import is_outside

_SHA256 = re.compile(r"[0-9a-f]{64}")
_WIKILINK = re.compile(r"!?\[\[([^\[\]|#^]+)(?:[#^][^\[\]|]*)?(?:\|[^\[\]]*)?\]\]")
_MOST_STEPS = 1_000  # of a chain of versions; a registry that a person edited may run in a circle


@dataclass(frozen=True, slots=True)
class Provenance:
    """One entry. `lines` is the span in a text (`12-18`), `page_range` the one in a document. `extra` holds keys that
    nobody here knows, so that they survive when the list is written again."""

    path: str
    sha256: str | None = None
    drive_path: str | None = None
    page_range: str | None = None
    lines: str | None = None
    finding: str | None = None
    scope: str | None = None
    note: str | None = None
    date: str | None = None
    superseded_ok: str | None = None
    extra: tuple[tuple[str, str], ...] = ()


_KEYS = tuple(known.name for known in fields(Provenance) if known.name != "extra")


class ProvenanceRead(NamedTuple):
    """Entries that can be used, and sentences about those that cannot."""

    entries: tuple[Provenance, ...]
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RegisteredSource:
    """A source as the registry has it. `superseded_by` is the path of the version that replaced this one."""

    sha256: str
    superseded_by: str | None = None
    registered: date | None = None


@dataclass(frozen=True, slots=True)
class Registry:
    """What a page may rest on: registered sources by path, and notes by path with the SHA-256 of their bytes.
    `outside(path)` gives that of a file beside the vault (`//NAME/...`): None where it is gone, "" where nothing here
    can tell."""

    sources: Mapping[str, RegisteredSource] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)
    outside: Callable[[str], str | None] = lambda path: ""


@dataclass(frozen=True, slots=True)
class Registered:
    """The entry names what is there, unchanged where it says a hash."""

    path: str


@dataclass(frozen=True, slots=True)
class Unregistered:
    """Nothing of this name is a registered source or a note."""

    path: str


@dataclass(frozen=True, slots=True)
class Stale:
    """It is there, but no longer what was read."""

    path: str
    expected: str
    found: str


@dataclass(frozen=True, slots=True)
class Superseded:
    """A newer version is registered: `newest` is the last of the chain."""

    path: str
    newest: str


Standing = Registered | Unregistered | Stale | Superseded


def read_provenance(value: object) -> ProvenanceRead:
    """The property's value, whatever it is: a list, one entry alone, or nothing."""
    if value is None or value == "":
        return ProvenanceRead(())
    entries: list[Provenance] = []
    problems: list[str] = []
    for number, item in enumerate(value if isinstance(value, list) else [value], 1):
        entry = _read_entry(item)
        if isinstance(entry, Provenance):
            entries.append(entry)
        else:
            problems.append(f"Entry {number} of the provenance {entry}.")
    return ProvenanceRead(tuple(entries), tuple(problems))


def entry_value(entry: Provenance) -> str | dict[str, str]:
    """The entry as it is written: a plain string where it says no more than a path."""
    said = {key: value for key in _KEYS if (value := getattr(entry, key)) is not None}
    said |= dict(entry.extra)
    return entry.path if len(said) == 1 else said


def merge_provenance(old: tuple[Provenance, ...], new: tuple[Provenance, ...]) -> tuple[Provenance, ...]:
    """Both, in order. A new entry for the same span of the same path takes the old one's place."""
    merged = {_span(entry): entry for entry in old}
    merged.update((_span(entry), entry) for entry in new)
    return tuple(merged.values())


def check_entry(entry: Provenance, registry: Registry) -> Standing:
    """How an entry stands against what is registered now. A note need not be registered: it has to be there."""
    if is_outside(entry.path):
        return _check_outside(entry, registry.outside(entry.path))
    path = _registered_path(entry.path, registry)
    if path is None:
        return Unregistered(entry.path)
    source = registry.sources.get(path)
    found = registry.notes[path] if source is None else source.sha256
    if entry.sha256 is not None and entry.sha256 != found:
        return Stale(path, entry.sha256, found)
    if source is not None and source.superseded_by and not _is_acknowledged(entry, path, registry):
        return Superseded(path, newest_version(path, registry))
    return Registered(path)


def _check_outside(entry: Provenance, found: str | None) -> Standing:
    if found is None:
        return Unregistered(entry.path)
    if found and entry.sha256 is not None and entry.sha256 != found:
        return Stale(entry.path, entry.sha256, found)
    return Registered(entry.path)


def newest_version(path: str, registry: Registry) -> str:
    """The last version in the chain that begins at `path`; a chain that runs in a circle ends where it closes."""
    return _later_versions(path, registry)[-1]


def _later_versions(path: str, registry: Registry) -> list[str]:
    """`path` and what superseded it, in order."""
    chain = [path]
    while len(chain) < _MOST_STEPS:
        source = registry.sources.get(chain[-1])
        following = source.superseded_by if source else None
        if not following or following not in registry.sources or following in chain:
            break
        chain.append(following)
    return chain


def _is_acknowledged(entry: Provenance, path: str, registry: Registry) -> bool:
    """Whether the entry says that the old version is meant, and no version has come since it said so."""
    if not entry.superseded_ok:
        return False
    said = _read_date(entry.date)
    if said is None:
        return True
    dates = [registry.sources[later].registered for later in _later_versions(path, registry)[1:]]
    return all(registered is None or registered <= said for registered in dates)


def _registered_path(path: str, registry: Registry) -> str | None:
    for wanted in (path, f"{path}.md"):
        if wanted in registry.sources or wanted in registry.notes:
            return wanted
    return None


def _read_entry(item: object) -> Provenance | str:
    """The entry, or what is wrong with it, as the end of a sentence."""
    if isinstance(item, str):
        path = _read_path(item)
        return Provenance(path) if path else "is empty"
    if not isinstance(item, dict):
        return "is neither a path nor a mapping"
    said = {str(key): _text(value) for key, value in item.items() if value is not None}
    path = _read_path(said.get("path", ""))
    if not path:
        return "has no `path`"
    digest = said.get("sha256", "").lower().removeprefix("sha256:") or None
    if digest is not None and not _SHA256.fullmatch(digest):
        return "has a `sha256` that is not 64 hexadecimal digits"
    known = {key: said[key] for key in _KEYS if key in said and key not in ("path", "sha256")}
    extra = tuple((key, value) for key, value in said.items() if key not in _KEYS)
    return Provenance(path=path, sha256=digest, extra=extra, **known)


def _read_path(text: str) -> str:
    text = unicodedata.normalize("NFC", text.strip())
    match = _WIKILINK.fullmatch(text)
    return match[1].strip() if match else text


def _text(value: object) -> str:
    """A scalar as it stands in the YAML; what is nested below an entry's key is not ours and kept as words."""
    return value if isinstance(value, str) else str(value)


def _read_date(text: str | None) -> date | None:
    try:
        return date.fromisoformat((text or "")[:10])
    except ValueError:
        return None


def _span(entry: Provenance) -> tuple[str, str | None, str | None]:
    return entry.path, entry.page_range, entry.lines

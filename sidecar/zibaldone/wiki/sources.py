"""Documents that pages rest on: where a copy lies, what is recorded of it, which version replaced which. Pure.

A copy is `Zibaldone/sources/[FOLDER/]<12 digits of its hash>/<name>`, and beside it stands `<name>.source.md`, a note
that records it. The registry is all of these notes, and they are never changed after they were written: two machines
that add documents, or versions of one, never touch the same file, so git merges them without a conflict. What replaced
what is therefore not written into the old record. It follows from key and time: of the versions of one document, which
share a key, the last that was registered is the one that holds.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import PurePath

from zibaldone.errors import InvalidRequest
from zibaldone.ingest.frontmatter import read_frontmatter
from zibaldone.vault.paths import nfc, path_problem
from zibaldone.wiki.provenance import RegisteredSource, Registry
from zibaldone.wiki.slug import FOLDER, make_slug
from zibaldone.wiki.yaml_text import property_lines

SOURCES = "sources"
RECORD = ".source.md"
HASH_DIGITS = 12
MOST_RECORD_BYTES = 64_000
# Documents whose text is read as it is; a place in one is told by its lines.
_TEXTS = (".md", ".markdown", ".txt")
_MOST_NAME_BYTES = 180  # leaves room for `.source.md` and for the name of a temporary file
_SHA256 = re.compile(r"[0-9a-f]{64}")
# What ends a link in Obsidian, and what some system cannot hold in a file name.
_UNSAFE = re.compile(r'[\x00-\x1f\x7f\ud800-\udfff#^\[\]|\\/:*?"<>]+')
_DEVICE = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|com[0-9]|lpt[0-9])(?:\.|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SourceRecord:
    """What is recorded of one copy.

    `path` is the copy's, in the vault; `registered` is in UTC, to the second. `origin` is the name that the file had,
    and `origin_mark` a digest of the folder that it came from: enough to tell two documents of the same name apart, and
    no folder of the person's disk is written into a vault that may be shared.
    """

    path: str
    key: str
    sha256: str
    size: int
    registered: datetime
    origin: str
    origin_mark: str = ""
    supersedes: str = ""


@dataclass(frozen=True, slots=True)
class NewSource:
    """A document to be registered. `key` is None where it is to be derived from the name."""

    name: str
    sha256: str
    size: int
    origin_mark: str
    into: str = ""
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Register:
    """It is new: this is to be recorded."""

    record: SourceRecord


@dataclass(frozen=True, slots=True)
class Known:
    """The same bytes are registered. `superseded_by` is the version that holds now, where that is another one."""

    record: SourceRecord
    superseded_by: str | None = None


def document_key(name: str) -> str:
    """What the versions of a document have in common: the file's name without its extension, folded as slugs are.

    A key given as it is comes out as it is, so what a message prints can be given back with `--as`.
    """
    path = PurePath(name)
    return make_slug(path.stem if re.fullmatch(r"\.[0-9]?[A-Za-z][A-Za-z0-9]{0,5}", path.suffix) else name)


def given_key(text: str) -> str:
    """A key that a person typed. Raises `InvalidRequest`."""
    if not text.strip():
        raise InvalidRequest("The key is empty.", "Say in a word which document it is: --as guideline.")
    return make_slug(text)


def clean_folder(into: str) -> str:
    """A folder below `sources/`, as `a/b`; empty for `sources/` itself.

    Raises:
        InvalidRequest: it leads out of it, is hidden, or has a name that no link can hold.
    """
    folder = unicodedata.normalize("NFC", into.strip().replace("\\", "/")).strip("/")
    if not folder or folder == ".":
        return ""
    parts = folder.split("/")
    if path_problem(folder) or any(part.startswith(".") or part != safe_name(part) for part in parts):
        raise InvalidRequest(f"{into!r} cannot be a folder for sources.", "Give a plain name, such as guidelines/2024.")
    return folder


def safe_name(name: str) -> str:
    """`name` as a file name that every system can hold and that a link can name; non-Latin names stay as they are."""
    clean = _UNSAFE.sub("-", unicodedata.normalize("NFC", name)).strip().lstrip(".").rstrip(". ")
    if _DEVICE.match(clean):
        clean = f"_{clean}"
    if len(clean.encode()) > _MOST_NAME_BYTES:
        suffix = PurePath(clean).suffix
        suffix = suffix if len(suffix.encode()) < 20 else ""
        clean = clean.encode()[: _MOST_NAME_BYTES - len(suffix.encode())].decode("utf-8", "ignore").rstrip() + suffix
    return clean or "document"


def copy_path(digest: str, name: str, into: str = "", folder: str = FOLDER) -> str:
    """Where the copy lies."""
    return "/".join(filter(None, (folder, SOURCES, into, digest[:HASH_DIGITS], safe_name(name))))


def record_path(copy: str) -> str:
    """Where the record of a copy lies: beside it."""
    return copy + RECORD


def is_text(path: str) -> bool:
    """Whether a document can be read without being converted."""
    return path.lower().endswith(_TEXTS)


def is_record_path(path: str, folder: str = FOLDER) -> bool:
    return path.startswith(f"{folder}/{SOURCES}/") and path.endswith(RECORD)


def origin_mark(place: str) -> str:
    """A digest of the folder that a document came from."""
    return sha256(place.encode("utf-8", "surrogateescape")).hexdigest()[:HASH_DIGITS]


def render_record(record: SourceRecord) -> bytes:
    """The note that records a copy. The same record gives the same bytes."""
    name = record.path.rpartition("/")[2]
    said = {
        "title": name,
        "key": record.key,
        "sha256": record.sha256,
        "origin": record.origin,
        "origin_mark": record.origin_mark,
        "supersedes": record.supersedes,
    }
    lines = [line for key, value in said.items() if value for line in property_lines(key, value)]
    lines += [f"size: {record.size}", f"registered: {record.registered.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"]
    body = (
        f"[[{record.path}|{name}]] is a copy of a document that was added to this vault. Pages name it as what they "
        f"rest on, so neither it nor this note is to be edited. A newer version is added with "
        f"`zib ingest FILE --as {record.key}`."
    )
    return "\n".join(["---", *lines, "---", "", body, ""]).encode("utf-8", "replace")


def read_record(path: str, data: bytes) -> SourceRecord | str:
    """The record in the note at `path`; a sentence where it is none that can be used."""
    if len(data) > MOST_RECORD_BYTES:
        return f"it is larger than {MOST_RECORD_BYTES} bytes"
    front = read_frontmatter(data.decode("utf-8", "replace"))
    known = {key: "" if value is None else str(value).strip() for key, value in front.properties.items()}
    digest = known.get("sha256", "").lower()
    if front.problem or not _SHA256.fullmatch(digest):
        return front.problem or "it has no `sha256` of 64 hexadecimal digits"
    folder = path.rpartition("/")[0].rpartition("/")[2]
    if folder != digest[:HASH_DIGITS]:
        return f"it does not stand in the folder of its hash, {digest[:HASH_DIGITS]}"
    registered = _read_time(known.get("registered", ""))
    if registered is None:
        return "its `registered` is no time"
    copy = path.removesuffix(RECORD)
    size = known.get("size", "")
    return SourceRecord(
        path=copy,
        key=make_slug(known["key"]) if known.get("key") else document_key(copy.rpartition("/")[2]),
        sha256=digest,
        size=int(size) if size.isascii() and size.isdigit() and len(size) < 16 else 0,
        registered=registered,
        origin=known.get("origin", ""),
        origin_mark=known.get("origin_mark", ""),
        supersedes=known.get("supersedes", ""),
    )


def register(records: Sequence[SourceRecord], new: NewSource, now: datetime, folder: str = FOLDER) -> Register | Known:
    """What adding a document means, given what is registered.

    Raises:
        InvalidRequest: the key was derived, and belongs to a document that came from elsewhere.
    """
    replaced = superseded(records)
    if (same := _same_bytes(records, new, replaced)) is not None:
        return Known(same, replaced.get(same.path) and newest(same, records).path)
    key = _known_key(new.key, records) if new.key is not None else document_key(new.name)
    versions = [record for record in _in_order(records) if record.key == key]
    latest = versions[-1] if versions else None
    if latest and new.key is None and (latest.origin, latest.origin_mark) != (new.name, new.origin_mark):
        came = f"another folder ({latest.origin})" if latest.origin == new.name else f"`{latest.origin}`"
        raise InvalidRequest(
            f"`{new.name}` would be a version of `{key}`, which was registered on {latest.registered:%Y-%m-%d} from "
            f"{came}.",
            f"A newer version of it? Add --as {key}. Another document? Give it a key of its own: --as NAME.",
        )
    at = now.astimezone(UTC).replace(microsecond=0)
    if latest and at <= latest.registered:  # a clock that was set back, or two versions in one second
        at = latest.registered + timedelta(seconds=1)
    return Register(
        SourceRecord(
            path=copy_path(new.sha256, new.name, clean_folder(new.into), folder),
            key=key,
            sha256=new.sha256,
            size=new.size,
            registered=at,
            origin=new.name,
            origin_mark=new.origin_mark,
            supersedes=latest.path if latest else "",
        )
    )


def superseded(records: Iterable[SourceRecord]) -> dict[str, str]:
    """From the path of each version that was replaced to the path of the next one."""
    following: dict[str, str] = {}
    last: dict[str, SourceRecord] = {}
    for record in _in_order(records):
        if (before := last.get(record.key)) and before.path != record.path:
            following[before.path] = record.path
        last[record.key] = record
    return following


def newest(record: SourceRecord, records: Iterable[SourceRecord]) -> SourceRecord:
    """The version of the same document that holds now."""
    return _in_order(other for other in (*records, record) if other.key == record.key)[-1]


def build_registry(records: Sequence[SourceRecord], notes: Mapping[str, str] | None = None) -> Registry:
    """What a page may rest on: these sources, and `notes` (SHA-256 by path)."""
    following = superseded(records)
    return Registry(
        sources={
            record.path: RegisteredSource(record.sha256, following.get(record.path), record.registered.date())
            for record in records
        },
        notes=notes or {},
    )


def spread_times(records: Sequence[SourceRecord], replaced_by: Mapping[str, str]) -> list[SourceRecord]:
    """Records of another system, with key and time changed where `replaced_by` (path to path) would not follow from
    them: a version has the key of what replaced it and was registered before it."""
    by_path = {record.path: record for record in records}
    for _ in range(len(by_path)):
        settled = True
        for old, new in replaced_by.items():
            if old == new or old not in by_path or new not in by_path:
                continue
            before, after = by_path[old], by_path[new]
            if before.key != after.key:
                by_path[old], settled = replace(before, key=after.key), False
            if after.registered <= before.registered:
                by_path[new], settled = replace(after, registered=before.registered + timedelta(seconds=1)), False
        if settled:
            break
    return list(by_path.values())


def _known_key(given: str, records: Iterable[SourceRecord]) -> str:
    """The key that a person means: one that is registered, as it is or read as a file's name, before a new one."""
    key, as_name = given_key(given), document_key(given)
    known = {record.key for record in records}
    return as_name if key not in known and as_name in known else key


def _same_bytes(records: Sequence[SourceRecord], new: NewSource, replaced: Mapping[str, str]) -> SourceRecord | None:
    """A record of the same bytes: one that holds before one that was replaced."""
    same = [record for record in records if record.sha256 == new.sha256]
    return min(same, key=lambda record: (record.path in replaced, record.path), default=None)


def _in_order(records: Iterable[SourceRecord]) -> list[SourceRecord]:
    """As they were registered. Records that were merged from two machines come out the same on both."""
    return sorted(records, key=lambda record: (record.registered, nfc(record.path)))


def _read_time(text: str) -> datetime | None:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    return time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)

"""Documents that pages rest on: adding, listing and clearing them away, and which pages are no longer up to date.

Adding one looks at the records of the sources, which are small and kept in memory while they do not change, and at no
note. Two runs that add different files both succeed; of the same bytes one registers and the other finds it done, since
what is there is looked at under the writer's lock and both files are only ever created.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

from zibaldone.domain.notes import FileStamp
from zibaldone.errors import InvalidRequest, NotFound, PathOutsideVault, VaultChanged, ZibaldoneError
from zibaldone.ingest.parse import Decoded, decode_note, parse_note
from zibaldone.runtime.writer import Read, VaultWriter
from zibaldone.schemas.failure import describe_error
from zibaldone.schemas.sources import (
    Collected,
    CollectRequest,
    IngestedFile,
    IngestReport,
    IngestRequest,
    SourceInfo,
    Sources,
    StaleEntry,
    StalePages,
)
from zibaldone.schemas.sync import SkippedFile
from zibaldone.vault.files import TooLarge, VaultFiles, sha256_hex, stamp_of
from zibaldone.vault.listing import list_files
from zibaldone.vault.outside import OutsideFiles
from zibaldone.vault.paths import is_markdown, nfc
from zibaldone.wiki.page import Page, read_page
from zibaldone.wiki.provenance import Provenance, Registry, Stale, Superseded, Unregistered, check_entry
from zibaldone.wiki.resolve import LinkResolver
from zibaldone.wiki.slug import PAGES, path_slug
from zibaldone.wiki.sources import (
    HASH_DIGITS,
    MOST_RECORD_BYTES,
    RECORD,
    SOURCES,
    Known,
    NewSource,
    Register,
    SourceRecord,
    build_registry,
    clean_folder,
    given_key,
    origin_mark,
    read_record,
    record_path,
    register,
    render_record,
    superseded,
)

MOST_BYTES = 100_000_000  # of one document: git and the person's sync carry every copy for ever
_MOST_NOTE_BYTES = 20_000_000
_Cache = dict[str, tuple[FileStamp, SourceRecord | str]]


def load_registry(root: Path, folder: str, notes: Mapping[str, str] | None = None) -> Registry:
    """What pages may rest on, for lint and for checks: the registered sources, and `notes` (SHA-256 by path)."""
    return build_registry(_good(read_records(root, folder)), notes)


def read_records(root: Path, folder: str, cache: _Cache | None = None) -> dict[str, SourceRecord | str]:
    """Each record in the vault by its own path; a sentence where it cannot be read. Costs a look at each record."""
    place = root / folder / SOURCES
    if not place.resolve().is_relative_to(root.resolve()):
        return {}
    found: dict[str, SourceRecord | str] = {}
    for path in list_files(root, f"{folder}/{SOURCES}"):
        if not path.endswith(RECORD):
            continue
        try:
            stamp = stamp_of((root / path).stat(follow_symlinks=False))
            known = cache.get(path) if cache is not None else None
            if known is None or known[0] != stamp:
                known = (stamp, _read_record(root, path))
        except OSError as error:
            found[path] = f"it cannot be read: {error.strerror}"
            continue
        if cache is not None:
            cache[path] = known
        found[path] = known[1]
    return found


class SourceShelf:
    """The sources of one vault.

    Args:
        root: the vault's folder, resolved.
        folder: the agent's.
        outside: the folders beside the vault.
    """

    def __init__(self, root: Path, files: VaultFiles, writer: VaultWriter, folder: str, outside: OutsideFiles) -> None:
        self._root = root
        self._outside = outside
        self._files = files
        self._writer = writer
        self._folder = folder
        self._cache: _Cache = {}

    def records(self) -> list[SourceRecord]:
        """The registered sources, in no order."""
        return _good(read_records(self._root, self._folder, self._cache))

    def registry(self, named: Iterable[str] = ()) -> Registry:
        """The sources, and of the notes those that are `named` by path: what a check of a few entries needs."""
        notes: dict[str, str] = {}
        for path in named:
            for candidate in (path, f"{path}.md"):
                if (digest := self._hash(candidate)) is not None:
                    notes[candidate] = digest
                    break
        return replace(build_registry(self.records(), notes), outside=self._outside.digest)

    # -- adding ----------------------------------------------------------------------------------------

    def add(self, request: IngestRequest, now: datetime) -> IngestReport:
        """Register the files, one after the other; what fails is said of that file, and the others go on.

        Raises:
            InvalidRequest: the folder or key cannot be used.
        """
        clean_folder(request.into)
        if request.key is not None:
            given_key(request.key)
            if len(request.paths) > 1:
                raise InvalidRequest("One key is one document.", "Give one file with --as.")
        return IngestReport(files=[self._try_to_add(path, request, now) for path in request.paths])

    def _try_to_add(self, path: str, request: IngestRequest, now: datetime) -> IngestedFile:
        try:
            return self._add(Path(path), request, now)
        except (ZibaldoneError, OSError) as error:
            failure = error if isinstance(error, ZibaldoneError) else _cannot_read(Path(path), error)
            return IngestedFile(file=path, outcome="failed", error=describe_error(failure))

    def _add(self, path: Path, request: IngestRequest, now: datetime) -> IngestedFile:
        data = read_document(path, self._root)
        new = NewSource(
            name=nfc(path.name),
            sha256=sha256_hex(data),
            size=len(data),
            origin_mark=origin_mark(str(path.parent.resolve())),
            into=request.into,
            key=request.key,
        )
        decided: list[Register | Known] = []

        def plan(read: Read) -> dict[str, bytes | None]:
            decision = register(self.records(), new, now, self._folder)
            decided[:] = [decision]
            record = decision.record
            if isinstance(decision, Known):
                return {record.path: data} if _hash(read(record.path)) != record.sha256 else {}
            if read(record.path) not in (None, data) or read(record_path(record.path)) is not None:
                raise InvalidRequest(
                    f"{record.path} is there already, and holds something else.",
                    "Look at it: it is in the place of this document, and nothing records it.",
                )
            return {record.path: data, record_path(record.path): render_record(record)}

        message = f"ingest: {register(self.records(), new, now, self._folder).record.path}"
        done = self._writer.change("ingest", message, now, plan)
        [decision] = decided
        is_new = isinstance(decision, Register)
        return IngestedFile(
            file=str(path),
            outcome="unchanged" if done is None else "registered" if is_new else "restored",
            source=_info(decision.record, decision.superseded_by if isinstance(decision, Known) else None),
            supersedes=decision.record.supersedes or None if is_new else None,
            commit=done.commit if done else None,
            queued=bool(done and done.queued),
            reason=done.reason if done else None,
        )

    # -- looking ---------------------------------------------------------------------------------------

    def resting_on(self, key: str) -> dict[str, list[str]]:
        """The paths of the pages that rest on a document, by the path of the version."""
        found: dict[str, list[str]] = {record.path: [] for record in self.records() if record.key == key}
        for path, page in self._pages():
            for version in found.keys() & {entry.path for entry in page.provenance}:
                found[version].append(path)
        return found

    def list(self) -> Sources:
        """By key, versions in order."""
        records = read_records(self._root, self._folder, self._cache)
        good = _good(records)
        replaced = superseded(good)
        return Sources(
            sources=[
                _info(record, replaced.get(record.path), present=(self._root / record.path).is_file())
                for record in sorted(good, key=lambda one: (one.key, one.registered, one.path))
            ],
            problems=[SkippedFile(path=path, reason=one) for path, one in records.items() if isinstance(one, str)],
        )

    def stale(self) -> StalePages:
        """The pages that rest on something that was replaced, changed or taken away."""
        pages = dict(self._pages())
        named = {entry.path for page in pages.values() for entry in page.provenance}
        registry = self.registry(named)
        at_hand = {path: self._hash(path) for path in named & registry.sources.keys()}
        resolver: LinkResolver | None = None
        stale: list[StaleEntry] = []
        for path, page in sorted(pages.items()):
            for entry in page.provenance:
                standing = check_entry(entry, registry)
                if isinstance(standing, Unregistered) and entry.sha256:
                    # Perhaps a link, which Obsidian shortens and keeps right when the note is renamed.
                    resolver = resolver or LinkResolver(list_files(self._root))
                    if (found := resolver.resolve(entry.path, path)) is not None and (digest := self._hash(found)):
                        standing = check_entry(Provenance(found, sha256=entry.sha256), Registry({}, {found: digest}))
                state, newest = _state(entry, standing, registry, at_hand)
                if state is not None:
                    slug = path_slug(path, self._folder) or path
                    stale.append(
                        StaleEntry.model_validate(
                            {
                                "page": slug,
                                "page_path": path,
                                "rests_on": entry.path,
                                "state": state,
                                "newest": newest,
                            }
                        )
                    )
        return StalePages(stale=stale, pages=len(pages))

    # -- clearing away ---------------------------------------------------------------------------------

    def collect(self, request: CollectRequest, now: datetime) -> Collected:
        """Remove superseded copies that nothing in the vault names, in one commit; or say which they are."""
        records = self.records()
        replaced = superseded(records)
        old = [record for record in records if record.path in replaced]
        namers = self._find_namers(old)
        going = sorted((record for record in old if record.path not in namers), key=lambda one: one.path)
        found = Collected(
            removed=[_info(record, replaced[record.path]) for record in going],
            kept=[
                SkippedFile(path=record.path, reason=f"named by {namers[record.path]}")
                for record in sorted(old, key=lambda one: one.path)
                if record.path in namers
            ],
            applied=False,
        )
        if not going or not request.apply:
            return found
        wanted: dict[str, bytes | None] = {}
        for record in going:
            wanted |= {record.path: None, record_path(record.path): None}
        done = self._writer.change("sources", f"sources: remove {len(going)} superseded", now, lambda read: wanted)
        if done is None:
            return found
        return found.model_copy(
            update={
                "applied": True,
                "change": done.change_id,
                "commit": done.commit,
                "queued": done.queued,
                "reason": done.reason,
            }
        )

    def _find_namers(self, records: Sequence[SourceRecord]) -> dict[str, str]:
        """From the path of a copy to a note that names it: by its hash, by its path, or by a link to its bare name."""
        namers: dict[str, str] = {}
        if not records:
            return namers
        resolver = LinkResolver(list_files(self._root))
        for path in list_files(self._root):
            if path.endswith(RECORD) or not (is_markdown(path) or path.endswith((".canvas", ".base"))):
                continue
            data = self._read(path)
            if data is None:
                continue
            text = data.decode("utf-8", "replace").casefold()
            for record in records:
                if record.path not in namers and record.path != path and _names(text, path, data, record, resolver):
                    namers[record.path] = path
        return namers

    # -- reading ---------------------------------------------------------------------------------------

    def _pages(self) -> Iterator[tuple[str, Page]]:
        for path in list_files(self._root, f"{self._folder}/{PAGES}"):
            if is_markdown(path) and (data := self._read(path)) is not None:
                page = read_page(data)
                if isinstance(page, Page):
                    yield path, page

    def _read(self, path: str) -> bytes | None:
        with contextlib.suppress(NotFound, PathOutsideVault, VaultChanged, OSError):
            data = self._files.read_stable(path, _MOST_NOTE_BYTES)
            return None if isinstance(data, TooLarge) else data
        return None

    def _hash(self, path: str) -> str | None:
        with contextlib.suppress(NotFound, PathOutsideVault, VaultChanged, OSError):
            data = self._files.read_stable(path, MOST_BYTES)
            return None if isinstance(data, TooLarge) else sha256_hex(data)
        return None


def read_document(path: Path, vault: Path) -> bytes:
    """The bytes of a file that is to be registered.

    Raises:
        NotFound, InvalidRequest: there is none, or it is none that can be registered.
    """
    if not path.is_absolute():
        raise InvalidRequest(f"{path} is not an absolute path.", "Give the whole path.")
    try:
        real = path.resolve(strict=True)
    except (FileNotFoundError, NotADirectoryError):
        raise NotFound(f"There is no file {path}.", "Check the path.") from None
    except (OSError, RuntimeError) as error:
        raise _cannot_read(path, error) from error
    if real.is_relative_to(vault):
        raise InvalidRequest(
            f"{path} is in the vault already.", "A page can name it as it is; only documents from elsewhere are copied."
        )
    if real.is_dir():
        raise InvalidRequest(f"{path} is a folder.", "Name the files, or import it: `zib import`.")
    if not real.is_file():
        raise InvalidRequest(f"{path} is not a regular file.", "Save it as a file first.")
    try:
        with real.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            data = b"" if size > MOST_BYTES else file.read(MOST_BYTES + 1)
    except OSError as error:
        raise _cannot_read(path, error) from error
    if max(size, len(data)) > MOST_BYTES:
        raise InvalidRequest(
            f"{path} has {max(size, len(data)) / 1e6:.0f} MB, and a source at most {MOST_BYTES / 1e6:.0f} MB.",
            "Every copy is kept in git: keep it elsewhere, and name it with `drive_path` in a page.",
        )
    if not data:
        raise InvalidRequest(f"{path} is empty.", "There is nothing in it that a page could rest on.")
    return data


def _state(
    entry: Provenance, standing: object, registry: Registry, at_hand: Mapping[str, str | None]
) -> tuple[str | None, str | None]:
    """What is wrong with what a page rests on, and what holds instead."""
    match standing:
        case Superseded(newest=newest):
            return "superseded", newest
        case Stale():
            return "changed", None
        case Unregistered():
            return ("missing", None) if entry.sha256 else (None, None)  # a bare name was never read by anybody
    source = registry.sources.get(entry.path)
    if source is None or at_hand.get(entry.path) == source.sha256:
        return None, None
    return ("missing" if at_hand.get(entry.path) is None else "changed"), None


def _names(text: str, path: str, data: bytes, record: SourceRecord, resolver: LinkResolver) -> bool:
    """Whether a note names a copy; `text` is it, case-folded."""
    if record.sha256[:HASH_DIGITS] in text:
        return True
    name = record.path.rpartition("/")[2]
    forms = {name, quote(name), name.removesuffix(".md")}
    if not any(form.casefold() in text for form in forms) or not is_markdown(path):
        return False
    decoded = decode_note(data)
    if not isinstance(decoded, Decoded):
        return False
    return any(resolver.resolve(link.target, path) == record.path for link in parse_note(path, decoded.text).links)


def _info(record: SourceRecord, superseded_by: str | None, *, present: bool = True) -> SourceInfo:
    return SourceInfo(
        path=record.path,
        key=record.key,
        sha256=record.sha256,
        size=record.size,
        registered_at=f"{record.registered:%Y-%m-%dT%H:%M:%SZ}",
        origin=record.origin,
        superseded_by=superseded_by,
        present=present,
    )


def _good(records: Mapping[str, SourceRecord | str]) -> list[SourceRecord]:
    return [record for record in records.values() if isinstance(record, SourceRecord)]


def _read_record(root: Path, path: str) -> SourceRecord | str:
    with (root / path).open("rb") as file:
        return read_record(path, file.read(MOST_RECORD_BYTES + 1))


def _cannot_read(path: Path, error: Exception) -> InvalidRequest:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return InvalidRequest(f"{path} cannot be read: {reason}.", "Check the file and its permissions.")


def _hash(data: bytes | None) -> str | None:
    return None if data is None else sha256_hex(data)

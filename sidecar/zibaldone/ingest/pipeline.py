"""Reconcile the record with the disk: the order of the steps.

The disk is the truth. Events, hints and stamps only say where to look; content decides what changed.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from zibaldone.domain.notes import FileStamp, Modality, Recorded
from zibaldone.errors import DeadlineExceeded, GitUnavailable, StoreClosed, ZibaldoneError
from zibaldone.index.vectors import VectorIndex
from zibaldone.inference.roles import Embedder
from zibaldone.ingest.derive import Derived, skipped_source
from zibaldone.ingest.diff import ScanDiff, diff_scan, is_mass_disappearance
from zibaldone.ingest.publish import Published, has_unpublished, publish_vectors
from zibaldone.schemas.sync import Progress, SkippedFile, SyncReport
from zibaldone.store.cache_db import ContentCache
from zibaldone.store.index_db import IndexStore

log = logging.getLogger(__name__)

_NO_STAMP = FileStamp(0, 0, 0, 0)
# Which files are not indexed, with the reason; and whether vectors have to be published.
_Conclusion = tuple[list[tuple[str, str]], bool]


@dataclass(frozen=True, slots=True)
class SourceReader:
    """Sources of some kinds, as ingest asks for them (see `runtime.reader` for how it is made).

    `scan(under)` gives path and stamp, or path and the reason why it is not indexed; `read` gives stable bytes;
    `derive(path, data, stamp, source_id, first_commit)` makes the record of them, and `derived_by(path)` is the
    version that would; `commit_dates(paths)` the day on which each path was first committed; `modality(path)` its
    kind. `kinds` are all that this reader answers for. Where it `is_certain` that what it does not name is gone (no
    disk can be unmounted), nobody is asked before much is dropped at once. `batch` are read together, and a progress
    calls them `unit`; `prepare(paths)` is told which come next.
    """

    kinds: frozenset[Modality]
    is_certain: bool
    unit: Literal["notes", "files", "commits"]
    batch: int
    scan: Callable[[Sequence[str]], Iterable[tuple[str, FileStamp | str]]]
    read: Callable[[str], tuple[bytes, FileStamp]]
    derive: Callable[[str, bytes, FileStamp, str, date | None], Derived]
    derived_by: Callable[[str], str]
    commit_dates: Callable[[Sequence[str]], Mapping[str, date]]
    modality: Callable[[str], Modality]
    prepare: Callable[[Sequence[str]], None] = lambda paths: None


@dataclass(slots=True)
class _Tally:
    added: int = 0
    changed: int = 0
    renamed: int = 0
    deleted: int = 0
    held: int = 0
    unchanged: int = 0
    notes: list[str] = field(default_factory=list)


async def ingest(
    readers: Sequence[SourceReader],
    store: IndexStore,
    cache: ContentCache,
    vectors: VectorIndex | None,
    embedder: Embedder | None,
    *,
    under: Sequence[str] = (),
    accept_deletions: bool = False,
    report: Callable[[Progress], None],
    recorded: Callable[[], None] = lambda: None,
    wait_turn: Callable[[], Awaitable[None]],
) -> SyncReport:
    """Bring the record of all sources, or of those at or below `under`, in step with the disk, reader by reader.

    `recorded` is called when the words of what the first reads (the notes) can be found; what is slower to read, and
    the vectors, follow. With no embedder the notes are indexed for lexical search, and their vectors follow when there
    is one.
    Raises only for the store, the vector index or the model; one bad file never stops the rest.
    """
    started = time.monotonic()

    def conclude() -> _Conclusion:
        return store.skipped(), has_unpublished(store, vectors)

    warming: list[asyncio.Task[None]] = []

    def begin() -> None:
        if vectors is not None and embedder is not None:
            warming.append(asyncio.create_task(_warm_up(embedder), name="warm up"))

    tally = _Tally()
    concluded: _Conclusion | None = None
    for reader in readers:
        last = conclude if reader is readers[-1] else None
        try:
            concluded = await _record_changes(reader, store, tally, under, accept_deletions, report, begin, last)
        except (GitUnavailable, DeadlineExceeded) as error:  # a history: what is known of it is kept
            tally.notes.append(f"{error.message}: {error.hint}.")
        recorded()
    if concluded is None:
        concluded = await asyncio.to_thread(conclude)
    skipped, unpublished = concluded
    published = Published()
    if unpublished and vectors is not None and embedder is not None:
        published = await publish_vectors(
            store,
            cache,
            vectors,
            embedder,
            report=lambda done, total: report(Progress(stage="embedding", done=done, total=total, unit="chunks")),
            wait_turn=wait_turn,
        )
    return SyncReport(
        added=tally.added,
        changed=tally.changed,
        renamed=tally.renamed,
        deleted=tally.deleted,
        held=tally.held,
        unchanged=tally.unchanged,
        skipped=[SkippedFile(path=path, reason=reason) for path, reason in skipped],
        chunks_embedded=published.embedded,
        cache_hits=published.cache_hits,
        notes=tally.notes,
        seconds=round(time.monotonic() - started, 3),
    )


async def _record_changes(
    reader: SourceReader,
    store: IndexStore,
    tally: _Tally,
    under: Sequence[str],
    accept_deletions: bool,
    report: Callable[[Progress], None],
    begin: Callable[[], None],
    conclude: Callable[[], _Conclusion] | None,
) -> _Conclusion | None:
    """Scan, diff, read and derive what may have changed (`begin` is called where sources are new), record it.

    Where nothing did, what `conclude` says comes with it: by far the most syncs are such, and a second trip to a
    thread costs them more than the question.
    """

    def look() -> tuple[Mapping[str, Recorded], ScanDiff, _Conclusion | None]:
        known = {path: one for path, one in store.recorded(under).items() if one.modality in reader.kinds}
        diff = diff_scan(known, dict(reader.scan(under)), reader.derived_by)
        quiet = not (diff.suspects or diff.excluded or diff.vanished)
        return known, diff, conclude() if conclude and quiet else None

    recorded, diff, concluded = await asyncio.to_thread(look)
    tally.unchanged += diff.unchanged
    if concluded:
        return concluded
    vanished = dict(diff.vanished)
    by_content = {source.sha256: path for path, source in vanished.items() if source.sha256}
    new = [path for path in diff.suspects if path not in recorded]
    if new and not vanished:  # what was renamed has its vectors
        begin()
    commit_dates = await asyncio.to_thread(reader.commit_dates, new) if new else {}

    def record(path: str, stamp: FileStamp) -> None:
        known = recorded.get(path)
        data, stamp = reader.read(path)
        sha256 = hashlib.sha256(data).hexdigest()
        if known and known.sha256 == sha256 and known.derived_by == reader.derived_by(path):
            store.restamp({known.id: stamp})
            tally.unchanged += 1
            return
        old_path = None if known else by_content.pop(sha256, None)
        before = known or (vanished.pop(old_path) if old_path else None)
        dated_by_git = before is not None and before.date_source == "git"
        first_commit = commit_dates.get(path) or (date.fromisoformat(before.date) if before and dated_by_git else None)
        source_id = before.id if before else free_source_id(path, store)
        derived = reader.derive(path, data, stamp, source_id, first_commit)
        store.put_source(derived.source, derived.chunks, derived.links, derived.agenda)
        if old_path:
            tally.renamed += 1
        elif known and known.sha256 == sha256:
            tally.unchanged += 1
        elif known:
            tally.changed += 1
        elif derived.source.skipped is None:
            tally.added += 1

    def record_batch(batch: Sequence[tuple[str, FileStamp]]) -> None:
        reader.prepare([path for path, _ in batch])
        for path, stamp in batch:
            try:
                record(path, stamp)
            except StoreClosed:
                return
            except FileNotFoundError:
                continue  # went between scan and read: the next pass sees it gone
            except Exception as error:  # noqa: BLE001 - one bad file never stops the rest
                log.warning("a source could not be indexed: %s", type(error).__name__)
                reason = f"cannot be read: {getattr(error, 'strerror', None) or error or type(error).__name__}"
                skip(path, reason, stamp, failed=True)

    def skip(path: str, reason: str, stamp: FileStamp = _NO_STAMP, *, failed: bool = False) -> None:
        known = recorded.get(path)
        source_id = known.id if known else free_source_id(path, store)
        modality = reader.modality(path)
        source = skipped_source(path, reason, stamp, source_id=source_id, failed=failed, modality=modality)
        store.put_source(source, (), ())

    suspects = list(diff.suspects.items())
    for start in range(0, len(suspects), reader.batch):
        await asyncio.to_thread(record_batch, suspects[start : start + reader.batch])
        done = min(start + reader.batch, len(suspects))
        report(Progress(stage="reading", done=done, total=len(suspects), unit=reader.unit))
    for path, reason in diff.excluded.items():
        await asyncio.to_thread(skip, path, reason)
    if vanished:
        await _drop_vanished(store, vanished, accept_deletions or reader.is_certain, tally)
    return None


async def _warm_up(embedder: Embedder) -> None:
    with contextlib.suppress(ZibaldoneError):  # told by the first text that is to be embedded
        await embedder.warm_up()


async def _drop_vanished(store: IndexStore, vanished: Mapping[str, Recorded], accepted: bool, tally: _Tally) -> None:
    ids = [source.id for source in vanished.values()]
    known = await asyncio.to_thread(store.source_count)
    if not accepted and is_mass_disappearance(len(ids), known):
        await asyncio.to_thread(store.hold, ids)
        tally.held += len(ids)
        tally.notes.append(
            f"{len(ids)} of {known} sources are gone at once. Nothing is answered from them, but what is known of"
            " them is kept in case a disk is not mounted or a branch was switched: `zib sync --yes` drops it."
        )
        return
    await asyncio.to_thread(store.delete_sources, ids)
    tally.deleted += len(ids)


def free_source_id(path: str, store: IndexStore) -> str:
    """An id for a new source: from its path, so that a rebuild gives the same one, unless a note that was renamed
    away from this path still bears it."""
    for attempt in range(1_000_000):
        source_id = hashlib.sha256(f"{path}\0{attempt}".encode(errors="surrogateescape")).hexdigest()[:20]
        if not store.has_source(source_id):
            return source_id
    raise AssertionError(path)

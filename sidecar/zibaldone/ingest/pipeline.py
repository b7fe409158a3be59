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

from zibaldone.config.settings import ChunkingSettings
from zibaldone.domain.notes import FileStamp, Origin, Recorded
from zibaldone.errors import StoreClosed, ZibaldoneError
from zibaldone.index.vectors import VectorIndex
from zibaldone.inference.roles import Embedder
from zibaldone.ingest.derive import derive_note, deriver_fingerprint, skipped_source
from zibaldone.ingest.diff import ScanDiff, diff_scan, is_mass_disappearance
from zibaldone.ingest.publish import Published, has_unpublished, publish_vectors
from zibaldone.schemas.sync import Progress, SkippedFile, SyncReport
from zibaldone.store.cache_db import EmbeddingCache
from zibaldone.store.index_db import IndexStore

log = logging.getLogger(__name__)

_BATCH = 32
_NO_STAMP = FileStamp(0, 0, 0, 0)
# Which files are not indexed, with the reason; and whether vectors have to be published.
_Conclusion = tuple[list[tuple[str, str]], bool]


@dataclass(frozen=True, slots=True)
class VaultReader:
    """What ingest needs of the vault, as functions (see `runtime.local` for how they are made).

    `scan(under)` gives path and stamp, or path and the reason why it is not indexed; `read` gives stable bytes;
    `commit_dates(paths)` the day on which each path was first committed; `origin` who writes at a path.
    """

    scan: Callable[[Sequence[str]], Iterable[tuple[str, FileStamp | str]]]
    read: Callable[[str], tuple[bytes, FileStamp]]
    commit_dates: Callable[[Sequence[str]], Mapping[str, date]]
    origin: Callable[[str], Origin]


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
    vault: VaultReader,
    store: IndexStore,
    cache: EmbeddingCache,
    vectors: VectorIndex | None,
    embedder: Embedder | None,
    settings: ChunkingSettings,
    *,
    under: Sequence[str] = (),
    accept_deletions: bool = False,
    report: Callable[[Progress], None],
    recorded: Callable[[], None] = lambda: None,
    wait_turn: Callable[[], Awaitable[None]],
) -> SyncReport:
    """Bring the record of all notes, or of those at or below `under`, in step with the disk.

    `recorded` is called when the words of every note can be found; vectors follow. With no embedder the notes are
    indexed for lexical search, and their vectors follow when there is one.
    Raises only for the store, the vector index or the model; one bad file never stops the rest.
    """
    started = time.monotonic()

    def conclude() -> _Conclusion:
        return store.skipped(), has_unpublished(store, vectors)

    warming: list[asyncio.Task[None]] = []

    def begin() -> None:
        if vectors is not None and embedder is not None:
            warming.append(asyncio.create_task(_warm_up(embedder), name="warm up"))

    tally, concluded = await _record_changes(vault, store, settings, under, accept_deletions, report, begin, conclude)
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
    vault: VaultReader,
    store: IndexStore,
    settings: ChunkingSettings,
    under: Sequence[str],
    accept_deletions: bool,
    report: Callable[[Progress], None],
    begin: Callable[[], None],
    conclude: Callable[[], _Conclusion],
) -> tuple[_Tally, _Conclusion | None]:
    """Scan, diff, read and derive what may have changed (`begin` is called where notes are new), record it.

    Where nothing did, what `conclude` says comes with it: by far the most syncs are such, and a second trip to a
    thread costs them more than the question.
    """

    def look() -> tuple[Mapping[str, Recorded], ScanDiff, _Conclusion | None]:
        known = store.recorded(under)
        diff = diff_scan(known, dict(vault.scan(under)), deriver_fingerprint(settings))
        return known, diff, None if diff.suspects or diff.excluded or diff.vanished else conclude()

    recorded, diff, concluded = await asyncio.to_thread(look)
    tally = _Tally(unchanged=diff.unchanged)
    if concluded:
        return tally, concluded
    vanished = dict(diff.vanished)
    by_content = {source.sha256: path for path, source in vanished.items() if source.sha256}
    new = [path for path in diff.suspects if path not in recorded]
    if new and not vanished:  # what was renamed has its vectors
        begin()
    commit_dates = await asyncio.to_thread(vault.commit_dates, new) if new else {}

    def record(path: str, stamp: FileStamp) -> None:
        known = recorded.get(path)
        data, stamp = vault.read(path)
        sha256 = hashlib.sha256(data).hexdigest()
        if known and known.sha256 == sha256 and known.derived_by == deriver_fingerprint(settings):
            store.restamp({known.id: stamp})
            tally.unchanged += 1
            return
        old_path = None if known else by_content.pop(sha256, None)
        before = known or (vanished.pop(old_path) if old_path else None)
        dated_by_git = before is not None and before.date_source == "git"
        first_commit = commit_dates.get(path) or (date.fromisoformat(before.date) if before and dated_by_git else None)
        derived = derive_note(
            path,
            data,
            stamp,
            source_id=before.id if before else free_source_id(path, store),
            origin=vault.origin(path),
            first_commit=first_commit,
            settings=settings,
        )
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
        for path, stamp in batch:
            try:
                record(path, stamp)
            except StoreClosed:
                return
            except FileNotFoundError:
                continue  # went between scan and read: the next pass sees it gone
            except Exception as error:  # noqa: BLE001 - one bad file never stops the rest
                log.warning("a note could not be indexed: %s", type(error).__name__)
                reason = f"cannot be read: {getattr(error, 'strerror', None) or error or type(error).__name__}"
                _record_skip(store, recorded.get(path), path, reason, stamp, failed=True)

    suspects = list(diff.suspects.items())
    for start in range(0, len(suspects), _BATCH):
        await asyncio.to_thread(record_batch, suspects[start : start + _BATCH])
        done = min(start + _BATCH, len(suspects))
        report(Progress(stage="reading", done=done, total=len(suspects), unit="notes"))
    for path, reason in diff.excluded.items():
        await asyncio.to_thread(_record_skip, store, recorded.get(path), path, reason)
    if vanished:
        await _drop_vanished(store, vanished, accept_deletions, tally)
    return tally, None


async def _warm_up(embedder: Embedder) -> None:
    with contextlib.suppress(ZibaldoneError):  # told by the first text that is to be embedded
        await embedder.warm_up()


async def _drop_vanished(store: IndexStore, vanished: Mapping[str, Recorded], accepted: bool, tally: _Tally) -> None:
    ids = [source.id for source in vanished.values()]
    known = await asyncio.to_thread(store.source_count)
    if not accepted and is_mass_disappearance(len(ids), known):
        await asyncio.to_thread(store.hold, ids)
        tally.held = len(ids)
        tally.notes.append(
            f"{len(ids)} of {known} notes are gone at once. Nothing is answered from them, but what is known of"
            " them is kept in case a disk is not mounted or a branch was switched: `zib sync --yes` drops it."
        )
        return
    await asyncio.to_thread(store.delete_sources, ids)
    tally.deleted = len(ids)


def _record_skip(
    store: IndexStore,
    known: Recorded | None,
    path: str,
    reason: str,
    stamp: FileStamp | None = None,
    failed: bool = False,
) -> None:
    source_id = known.id if known else free_source_id(path, store)
    source = skipped_source(path, reason, stamp or _NO_STAMP, source_id=source_id, failed=failed)
    store.put_source(source, (), ())


def free_source_id(path: str, store: IndexStore) -> str:
    """An id for a new source: from its path, so that a rebuild gives the same one, unless a note that was renamed
    away from this path still bears it."""
    for attempt in range(1_000_000):
        source_id = hashlib.sha256(f"{path}\0{attempt}".encode(errors="surrogateescape")).hexdigest()[:20]
        if not store.has_source(source_id):
            return source_id
    raise AssertionError(path)

"""A folder as the ingest reads it: the vault, or one beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import cache
from typing import NamedTuple

from zibaldone.config.settings import ChunkingSettings
from zibaldone.domain.notes import FileStamp, Modality, Origin
from zibaldone.errors import InvalidRequest, ZibaldoneError
from zibaldone.ingest.derive import MAX_NOTE_BYTES, Derived, derive_note, deriver_fingerprint
from zibaldone.ingest.extract.kinds import kind_of
from zibaldone.ingest.pipeline import SourceReader
from zibaldone.runtime.documents import DocumentReader
from zibaldone.vault.exclusions import Exclusions
from zibaldone.vault.files import TooLarge, VaultFiles
from zibaldone.vault.history.git import Git
from zibaldone.vault.history.repository import first_commit_dates
from zibaldone.vault.paths import is_markdown
from zibaldone.vault.scan import FoundNote, scan_notes

_BATCH = 32
_MB = 1_000_000
# All but notes and commits.
FILES = frozenset(Modality) - {Modality.TEXT, Modality.CODE}
_Seen = tuple[str, FileStamp | str]


class FolderReaders(NamedTuple):
    """The notes of a folder, and its other files; one walk serves both."""

    notes: SourceReader
    files: SourceReader


def read_folder(
    files: VaultFiles,
    exclusions: Callable[[], Exclusions],
    chunking: ChunkingSettings,
    documents: DocumentReader,
    *,
    base: str = "",
    written_by: Origin = Origin.PERSON,
    is_note: Callable[[str], bool] = is_markdown,
    kinds: frozenset[Modality] = FILES,
    passed_over: Callable[[], Callable[[str], bool]] = lambda: lambda _: False,
) -> FolderReaders:
    """Readers of `files`; its exclusions are asked for once, by the thread that scans.

    Args:
        documents: how files that are no notes are read.
        base: what the paths in the index begin with.
        written_by: who wrote what is not in the agent's folder.
        is_note: which files are read as notes, by name.
        kinds: what is read besides.
        passed_over: asked for by that thread too, says which files and folders are not even mentioned.
    """
    read_exclusions = cache(exclusions)

    def is_wanted(name: str) -> bool:
        return is_note(name) or kind_of(name) is not None

    @cache
    def walk(under: tuple[str, ...]) -> tuple[list[_Seen], list[_Seen]]:
        notes: list[_Seen] = []
        others: list[_Seen] = []
        excluded = read_exclusions()
        for found in scan_notes(files.root, excluded, under, is_wanted, passed_over()):
            if not isinstance(found, FoundNote) and excluded.is_own(found.path):
                continue
            seen = base + found.path, found.stamp if isinstance(found, FoundNote) else found.reason
            kind = None if is_note(found.path) else kind_of(found.path)
            if kind is None:
                notes.append(seen)
            elif kind.modality in kinds:
                others.append(seen)
        return notes, others

    def read(path: str, most: int = MAX_NOTE_BYTES) -> tuple[bytes, FileStamp]:
        rel = path.removeprefix(base)
        stamp = files.stamp(rel)
        data = files.read_stable(rel, most + 1)
        if isinstance(data, TooLarge):
            raise OSError(0, f"larger than {most // _MB} MB")
        return data, stamp

    def read_file(path: str) -> tuple[bytes, FileStamp]:
        kind = kind_of(path)
        return read(path, kind.max_bytes if kind else 0)

    def commit_dates(paths: Sequence[str]) -> Mapping[str, date]:
        try:
            dates = first_commit_dates(Git(files.root), [path.removeprefix(base) for path in paths])
        except ZibaldoneError:
            return {}
        return {base + path: day for path, day in dates.items()}

    def derive(path: str, data: bytes, stamp: FileStamp, source_id: str, first_commit: date | None) -> Derived:
        origin = Origin.AGENT if read_exclusions().is_own(path.removeprefix(base)) else written_by
        return derive_note(
            path, data, stamp, source_id=source_id, origin=origin, first_commit=first_commit, settings=chunking
        )

    def derive_file(path: str, data: bytes, stamp: FileStamp, source_id: str, first_commit: date | None) -> Derived:
        return documents.derive(path, data, stamp, source_id, written_by, first_commit)

    def modality(path: str) -> Modality:
        kind = kind_of(path)
        return kind.modality if kind else Modality.TEXT

    version = deriver_fingerprint(chunking)
    return FolderReaders(
        SourceReader(
            kinds=frozenset({Modality.TEXT}),
            is_certain=False,
            unit="notes",
            batch=_BATCH,
            scan=lambda under: walk(tuple(under))[0],
            read=read,
            derive=derive,
            derived_by=lambda _: version,
            commit_dates=commit_dates,
            modality=lambda _: Modality.TEXT,
        ),
        SourceReader(
            kinds=kinds,
            is_certain=False,
            unit="files",
            batch=1,
            scan=lambda under: walk(tuple(under))[1],
            read=read_file,
            derive=derive_file,
            derived_by=documents.derived_by,
            commit_dates=commit_dates,
            modality=modality,
        ),
    )


def is_source(path: str) -> bool:
    """Whether a file of the vault is read, by its name: as a note or as another file."""
    return is_markdown(path) or kind_of(path) is not None


def wanted_kinds(only: Sequence[str]) -> frozenset[Modality]:
    """Those that a sync is limited to; all where nothing is named.

    Raises:
        InvalidRequest: a name stands for none.
    """
    names = {
        "note": Modality.TEXT,
        "notes": Modality.TEXT,
        "git": Modality.CODE,
        **{one.value: one for one in Modality},
    }
    if unknown := [name for name in only if name not in names]:
        raise InvalidRequest(
            f"--only {', '.join(unknown)} names no kind.", "The kinds are notes, git, pdf, image, canvas and document."
        )
    return frozenset(names[name] for name in only) or frozenset(Modality)

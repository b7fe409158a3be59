"""A folder as the ingest reads it: the vault, or one beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache

from zibaldone.domain.notes import FileStamp, Origin
from zibaldone.errors import ZibaldoneError
from zibaldone.ingest.derive import MAX_NOTE_BYTES
from zibaldone.ingest.pipeline import VaultReader
from zibaldone.vault.exclusions import Exclusions
from zibaldone.vault.files import TooLarge, VaultFiles
from zibaldone.vault.history.git import Git
from zibaldone.vault.history.repository import first_commit_dates
from zibaldone.vault.paths import is_markdown
from zibaldone.vault.scan import FoundNote, scan_notes


def folder_reader(
    files: VaultFiles,
    exclusions: Callable[[], Exclusions],
    *,
    base: str = "",
    written_by: Origin = Origin.PERSON,
    is_note: Callable[[str], bool] = is_markdown,
) -> VaultReader:
    """Reads `files`; its exclusions are asked for once, by the thread that scans.

    Args:
        base: what the paths in the index begin with.
        written_by: who wrote what is not in the agent's folder.
        is_note: which files are read, by name.
    """
    read_exclusions = cache(exclusions)

    def scan(under: Sequence[str]) -> Iterator[tuple[str, FileStamp | str]]:
        excluded = read_exclusions()
        for found in scan_notes(files.root, excluded, under, is_note):
            if isinstance(found, FoundNote):
                yield base + found.path, found.stamp
            elif not excluded.is_own(found.path):
                yield base + found.path, found.reason

    def read(path: str) -> tuple[bytes, FileStamp]:
        rel = path.removeprefix(base)
        stamp = files.stamp(rel)
        data = files.read_stable(rel, MAX_NOTE_BYTES + 1)
        if isinstance(data, TooLarge):
            raise OSError(0, f"larger than {MAX_NOTE_BYTES // 1_000_000} MB")
        return data, stamp

    def commit_dates(paths: Sequence[str]) -> Mapping[str, date]:
        try:
            dates = first_commit_dates(Git(files.root), [path.removeprefix(base) for path in paths])
        except ZibaldoneError:
            return {}
        return {base + path: day for path, day in dates.items()}

    def origin(path: str) -> Origin:
        return Origin.AGENT if read_exclusions().is_own(path.removeprefix(base)) else written_by

    return VaultReader(scan=scan, read=read, commit_dates=commit_dates, origin=origin)

"""The commits of a repository as the ingest reads them: of the vault, or of a folder beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property
from pathlib import Path

from pydantic import TypeAdapter

from zibaldone.config.connectors import HistoryOptions
from zibaldone.config.settings import ChunkingSettings
from zibaldone.domain.commits import Commit
from zibaldone.domain.notes import FileStamp, Modality, Origin
from zibaldone.ingest.commits import commits_fingerprint, derive_commit
from zibaldone.ingest.derive import Derived
from zibaldone.ingest.pipeline import SourceReader
from zibaldone.vault.exclusions import Exclusions
from zibaldone.vault.history.commits import COMMITS_PER_CALL, list_commits, read_commits
from zibaldone.vault.history.git import Git
from zibaldone.vault.history.vendored import VENDORED
from zibaldone.vault.outside import commit_path, is_outside

_COMMIT = TypeAdapter(Commit)


def read_history(
    root: Path,
    name: str,
    options: HistoryOptions,
    chunking: ChunkingSettings,
    *,
    exclusions: Callable[[], Exclusions] | None = None,
    written_by: Origin = Origin.CONNECTOR,
    is_shown: Callable[[str], bool] = lambda path: False,
) -> SourceReader:
    """A reader of the commits of a repository. Each is a source with the path `//NAME/@SHA` and never changes, so that
    a pass over known ones reads none. Its functions raise `GitUnavailable` and `DeadlineExceeded`.

    Args:
        root: the repository, or a folder in one.
        name: what it is called in citations.
        exclusions: of a vault, what is no evidence there (asked for once, by the thread that scans); None: of any
            other repository, where others' code and what a build makes are left out.
        written_by: whose commits they are.
        is_shown: which files are indexed as they are now, so that of their lines a commit tells none: what a note
            said before would be read as what it says.
    """
    history = _History(root, name, options, chunking, exclusions, written_by, is_shown)
    return SourceReader(
        kinds=frozenset({Modality.CODE}),
        is_certain=True,
        unit="commits",
        batch=COMMITS_PER_CALL,
        scan=history.scan,
        prepare=history.prepare,
        read=history.read,
        derive=history.derive,
        derived_by=lambda _: history.version,
        commit_dates=lambda _: {},
        modality=lambda _: Modality.CODE,
    )


class _History:
    def __init__(
        self,
        root: Path,
        name: str,
        options: HistoryOptions,
        chunking: ChunkingSettings,
        exclusions: Callable[[], Exclusions] | None,
        written_by: Origin,
        is_shown: Callable[[str], bool],
    ) -> None:
        self._root = root
        self._name = name
        self._options = options
        self._chunking = chunking
        self._read_exclusions = exclusions
        self._written_by = written_by
        self._is_shown = is_shown
        self._found: dict[str, tuple[str, FileStamp]] = {}
        self._prepared: dict[str, bytes] = {}

    @cached_property
    def _git(self) -> Git:
        return Git(self._root)

    @cached_property
    def version(self) -> str:
        return commits_fingerprint(self._chunking, _rules(self._exclusions) if self._exclusions else "")

    @cached_property
    def _exclusions(self) -> Exclusions | None:
        return self._read_exclusions() if self._read_exclusions else None

    def scan(self, under: Sequence[str]) -> Iterator[tuple[str, FileStamp]]:
        """The newest first; of those at or below `under` where it names anything."""
        if self._options.max_commits == 0 or (under and not any(map(is_outside, under))):
            return
        for sha, at in list_commits(self._git, self._options):
            path = commit_path(self._name, sha)
            if not under or any(path == one or path.startswith(f"{one}/") for one in under):
                self._found[path] = sha, FileStamp(0, at * 1_000_000_000, 0, 0)
                yield path, self._found[path][1]

    def prepare(self, paths: Sequence[str]) -> None:
        self._prepared = dict(self._read(paths))

    def read(self, path: str) -> tuple[bytes, FileStamp]:
        data = self._prepared.pop(path, None) or dict(self._read([path])).get(path)
        if data is None:
            raise OSError(0, "git does not have all of it, or it is damaged")
        return data, self._found[path][1]

    def derive(self, path: str, data: bytes, stamp: FileStamp, source_id: str, _: date | None) -> Derived:
        return derive_commit(
            self._name,
            _COMMIT.validate_json(data),
            data,
            stamp,
            path=path,
            source_id=source_id,
            origin=self._written_by,
            derived_by=self.version,
            settings=self._chunking,
        )

    def _read(self, paths: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        ids = {path: self._found[path][0] for path in paths}
        excluded = self._exclusions
        without = (f":(exclude,literal,icase){excluded.folder}",) if excluded else VENDORED

        def leaves_out(path: str) -> bool:
            return excluded is not None and (excluded.is_own(path) or excluded.reason(path) is not None)

        commits = read_commits(self._git, list(ids.values()), without=without, leaves_out=leaves_out)
        for path, sha in ids.items():
            if sha in commits:
                yield path, _COMMIT.dump_json(self._without_shown(commits[sha]))

    def _without_shown(self, commit: Commit) -> Commit:
        files = (replace(file, hunks=()) if self._is_shown(file.path) else file for file in commit.files)
        return replace(commit, files=tuple(files))


def _rules(excluded: Exclusions) -> str:
    """All that decides what is left out, as text to compare by."""
    folders, obsidian = ([entry for entry, _ in rules] for rules in (excluded.folders, excluded.obsidian))
    return repr((excluded.folder, folders, excluded.include, obsidian))

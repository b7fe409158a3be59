"""Importing: another vault, a folder of notes or an outmem wiki becomes part of this vault, in one change and commit.

The order: survey what is there, decide where each file goes, read each once (and rewrite its links), write. Everything
but the last step only reads, which is all that a dry run does.

Memory: the bytes of an import are held twice at most, once for the change and once for the commit, so there is a bound
on their sum. The writer and the commit both take whole contents; a stream would need both to take files instead.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from zibaldone.errors import InvalidRequest, NotFound, VaultChanged
from zibaldone.runtime.sources import MOST_BYTES
from zibaldone.runtime.writer import Read, VaultWriter
from zibaldone.schemas.sources import Collision, ImportReport, ImportRequest, RedirectedLink
from zibaldone.schemas.sync import SkippedFile
from zibaldone.vault.files import VaultFiles, sha256_hex
from zibaldone.vault.listing import list_files
from zibaldone.vault.paths import is_markdown, path_problem, printable
from zibaldone.wiki.importing.links import Relinker, Rewritten, links_to, names_folders
from zibaldone.wiki.importing.outmem import (
    WikiFiles,
    is_outmem,
    join_logs,
    move_provenance,
    slug_paths,
    sort_wiki,
    source_place,
)
from zibaldone.wiki.importing.place import Clash, choose_folder, fold, place_files
from zibaldone.wiki.index_page import IndexEntry, add_entry
from zibaldone.wiki.page import Page, read_page
from zibaldone.wiki.resolve import LinkResolver
from zibaldone.wiki.slug import path_slug
from zibaldone.wiki.sources import SourceRecord, copy_path, document_key, record_path, render_record, spread_times

MOST_FILES = 100_000
MOST_SUM_BYTES = 1_000_000_000
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class _Found:
    """A file of the import, by its path there."""

    size: int
    mtime_ns: int


@dataclass(slots=True)
class _Survey:
    files: dict[str, _Found] = field(default_factory=dict)
    left_out: list[SkippedFile] = field(default_factory=list)


@dataclass(slots=True)
class _Draft:
    """What is to be written: contents and times by path in the vault, and the hashes of what has to be there now."""

    contents: dict[str, bytes] = field(default_factory=dict)
    mtimes: dict[str, int] = field(default_factory=dict)
    expected: dict[str, str | None] = field(default_factory=dict)
    clashes: list[Clash] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    unchanged: int = 0
    links: int = 0
    relinked: int = 0
    headings: int = 0
    by_folder: int = 0

    def put(self, path: str, data: bytes, current: bytes | None, mtime_ns: int | None = None) -> None:
        """Write `data` where `current` is now."""
        if data == current:
            self.unchanged += 1
            return
        self.contents[path] = data
        self.expected[path] = None if current is None else sha256_hex(current)
        if mtime_ns is not None:
            self.mtimes[path] = mtime_ns

    def count(self, path: str, rewritten: Rewritten) -> None:
        self.links += rewritten.links
        self.relinked += bool(rewritten.links)
        self.headings += rewritten.headings
        if rewritten.problem:
            self.remarks.append(f"The links in {path} are as they were: {rewritten.problem}.")


class Importer:
    """Imports into one vault.

    Args:
        root: the vault's folder, resolved.
        folder: the agent's.
    """

    def __init__(self, root: Path, files: VaultFiles, writer: VaultWriter, folder: str) -> None:
        self._root = root
        self._files = files
        self._writer = writer
        self._folder = folder

    def run(self, request: ImportRequest, now: datetime) -> ImportReport:
        """Import, or with `dry_run` say what that would do.

        Raises:
            NotFound, InvalidRequest: there is nothing that can be imported, or files are in the way.
            VaultChanged: the vault changed in the same places meanwhile.
            GitUnavailable: there is nothing to commit to.
            OSError: a file cannot be read or written; the vault is as it was.
        """
        source = self._check_source(Path(request.path))
        survey = survey_folder(source)
        into = choose_folder(request.into, source.name, self._folder)
        wiki = sort_wiki(survey.files, self._folder) if is_outmem(survey.files) else None
        if wiki:
            survey.left_out += [SkippedFile(path=path, reason=reason) for path, reason in wiki.left_out]
        draft, moves = self._draft(source, survey, into, wiki, request)
        report = ImportReport(
            kind="outmem" if wiki else "vault" if (source / ".obsidian").is_dir() else "folder",
            name=source.name,
            into=into,
            notes=sum(is_markdown(path) for path in (wiki.rest if wiki else survey.files)),
            attachments=sum(not is_markdown(path) for path in (wiki.rest if wiki else survey.files)),
            pages=len(wiki.pages) if wiki else 0,
            logs=len(wiki.logs) if wiki else 0,
            sources=sum(path in moves for path in wiki.sources) if wiki else 0,
            unchanged=draft.unchanged,
            bytes=sum(found.size for found in survey.files.values()),
            links_rewritten=draft.links,
            notes_changed=draft.relinked,
            collisions=[
                Collision(path=clash.target, existing=clash.existing, kind=clash.kind) for clash in draft.clashes
            ],
            left_out=survey.left_out,
            redirected=self._redirected(draft),
            remarks=_remarks(draft, survey),
        )
        if request.dry_run:
            return report
        _refuse_clashes(draft.clashes, force=request.force)
        return self._write(report, draft, now)

    # -- what is there ---------------------------------------------------------------------------------

    def _check_source(self, path: Path) -> Path:
        if not path.is_absolute():
            raise InvalidRequest(f"{path} is not an absolute path.", "Give the whole path.")
        try:
            source = path.resolve(strict=True)
        except (FileNotFoundError, NotADirectoryError):
            raise NotFound(f"There is no folder {path}.", "Check the path.") from None
        if not source.is_dir():
            raise InvalidRequest(f"{path} is not a folder.", "`zib ingest` adds single documents.")
        if source.is_relative_to(self._root):
            raise InvalidRequest(f"{path} is in the vault already.", "Move it in Obsidian, or give another folder.")
        if self._root.is_relative_to(source):
            raise InvalidRequest(f"The vault itself is in {path}.", "Give a folder that does not hold the vault.")
        return source

    # -- what is to be written -------------------------------------------------------------------------

    def _draft(
        self, source: Path, survey: _Survey, into: str, wiki: WikiFiles | None, request: ImportRequest
    ) -> tuple[_Draft, dict[str, str]]:
        existing = list(list_files(self._root))
        plain = wiki.rest if wiki else survey.files
        wanted = {path: f"{into}/{path}" if into else path for path in plain}
        own = [path for path, target in wanted.items() if fold(target.split("/")[0]) == fold(self._folder)]
        for path in own:
            del wanted[path]
            survey.files.pop(path)
            survey.left_out.append(SkippedFile(path=path, reason="it would go to Zibaldone's own folder"))
        records = self._wiki_records(source, wiki, survey) if wiki else {}
        if wiki:
            wanted |= wiki.pages
        placed = place_files(wanted, existing, force=request.force)
        moves = {**placed.moves, **{path: record.path for path, record in records.items()}}
        if wiki:
            moves |= wiki.logs
        draft = _Draft(clashes=placed.clashes)
        pages: dict[str, tuple[str, Page]] = {}
        for path in wiki.pages if wiki else ():
            page = read_page(_read_file(source, path))
            if isinstance(page, Page):
                pages[path] = (moves[path], page)
        relinker = Relinker(
            LinkResolver(survey.files), LinkResolver([*existing, *moves.values()]), moves, slug_paths(pages)
        )
        identical: set[str] = set()
        for path in sorted(moves):
            data = self._rewrite(relinker, draft, path, _read_file(source, path), pages, moves, records)
            target = moves[path]
            current = self._current(target)
            if wiki and path in wiki.logs:
                draft.put(target, join_logs(current, data), current)
                continue
            if data == current:
                identical.add(target)
            draft.put(target, data, current, survey.files[path].mtime_ns)
            if path in records and current is None:
                beside = record_path(target)
                draft.put(beside, render_record(records[path]), self._current(beside))
        draft.clashes = [clash for clash in draft.clashes if clash.target not in identical]
        if pages:
            self._list_pages(draft, pages)
        return draft, moves

    def _rewrite(
        self,
        relinker: Relinker,
        draft: _Draft,
        path: str,
        data: bytes,
        pages: Mapping[str, tuple[str, Page]],
        moves: Mapping[str, str],
        records: Mapping[str, SourceRecord],
    ) -> bytes:
        """The file for its new place; what pages rest on stays byte for byte."""
        if path in records:
            return data
        if path.endswith(".canvas"):
            rewritten = relinker.rewrite_canvas(path, data)
        elif is_markdown(path):
            rewritten = relinker.rewrite_note(path, data)
            draft.by_folder += names_folders(data)
        else:
            draft.by_folder += path.endswith(".base")
            return data
        draft.count(path, rewritten)
        if path not in pages:
            return rewritten.data
        moved, problem = move_provenance(rewritten.data, pages[path][1], moves)
        if problem:
            draft.remarks.append(f"What {path} rests on is as it was: {problem}.")
        return moved

    def _list_pages(self, draft: _Draft, pages: Mapping[str, tuple[str, Page]]) -> None:
        """The pages get their lines in the index."""
        path = f"{self._folder}/index.md"
        current = self._current(path)
        index = current or b"# Index\n"
        for target, page in pages.values():
            if (slug := path_slug(target, self._folder)) is not None:
                index = add_entry(index, IndexEntry(slug, page.title or slug, page.tags), self._folder)
        draft.put(path, index, current)

    def _wiki_records(self, source: Path, wiki: WikiFiles, survey: _Survey) -> dict[str, SourceRecord]:
        """The records of a wiki's sources, from its registry where it has one, by their paths there."""
        rows = _read_registry(source / "wiki/sources/.sources.db")
        records: dict[str, SourceRecord] = {}
        for path in wiki.sources:
            data = _read_file(source, path)
            digest = sha256_hex(data)
            into, name = source_place(path)
            row = rows.get(path.removeprefix("wiki/sources/"), {})
            registered = _time(row.get("registered_at")) or datetime.fromtimestamp(
                survey.files[path].mtime_ns // 10**9, UTC
            )
            key = row.get("document_key") or "/".join(filter(None, (into, name)))
            records[path] = SourceRecord(
                path=copy_path(digest, name, into, self._folder),
                key=document_key(key.replace("/", " ")),
                sha256=digest,
                size=len(data),
                registered=registered,
                origin=name,
            )
        by_row = {path.removeprefix("wiki/sources/"): record.path for path, record in records.items()}
        replaced = {
            by_row[path]: by_row[row["superseded_by"]]
            for path, row in rows.items()
            if path in by_row and row.get("superseded_by") in by_row
        }
        spread = {record.path: record for record in spread_times(list(records.values()), replaced)}
        return {path: spread[record.path] for path, record in records.items()}

    def _redirected(self, draft: _Draft) -> list[RedirectedLink]:
        """Links of notes that are there, and that would lead to a file that comes: only a name that both have can."""
        existing = list(list_files(self._root))
        names = {fold(path.rpartition("/")[2]) for path in existing}
        coming = [path for path, base in draft.expected.items() if base is None]
        shared = {name for path in coming if (name := fold(path.rpartition("/")[2])) in names}
        if not shared:
            return []
        before, after = LinkResolver(existing), LinkResolver([*existing, *coming])
        stems = [name.removesuffix(".md").encode() for name in shared]
        found: list[RedirectedLink] = []
        for path in existing:
            if not is_markdown(path) or path in draft.contents or (data := self._current(path)) is None:
                continue
            folded = fold(data.decode("utf-8", "replace")).encode()
            if not any(stem in folded for stem in stems) and b"%" not in data:
                continue
            for link in links_to(data):
                was, now = before.resolve(link.path, path), after.resolve(link.path, path)
                if was is not None and now is not None and was != now:
                    found.append(RedirectedLink(path=path, line=link.line, target=link.path, was=was, now=now))
        return found

    # -- writing ---------------------------------------------------------------------------------------

    def _write(self, report: ImportReport, draft: _Draft, now: datetime) -> ImportReport:
        def plan(read: Read) -> Mapping[str, bytes | None]:
            for path, base in draft.expected.items():
                current = read(path)
                if (None if current is None else sha256_hex(current)) != base:
                    raise VaultChanged(f"{path} changed while the import was being prepared.", "Import again.")
            return draft.contents

        done = self._writer.change(
            "import", f"import: {' '.join(printable(report.name).split())}", now, plan, mtimes_ns=draft.mtimes
        )
        if done is None:
            return report.model_copy(update={"reason": "all of it is there already"})
        return report.model_copy(
            update={
                "written": True,
                "change": done.change_id,
                "commit": done.commit,
                "queued": done.queued,
                "reason": done.reason,
            }
        )

    def _current(self, path: str) -> bytes | None:
        try:
            return self._files.read_stable(path)
        except NotFound:
            return None


def survey_folder(source: Path) -> _Survey:
    """Every file below `source` that can be imported, and what is left out and why. Links are never followed.

    Raises:
        InvalidRequest: there are too many, or too much in them.
        OSError: `source` cannot be read.
    """
    survey = _Survey()
    for path, entry in _walk(source, survey):
        shown = printable(path)
        status = entry.stat(follow_symlinks=False)
        if (problem := path_problem(path)) is not None:
            survey.left_out.append(SkippedFile(path=shown, reason=f"its name {problem}"))
        elif not stat.S_ISREG(status.st_mode):
            survey.left_out.append(SkippedFile(path=shown, reason="not a regular file"))
        elif status.st_size > MOST_BYTES:
            reason = f"{status.st_size / 1e6:.0f} MB, more than the {MOST_BYTES / 1e6:.0f} MB of one file"
            survey.left_out.append(SkippedFile(path=shown, reason=reason))
        else:
            survey.files[path] = _Found(status.st_size, status.st_mtime_ns)
        if len(survey.files) > MOST_FILES:
            raise InvalidRequest(f"{source} holds more than {MOST_FILES} files.", "Import a folder of it.")
    total = sum(found.size for found in survey.files.values())
    if total > MOST_SUM_BYTES:
        raise InvalidRequest(
            f"{source} holds {total / 1e9:.1f} GB, and one import at most {MOST_SUM_BYTES / 1e9:.0f} GB.",
            "Move large attachments by hand, or import folder by folder.",
        )
    return survey


def _walk(source: Path, survey: _Survey) -> Iterator[tuple[str, os.DirEntry[str]]]:
    stack = [("", _entries(source))]
    while stack:
        above, entries = stack[-1]
        entry = next(entries, None)
        if entry is None:
            stack.pop()
            continue
        path = above + entry.name
        is_folder = entry.is_dir(follow_symlinks=False)
        if entry.name.startswith("."):
            shown = printable(path) + ("/" if is_folder else "")
            survey.left_out.append(SkippedFile(path=shown, reason="hidden"))
        elif entry.is_symlink():
            survey.left_out.append(SkippedFile(path=printable(path), reason="a link, which is not followed"))
        elif is_folder:
            try:
                stack.append((f"{path}/", _entries(entry.path)))
            except OSError as error:
                survey.left_out.append(SkippedFile(path=printable(path), reason=f"cannot be read: {error.strerror}"))
        else:
            yield path, entry


def _entries(folder: str | Path) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return iter(sorted(entries, key=lambda entry: entry.name))


def _read_file(source: Path, path: str) -> bytes:
    """A file of the import, which must still be a file below `source`: no link was put in its place."""
    descriptor = os.open(source / path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with open(descriptor, "rb") as file:  # noqa: PTH123 - it is open already
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise InvalidRequest(f"{path} grew while it was read.", "Import again when nothing writes there.")
    return data


def _read_registry(path: Path) -> dict[str, dict[str, str]]:
    """The rows of an outmem registry by `rel_path`; none where it cannot be read."""
    if not path.is_file() or path.is_symlink():
        return {}
    wanted = ("rel_path", "registered_at", "document_key", "superseded_by")
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            connection.execute("PRAGMA trusted_schema = OFF")
            present = {row[1] for row in connection.execute("PRAGMA table_info(sources)")}
            columns = [name for name in wanted if name in present]
            rows = connection.execute(f"SELECT {', '.join(columns)} FROM sources LIMIT {MOST_FILES}").fetchall()
    except sqlite3.Error:
        return {}
    found = [{name: str(value) for name, value in zip(columns, row, strict=True) if value is not None} for row in rows]
    return {row["rel_path"]: row for row in found if "rel_path" in row}


def _time(text: str | None) -> datetime | None:
    try:
        time = datetime.fromisoformat(text or "")
    except ValueError:
        return None
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC).replace(microsecond=0)


def _remarks(draft: _Draft, survey: _Survey) -> list[str]:
    remarks = draft.remarks[:20]
    if draft.headings:
        remarks.append(
            f"{draft.headings} headings hold a link that was rewritten: look whether other links name one of them by "
            "its text."
        )
    if draft.by_folder:
        remarks.append(
            f"{draft.by_folder} files ask for notes by folder (Dataview, Bases). Such queries are as they were: look "
            "whether their folders still have these paths."
        )
    if not survey.files:
        remarks.append("There is nothing to import.")
    return remarks


def _refuse_clashes(clashes: list[Clash], *, force: bool) -> None:
    blocked = [clash for clash in clashes if clash.kind == "file" or not force]
    if not blocked:
        return
    shown = ", ".join(clash.target for clash in blocked[:_SHOWN])
    more = f" and {len(blocked) - _SHOWN} more" if len(blocked) > _SHOWN else ""
    if blocked[0].kind == "file":
        raise InvalidRequest(
            f"There is a file where a folder is needed, or the other way round: {shown}{more}.",
            "Give another folder: --into NAME.",
        )
    raise InvalidRequest(
        f"{len(blocked)} files are in the way of files of the same name: {shown}{more}.",
        "--dry-run lists them; give another folder with --into, or --force to overwrite (`zib undo` takes it back).",
    )

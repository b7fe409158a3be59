"""Changes of the wiki's pages: each one change of the vault, or, where the person approves all, one proposal.

Writing, extending and adding cost the page and the index, whatever the size of the vault; renaming looks at every note.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import Path

from zibaldone.config.settings import Settings
from zibaldone.errors import InvalidRequest, NotFound
from zibaldone.ingest.parse import SkipReason
from zibaldone.runtime.proposals import ProposalDesk
from zibaldone.runtime.wiki_links import LinkKeeper
from zibaldone.runtime.wiki_sources import SourceDesk
from zibaldone.runtime.writer import Plan, Read, VaultWriter
from zibaldone.schemas.wiki import (
    AppendPageRequest,
    ExtendPageRequest,
    LogRequest,
    PageContent,
    Pages,
    PageSummary,
    ProvenanceItem,
    RenamePageRequest,
    WikiChange,
    WikiChangeKind,
    WritePageRequest,
)
from zibaldone.vault.files import VaultFiles, sha256_hex
from zibaldone.vault.listing import list_files
from zibaldone.vault.log import LogEntry, append_log_entry, log_path
from zibaldone.vault.obsidian import TRASH, read_app_json, trash_option
from zibaldone.wiki.change import Changes, append_to_page, delete_page, extend_page, rename_page, write_page
from zibaldone.wiki.index_page import IndexEntry, add_entry, remove_entry
from zibaldone.wiki.page import Page, read_page, time_text
from zibaldone.wiki.slug import PAGES, Slug, make_slug, page_path, parse_slug, path_slug

_SUBJECT_CHARS = 60
_HELD = "The setting `approval = all` holds changes of pages until you agree."


@dataclass(frozen=True, slots=True)
class Vault:
    """Where the wiki lives, and who reads and writes there."""

    root: Path
    files: VaultFiles
    writer: VaultWriter
    proposals: ProposalDesk
    settings: Settings

    def read(self, path: str) -> bytes | None:
        try:
            return self.files.read_stable(path)
        except NotFound:
            return None


class WikiDesk:
    """Every method raises `InvalidRequest`, `NotFound` and what `VaultWriter.change` raises. `now` has a time zone."""

    def __init__(self, vault: Vault, sources: SourceDesk, links: LinkKeeper) -> None:
        self._vault = vault
        self._sources = sources
        self._links = links
        self._folder = vault.settings.folder
        self._index = f"{self._folder}/index.md"

    # -- reading ---------------------------------------------------------------------------------------

    def pages(self, prefix: str = "") -> Pages:
        """The pages whose slug begins so, by slug; a file whose name is no slug is lint's to name."""
        wanted = prefix.strip().casefold()
        found: list[PageSummary] = []
        for path in list_files(self._vault.root, f"{self._folder}/{PAGES}"):
            slug = path_slug(path, self._folder)
            if slug is None or not slug.startswith(wanted) or (data := self._vault.read(path)) is None:
                continue
            page = read_page(data)
            if not isinstance(page, SkipReason):
                found.append(_summary(slug, path, page))
        return Pages(pages=sorted(found, key=lambda one: one.slug))

    def page(self, name: str) -> PageContent:
        slug = parse_slug(name)
        path = page_path(slug, self._folder)
        data = self._vault.read(path)
        if data is None:
            raise NotFound(f"There is no page {slug}.", "`zib page list` names those there are.")
        page = read_page(data)
        if isinstance(page, SkipReason):
            raise InvalidRequest(f"{path} is no text: {page}.", "Mend or remove the file.")
        return PageContent(
            **_summary(slug, path, page).model_dump(),
            aliases=list(page.aliases),
            provenance=[
                ProvenanceItem(path=entry.path, sha256=entry.sha256, lines=entry.lines, page_range=entry.page_range)
                for entry in page.provenance
            ],
            created=_time(page.created),
            body=page.body,
            sha256=sha256_hex(data),
            problems=[*page.problems, *page.provenance_problems],
        )

    # -- writing ---------------------------------------------------------------------------------------

    def write(self, request: WritePageRequest, now: datetime) -> WikiChange:
        slug = parse_slug(request.slug) if request.slug else make_slug(request.title)
        at = local_time(now)
        page = Page(
            request.title,
            slug,
            request.body,
            tags=tuple(tag.lstrip("#") for tag in request.tags),
            provenance=self._sources.check(request.provenance),
            created=at,
            updated=at,
        )

        def plan(read: Read) -> Changes:
            return write_page(read, slug, page, self._folder, allow_elision=request.allow_elision)

        return self._change("compact", slug, f"compact: {slug}", now, plan)

    def extend(self, name: str, request: ExtendPageRequest, now: datetime) -> WikiChange:
        slug = parse_slug(name)
        added = self._sources.check(request.provenance)

        def plan(read: Read) -> Changes:
            return extend_page(
                read, slug, request.body, added, local_time(now), self._folder, allow_elision=request.allow_elision
            )

        return self._change("extend", slug, f"extend: {slug}", now, plan)

    def append(self, name: str, request: AppendPageRequest, now: datetime) -> WikiChange:
        slug = parse_slug(name)
        added = self._sources.check(request.provenance)

        def plan(read: Read) -> Changes:
            return append_to_page(
                read,
                slug,
                request.text,
                added,
                local_time(now),
                self._folder,
                section=tuple(request.section),
                number=request.number,
                allow_elision=request.allow_elision,
            )

        return self._change("append", slug, f"append: {slug}", now, plan)

    def rename(self, name: str, request: RenamePageRequest, now: datetime) -> WikiChange:
        """Links in the agent's folder follow in the same change; those in the person's notes are proposed."""
        old, new = parse_slug(name), parse_slug(request.slug)
        moved = (page_path(old, self._folder), page_path(new, self._folder))
        subject = f"rename: {old} -> {new}"
        follow = self._links.follow(*moved) if old != new else None

        def plan(read: Read) -> Changes:
            changes = rename_page(read, old, new, request.title or "", local_time(now), self._folder)
            if follow is None:
                return changes
            theirs = follow.theirs(read) if self._holds("rename") else {}
            wanted = {path: after for path, (_, after) in theirs.items()}
            return {**wanted, **changes, **follow.ours(read, changes)}

        done = self._change("rename", new, subject, now, plan)
        if follow is None:
            return done
        if not self._holds("rename"):
            proposal = self._propose_links(follow.theirs(self._vault.read), old, new, now)
            done = done.model_copy(update={"proposal": proposal})
        return done.model_copy(update={"notes": follow.left})

    def delete(self, name: str, now: datetime) -> WikiChange:
        """To the trash in the vault, or for good where Obsidian is set so; `zib undo` brings it back in either case.

        A system's trash is not used: a program without a desktop may have none, and nobody could take it back out.
        """
        slug = parse_slug(name)
        path = page_path(slug, self._folder)
        keeps = trash_option(read_app_json(self._vault.root)) != "none" and not self._holds("delete")

        def plan(read: Read) -> Changes:
            changes = delete_page(read, slug, self._folder)
            return {**changes, **({_free_in_trash(read, path): read(path)} if keeps else {})}

        return self._change("delete", slug, f"delete: {slug}", now, plan)

    def log(self, request: LogRequest, now: datetime) -> WikiChange:
        """An entry of the day's log, made inert as every entry is."""
        if not request.text.strip():
            raise InvalidRequest("The text is empty.", "Give it on stdin.")
        path = log_path(self._folder, now.date())
        entry = LogEntry(now, request.topic, request.text)
        subject = f"log: {one_line(request.topic)}"
        return self._change("log", None, subject, now, lambda read: {path: append_log_entry(read(path), entry)})

    def record_turn(self, kind: WikiChangeKind, slug: Slug, plan: Plan, entry: LogEntry, now: datetime) -> WikiChange:
        """What a turn leaves: a page's change and an entry of the log, as one. Where the page has to wait for the
        person, the entry is written without it."""
        path = log_path(self._folder, now.date())

        def log(read: Read) -> Changes:
            return {path: append_log_entry(read(path), entry)}

        if not self._holds(kind):
            return self._change(kind, slug, f"{kind}: {slug}", now, lambda read: {**plan(read), **log(read)})
        held = self._change(kind, slug, f"{kind}: {slug}", now, plan)
        logged = self._change("log", None, f"log: {one_line(entry.question)}", now, log)
        return logged.model_copy(update={"proposal": held.proposal, "reason": logged.reason or held.reason})

    def list_in_index(self, read: Read, changes: Mapping[str, bytes | None]) -> Changes:
        """The index with the pages that a proposal changes, which leaves it out: two proposals of neighbouring pages
        would otherwise be in each other's way."""
        index = before = read(self._index)
        for path, data in changes.items():
            if (slug := path_slug(path, self._folder)) is None:
                continue
            page = None if data is None else read_page(data)
            if isinstance(page, Page):
                entry = IndexEntry(slug, page.title or slug, page.tags)
                index = add_entry(index or b"# Index\n", entry, self._folder)
            elif index is not None:
                index = remove_entry(index, slug, self._folder)
        return {} if index == before else {self._index: index}

    # -- the steps -------------------------------------------------------------------------------------

    def apply(self, kind: WikiChangeKind, subject: str, now: datetime, plan: Plan) -> WikiChange:
        """A change that is of no page alone: what lint fixes."""
        return self._change(kind, None, subject, now, plan)

    def _change(self, kind: WikiChangeKind, slug: Slug | None, subject: str, now: datetime, plan: Plan) -> WikiChange:
        self._require_writable()
        if self._holds(kind):
            return self._propose(kind, slug, subject, now, plan)
        done = self._vault.writer.change(kind, subject, now, plan)
        if done is None:
            return WikiChange(kind=kind, slug=slug, paths=[], reason="It says so already.")
        return WikiChange(
            kind=kind,
            slug=slug,
            paths=list(done.paths),
            change=done.change_id,
            commit=done.commit,
            queued=done.queued,
            reason=done.reason,
        )

    def _holds(self, kind: WikiChangeKind) -> bool:
        """Whether a change of this kind waits for the person. The log and the index are no pages."""
        return self._vault.settings.approval == "all" and kind not in ("log", "index")

    def _propose(self, kind: WikiChangeKind, slug: Slug | None, subject: str, now: datetime, plan: Plan) -> WikiChange:
        before: dict[str, bytes | None] = {}

        def read(path: str) -> bytes | None:
            if path not in before:
                before[path] = self._vault.read(path)
            return before[path]

        wanted = {path: after for path, after in plan(read).items() if path != self._index}
        proposal = self._vault.proposals.propose(subject, _HELD, wanted, now, based_on=before)
        if proposal is None:
            return WikiChange(kind=kind, slug=slug, paths=[], reason="It says so already.")
        return WikiChange(kind=kind, slug=slug, paths=proposal.paths, proposal=proposal.id, reason=_HELD)

    def _propose_links(
        self, theirs: Mapping[str, tuple[bytes, bytes]], old: Slug, new: Slug, now: datetime
    ) -> int | None:
        reason = f"The page {old} is called {new} now, and these notes link to it."
        proposal = self._vault.proposals.propose(
            f"links: {old} -> {new}",
            reason,
            {path: after for path, (_, after) in theirs.items()},
            now,
            based_on={path: base for path, (base, _) in theirs.items()},
        )
        return proposal.id if proposal else None

    def _require_writable(self) -> None:
        if self._vault.settings.read_only:
            raise InvalidRequest("Nothing in the vault is changed in read-only mode.", "Set read_only = false.")


def _free_in_trash(read: Callable[[str], bytes | None], path: str) -> str:
    """As Obsidian names it there: without its folders, and with a number where the name is taken."""
    stem = path.rpartition("/")[2].removesuffix(".md")
    names = (f"{TRASH}/{stem}{f' {number}' if number else ''}.md" for number in count())
    return next(name for name in names if read(name) is None)


def _summary(slug: Slug, path: str, page: Page) -> PageSummary:
    return PageSummary(
        slug=slug, path=path, title=page.title or slug, tags=list(page.tags), updated=_time(page.updated)
    )


def _time(at: datetime | None) -> str | None:
    return None if at is None else time_text(at)


def local_time(now: datetime) -> datetime:
    """The person's local time, as a page has it."""
    return now.replace(tzinfo=None, microsecond=0)


def one_line(topic: str) -> str:
    """A topic as the subject of a commit has it: one line, cut at 60 characters."""
    words = " ".join(topic.split())
    return words if len(words) <= _SUBJECT_CHARS else f"{words[: _SUBJECT_CHARS - 1].rstrip()}…"

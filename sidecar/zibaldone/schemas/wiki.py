"""The pages of the wiki: reading them, changing them, and what is wrong with them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from zibaldone.schemas.base import Wire

WikiChangeKind = Literal["compact", "extend", "append", "log", "rename", "delete", "lint", "index"]
LintScope = Literal["pages", "all", "index"]


class PageSummary(Wire):
    slug: str
    path: str
    title: str
    tags: list[str]
    updated: str | None


class Pages(Wire):
    """By slug."""

    pages: list[PageSummary]


class ProvenanceItem(Wire):
    """What a page rests on; `lines` (`12-18`) are those of a note, `page_range` those of a document."""

    path: str
    sha256: str | None = None
    lines: str | None = None
    page_range: str | None = None


class PageContent(PageSummary):
    """A page as it is on disk. `body` is the Markdown below its properties; times are local, as the page has them."""

    aliases: list[str]
    provenance: list[ProvenanceItem]
    created: str | None
    body: str
    sha256: str
    problems: list[str]


class WritePageRequest(Wire):
    """A new page. `slug` null: made from the title. `provenance`: `NOTE`, `NOTE:12-18`, or a registered source."""

    title: str = Field(min_length=1)
    body: str
    slug: str | None = None
    tags: list[str] = []
    provenance: list[str] = []
    allow_elision: bool = False


class ExtendPageRequest(Wire):
    """Another body for a page; its properties stay."""

    body: str
    provenance: list[str] = []
    allow_elision: bool = False


class AppendPageRequest(Wire):
    """Markdown for the end of a page, or of the section at this path of headings; `number` (from 1) says which one
    where there are several."""

    text: str
    section: list[str] = []
    number: int | None = Field(default=None, ge=1)
    provenance: list[str] = []
    allow_elision: bool = False


class RenamePageRequest(Wire):
    """`title` null: it stays."""

    slug: str
    title: str | None = None


class LogRequest(Wire):
    topic: str = Field(min_length=1)
    text: str


class WikiChange(Wire):
    """What was changed. `change` is null where nothing was written: nothing differed, or it all waits as `proposal`.

    After a rename `proposal` holds the links in the person's own notes. `commit` is null while it waits (`queued`).
    """

    kind: WikiChangeKind
    slug: str | None
    paths: list[str]
    change: int | None = None
    commit: str | None = None
    queued: bool = False
    reason: str | None = None
    proposal: int | None = None
    notes: list[str] = []


class Backlink(Wire):
    """A link to the note, in the note at `path`."""

    path: str
    title: str
    origin: str
    line: int
    heading: str | None
    block: str | None
    alias: str | None
    embed: bool


class Backlinks(Wire):
    path: str
    backlinks: list[Backlink]


class PageCommit(Wire):
    """`by` tells the agent's own commits from those of people."""

    commit: str
    at: str
    by: Literal["person", "agent"]
    author: str
    subject: str
    path: str


class PageHistory(Wire):
    """The newest first. `path` of a commit is what the page was called in it."""

    path: str
    commits: list[PageCommit]


class BlameLine(Wire):
    """`commit`, `at` and `author` are null for a line that is not committed."""

    line: int
    text: str
    by: Literal["person", "agent", "uncommitted"]
    commit: str | None
    at: str | None
    author: str | None


class PageBlame(Wire):
    path: str
    lines: list[BlameLine]


class LintRequest(Wire):
    """`scope`: the pages and the index, those and the links of all notes, or the entries of the index alone."""

    fix: bool = False
    scope: LintScope = "pages"


class LintFinding(Wire):
    """`line` is 0 where the note as a whole is meant. `fixable`: a fix takes nothing away."""

    kind: str
    severity: Literal["error", "warning"]
    path: str
    line: int
    message: str
    remedy: str
    fixable: bool


class LintReport(Wire):
    """`findings` is what is left after the `fixed` ones. `fix` is what fixing changed."""

    errors: int
    warnings: int
    findings: list[LintFinding]
    fixed: int = 0
    fix: WikiChange | None = None


class SimilarRequest(Wire):
    """Pages that are near to a text, or to a page."""

    text: str | None = None
    slug: str | None = None
    k: int = Field(default=10, ge=1, le=100)


class SimilarPage(Wire):
    """`cosine` is that of the page's nearest passage, which is `text` at `line_start`."""

    slug: str
    path: str
    title: str
    cosine: float
    line_start: int
    text: str


class SimilarPages(Wire):
    """The nearest first. `notes` are sentences for the person."""

    pages: list[SimilarPage]
    notes: list[str] = []

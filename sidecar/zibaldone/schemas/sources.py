"""Documents that pages rest on, and importing another vault or wiki."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from zibaldone.schemas.base import ErrorBody, Wire
from zibaldone.schemas.sync import SkippedFile
from zibaldone.schemas.wiki import WikiChange


class SourceInfo(Wire):
    """A registered copy. `path` is in the vault, `origin` the name that the file had; `superseded_by` is the path of
    the version that replaced it. `present` is false where the copy is gone."""

    path: str
    key: str
    sha256: str
    size: int
    registered_at: str
    origin: str
    superseded_by: str | None = None
    present: bool = True


class Sources(Wire):
    """`problems` are records that cannot be read."""

    sources: list[SourceInfo]
    problems: list[SkippedFile] = []


class IngestRequest(Wire):
    """Absolute paths of this machine; `into` is a folder below `sources/`, `key` the document that it is of, `prompt`
    what its page is to be about (empty: what matters)."""

    paths: list[str] = Field(min_length=1, max_length=1000)
    into: str = ""
    key: str | None = None
    prompt: str = Field(default="", max_length=1000)
    register_only: bool = False


class IngestedFile(Wire):
    """`outcome`: `registered`, `unchanged` (the same bytes are registered), `restored` (they are, and the copy was gone
    or edited), or `failed` with `error`. `supersedes` is the path of the version that it replaced. `pages` are those
    that were written from it; where none was though one could be expected, `no_page` says why. `left_out` says what of
    it was not read. `left_stale` are the pages, by slug, that still rest on a version that it replaced."""

    file: str
    outcome: Literal["registered", "unchanged", "restored", "failed"]
    source: SourceInfo | None = None
    supersedes: str | None = None
    commit: str | None = None
    queued: bool = False
    reason: str | None = None
    error: ErrorBody | None = None
    pages: list[WikiChange] = []
    no_page: str | None = None
    left_out: str | None = None
    left_stale: list[str] = []


class IngestReport(Wire):
    """One entry for each file, in order; each copy is a commit of its own, and so is each page."""

    files: list[IngestedFile]


class CollectRequest(Wire):
    """Without `apply` nothing is removed."""

    apply: bool = False


class Collected(Wire):
    """`removed` are copies that were superseded and that nothing names (with `applied` false: would be removed); `kept`
    are superseded ones that something names, with what does. `change` is for `undo`."""

    removed: list[SourceInfo]
    kept: list[SkippedFile]
    applied: bool
    change: int | None = None
    commit: str | None = None
    queued: bool = False
    reason: str | None = None


class StaleEntry(Wire):
    """A page and one thing that it rests on. `superseded`: `newest` is the version that holds; `changed`: it is not
    what the page was written from; `missing`: it is gone."""

    page: str
    page_path: str
    rests_on: str
    state: Literal["superseded", "changed", "missing"]
    newest: str | None = None


class StalePages(Wire):
    """`pages` is how many were looked at."""

    stale: list[StaleEntry]
    pages: int


class ImportRequest(Wire):
    """`path` is absolute, on this machine. `into` is a folder of the vault; null: the name of what is imported."""

    path: str = Field(min_length=1)
    into: str | None = None
    dry_run: bool = False
    force: bool = False


class Collision(Wire):
    """`path` is where a file would go, `existing` what is in its way: the same name, one that differs in case or
    Unicode form only (`twin`), or a file where a folder is needed (`file`)."""

    path: str
    existing: str
    kind: Literal["same", "twin", "file"]


class RedirectedLink(Wire):
    """A link in a note that was there before, and that would lead to an imported note from now on."""

    path: str
    line: int
    target: str
    was: str
    now: str


class ImportReport(Wire):
    """What an import does (`written` false: would do). `into` is empty for the vault's root; `pages`, `logs` and
    `sources` are those of a wiki. `links_rewritten` counts links, `notes_changed` the notes that hold them."""

    kind: Literal["vault", "folder", "outmem"]
    name: str
    into: str
    notes: int = 0
    attachments: int = 0
    pages: int = 0
    logs: int = 0
    sources: int = 0
    unchanged: int = 0
    bytes: int = 0
    links_rewritten: int = 0
    notes_changed: int = 0
    collisions: list[Collision] = []
    left_out: list[SkippedFile] = []
    redirected: list[RedirectedLink] = []
    remarks: list[str] = []
    written: bool = False
    change: int | None = None
    commit: str | None = None
    queued: bool = False
    reason: str | None = None

"""What is remembered about the person."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from zibaldone.schemas.base import Wire

MemoryType = Literal["user", "feedback", "context"]
MEMORY_TYPES: tuple[MemoryType, ...] = ("user", "feedback", "context")
# `archived`: faded, `retired`: replaced, corrected or struck out. Both are on the archive page.
MemoryState = Literal["active", "archived", "retired"]


class MemoryEntry(Wire):
    """One statement about the person. Times are ISO 8601 with their zone.

    `updated_at` is when it was last confirmed or changed; a context fades `decay_days` after it (null: never), at
    `expires_at`. `confidence` is a probability, `source_count` how often it was said. `sources` say where: `chat:ID#N`,
    `note:PATH:LINES`, `import:NAME`, `hand` (typed into the page), `cli`. `replaces` are the ids of what it took the
    place of, `conflicts_with` of what says otherwise. `why` says what ended one that is not active.
    """

    id: str
    type: MemoryType
    content: str
    created_at: str
    updated_at: str
    confidence: float = Field(default=1.0, ge=0, le=1)
    source_count: int = Field(default=1, ge=1)
    decay_days: int | None = None
    expires_at: str | None = None
    is_explicit: bool = False
    pinned: bool = False
    sources: list[str] = []
    replaces: list[str] = []
    conflicts_with: list[str] = []
    state: MemoryState = "active"
    why: str | None = None


class RememberRequest(Wire):
    """`text` is one statement; without a `type` it is told by its meaning. `note_path` and lines say where it was
    selected."""

    text: str = Field(min_length=1, pattern=r"\S")
    type: MemoryType | None = None
    note_path: str | None = None
    line_start: int | None = None
    line_end: int | None = None


class Remembered(Wire):
    """What became of a statement. `already`: it was known, and is confirmed. `retired` are the entries that it took the
    place of, `conflicts` those that say otherwise and stay. `unsure`: the type is the likeliest, and to be asked about.
    `commit` is null while it waits (`queued` true), and where no page had to change."""

    entry: MemoryEntry
    path: str
    commit: str | None
    change_id: int | None = Field(default=None, description="by which it is undone")
    queued: bool = False
    already: bool = False
    unsure: bool = False
    retired: list[MemoryEntry] = []
    conflicts: list[MemoryEntry] = []
    reason: str | None = None


class PageProblem(Wire):
    """A line (1-based) of a page of the memory that is not understood, or only in part."""

    path: str
    line: int
    message: str


class MemoryRequest(Wire):
    """`as_of`: as it was then, a day or a moment. `all`: with what faded, was replaced or struck out."""

    as_of: str | None = Field(default=None, max_length=40)
    all: bool = False


class Memory(Wire):
    """`entries` by type and age. `expired` are faded: out of every prompt, until they are archived."""

    entries: list[MemoryEntry]
    expired: list[MemoryEntry] = []
    problems: list[PageProblem] = []


class EditMemoryRequest(Wire):
    """What is given is changed."""

    content: str | None = Field(default=None, min_length=1, pattern=r"\S")
    type: MemoryType | None = None
    pinned: bool | None = None


class KeepRequest(Wire):
    """What this entry does not go together with is retired. `over`: only these; empty: all of it."""

    over: list[str] = []


class ClearRequest(Wire):
    type: MemoryType


class Cleared(Wire):
    """How many entries were retired; `commit` is null while it waits, and where there were none."""

    type: MemoryType
    entries: int
    commit: str | None = None


class ForgetRequest(Wire):
    """Entries by id, or its beginning."""

    ids: list[str] = Field(min_length=1)


class Forgotten(Wire):
    """`places` are what was cleaned, `history` the commits that still hold the words, `notes` notes of the person."""

    entries: list[str]
    places: list[str] = []
    history: list[str] = []
    notes: list[str] = []


class MemoryEvent(Wire):
    """What happened to an entry, and what it was from then on."""

    at: str
    action: str
    entry: MemoryEntry


class MemoryHistory(Wire):
    events: list[MemoryEvent]


class PatternRequest(Wire):
    """`dry_run`: nothing is changed."""

    dry_run: bool = False


class PatternStep(Wire):
    """`changes` are sentences about what was done, or would be; `problem` says why a step is not complete."""

    name: str
    changes: list[str] = []
    problem: str | None = None


class PatternReport(Wire):
    """`state`: `partial` where a step is not complete; what is left is done by the next run."""

    started_at: str
    ended_at: str
    state: Literal["complete", "partial"]
    dry_run: bool
    steps: list[PatternStep]


class MigrateRequest(Wire):
    """`dry_run`: nothing is written."""

    dry_run: bool = False


class MigratedSource(Wire):
    """A file of another assistant. `proposed` (of an import: added) statements are new, `known` are in the memory,
    `earlier` were proposed before; `passed` sentences say nothing about the person. `state`: `waiting` while something
    of it could not be read, which `problems` say."""

    name: str
    state: Literal["done", "waiting"]
    proposed: int = 0
    known: int = 0
    earlier: int = 0
    passed: int = 0
    problems: list[str] = []


class Migrated(Wire):
    """`path` is the note of proposals. `accepted` are the entries that were kept or confirmed by this run, `undecided`
    is how many blocks stand in the note after it. `change_id` takes back what was accepted, `commit` is null while it
    waits (`queued` true), and where no page had to change. With `dry_run` all of it is what would be."""

    path: str
    dry_run: bool
    accepted: list[MemoryEntry] = []
    rejected: int = 0
    undecided: int = 0
    sources: list[MigratedSource] = []
    problems: list[PageProblem] = []
    commit: str | None = None
    change_id: int | None = None
    queued: bool = False
    reason: str | None = None


class ImportedFile(Wire):
    """A file's name, without its folder, and its text."""

    name: str = Field(min_length=1, max_length=255)
    content: str


class ImportMemoryRequest(Wire):
    """`dry_run`: nothing is kept."""

    files: list[ImportedFile] = Field(min_length=1)
    dry_run: bool = False


class MemoryImported(Wire):
    """`added` are the new entries, `unsure` the ids of those whose type is a guess. One change holds them all:
    `change_id` takes it back."""

    dry_run: bool
    added: list[MemoryEntry] = []
    unsure: list[str] = []
    sources: list[MigratedSource] = []
    commit: str | None = None
    change_id: int | None = None
    queued: bool = False
    reason: str | None = None

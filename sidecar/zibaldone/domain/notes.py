"""What ingest knows about a note: the parsed note, its chunks, the source row that records it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import NamedTuple


class Origin(StrEnum):
    """Who wrote the words of a chunk. What the agent wrote never becomes evidence for itself."""

    PERSON = "person"
    AGENT = "agent"
    IMPORT = "import"
    CHAT = "chat"
    CONNECTOR = "connector"


class Modality(StrEnum):
    """What kind of evidence a source is; how a search is told which kinds are wanted."""

    TEXT = "text"
    CODE = "code"
    PDF = "pdf"
    IMAGE = "image"
    CANVAS = "canvas"
    DOCUMENT = "document"


class DateSource(StrEnum):
    """Where a note's date came from. Only `NOTE` is a date that the note itself states."""

    NOTE = "note"
    GIT = "git"
    MTIME = "mtime"


@dataclass(frozen=True, slots=True)
class Link:
    """A wikilink, embed or Markdown link to another note: `[[target#heading^block|alias]]`."""

    target: str
    line: int
    heading: str | None = None
    block: str | None = None
    alias: str | None = None
    embed: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    """A checkbox item; `status` is the character between the brackets."""

    text: str
    status: str
    line: int


@dataclass(frozen=True, slots=True)
class Section:
    """The lines under one heading (or before the first), without the heading line itself.

    `heading` is the path of headings from the top level down, markup removed. Line numbers are 1-based
    and inclusive, counted in the file as it is on disk (frontmatter included). `line_start` is the
    heading's own line where there is one.
    """

    heading: tuple[str, ...]
    line_start: int
    line_end: int
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A run of lines that belong together: paragraph, list, table, fence, callout.

    `atomic` blocks (a code fence, a table) are kept whole while they fit into a chunk; where they do not,
    they are split between lines only.
    """

    text: str
    line_start: int
    line_end: int
    atomic: bool = False


@dataclass(frozen=True, slots=True)
class ParsedNote:
    """A note as read. `problems` are sentences about parts that could not be read (the rest is used)."""

    title: str
    aliases: tuple[str, ...]
    tags: tuple[str, ...]
    properties: dict[str, object]
    stated_date: date | None
    sections: tuple[Section, ...]
    links: tuple[Link, ...] = ()
    tasks: tuple[Task, ...] = ()
    block_ids: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage that is indexed, retrieved and cited as one.

    `text` is what the person sees in the note (lines `line_start`..`line_end`); `embed_text` is what is
    embedded: breadcrumb `title > heading > subheading`, the stated date, then the text without addresses.
    `id` is stable under edits elsewhere in the note. `dates` are the days that the text names in figures.
    Of what is no note, the lines are counted in its part, and `page`, `place` and `confidence` are the part's
    (`domain.documents.Part`).
    """

    id: str
    ordinal: int
    heading: tuple[str, ...]
    line_start: int
    line_end: int
    text: str
    embed_text: str
    content_hash: str
    tokens: int
    dates: tuple[date, ...] = ()
    page: int | None = None
    place: str = ""
    confidence: float | None = None


class FileStamp(NamedTuple):
    """What a scan compares before it reads: unchanged together means unchanged. A tuple, as each scan makes one for
    every note."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class Source:
    """One row of the record of what is indexed. `path` is POSIX and relative to the vault.

    `skipped` is the reason why the file is not indexed; `failed` tells that the reason is an error rather
    than a decision. `held` means that the file vanished among many: known, but not answered from.
    """

    id: str
    path: str
    uri: str
    origin: Origin
    title: str
    sha256: str
    stamp: FileStamp
    derived_by: str
    date: date
    date_source: DateSource
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    skipped: str | None = None
    failed: bool = False
    held: bool = False
    problems: tuple[str, ...] = ()
    modality: Modality = Modality.TEXT


class Recorded(NamedTuple):
    """What a scan needs of a `Source`; `date` is ISO 8601. The row as it is: a scan makes one for each note."""

    path: str
    id: str
    sha256: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    derived_by: str
    date: str
    date_source: str
    skipped: str | None
    failed: bool
    held: bool
    modality: str

    @property
    def stamp(self) -> FileStamp:
        return FileStamp(*self[3:7])

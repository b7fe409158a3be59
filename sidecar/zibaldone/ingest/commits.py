"""A commit to its source row and chunks: the message with who, when and which files, then each hunk. Pure.

A hunk keeps its signs, and is cut between lines where it is too long. What is cited is its place:
`src/app.py:10-24`, the lines of the file after the commit, or `src/app.py:10-12 (removed)`, those before it where a
passage only takes away.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from zibaldone.config.settings import ChunkingSettings
from zibaldone.domain.commits import Commit, FileChange, Hunk
from zibaldone.domain.notes import (
    Block,
    Chunk,
    DateSource,
    FileStamp,
    Modality,
    Origin,
    ParsedNote,
    Section,
    Source,
)
from zibaldone.ingest.chunk import CHUNKER_VERSION, chunk_note
from zibaldone.ingest.derive import Derived

COMMITS_VERSION = 1
_MOST_NAMED = 40


def commits_fingerprint(settings: ChunkingSettings, rules: str = "") -> str:
    """Versions of all that turns a commit into chunks; `rules` tells what is left out, a change of which counts too."""
    sizes = f"{settings.min_tokens}-{settings.max_tokens}"
    left_out = hashlib.sha256(rules.encode()).hexdigest()[:12] if rules else "all"
    return f"commits{COMMITS_VERSION}/chunk{CHUNKER_VERSION}/{sizes}/{left_out}"


def derive_commit(
    repository: str,
    commit: Commit,
    data: bytes,
    stamp: FileStamp,
    *,
    path: str,
    source_id: str,
    origin: Origin,
    derived_by: str,
    settings: ChunkingSettings,
) -> Derived:
    """Never raises for what a commit holds.

    Args:
        repository: what it is called in citations: the uri is `git:REPOSITORY@SHA`.
        data: what its row is compared by.
    """
    hidden = commit.files_left_out > 0 and not commit.files
    title = commit.subject or f"{commit.sha[:12]} (no message)"
    chunks = () if hidden else tuple(_number(_chunks(repository, title, commit, path, source_id, settings)))
    source = Source(
        id=source_id,
        path=path,
        uri=f"git:{repository}@{commit.sha}",
        origin=origin,
        title=repository if hidden else title,
        sha256=hashlib.sha256(data).hexdigest(),
        stamp=stamp,
        derived_by=derived_by,
        date=commit.at.date(),
        date_source=DateSource.GIT,
        skipped="changes nothing but files that are left out" if hidden else None,
        problems=commit.problems,
        modality=Modality.CODE,
    )
    return Derived(source, chunks)


@dataclass(frozen=True, slots=True)
class _Passage:
    """Text that becomes one chunk or more; `heading` is what it stands under in the commit."""

    heading: tuple[str, ...]
    block: Block
    hunk: Hunk | None = None


def _chunks(
    repository: str, title: str, commit: Commit, path: str, source_id: str, settings: ChunkingSettings
) -> Iterator[Chunk]:
    seen: dict[tuple[str, ...], int] = {}
    for passage in (_message(commit), *_hunks(commit)):
        seen[passage.heading] = seen.get(passage.heading, 0) + 1
        section = Section((title, *passage.heading), 1, passage.block.line_end, (passage.block,))
        note = ParsedNote(repository, (), (), {}, commit.at.date(), (section,))
        for chunk in chunk_note(path, note, settings, f"{source_id}/{seen[passage.heading]}"):
            place = _place(passage, chunk)
            if place is not None:
                yield replace(chunk, heading=passage.heading, place=place)


def _number(chunks: Iterator[Chunk]) -> Iterator[Chunk]:
    return (replace(chunk, ordinal=ordinal) for ordinal, chunk in enumerate(chunks))


# --- the message


def _message(commit: Commit) -> _Passage:
    text = "\n\n".join(filter(None, (commit.subject, commit.body, "\n".join(_facts(commit)))))
    return _Passage((), Block(text, 1, text.count("\n") + 1))


def _facts(commit: Commit) -> Iterator[str]:
    yield f"Author: {commit.author or 'unknown'}"
    yield f"Date: {commit.at.date().isoformat()}"
    if commit.is_merge:
        yield "A merge."
    if commit.files:
        yield "Files:"
    yield from (_fact(file) for file in commit.files[:_MOST_NAMED])
    more = max(0, len(commit.files) - _MOST_NAMED) + commit.files_unnamed
    if more:
        yield f"- and {more} more"


def _fact(file: FileChange) -> str:
    counts = f" +{file.added} -{file.removed}" if file.added or file.removed else ""
    told = ", ".join(filter(None, (file.old_path and f"renamed from {file.old_path}", file.note)))
    return f"- {file.path}{counts} ({told})" if told else f"- {file.path}{counts}"


# --- the hunks


def _hunks(commit: Commit) -> Iterator[_Passage]:
    for file in commit.files:
        for hunk in file.hunks:
            block = Block("\n".join(hunk.lines), 1, len(hunk.lines), atomic=True)
            yield _Passage((file.path, *([hunk.context] if hunk.context else [])), block, hunk)


def _place(passage: _Passage, chunk: Chunk) -> str | None:
    """Where the chunk's lines of a hunk stand; empty for the message, None where none of them changed."""
    if passage.hunk is None:
        return ""
    hunk = passage.hunk
    first, last = _with_empty(hunk.lines, chunk.line_start, chunk.line_end)
    old, new = hunk.old_start, hunk.new_start
    lines: dict[str, list[int]] = {"+": [], "-": [], " ": []}
    for number, line in enumerate(hunk.lines, 1):
        sign = line[:1]
        if first <= number <= last:
            lines[sign].append(old if sign == "-" else new)
        old += sign != "+"
        new += sign != "-"
    if lines["+"]:
        return _span(passage.heading[0], lines["+"] + lines[" "])
    if lines["-"]:
        return f"{_span(passage.heading[0], lines['-'])} (removed)"
    return None


def _with_empty(lines: Sequence[str], first: int, last: int) -> tuple[int, int]:
    """With the empty lines around, which a chunk does not show."""
    while first > 1 and not lines[first - 2].strip():
        first -= 1
    while last < len(lines) and not lines[last].strip():
        last += 1
    return first, last


def _span(path: str, lines: list[int]) -> str:
    first, last = min(lines), max(lines)
    return f"{path}:{first}" if first == last else f"{path}:{first}-{last}"

"""Notes as sentences that can be quoted: verbatim, with their lines. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from zibaldone.domain.notes import Block, Link
from zibaldone.domain.words import query_terms
from zibaldone.ingest.frontmatter import split_lines
from zibaldone.ingest.parse import parse_note

# An end of sentence; not the point of an ordinal or of an initial ("am 3. Mai", "J. Bell").
_END = re.compile(r"(?:(?<!\d)(?<!\b[^\W\d_])\.|[!?]+)[\"'»“”’)\]*_]*(?=\s)|[。！？]+|(?<=\d{4})\.(?=\s+[^\W\d_a-z])")
_LEAD = re.compile(r"[\s>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?:\[.\][ \t]+)?(?:\[![^\[\]]{1,60}\][+-]?[ \t]*)?")
_STARTS = re.compile(r"[ \t]*(?:>[ \t]*)*(?:[-*+]|\d{1,9}[.)])[ \t]|[ \t]*\|")
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as it stands in the note, from `line_start` to `line_end`; `heading` is the path of headings."""

    path: str
    title: str
    heading: tuple[str, ...]
    line_start: int
    line_end: int
    text: str

    @property
    def terms(self) -> frozenset[str]:
        return frozenset(query_terms(self.text))


@dataclass(frozen=True, slots=True)
class ReadLink:
    """A link, the file that it leads to (None: nowhere) and the sentence that it stands in."""

    link: Link
    leads_to: str | None
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class NoteText:
    """A note as these questions need it. `date` is ISO 8601, as the note itself states it."""

    path: str
    title: str
    aliases: tuple[str, ...]
    tags: tuple[str, ...]
    properties: tuple[str, ...]
    date: str | None
    headings: tuple[str, ...]
    sentences: tuple[Sentence, ...]
    links: tuple[ReadLink, ...]

    @property
    def folder(self) -> str:
        return self.path.rpartition("/")[0]

    @property
    def head(self) -> Sentence:
        """What to quote where the note as a whole is meant."""
        return self.sentences[0] if self.sentences else Sentence(self.path, self.title, (), 1, 1, "")


def read_note_text(path: str, text: str, resolve: Callable[[str, str], str | None]) -> NoteText:
    """Read a note. `resolve` gives the file that a target means in a note, see `wiki.resolve`."""
    note = parse_note(path, text)
    lines = split_lines(text)
    sentences = tuple(
        sentence
        for section in note.sections
        for block in section.blocks
        for sentence in _split_block(path, note.title, section.heading, block, lines)
    )
    links = tuple(
        ReadLink(link, resolve(link.target, path), _sentence_at(sentences, lines, path, note.title, link))
        for link in note.links
    )
    return NoteText(
        path=path,
        title=note.title,
        aliases=note.aliases,
        tags=note.tags,
        properties=tuple(str(key) for key in note.properties),
        date=note.stated_date.isoformat() if note.stated_date else None,
        headings=tuple(dict.fromkeys(section.heading[-1] for section in note.sections if section.heading)),
        sentences=sentences,
        links=links,
    )


def _split_block(path: str, title: str, heading: tuple[str, ...], block: Block, lines: list[str]) -> Iterator[Sentence]:
    """The sentences of a paragraph, each item of a list and each row of a table; code has none."""
    if block.atomic and "|" not in block.text:
        return
    first = block.line_start
    for number in range(block.line_start + 1, block.line_end + 2):
        if number <= block.line_end and not _STARTS.match(lines[number - 1]):
            continue
        yield from _split_run(path, title, heading, first, lines[first - 1 : number - 1])
        first = number


def _split_run(path: str, title: str, heading: tuple[str, ...], first: int, lines: list[str]) -> Iterator[Sentence]:
    text = "\n".join(lines)
    start = 0
    for end in [*(match.end() for match in _END.finditer(text)), len(text)]:
        lead = _LEAD.match(text, start, end)
        begin = lead.end() if lead else start
        found = text[begin:end].rstrip()
        if len(_LETTER.findall(found)) > 2 and not found.startswith("#"):
            line = first + text.count("\n", 0, begin)
            yield Sentence(path, title, heading, line, line + found.count("\n"), found)
        start = end


def _sentence_at(sentences: tuple[Sentence, ...], lines: list[str], path: str, title: str, link: Link) -> Sentence:
    """The sentence of a link; the line as it is where none holds it (a property)."""
    on_line = [one for one in sentences if one.line_start <= link.line <= one.line_end]
    name = link.target.rpartition("/")[2]
    for one in on_line:
        if link.target in one.text or name in one.text:
            return one
    return Sentence(path, title, (), link.line, link.line, lines[link.line - 1].strip())

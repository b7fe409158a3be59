"""Sections and blocks to chunks: the passages that are indexed, retrieved and cited.

Small enough that several fit beside a question, large enough to mean something alone. Blocks too short to
stand alone join the neighbour that shares most of their heading path; blocks too long are cut where a reader
would pause. Nothing overlaps and nothing is dropped: put together, the chunks are the note's text.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import PurePosixPath

from zibaldone.config.settings import ChunkingSettings
from zibaldone.domain.markup import hide_addresses
from zibaldone.domain.notes import Block, Chunk, ParsedNote, Section
from zibaldone.ingest.dates import dates_in
from zibaldone.ingest.parse import is_delimiter_row

CHUNKER_VERSION = 1

# Names that say nothing without the folder they stand in.
_GENERIC_TITLES = frozenset({"index", "_index", "readme", "overview", "untitled"})
_NAME_CHARS = 80  # of a breadcrumb's part, so that a long heading does not crowd out the text

_LATIN = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff"
_HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"
_IDEOGRAPHS = "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_MARKS = "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u065f\u0900-\u109f"
# Atoms are short, so that a wall of text without spaces can be cut between them. Their lengths divide evenly by the
# characters that a token is taken to hold, so that cutting a long word into atoms does not change its price.
_ATOM = re.compile(
    rf"([{_LATIN}]{{1,10}})"
    r"|([0-9]{1,10})"
    rf"|([{_IDEOGRAPHS}]{{1,10}})"
    rf"|([{_HANGUL}]{{1,10}})"
    rf"|((?:[^\W\d_{_LATIN}{_HANGUL}{_IDEOGRAPHS}]|[{_MARKS}]){{1,9}})"
    r"|(([^\w\s])\7{0,9}|_{1,10}|\d)"
)
_CHARS_PER_TOKEN = {1: 5, 2: 2, 3: 1.25, 4: 2, 5: 3, 6: 2}

# Where a block that is too long is cut, best place first: before an item of the outermost list (or a quoted line),
# before any item, after a sentence, between lines, between words. A match belongs to the piece before it.
_OUTER_ITEMS = re.compile(r"\n(?=>|(?:[-*+]|\d{1,9}[.)])[ \t])")
_ITEMS = re.compile(r"\n(?=[ \t>]{0,40}(?:[-*+]|\d{1,9}[.)])[ \t])")
_SENTENCES = re.compile(r"[.!?…][\"'”’»)\]]{0,3}\s(?=[^\sa-z])|[。！？；][”’」』）]{0,3}")
_LINES = re.compile(r"\n")
_SPACES = re.compile(r"\s")
_PROSE_BREAKS = (_OUTER_ITEMS, _ITEMS, _SENTENCES, _LINES, _SPACES)
_ATOMIC_BREAKS = (_LINES, _SPACES)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A block, or the part `start`..`end` of one that was too long. Lines are those of the file."""

    block: Block
    start: int
    end: int
    line_start: int
    line_end: int
    tokens: int


@dataclass(frozen=True, slots=True)
class _Part:
    """Pieces from one section (by its number, since headings repeat)."""

    number: int
    pieces: tuple[_Piece, ...]


@dataclass(frozen=True, slots=True)
class _Group:
    """What becomes one chunk. `body` are the tokens of its pieces, `titles` those of its sections' headings."""

    parts: tuple[_Part, ...]
    heading: tuple[str, ...]
    body: int
    titles: int

    @property
    def tokens(self) -> int:
        """At most this many: headings are written out only where sections are joined, or there is nothing else."""
        return self.body if self.body and len(self.parts) == 1 else self.body + self.titles


def estimate_tokens(text: str) -> int:
    """About how many tokens a model makes of a text: one number for all models, so that chunks depend on none.

    Fitted to the XLM-RoBERTa vocabulary (multilingual-e5, bge-m3) to err upwards: a token is up to 5 Latin letters,
    2 digits, 2 Hangul syllables, 3 letters of another alphabet, 1.25 Chinese characters or kana, or a pair of one
    symbol. Over blocks of real notes the estimate is 0.9 to 1.3 of the true count; prose lies above 1, text full of
    markup and addresses just below. A whole never costs more than its parts, so packed parts stay within a budget.
    """
    return sum(_price(match) for match in _ATOM.finditer(text))


def chunk_note(path: str, note: ParsedNote, settings: ChunkingSettings, source_id: str) -> list[Chunk]:
    """Cut a note into chunks, in its order. No text, no chunks: the caller reports the note as empty.

    `settings.max_tokens` bounds each chunk's `text`. `settings.min_tokens` is what neighbours are joined to reach
    where one shares the parent heading and has room.
    """
    groups = _join_small(_collect_groups(note.sections, settings.max_tokens), settings)
    seen: Counter[tuple[str, ...]] = Counter()
    chunks = []
    for ordinal, group in enumerate(groups):
        text, line_start, line_end = _render(group, note.sections)
        content_hash = _hash(text)
        identity = (source_id, *group.heading, content_hash)
        seen[identity] += 1
        above = _text_above(group, note.sections, settings.max_tokens)
        chunks.append(
            Chunk(
                id=_hash(*identity, str(seen[identity]))[:32],
                ordinal=ordinal,
                heading=group.heading,
                line_start=line_start,
                line_end=line_end,
                text=text,
                embed_text="\n".join((_breadcrumb(path, note, group.heading), *above, hide_addresses(text))),
                content_hash=content_hash,
                tokens=estimate_tokens(text),
                dates=dates_in(text),
            )
        )
    return chunks


def _price(atom: re.Match[str]) -> int:
    # `lastindex` is the group that closed last; group 7 lies inside group 6.
    return ceil((atom.end() - atom.start()) / _CHARS_PER_TOKEN[atom.lastindex or 6])


# --- cutting what is too long


def _cut_block(block: Block, limit: int) -> list[_Piece]:
    text = block.text
    tokens = estimate_tokens(text)
    if tokens <= limit:
        return [_Piece(block, 0, len(text), block.line_start, block.line_end, tokens)]
    breaks = _ATOMIC_BREAKS if block.atomic else _PROSE_BREAKS
    pieces = []
    at, line = 0, block.line_start
    for first, last, cost in _pack(list(_fragments(text, 0, len(text), limit, breaks)), limit):
        start, end = _trim(text, first, last)
        line += text.count("\n", at, start)
        last_line = line + text.count("\n", start, end)
        pieces.append(_Piece(block, start, end, line, last_line, cost))
        at, line = end, last_line
    return pieces


def _fragments(
    text: str, start: int, end: int, limit: int, breaks: Sequence[re.Pattern[str]]
) -> Iterator[tuple[int, int, int]]:
    """(start, end, tokens) of parts that each fit, cut no finer than they must be."""
    cost = estimate_tokens(text[start:end])
    if cost <= limit:
        if text[start:end].strip():
            yield start, end, cost
    elif breaks:
        at = start
        for match in breaks[0].finditer(text, start, end):
            yield from _fragments(text, at, match.end(), limit, breaks[1:])
            at = match.end()
        if at < end:
            yield from _fragments(text, at, end, limit, breaks[1:])
    else:
        at, cost = start, 0
        for atom in _ATOM.finditer(text, start, end):
            price = _price(atom)
            if cost + price > limit:
                yield at, atom.start(), cost
                at, cost = atom.start(), 0
            cost += price
        yield at, end, cost


def _pack(fragments: Sequence[tuple[int, int, int]], limit: int) -> Iterator[tuple[int, int, int]]:
    """Neighbouring fragments put together into parts of about equal size, so that no scrap is left at the end."""
    left = sum(cost for _, _, cost in fragments)
    start = end = 0
    size = 0
    target = left
    for first, last, cost in fragments:
        if size and (size + cost > limit or size + cost // 2 >= target):
            yield start, end, size
            left -= size
            size = 0
        if not size:
            start = first
            target = -(-left // max(1, -(-left // limit)))
        end = last
        size += cost
    if size:
        yield start, end, size


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Without the white space at the end, and without empty lines at the beginning (indentation is kept)."""
    end -= len(text[start:end]) - len(text[start:end].rstrip())
    lead = len(text[start:end]) - len(text[start:end].lstrip())
    line = text.rfind("\n", start, start + lead)
    return (line + 1 if line >= 0 else start), end


# --- joining what is too short


def _collect_groups(sections: Sequence[Section], limit: int) -> list[_Group]:
    """One group for each piece. A heading over nothing but subsections goes with the first of them."""
    groups: list[_Group] = []
    opening: list[_Part] = []
    titles = 0
    for number, section in enumerate(sections):
        titles += estimate_tokens(_heading_line(section))
        following = sections[number + 1].heading if number + 1 < len(sections) else ()
        if not section.blocks and _contains(section.heading, following):
            opening.append(_Part(number, ()))
            continue
        pieces = [piece for block in section.blocks for piece in _cut_block(block, limit)]
        for piece in pieces or (None,):
            part = _Part(number, (piece,) if piece else ())
            groups.append(_Group((*opening, part), section.heading, piece.tokens if piece else 0, titles))
            opening, titles = [], 0
    return groups


def _contains(heading: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether `other` is the path of a section inside the one with path `heading`."""
    return len(heading) < len(other) and heading == other[: len(heading)]


def _join_small(groups: Sequence[_Group], settings: ChunkingSettings) -> list[_Group]:
    """Join each group below the minimum with the neighbour that shares more of its heading; the next on a tie."""
    done: list[_Group] = []
    if not groups:
        return done
    current = groups[0]
    for following in (*groups[1:], None):
        small = current.tokens < settings.min_tokens
        forward = _join(current, following, settings.max_tokens) if small and following else None
        backward = _join(done[-1], current, settings.max_tokens) if small and done else None
        if forward and following and not (backward and _kinship(done[-1], current) > _kinship(current, following)):
            current = forward
            continue
        if backward:
            done[-1] = backward
        else:
            done.append(current)
        if following:
            current = following
    return done


def _join(one: _Group, two: _Group, limit: int) -> _Group | None:
    """Both as one, or None where that would be too long or would mix what stands under different parents."""
    heading = _common(one.heading, two.heading)
    if len(heading) < min(len(one.heading), len(two.heading)) - 1:
        return None
    parts = one.parts + two.parts
    if one.parts[-1].number == two.parts[0].number:
        pieces = one.parts[-1].pieces + two.parts[0].pieces
        parts = (*one.parts[:-1], _Part(two.parts[0].number, pieces), *two.parts[1:])
    joined = _Group(parts, heading, one.body + two.body, one.titles + two.titles)
    return joined if joined.tokens <= limit else None


def _kinship(one: _Group, two: _Group) -> float:
    if one.parts[-1].number == two.parts[0].number:
        return float("inf")
    return len(_common(one.heading, two.heading))


def _common(one: tuple[str, ...], two: tuple[str, ...]) -> tuple[str, ...]:
    length = next((i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    return one[:length]


# --- writing them out


def _render(group: _Group, sections: Sequence[Section]) -> tuple[str, int, int]:
    """(text, first line, last line). Headings that the chunk's own heading path does not say are written out."""
    written: list[str] = []
    first_line = last_line = 0
    for part in group.parts:
        section = sections[part.number]
        said = not written and (section.heading == group.heading or _contains(section.heading, group.heading))
        if section.heading and not said and not (part.pieces and _continues(part, section)):
            written.append(("\n\n" if written else "") + _heading_line(section))
            first_line = first_line or section.line_start
            last_line = section.line_start
        before: _Piece | None = None
        for piece in part.pieces:
            if before is not None and before.block is piece.block:
                written.append(piece.block.text[before.end : piece.start])
            elif written:
                written.append("\n" if piece.line_start <= last_line + 1 or before is None else "\n\n")
            written.append(piece.block.text[piece.start : piece.end])
            first_line = first_line or piece.line_start
            before, last_line = piece, piece.line_end
    if not written:
        section = sections[group.parts[-1].number]
        return _heading_line(section), section.line_start, section.line_start
    return "".join(written), first_line, last_line


def _continues(part: _Part, section: Section) -> bool:
    """Whether the part begins after the section's first words, so that its heading stands in an earlier chunk."""
    return part.pieces[0].block is not section.blocks[0] or part.pieces[0].start > 0


def _heading_line(section: Section) -> str:
    return f"{'#' * len(section.heading)} {section.heading[-1]}" if section.heading else ""


def _text_above(group: _Group, sections: Sequence[Section], limit: int) -> Iterator[str]:
    """What a reader of the note would still have in view: for the embedding only, since it stands in other lines.

    The heading, where a section's end was joined with the next section; the header row of a table that was cut.
    """
    part = group.parts[0]
    if not part.pieces:
        return
    section, piece = sections[part.number], part.pieces[0]
    if len(section.heading) > len(group.heading) and _continues(part, section):
        yield _heading_line(section)
    rows = piece.block.text.split("\n", 2) if piece.start > 0 and piece.block.atomic else []
    if len(rows) == 3 and is_delimiter_row(rows[1]) and estimate_tokens(rows[0]) * 4 <= limit:
        yield rows[0]


def _breadcrumb(path: str, note: ParsedNote, heading: tuple[str, ...]) -> str:
    """`title > heading > sub (date)`. A first heading that repeats the title is said once."""
    title = note.title
    folder = PurePosixPath(path).parent.name
    names = [folder] if folder and title.casefold() in _GENERIC_TITLES else []
    repeated = bool(heading) and heading[0].casefold() == title.casefold()
    names += [title, *heading[repeated:]]
    crumb = " > ".join(name if len(name) <= _NAME_CHARS else name[: _NAME_CHARS - 1].rstrip() + "…" for name in names)
    stated = note.stated_date.isoformat() if note.stated_date else ""
    return f"{crumb} ({stated})" if stated and stated not in crumb else crumb


def _hash(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()

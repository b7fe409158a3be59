"""Tables as text (csv, tsv): each row as lines of `column: value`, some twenty rows to a part.

Rows are counted as a spreadsheet counts them: where the first one names the columns it is row 1. Nothing is computed
and no type is guessed; a number stays as it is written.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice

from zibaldone.domain.documents import Document, Part, Unreadable
from zibaldone.ingest.extract.characters import decode_text
from zibaldone.ingest.extract.outline import MAX_CHARS

ROWS_PER_PART = 20
MAX_BYTES = 10_000_000
MAX_ROWS = 20_000
MAX_COLUMNS = 200
_SAMPLE_CHARS = 50_000
_SAMPLE_ROWS = 50
_MOST_PREFACE_ROWS = 10
_FIGURES = frozenset("0123456789.,:+-/%€$£ ")


def read(data: bytes, name: str, ocr: object = None) -> Document | Unreadable:
    """Read a table; what stands between its columns is found out, and whether its first row names them."""
    text = decode_text(data if len(data) <= MAX_BYTES else data[:MAX_BYTES].rpartition(b"\n")[0])
    if isinstance(text, Unreadable):
        return text
    text, delimiter = _find_delimiter(text, name)
    preface, rows = _split_preface(_read_rows(text, delimiter))
    first = [cell.strip() for cell in next(rows, [])]
    number = len(preface) + 1
    named = _names_columns(first)
    document = _gather(first, rows, number + 1) if named else _gather([], chain([first], rows), number)
    if words := "\n".join(filter(None, (_write_row([], row) for row in preface))):
        document = replace(document, parts=(Part(words, place=_place(1, len(preface))), *document.parts))
    if len(data) > MAX_BYTES and not document.problems:
        return replace(document, problems=(f"Only the first {MAX_BYTES // 1_000_000} MB were read.",))
    return document


def _split_preface(rows: Iterator[list[str]]) -> tuple[list[list[str]], Iterator[list[str]]]:
    """What stands above a table, as a bank writes the account: a few rows without columns, and the rows from there."""
    top = list(islice(rows, _MOST_PREFACE_ROWS + 1))
    height = next((index for index, row in enumerate(top) if len(row) > 1), 0)
    return top[:height], chain(top[height:], rows)


def _find_delimiter(text: str, name: str) -> tuple[str, str]:
    """The table and its delimiter: what `sep=;`, which Excel reads, says, or what makes rows of equal width.

    Of two that do as well a tab wins in a .tsv, and a comma never does: where all rows have as many semicolons, commas
    are in the figures.
    """
    first, _, rest = text.partition("\n")
    if first.lower().startswith("sep=") and len(first) == len("sep=") + 1:
        return rest, first[-1]
    is_tabbed = name.lower().endswith((".tsv", ".tab"))
    scores = {delimiter: _evenness(text, delimiter) for delimiter in ("\t;|," if is_tabbed else ";\t|,")}
    best = max(scores, key=lambda delimiter: scores[delimiter])
    return text, best if scores[best] else "\t" if is_tabbed else ","


def _evenness(text: str, delimiter: str) -> float:
    """The share (0..1) of the first rows that have as many columns as most of them; 0 where that is one column."""
    rows = _read_rows(text[:_SAMPLE_CHARS], delimiter)
    widths = [len(row) for row in islice(rows, _SAMPLE_ROWS) if any(row)]
    usual = max(set(widths), key=lambda width: (widths.count(width), width), default=1)
    return widths.count(usual) / len(widths) if usual > 1 else 0.0


def _read_rows(text: str, delimiter: str) -> Iterator[list[str]]:
    """The rows; from a quote that is never closed on, quotes are taken as characters."""
    read = 0
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=False):
            read += 1
            yield row
    except csv.Error:
        plain = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quoting=csv.QUOTE_NONE)
        yield from islice(_until_error(plain), read, None)


def _until_error(rows: Iterator[list[str]]) -> Iterator[list[str]]:
    try:
        yield from rows
    except csv.Error:  # a field longer than the module's 131,072 characters
        return


def _names_columns(row: Sequence[str]) -> bool:
    """There are several, names for nearly all, and none is a figure or a date."""
    named = [cell for cell in row if cell]
    return len(row) > 1 and len(named) * 10 >= len(row) * 8 and not any(_FIGURES.issuperset(cell) for cell in named)


def _gather(names: Sequence[str], rows: Iterator[list[str]], number: int) -> Document:
    """Parts of the rows, of which the first is row `number`, up to the limits."""
    parts: list[Part] = []
    room = MAX_CHARS
    last = number - 1
    while last < MAX_ROWS and (group := list(islice(rows, ROWS_PER_PART))):
        written = [(last + 1 + offset, text) for offset, row in enumerate(group) if (text := _write_row(names, row))]
        text = "\n\n".join(text for _, text in written)
        room -= len(text)
        if room < 0:
            return Document(tuple(parts), problems=(f"Only the first {last} rows were read: the table is too long.",))
        if written:
            parts.append(Part(text, place=_place(written[0][0], written[-1][0])))
        last += len(group)
    if names and not parts:
        parts.append(Part(", ".join(names), place=_place(1, 1)))
    rest = sum(1 for _ in rows)
    problems = (f"Only the first {last} of {last + rest} rows were read.",) if rest else ()
    return Document(tuple(parts), problems=problems)


def _place(first: int, last: int) -> str:
    return f"row {first}" if first == last else f"row {first}-{last}"


def _write_row(names: Sequence[str], row: Sequence[str]) -> str:
    """One line for each cell with words; a table of one column has no use for its name."""
    cells = [(column, " ".join(cell.split())) for column, cell in enumerate(row[:MAX_COLUMNS])]
    if len(row) == 1:
        return cells[0][1]
    named = (names[column] if column < len(names) else "" for column, _ in cells)
    return "\n".join(
        f"{name or f'Column {column + 1}'}: {cell}" for name, (column, cell) in zip(named, cells, strict=True) if cell
    )

"""A retrieval set in the BEIR layout: documents, queries, and which documents answer which query, how well."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from zibaldone.errors import InvalidRequest


@dataclass(frozen=True, slots=True)
class Document:
    """`scope` limits who may find it: a query finds documents of its own scope only."""

    id: str
    title: str
    text: str
    scope: str | None
    date: date | None


@dataclass(frozen=True, slots=True)
class Query:
    id: str
    text: str
    scope: str | None


@dataclass(frozen=True, slots=True)
class RetrievalSet:
    """`grades` holds for each query the documents that answer it, by id, with their grade (above 0)."""

    name: str
    documents: list[Document]
    queries: list[Query]
    grades: Mapping[str, Mapping[str, int]]


def read_set(folder: Path) -> RetrievalSet:
    """`corpus.jsonl` (`_id`, `title`, `text`, optional `scope`, `date`), `queries.jsonl` (`_id`, `text`, optional
    `scope`) and `qrels.tsv` (`query-id TAB corpus-id TAB grade`, with or without a heading).

    Raises:
        InvalidRequest: a file is missing, or a line of it is not what it should be.
    """
    documents = [
        Document(
            str(row["_id"]),
            str(row.get("title") or ""),
            str(row.get("text") or ""),
            row.get("scope"),
            _read_date(row.get("date")),
        )
        for row in _rows(folder / "corpus.jsonl")
    ]
    queries = [Query(str(row["_id"]), str(row["text"]), row.get("scope")) for row in _rows(folder / "queries.jsonl")]
    grades: dict[str, dict[str, int]] = {}
    for query, document, grade in _grades(folder / "qrels.tsv"):
        if grade > 0:
            grades.setdefault(query, {})[document] = grade
    judged = [query for query in queries if query.id in grades]
    if not judged:
        raise InvalidRequest(f"{folder} has no query with an answer.", "Look at its qrels.tsv.")
    return RetrievalSet(folder.name, documents, judged, grades)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(_lines(path), 1):
        try:
            row = json.loads(line)
            if not (isinstance(row, dict) and "_id" in row and "text" in row):
                raise ValueError("it has no `_id` and `text`")
        except ValueError as error:
            raise InvalidRequest(f"{path}, line {number}: {error}.", "Correct the line.") from error
        yield row


def _grades(path: Path) -> Iterator[tuple[str, str, int]]:
    for number, line in enumerate(_lines(path), 1):
        parts = line.split("\t")
        if len(parts) == 3 and parts[2].strip().lstrip("-").isdigit():
            yield parts[0], parts[1], int(parts[2])
        elif number > 1:
            raise InvalidRequest(f"{path}, line {number} is not three columns.", "Query, document, grade, by tabs.")


def _lines(path: Path) -> Iterator[str]:
    try:
        with path.open(encoding="utf-8-sig") as file:
            yield from (line.rstrip("\r\n") for line in file if line.strip())
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InvalidRequest(f"{path} cannot be read: {reason}.", "Give a folder in the BEIR layout.") from error


def _read_date(text: object) -> date | None:
    try:
        return date.fromisoformat(str(text)[:10])
    except ValueError:
        return None

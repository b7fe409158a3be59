"""A person's own questions, each with the sources that answer it, over the index of their own vault."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from zibaldone.errors import InvalidRequest
from zibaldone.evaluation.ranking import Measured, Show, measure_rankings
from zibaldone.runtime.engine import Engine
from zibaldone.schemas.evaluation import KindFigures, RetrievalReport
from zibaldone.schemas.search import SearchRequest
from zibaldone.vault.outside import commit_path
from zibaldone.wiki.slug import page_path, parse_slug

Warn = Callable[[str], None]

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")  # a single letter is a drive of Windows
_FORM = 'Give an array, or one object a line: {"query_text": "...", "expected_source_uris": ["note:PATH"]}.'
_SHOWN_CHARS = 50
# The kinds whose figures are compared: pictures that say something in words, and pictures that say it by their layout.
TEXT_PICTURES, LAYOUT_PICTURES = "image-text", "image-layout"


@dataclass(frozen=True, slots=True)
class Question:
    """`name` says which one it is, `uris` (at least one) are as they were written, `kind` may be empty."""

    name: str
    text: str
    uris: tuple[str, ...]
    kind: str = ""


def read_questions(path: Path, warn: Warn) -> list[Question]:
    """The questions of a file; an item without a text or URIs is left out, and said. One that nothing answers
    (`"answerable": false`) is left out silently: of a ranking it asks nothing.

    Raises:
        InvalidRequest: it cannot be read, is neither a JSON array nor JSON lines, or has no question.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InvalidRequest(f"{path} cannot be read: {reason}.", _FORM) from error
    try:
        questions = [_read_item(item, f"question {number}", warn) for number, item in enumerate(_parse(text), 1)]
    except ValueError as error:
        raise InvalidRequest(f"{path} is no file of questions: {error}.", _FORM) from error
    found = [question for question in questions if question is not None]
    if not found:
        raise InvalidRequest(f"{path} has no question with the sources that answer it.", _FORM)
    return found


async def measure_questions(
    engine: Engine,
    name: str,
    questions: Sequence[Question],
    make_request: Callable[[str], SearchRequest],
    cuts: Sequence[int],
    folder: str,
    warn: Warn,
    show: Show,
) -> RetrievalReport:
    """How good the engine's own search is. An expected source that is not in the index counts as not found.

    Args:
        name: of the file.
        make_request: the search for a question's text.
        folder: the agent's in the vault, where its pages are.
        warn: told of expected sources that cannot be found, and what the searches themselves remark.

    Raises:
        InvalidRequest: an unknown strategy.
    """
    requests = {question.name: make_request(question.text) for question in questions}
    first = await engine.search(requests[questions[0].name])  # not timed: it catches up and loads the model
    for sentence in await _find_problems(engine, questions, folder):
        warn(sentence)
    remarks: dict[str, None] = {}

    async def rank(question: str) -> list[str]:
        found = await engine.search(requests[question])
        remarks.update(dict.fromkeys(found.notes))
        return [_normalise(hit.source_uri, folder) for hit in found.hits]

    grades = {question.name: {_normalise(uri, folder): 1 for uri in question.uris} for question in questions}
    measured = await measure_rankings(grades, rank, cuts, show)
    for sentence in remarks:
        warn(sentence)
    kinds = _measure_kinds(questions, measured)
    status, pages = await engine.status(), await engine.wiki.pages("")
    return RetrievalReport(
        set=name,
        docs=status.notes.indexed + len(pages.pages) + sum(connector.notes for connector in status.connectors),
        queries=len(questions),
        strategy=first.strategy,
        metrics=measured.means,
        kinds=kinds,
        image_gap=_measure_gap(kinds, cuts),
        latency_ms=measured.latency_ms,
        index_seconds=0.0,
    )


def _measure_kinds(questions: Sequence[Question], measured: Measured) -> list[KindFigures]:
    """Of each kind that questions say they are of, in the order in which the kinds come."""
    kinds = dict.fromkeys(question.kind for question in questions if question.kind)
    names = {kind: [question.name for question in questions if question.kind == kind] for kind in kinds}
    return [KindFigures(kind=kind, queries=len(names[kind]), metrics=measured.of(names[kind])) for kind in kinds]


def _measure_gap(kinds: Sequence[KindFigures], cuts: Sequence[int]) -> float | None:
    """Recall at the first cut of the questions about pictures of text, less that of those about pure layout."""
    recall = {figures.kind: figures.metrics[f"recall@{cuts[0]}"] for figures in kinds}
    if TEXT_PICTURES not in recall or LAYOUT_PICTURES not in recall:
        return None
    return round(recall[TEXT_PICTURES] - recall[LAYOUT_PICTURES], 4)


def _parse(text: str) -> list[object]:
    """Raises `ValueError`, which says where."""
    if text.lstrip().startswith("["):
        return list(json.loads(text))
    items: list[object] = []
    for number, line in enumerate(text.split("\n"), 1):
        try:
            items += [json.loads(line)] if line.strip() else []
        except json.JSONDecodeError as error:
            raise ValueError(f"line {number}: {error.msg}") from error
    return items


def _read_item(item: object, name: str, warn: Warn) -> Question | None:
    """Raises `ValueError` where it is no object."""
    if not isinstance(item, dict):
        raise ValueError(f"{name} is no object")
    text, uris = item.get("query_text"), item.get("expected_source_uris")
    if not (isinstance(text, str) and text.strip()):
        warn(f"{name} has no `query_text`; it is left out.")
        return None
    if item.get("answerable") is False:
        return None
    words = " ".join(text.split())
    name += f' "{words[:_SHOWN_CHARS]}{"…" if len(words) > _SHOWN_CHARS else ""}"'
    if not (isinstance(uris, list) and uris and all(isinstance(uri, str) for uri in uris)):
        warn(f"{name} has no list of `expected_source_uris`; it is left out.")
        return None
    return Question(name, text, tuple(uris), str(item.get("kind") or ""))


async def _find_problems(engine: Engine, questions: Sequence[Question], folder: str) -> list[str]:
    """A sentence for each expected source that is listed twice or that no search can find."""
    problems: list[str] = []
    indexed: dict[str, bool] = {}
    for question in questions:
        seen: set[str] = set()
        for uri in question.uris:
            normal = _normalise(uri, folder)
            if normal in seen:
                problems.append(f"{question.name}: {uri} is listed twice; it counts once.")
            elif not _SCHEME.match(uri):
                problems.append(f"{question.name}: {uri} is relative, so nothing matches it; a note is note:PATH.")
            else:
                if normal not in indexed:
                    indexed[normal] = await _is_indexed(engine, normal, folder)
                if not indexed[normal]:
                    problems.append(f"{question.name}: {uri} matches nothing in the index; it counts as not found.")
            seen.add(normal)
    return problems


async def _is_indexed(engine: Engine, uri: str, folder: str) -> bool:
    """Whether a search in that source alone finds a passage, whatever its words: the engine lists no sources."""
    scheme, _, path = uri.partition(":")
    if not path:
        return False
    if scheme == "git":
        repository, _, sha = path.rpartition("@")
        path = commit_path(repository, sha)
    spellings = [path, unicodedata.normalize("NFD", path)]  # as macOS may have it on disk
    found = await engine.search(SearchRequest(query=path[-_SHOWN_CHARS:], k=1, strategy="bm25", paths=spellings))
    return any(_normalise(hit.source_uri, folder) == uri for hit in found.hits)


def _normalise(uri: str, folder: str) -> str:
    """One spelling for what is the same source: NFC, and a page as the note that it is."""
    normal = unicodedata.normalize("NFC", uri.strip())
    scheme, _, slug = normal.partition(":")
    if scheme != "page":
        return normal
    try:
        return f"note:{page_path(parse_slug(slug), folder)}"
    except InvalidRequest:
        return normal

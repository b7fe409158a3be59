"""The vault as it was committed by the end of a day: what a turn reads in the place of the notes of now."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime, time, timedelta

from zibaldone.agents.relay.pack import ReadBefore
from zibaldone.agents.relay.pages import PagePassage
from zibaldone.agents.relay.pipeline import TurnParts
from zibaldone.config.settings import Settings
from zibaldone.errors import GitUnavailable, InvalidRequest, NotFound
from zibaldone.inference.roles import Embedder
from zibaldone.ingest.parse import Decoded, decode_note
from zibaldone.retrieval.pipeline import recall_hits, search
from zibaldone.runtime.page_reader import PageReader
from zibaldone.runtime.past_index import PastIndexes
from zibaldone.schemas.ask import Answer, Writeback
from zibaldone.schemas.search import Hit, SearchRequest, SearchResponse, SearchTiming
from zibaldone.store.index_db import IndexStore
from zibaldone.vault.history.git import Git
from zibaldone.vault.history.past import PastCommit, commit_at, first_commit, is_in_repository, list_files, read_blobs
from zibaldone.wiki.sources import SOURCES, is_text

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def read_day(text: str, today: date) -> date:
    """`2026-03-01` as a day up to today.

    Raises:
        InvalidRequest: it is no day, or one that is still to come.
    """
    with suppress(ValueError):
        if _DAY.fullmatch(text):
            day = date.fromisoformat(text)
            if day <= today:
                return day
            raise InvalidRequest(f"{text} is still to come.", f"Name a day up to today, {today.isoformat()}.")
    raise InvalidRequest(f"{text!r} is no date.", "Write a day as 2026-03-01.")


class PastVault:
    """Opened by the first search, in which all that can fail does; to be closed when the turn is over.

    Args:
        day: local; what was committed until its end counts, by the committer's time.
        now: paths of the notes of now, of which those that were never committed are told.
    """

    def __init__(
        self, day: date, indexes: PastIndexes, settings: Settings, embedder: Embedder | None, now: Collection[str]
    ) -> None:
        self._day = day
        self._indexes = indexes
        self._settings = settings
        self._embedder = embedder
        self._now = now
        self._commit: PastCommit | None = None
        self._store: IndexStore | None = None
        self._blobs: dict[str, str] = {}
        self._notes: list[str] = []
        self._content: dict[str, bytes] = {}

    def take_over(self, parts: TurnParts) -> TurnParts:
        """The same turn over the vault of then. It leaves nothing in the vault."""
        return replace(
            parts,
            search=self.search,
            search_beyond=None,
            read_lines=self.read_lines,
            record=_record_nothing,
            read_before=ReadBefore(),
            recall=self.recall,
            open_pages=self.open_pages,
            overview=None,
            worked_on=(),  # what people work on now says nothing about then
        )

    async def search(self, request: SearchRequest) -> SearchResponse:
        """Raises `GitUnavailable`, and what `retrieval.search` raises."""
        strategy = request.strategy or self._settings.retrieval.strategy
        if self._store is None:
            self._store = await asyncio.to_thread(self._open)
        if self._store is None:
            return SearchResponse(
                query=request.query,
                strategy=strategy,
                profile=request.profile or self._settings.retrieval.profile,
                abstain=True,
                top_score=0.0,
                hits=[],
                notes=self._notes,
                timing=SearchTiming(total_ms=0, embed_ms=0, lexical_ms=0, vector_ms=0),
            )
        index = await self._indexes.search_index(self._store, self._embedder)
        found = await search(request, index, self._settings.retrieval, self._day)
        return found.model_copy(update={"hits": self._mark(found.hits), "notes": [*found.notes, *self._notes]})

    async def read_lines(self, path: str, first: int, last: int) -> list[str]:
        try:
            decoded = decode_note(await asyncio.to_thread(self._read, path))
        except NotFound:
            return []
        return decoded.text.splitlines()[first - 1 : last] if isinstance(decoded, Decoded) else []

    async def recall(self, chunk_ids: Sequence[str]) -> list[Hit]:
        store = self._store
        return self._mark(await asyncio.to_thread(recall_hits, chunk_ids, store)) if store else []

    async def open_pages(self, hits: Sequence[Hit]) -> Mapping[str, PagePassage]:
        if self._store is None:
            return {}
        reader = PageReader(self._read, self._store, {"": self._settings.folder})
        passages = await asyncio.to_thread(reader.read, hits)
        return {id_: replace(one, sources=tuple(self._mark(one.sources))) for id_, one in passages.items()}

    async def aclose(self) -> None:
        if self._store is not None:
            await asyncio.to_thread(self._store.close)

    def _open(self) -> IndexStore | None:
        git = self._indexes.git
        if not is_in_repository(git):
            raise GitUnavailable(
                "The vault is in no git repository, so nothing of its past is kept.", "Run `zib init`."
            )
        commit = commit_at(git, _end_of(self._day))
        if commit is None:
            first = first_commit(git)
            since = f"; its history begins on {_local(first)}" if first else ""
            self._notes = [f"Nothing was committed by the end of {self._day.isoformat()}{since}."]
            return None
        self._commit = commit
        files = list_files(git, commit.sha)
        chosen = self._indexes.choose_notes(files)
        copies = f"{self._settings.folder}/{SOURCES}/"
        documents = [one for one in files if one.path.startswith(copies) and is_text(one.path)]
        self._blobs = {one.path: one.blob for one in [*chosen, *documents]}
        self._notes = [
            f"Read as it was committed on {_local(commit)} (commit {commit.sha[:7]});"
            " what was not committed by then is not seen.",
            *self._never_committed(git),
        ]
        return self._indexes.open(chosen, commit.at)

    def _never_committed(self, git: Git) -> list[str]:
        newest = commit_at(git, datetime.now().astimezone() + timedelta(days=1))
        committed = {file.path for file in list_files(git, newest.sha)} if newest else set()
        count = sum(path not in committed for path in self._now)
        if not count:
            return []
        return [f"{count} of the notes of now {'is' if count == 1 else 'are'} not in git, and so in no past of it."]

    def _read(self, path: str) -> bytes:
        """Raises `NotFound`."""
        if path not in self._blobs:
            raise NotFound(f"{path} was not committed then.", "`zib evolution` tells when it came.")
        if path not in self._content:
            blob = self._blobs[path]
            self._content[path] = read_blobs(self._indexes.git, [blob])[blob]
        return self._content[path]

    def _mark(self, hits: Sequence[Hit]) -> list[Hit]:
        assert self._commit is not None
        return [hit.model_copy(update={"commit": self._commit.sha}) for hit in hits]


async def _record_nothing(answer: Answer) -> tuple[Writeback | None, str | None]:
    return None, None


def _end_of(day: date) -> datetime:
    """The last second of a local day."""
    return datetime.combine(day + timedelta(days=1), time()).astimezone() - timedelta(seconds=1)


def _local(commit: PastCommit) -> str:
    return commit.at.astimezone().strftime("%Y-%m-%d %H:%M")

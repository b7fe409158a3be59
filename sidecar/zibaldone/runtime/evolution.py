"""How thinking about a topic moved, from the git history of the notes: the order of the steps.

Which notes: those that a search finds now, and those that it finds among the ones that changed as they were first (or
last, where they are gone). Their versions are read through renames, their edits become steps. Pages of the agent are
left out: what the program compiled is no change of the person's mind.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from zibaldone.agents.evolution.edits import Edit, Sentence, Version, find_edits, read_sentences
from zibaldone.agents.evolution.steps import Side, Step, find_steps
from zibaldone.agents.evolution.summary import summarise
from zibaldone.agents.relay.quote import word_overlap
from zibaldone.config.settings import Settings
from zibaldone.divergence.area import has_words, is_near
from zibaldone.domain.locators import line_locator
from zibaldone.domain.notes import FileStamp, Origin
from zibaldone.domain.words import index_terms
from zibaldone.errors import GitUnavailable, ZibaldoneError
from zibaldone.inference.roles import ChatModel, Embedder, Sampling, Vectors
from zibaldone.ingest.derive import derive_note
from zibaldone.ingest.parse import Decoded, decode_note
from zibaldone.retrieval.pipeline import search
from zibaldone.runtime.past_index import PastIndexes
from zibaldone.schemas.ask import NO_MODEL, Citation
from zibaldone.schemas.evolution import Evolution, EvolutionRequest, EvolutionStep, PastPassage
from zibaldone.schemas.search import SearchRequest, SearchResponse
from zibaldone.vault.history.past import (
    PastFile,
    PastVersion,
    follow_notes,
    is_in_repository,
    read_blobs,
    walk_changes,
)

MOST_COMMITS = 20_000
# Of each note, the newest; a note that is saved by a program every minute has thousands.
MOST_VERSIONS = 300
_FOUND = 12
# Changes, the latest, that the summary tells.
_SUMMED_UP = 3

Search = Callable[[SearchRequest], Awaitable[SearchResponse]]
History = list[list[PastVersion]]


@dataclass(frozen=True, slots=True)
class Models:
    """`no_chat` says why there is no chat model."""

    chat: ChatModel | None
    no_chat: str | None
    embedder: Embedder | None


class TopicHistorian:
    """Reads only. `search` is that of the notes of now."""

    def __init__(self, indexes: PastIndexes, settings: Settings, search: Search) -> None:
        self._indexes = indexes
        self._settings = settings
        self._search = search

    async def trace(self, request: EvolutionRequest, models: Models) -> Evolution:
        """Raises `GitUnavailable`, `DeadlineExceeded`, and what a search raises."""
        history, notes = await asyncio.to_thread(self._follow)
        found = await self._find_notes(request.topic, history, models.embedder)
        versions = await asyncio.to_thread(lambda: [self._read(note) for note in found])
        edits = await asyncio.to_thread(find_edits, versions)
        steps = await self._choose_steps(request, edits, models.embedder)
        told = [_told(step) for step in steps]
        oldest = (told[0].before or told[0].after) if told else None
        newest = told[-1].after if told else None
        if not told:
            notes.append("Nothing that was ever committed says anything about this.")
        notes.append("What is not committed is not seen.")
        summary, citations, model, remark = await self._summarise(request, told, models)
        return Evolution(
            topic=request.topic,
            steps=told,
            oldest=oldest,
            newest=newest,
            summary=summary,
            citations=citations,
            model=model,
            notes=[*notes, remark] if remark else notes,
        )

    def _follow(self) -> tuple[History, list[str]]:
        git = self._indexes.git
        if not is_in_repository(git):
            raise GitUnavailable(
                "The vault is in no git repository, so nothing of its past is kept.", "Run `zib init`."
            )
        commits = list(walk_changes(git, max_commits=MOST_COMMITS))
        cut = [f"Only the newest {MOST_COMMITS} commits were read."] if len(commits) == MOST_COMMITS else []
        history: History = []
        for versions in follow_notes(reversed(commits)):
            files = [PastFile(one.path, one.blob or "", 0) for one in versions]
            kept = {file.path for file in self._indexes.choose_notes(files) if not self._indexes.is_own(file.path)}
            if mine := [one for one in versions if one.path in kept]:
                history.append(mine)
        return history, cut

    async def _find_notes(self, topic: str, history: History, embedder: Embedder | None) -> History:
        wanted = SearchRequest(query=topic, k=_FOUND, strategy=self._settings.retrieval.answer_strategy)
        now = {hit.path for hit in (await self._search(wanted)).hits}
        past = {one.path: (one, note) for note in history if (one := _past_of(note))}
        at = max((one.commit.at for one, _ in past.values()), default=None)
        found = [note for note in history if note[-1].blob and note[-1].path in now]
        if at is not None:
            files = [PastFile(path, one.blob or "", 0) for path, (one, _) in sorted(past.items())]
            store = await asyncio.to_thread(self._indexes.open, files, at)
            try:
                index = await self._indexes.search_index(store, embedder)
                hits = (await search(wanted, index, self._settings.retrieval, at.date())).hits
            finally:
                await asyncio.to_thread(store.close)
            then = [past[path][1] for path in dict.fromkeys(hit.path for hit in hits)]
            found += [note for note in then if note not in found]
        return found

    def _read(self, note: Sequence[PastVersion]) -> list[Version]:
        note = note[-MOST_VERSIONS:]
        blobs = read_blobs(self._indexes.git, [one.blob for one in note if one.blob])
        return [self._version(one, blobs.get(one.blob or "")) for one in note]

    def _version(self, one: PastVersion, data: bytes | None) -> Version:
        decoded = decode_note(data) if data is not None else None
        if data is None or not isinstance(decoded, Decoded):
            return Version(one.commit.sha, one.commit.at, one.path)
        derived = derive_note(
            one.path,
            data,
            FileStamp(0, 0, 0, 0),
            source_id="",
            origin=Origin.PERSON,
            first_commit=None,
            settings=self._settings.chunking,
        )
        sentences = read_sentences(derived.source.title, derived.chunks, decoded.text.splitlines())
        return Version(one.commit.sha, one.commit.at, one.path, sentences)

    async def _choose_steps(
        self, request: EvolutionRequest, edits: Sequence[Edit], embedder: Embedder | None
    ) -> list[Step]:
        sentences = list(dict.fromkeys(one for edit in edits for one in (*edit.before, *edit.after)))
        vectors: dict[str, Vectors] = {}
        topic: Vectors | None = None
        if embedder is not None:
            texts = {_digest(one): one.context for one in sentences}
            vectors = await self._indexes.embed(texts, embedder)
            topic = await embedder.embed_query(request.topic)
        low, high = embedder.cosine_range if embedder else (0.0, 1.0)
        if sentences and embedder is not None and topic is not None:
            cosines = np.stack([vectors[_digest(one)] for one in sentences]) @ topic
            words = frozenset(index_terms(" ".join(one.context for one in sentences)))
            if not has_words(request.topic, words) and not is_near(cosines, embedder.cosine_range):
                return []

        def near(one: Sentence) -> float:
            overlap = word_overlap(request.topic, one.context)
            if topic is None:
                return overlap
            return (float(np.dot(vectors[_digest(one)], topic)) - low) / (high - low) + overlap / 2

        def alike(one: Sentence, other: Sentence) -> float:
            if not vectors:
                return min(word_overlap(one.span.text, other.span.text), word_overlap(other.span.text, one.span.text))
            return (float(np.dot(vectors[_digest(one)], vectors[_digest(other)])) - high) / (1 - high)

        steps = await asyncio.to_thread(find_steps, edits, near, alike)
        kept = sorted(steps, key=lambda step: -step.near)[: request.limit]
        return [step for step in steps if step in kept]

    async def _summarise(
        self, request: EvolutionRequest, steps: Sequence[EvolutionStep], models: Models
    ) -> tuple[str | None, list[Citation], str, str | None]:
        if not request.use_llm or models.chat is None:
            return None, [], NO_MODEL, models.no_chat if request.use_llm else None
        changed = [step for step in steps if step.before and step.after]
        if not changed:
            return None, [], models.chat.name, None
        passages = [one for one in (changed[0].before, *(step.after for step in changed[-_SUMMED_UP:])) if one]
        sampling = Sampling(max_tokens=60, stop=("\n",), deadline_s=self._settings.models.deadline_s)
        try:
            summary, citations = await summarise(request.topic, passages, models.chat, sampling)
        except ZibaldoneError as error:  # the steps are there without it
            return None, [], NO_MODEL, f"No model summed it up: {error.message} {error.hint}"
        return summary, citations, models.chat.name, None


def _past_of(note: Sequence[PastVersion]) -> PastVersion | None:
    """The version by which a note is found that is not what it was: its last where it is gone, else its first."""
    there = [one for one in note if one.blob]
    if not there:
        return None
    if note[-1].blob is None:
        return there[-1]
    return there[0] if there[0].blob != note[-1].blob else None


def _digest(one: Sentence) -> str:
    return hashlib.sha256(one.context.encode("utf-8", "replace")).hexdigest()


def _told(step: Step) -> EvolutionStep:
    before, after = _passage(step.before), _passage(step.after)
    place = after or before
    assert place is not None
    return EvolutionStep(
        kind="changed" if before and after else "added" if after else "removed",
        date=_day(step.edit.now.at),
        commit=step.edit.now.commit,
        path=place.path,
        locator=place.locator,
        line_start=place.line_start,
        line_end=place.line_end,
        before=before,
        after=after,
    )


def _passage(side: Side | None) -> PastPassage | None:
    if side is None:
        return None
    return PastPassage(
        date=_day(side.version.at),
        commit=side.version.commit,
        path=side.version.path,
        heading=list(side.sentence.trail),
        locator=line_locator(side.quote.line_start, side.quote.line_end),
        line_start=side.quote.line_start,
        line_end=side.quote.line_end,
        quote=side.quote.text,
    )


def _day(at: datetime) -> str:
    return at.astimezone().date().isoformat()

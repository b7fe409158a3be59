"""The divergent questions in this process: reads the notes, has their vectors from the cache, asks the model.

Each question reads every note that is indexed; vectors come from the cache that all vaults share, and so do those of
sentences, which `contradictions` embeds once.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from zibaldone.divergence.area import has_words, is_near, named_area, near_area
from zibaldone.divergence.bridge import find_chains
from zibaldone.divergence.contradict import (
    Candidate,
    choose_judged,
    find_candidates,
    one_of_each,
    probability,
    read_claims,
    tell,
)
from zibaldone.divergence.gaps import (
    Asked,
    interleave,
    missing,
    read_log,
    shares_words,
    unanswered,
    unlinked,
    unresolved,
)
from zibaldone.divergence.judge import VERDICTS, candidate_messages, neutral_messages, read_verdict
from zibaldone.divergence.notes import NoteText, Sentence, read_note_text
from zibaldone.divergence.ties import Passage, closest_sentences, find_ties, near_passages, within
from zibaldone.divergence.walk import walk_ties
from zibaldone.domain.words import query_terms
from zibaldone.errors import NotFound, PathOutsideVault, VaultChanged, ZibaldoneError
from zibaldone.inference.roles import ChatModel, Embedder, Vectors
from zibaldone.ingest.parse import Decoded, decode_note
from zibaldone.retrieval.answerable import scale_cosine
from zibaldone.schemas.divergence import (
    Bridges,
    BridgesRequest,
    Chain,
    Contradictions,
    ContradictionsRequest,
    Gaps,
    GapsRequest,
    Walk,
    WalkRequest,
)
from zibaldone.store.cache_db import ContentCache
from zibaldone.store.index_db import IndexStore
from zibaldone.vault.files import VaultFiles
from zibaldone.vault.listing import list_files
from zibaldone.wiki.resolve import LinkResolver

FindEmbedder = Callable[[], Awaitable[tuple[Embedder | None, ZibaldoneError | None]]]
FindChat = Callable[[], tuple[ChatModel | None, ZibaldoneError | None]]

_HASHES_PER_CALL = 5_000
_TEXTS_PER_CALL = 64
# Sentences that are embedded for one question: a minute or two. The next one goes on.
_NEW_SENTENCES = 3_000
# Pairs that the model looks at, and how likely a judged pair has to be to be told.
_JUDGED = 32
_LIKELY = 0.5
# Notes that words can mean as the topic of gaps, and as an end of a bridge.
_AREA, _END = 30, 3
# Where, in the embedder's own range, a question concerns a topic and two questions are the same.
_CONCERNS, _SAME = 0.45, 0.8


@dataclass(frozen=True, slots=True)
class _Vault:
    """All notes as they are now, their passages with vectors, and the log."""

    notes: list[NoteText]
    resolver: LinkResolver
    passages: list[Passage]
    vectors: Vectors
    asked: list[Asked]
    remarks: list[str]

    @property
    def by_path(self) -> dict[str, NoteText]:
        return {note.path: note for note in self.notes}


class LocalDivergence:
    """See `runtime.engine.Divergence`. `catch_up` sees what changed while nobody looked."""

    def __init__(
        self,
        files: VaultFiles,
        store: IndexStore,
        cache: ContentCache,
        folder: str,
        catch_up: Callable[[], Awaitable[None]],
        find_embedder: FindEmbedder,
        find_chat: FindChat,
    ) -> None:
        self._files = files
        self._store = store
        self._cache = cache
        self._folder = folder
        self._catch_up = catch_up
        self._find_embedder = find_embedder
        self._find_chat = find_chat

    # -- the questions ---------------------------------------------------------------------------------

    async def contradictions(self, request: ContradictionsRequest) -> Contradictions:
        vault, embedder = await self._open()
        if embedder is None:
            return Contradictions(contradictions=[], judged=0, notes=vault.remarks)
        claims = sorted(await asyncio.to_thread(read_claims, vault.notes), key=lambda one: not one.marks.comparable)
        new = await asyncio.to_thread(self._unembedded, [claim.marks.plain for claim in claims], embedder)
        if len(new) > _NEW_SENTENCES:
            left = frozenset(new[_NEW_SENTENCES:])
            claims = [claim for claim in claims if claim.marks.plain not in left]
            vault.remarks.append(f"{len(left)} sentences were left out this time: ask again to look at more.")
        vectors = await self._embed([claim.marks.plain for claim in claims], embedder)
        found = await asyncio.to_thread(find_candidates, claims, vectors, embedder.cosine_range)
        chat, missing_model = await asyncio.to_thread(self._find_chat) if request.use_llm else (None, None)
        candidates = choose_judged(found, max(_JUDGED, request.top))
        if chat is None:
            told = [tell(one, None) for one in one_of_each(candidates)[: request.top]]
            said = f"{missing_model.message} {missing_model.hint}" if missing_model else "No model was asked."
            return Contradictions(contradictions=told, judged=0, notes=[*vault.remarks, f"Candidates only: {said}"])
        judged = await self._judge(candidates, chat)
        judged.sort(key=lambda one: -one[1])
        likely = {id(one): at for one, at in judged if at >= _LIKELY}
        kept = one_of_each([one for one, at in judged if at >= _LIKELY])
        return Contradictions(
            contradictions=[tell(one, likely[id(one)]) for one in kept[: request.top]],
            judged=len(judged),
            notes=vault.remarks,
        )

    async def _judge(self, candidates: Sequence[Candidate], chat: ChatModel) -> list[tuple[Candidate, float]]:
        neutral = await chat.score_labels(neutral_messages(), VERDICTS)
        judged = []
        for one in candidates:
            scores = await chat.score_labels(candidate_messages(one), VERDICTS)
            judged.append((one, probability(one, read_verdict(scores, neutral))))
        return judged

    async def gaps(self, request: GapsRequest) -> Gaps:
        vault, embedder = await self._open()
        area = await self._area(request.topic, vault, embedder, _AREA)
        topic = await self._topic(request.topic, vault, area)
        inside = [note for note in vault.notes if note.path in set(area)]
        outside = [note for note in vault.notes if note.path not in set(area)]
        likeness = await self._likeness(topic, vault, embedder)
        concerns = partial(_concerns, set(query_terms(topic)), likeness)
        same = partial(_same, {}, None) if embedder is None else await self._sameness(vault.asked, embedder)
        kinds = [
            list(unanswered(vault.asked, concerns, same)),
            list(unresolved(inside, outside, concerns)),
            list(missing(set(area), vault.notes)),
            await asyncio.to_thread(lambda: list(unlinked(set(area), vault.by_path, _near(vault)))),
        ]
        return Gaps(area=area, gaps=interleave(kinds, request.top), notes=vault.remarks)

    async def drift_walk(self, request: WalkRequest) -> Walk:
        vault, _ = await self._open()
        start = self._note(request.note, vault)
        ties = await asyncio.to_thread(find_ties, vault.notes, vault.passages, vault.vectors)
        walked = walk_ties(ties, start, request.steps, request.seed, request.top)
        short = [f"Nothing else is tied to where the walk ends, after {len(walked)} steps."]
        return Walk(
            start=start,
            seed=request.seed,
            steps=[tie.step() for tie in walked],
            notes=[*vault.remarks, *(short if len(walked) < request.steps else [])],
        )

    async def bridges(self, request: BridgesRequest) -> Bridges:
        vault, embedder = await self._open()
        a = await self._area(request.a, vault, embedder, _END)
        b = await self._area(request.b, vault, embedder, _END)
        ties = await asyncio.to_thread(find_ties, vault.notes, vault.passages, vault.vectors)
        chains = await asyncio.to_thread(find_chains, ties, a, b, request.top)
        return Bridges(
            a=a,
            b=b,
            chains=[
                Chain(cost=round(sum(tie.cost for tie in chain), 2), steps=[tie.step() for tie in chain])
                for chain in chains
            ],
            notes=[*vault.remarks, *([] if chains else ["Nothing connects the two."])],
        )

    # -- areas -----------------------------------------------------------------------------------------

    def _note(self, name: str, vault: _Vault) -> str:
        found = named_area(name, vault.notes, vault.resolver.resolve(name.strip(), ""))
        if len(found) != 1:
            what = "no note" if not found else f"{len(found)} notes"
            raise NotFound(f"There is {what} {name}.", "Give the path of a note in the vault.")
        return found[0]

    async def _area(self, topic: str, vault: _Vault, embedder: Embedder | None, most: int) -> list[str]:
        """Raises `NotFound` where nothing is near to the topic."""
        if named := named_area(topic, vault.notes, vault.resolver.resolve(topic.strip(), "")):
            return named
        nearness: dict[str, float] = {}
        there = await asyncio.to_thread(_speaks_of, topic, vault.notes)
        if embedder is not None and vault.passages:
            cosines = vault.vectors @ await embedder.embed_query(topic)
            there = there or is_near(cosines, embedder.cosine_range)
            for passage, cosine in zip(vault.passages, cosines.tolist(), strict=True):
                near = scale_cosine(cosine, embedder.cosine_range)
                nearness[passage.path] = max(near, nearness.get(passage.path, 0.0))
        area = near_area(topic, vault.notes, nearness, most) if there else []
        if not area:
            raise NotFound(f"No note says anything about {topic}.", "Give a note, a folder, a #tag or other words.")
        return area

    async def _topic(self, topic: str, vault: _Vault, area: Sequence[str]) -> str:
        """The words of a topic: a note's are its title."""
        note = vault.by_path.get(area[0]) if len(area) == 1 else None
        return f"{topic} {note.title}" if note else topic

    async def _likeness(self, topic: str, vault: _Vault, embedder: Embedder | None) -> dict[str, float]:
        """How near the questions of the log are to the topic (0..1)."""
        if embedder is None or not vault.asked:
            return {}
        questions = [one.question for one in vault.asked]
        cosines = (await self._embed(questions, embedder)) @ await embedder.embed_query(topic)
        return {q: scale_cosine(c, embedder.cosine_range) for q, c in zip(questions, cosines.tolist(), strict=True)}

    async def _sameness(self, asked: Sequence[Asked], embedder: Embedder) -> Callable[[str, str], bool]:
        questions = [one.question for one in asked]
        vectors = await self._embed(questions, embedder)
        return partial(_same, dict(zip(questions, vectors, strict=True)), embedder.cosine_range)

    # -- reading ---------------------------------------------------------------------------------------

    async def _open(self) -> tuple[_Vault, Embedder | None]:
        await self._catch_up()
        embedder, missing_model = await self._find_embedder()
        remarks = [] if missing_model is None else [f"{missing_model.message} {missing_model.hint}"]
        return await asyncio.to_thread(self._read, embedder, remarks), embedder

    def _read(self, embedder: Embedder | None, remarks: list[str]) -> _Vault:
        resolver = LinkResolver(list_files(self._files.root))
        recorded = self._store.recorded()
        paths = sorted(path for path, one in recorded.items() if not one.skipped and not one.held)
        notes = [
            read_note_text(path, text, resolver.resolve) for path in paths if (text := self._text(path)) is not None
        ]
        log = sorted(path for path in list_files(self._files.root, f"{self._folder}/log") if path.endswith(".md"))
        asked = [one for path in log if (text := self._text(path)) is not None for one in read_log(path, text)]
        passages: list[Passage] = []
        rows: list[Vectors] = []
        if embedder is not None:
            passages, rows, waiting = self._vectors(embedder)
            if waiting:
                remarks = [*remarks, f"{waiting} passages are not embedded yet: `zib sync` does it."]
        vectors = np.stack(rows) if rows else np.zeros((0, 1), np.float32)
        return _Vault(notes, resolver, passages, vectors, asked, remarks)

    def _text(self, path: str) -> str | None:
        try:
            decoded = decode_note(self._files.read_stable(path))
        except (NotFound, PathOutsideVault, VaultChanged, OSError):
            return None
        return decoded.text if isinstance(decoded, Decoded) else None

    def _vectors(self, embedder: Embedder) -> tuple[list[Passage], list[Vectors], int]:
        """Every passage that has a vector, its vector, and how many have none."""
        stored = self._store.passages()
        known = self._cached(sorted({one.embed_hash for one in stored}), embedder)
        passages: list[Passage] = []
        rows: list[Vectors] = []
        for start in range(0, len(stored), _HASHES_PER_CALL):
            part = [one for one in stored[start : start + _HASHES_PER_CALL] if one.embed_hash in known]
            places = {chunk.row: chunk for chunk in self._store.chunks(rows=[one.row for one in part]).values()}
            for one in part:
                if (place := places.get(one.row)) is not None:
                    passages.append(Passage(one.path, place.line_start, place.line_end))
                    rows.append(known[one.embed_hash])
        return passages, rows, len(stored) - len(passages)

    async def _embed(self, texts: Sequence[str], embedder: Embedder) -> Vectors:
        """The vectors of texts, from the cache as far as they are there; the others go into it."""
        if not texts:
            return np.zeros((0, 1), np.float32)
        by_hash = {_digest(text): text for text in texts}
        known = await asyncio.to_thread(self._cached, list(by_hash), embedder)
        wanted = [key for key in by_hash if key not in known]
        for start in range(0, len(wanted), _TEXTS_PER_CALL):
            keys = wanted[start : start + _TEXTS_PER_CALL]
            vectors = await embedder.embed_passages([by_hash[key] for key in keys])
            await asyncio.to_thread(self._cache.put, embedder.fingerprint, keys, vectors)
            known.update(zip(keys, vectors, strict=True))
        return np.stack([known[_digest(text)] for text in texts])

    def _unembedded(self, texts: Sequence[str], embedder: Embedder) -> list[str]:
        by_hash = {_digest(text): text for text in texts}
        known = self._cached(list(by_hash), embedder)
        return [text for key, text in by_hash.items() if key not in known]

    def _cached(self, hashes: Sequence[str], embedder: Embedder) -> dict[str, Vectors]:
        found: dict[str, Vectors] = {}
        for start in range(0, len(hashes), _HASHES_PER_CALL):
            found |= self._cache.get(embedder.fingerprint, hashes[start : start + _HASHES_PER_CALL])
        return found


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def _near(vault: _Vault) -> list[tuple[Sentence, Sentence, float]]:
    notes = vault.by_path
    found = sorted(near_passages(vault.passages, vault.vectors, 3), key=lambda one: -one[2])
    return [
        (*closest_sentences(within(notes[a.path], a), within(notes[b.path], b)), cosine)
        for a, b, cosine, _ in found
        if a.path in notes and b.path in notes
    ]


def _speaks_of(topic: str, notes: Sequence[NoteText]) -> bool:
    heads = (query_terms(" ".join((note.title, *note.aliases, *note.tags, *note.headings))) for note in notes)
    said = (sentence.terms for note in notes for sentence in note.sentences)
    return has_words(topic, frozenset().union(*heads, *said))


def _concerns(terms: set[str], likeness: dict[str, float], text: str) -> bool:
    """Whether a question or the name of a link is about the topic: by its words, or by its meaning."""
    shared = terms.intersection(query_terms(text))
    return len(shared) * 2 >= len(terms) > 0 or likeness.get(text, 0.0) >= _CONCERNS


def _same(vectors: dict[str, Vectors], cosine_range: tuple[float, float] | None, a: str, b: str) -> bool:
    if shares_words(a, b):
        return True
    if cosine_range is None:
        return False
    return scale_cosine(float(vectors[a] @ vectors[b]), cosine_range) >= _SAME

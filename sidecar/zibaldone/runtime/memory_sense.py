"""What statements mean, as far as models tell: their kind, how near they are, how they stand to each other."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from itertools import combinations

import numpy as np

from zibaldone.domain.classifier import Classifier, fit_classifier
from zibaldone.errors import ModelFailed, ModelMissing
from zibaldone.inference.roles import ChatModel, Embedder, Message, Vectors
from zibaldone.profile.classify import Kind, about_the_same, examples, facts, heed_standing, wishes
from zibaldone.profile.clauses import part_clauses
from zibaldone.profile.decide import Relation
from zibaldone.profile.likeness import Centres, find_centres, worth_comparing
from zibaldone.profile.relate import (
    Nearness,
    Opinion,
    Verdict,
    ask_relation,
    relate_facts,
    relate_wishes,
    says_the_same,
)
from zibaldone.profile.signs import find_people, read_signs
from zibaldone.profile.worth import VERDICTS, log_odds
from zibaldone.runtime.models import ModelSet
from zibaldone.schemas.memory import MEMORY_TYPES, MemoryEntry, MemoryType
from zibaldone.store.cache_db import ContentCache

# Entries that a statement is compared with at most, and from which `worth_comparing` on.
_COMPARED, _WORTH = 6, 0.15


class MemorySense:
    """Vectors stay in the shared cache; a classifier is fitted once for an embedder."""

    def __init__(self, models: ModelSet, cache: ContentCache) -> None:
        self._models = models
        self._cache = cache
        self._kinds: tuple[str, Classifier[Kind]] | None = None
        self._aspects: dict[tuple[str, bool], Classifier[str]] = {}
        self._centres: tuple[str, Centres] | None = None

    async def classify(self, texts: Sequence[str]) -> list[dict[Kind, float]]:
        """Probabilities of each kind for each text; without a model each is as likely as the next."""
        embedder, _ = await asyncio.to_thread(self._models.find_embedder)
        if embedder is None or not texts:
            return [dict.fromkeys(("user", "feedback", "context", "none"), 0.25) for _ in texts]
        if self._kinds is None or self._kinds[0] != embedder.fingerprint:
            known = await asyncio.to_thread(examples)
            vectors = np.stack(await self.embed(embedder, [one.text for one in known]))
            kinds: list[Kind] = [one.kind for one in known]
            self._kinds = embedder.fingerprint, await asyncio.to_thread(fit_classifier, vectors, kinds)
        classifier = self._kinds[1]
        vectors_of = await self.embed(embedder, texts)
        return [heed_standing(text, classifier.probabilities(v)) for text, v in zip(texts, vectors_of, strict=True)]

    async def nearness(self, question: str, entries: Sequence[MemoryEntry]) -> dict[str, float]:
        """How near each entry is to the question (0..1 in the embedder's range), by id; empty without an embedder."""
        embedder, _ = await asyncio.to_thread(self._models.find_embedder)
        if embedder is None or not entries:
            return {}
        asked = await embedder.embed_query(question)
        vectors = np.stack(await self.embed(embedder, [one.content for one in entries]))
        near = _in_range(vectors @ asked, embedder)
        return {one.id: float(value) for one, value in zip(entries, np.clip(near, 0, 1), strict=True)}

    async def nearest(self, new: MemoryEntry, others: Sequence[MemoryEntry]) -> list[MemoryEntry]:
        """The entries that a new one may have to do with, the nearest first."""
        embedder, _ = await asyncio.to_thread(self._models.find_embedder)
        if embedder is None:
            return list(others)[-_COMPARED:]
        if not others:
            return []
        worth = (await self._compare(embedder, [new, *others]))[0, 1:]
        order = np.argsort(-worth, kind="stable")[:_COMPARED]
        return [others[n] for n in order if worth[n] >= _WORTH]

    async def neighbours(self, entries: Sequence[MemoryEntry]) -> list[tuple[MemoryEntry, MemoryEntry]]:
        """Pairs of one type that may have to do with each other, what was said last behind, the likeliest first."""
        embedder, _ = await asyncio.to_thread(self._models.find_embedder)
        if embedder is None:
            return []
        pairs: list[tuple[float, MemoryEntry, MemoryEntry]] = []
        for kind in MEMORY_TYPES:
            of_kind = [entry for entry in entries if entry.type == kind]
            if len(of_kind) > 1:
                worth = await self._compare(embedder, of_kind)
                pairs += [
                    (float(worth[i, j]), one, other)
                    for (i, one), (j, other) in combinations(enumerate(of_kind), 2)
                    if worth[i, j] >= _WORTH
                ]
        pairs.sort(key=lambda pair: -pair[0])
        return [(a, b) if _last_said(a) <= _last_said(b) else (b, a) for _, a, b in pairs]

    async def relate(self, old: MemoryEntry, new: MemoryEntry, known: Sequence[MemoryEntry] = ()) -> Relation | None:
        """How a new entry stands to an old one, or to the first of its statements that it has to do with, by words or
        by the models; `known` tell who bears a name. Raises what the models raise."""
        if says_the_same(old.content, new.content):
            return Relation(old, "same")
        clauses = part_clauses(old.content)
        for clause in clauses:
            verdict = await self._relate(clause, new, known)
            if verdict is not None:
                return Relation(old, verdict, clause if len(clauses) > 1 else None)
        return None

    async def _relate(self, old: str, new: MemoryEntry, known: Sequence[MemoryEntry]) -> Verdict | None:
        """How a new entry stands to an older statement."""
        if says_the_same(old, new.content):
            return "same"
        chat, missing = await asyncio.to_thread(self._models.find_chat)
        if chat is None:
            raise missing or ModelMissing("No chat model is there.", "`zib models pull` fetches one.")
        embedder, no_embedder = await asyncio.to_thread(self._models.find_embedder)
        if embedder is None:
            raise no_embedder or ModelMissing("No embedding model is there.", "`zib models pull` fetches one.")
        questions = ask_relation(old, new.content)
        asked = questions if new.type == "feedback" else questions[:2]
        opinion = Opinion(*[await ask_odds(chat, question) for question in asked])
        before, now = await self.embed(embedder, [old, new.content])
        aspects = await self._aspects_of(embedder, new.type)
        related = about_the_same(aspects.probabilities(before), aspects.probabilities(now))
        if new.type == "feedback":
            return relate_wishes(opinion, related, changed=read_signs(new.content).changed)
        centres = await self._centres_of(embedder)
        alike = float(centres.place(old, before) @ centres.place(new.content, now))
        people = find_people([*(entry.content for entry in known), old, new.content])
        signs = [read_signs(text, people) for text in (old, new.content)]
        return relate_facts(opinion, Nearness(alike, related), *signs)

    async def _compare(self, embedder: Embedder, entries: Sequence[MemoryEntry]) -> Vectors:
        """How worth comparing each two entries of one type are, of shape (entries, entries)."""
        texts = [entry.content for entry in entries]
        vectors = await self.embed(embedder, texts)
        centres = await self._centres_of(embedder)
        placed = np.stack([centres.place(text, vector) for text, vector in zip(texts, vectors, strict=True)])
        aspects = await self._aspects_of(embedder, entries[0].type)
        shares = [aspects.probabilities(vector) for vector in vectors]
        related = np.array([[about_the_same(one, other) for other in shares] for one in shares])
        return worth_comparing(placed @ placed.T, related)

    async def embed(self, embedder: Embedder, texts: Sequence[str]) -> list[Vectors]:
        hashes = [text_hash(text) for text in texts]
        known = await asyncio.to_thread(self._cache.get, embedder.fingerprint, hashes)
        missing = list(dict.fromkeys(text for text, hash_ in zip(texts, hashes, strict=True) if hash_ not in known))
        if missing:
            vectors = await embedder.embed_passages(missing)
            if len(vectors) != len(missing) or not np.all(np.isfinite(vectors)):
                raise ModelFailed("The embedding model gave no usable vectors.", "`zib models list` shows others.")
            made = [text_hash(text) for text in missing]
            await asyncio.to_thread(self._cache.put, embedder.fingerprint, made, vectors)
            known |= dict(zip(made, vectors, strict=True))
        return [known[hash_] for hash_ in hashes]

    async def _centres_of(self, embedder: Embedder) -> Centres:
        if self._centres is None or self._centres[0] != embedder.fingerprint:
            known = await asyncio.to_thread(examples)
            texts = [*(one.text for one in known), *(text for text, _ in await asyncio.to_thread(facts))]
            vectors = np.stack(await self.embed(embedder, texts))
            self._centres = embedder.fingerprint, await asyncio.to_thread(find_centres, texts, vectors)
        return self._centres[1]

    async def _aspects_of(self, embedder: Embedder, kind: MemoryType) -> Classifier[str]:
        """What a statement is about: a wish, or else a fact."""
        key = embedder.fingerprint, kind == "feedback"
        if key not in self._aspects:
            known = await asyncio.to_thread(wishes if key[1] else facts)
            vectors = np.stack(await self.embed(embedder, [text for text, _ in known]))
            self._aspects[key] = await asyncio.to_thread(fit_classifier, vectors, [aspect for _, aspect in known])
        return self._aspects[key]


def _last_said(entry: MemoryEntry) -> tuple[datetime, datetime]:
    return datetime.fromisoformat(entry.updated_at), datetime.fromisoformat(entry.created_at)


def _in_range(cosines: Vectors, embedder: Embedder) -> Vectors:
    """Cosines as places between what has nothing to do with each other (0) and what says the same (1)."""
    low, high = embedder.cosine_range
    placed: Vectors = (cosines - low) / (high - low)
    return placed


def text_hash(text: str) -> str:
    """By which the cache knows a statement's vector."""
    return sha256(text.encode()).hexdigest()


async def ask_odds(chat: ChatModel, question: Sequence[Message]) -> float:
    """Log odds of Yes over No. Raises what the model raises, and `ModelFailed` for what is no pair of probabilities."""
    return log_odds(await chat.score_labels(question, VERDICTS))

"""What statements mean, as far as models tell: their kind, how near they are, how they stand to each other."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256

import numpy as np

from zibaldone.domain.classifier import Classifier, fit_classifier
from zibaldone.errors import ModelFailed, ModelMissing
from zibaldone.inference.roles import ChatModel, Embedder, Message, Vectors
from zibaldone.profile.classify import Kind, about_the_same, examples, facts, heed_standing, wishes
from zibaldone.profile.decide import Relation
from zibaldone.profile.relate import (
    Opinion,
    ask_relation,
    may_be_same,
    relate_facts,
    relate_wishes,
    says_the_same,
)
from zibaldone.profile.worth import VERDICTS, log_odds
from zibaldone.runtime.models import ModelSet
from zibaldone.schemas.memory import MemoryEntry, MemoryType
from zibaldone.store.cache_db import ContentCache

# Entries that a statement is compared with at most, and how near (in the embedder's range) they have to be.
_COMPARED, _NEAR = 6, 0.4


class MemorySense:
    """Vectors stay in the shared cache; a classifier is fitted once for an embedder."""

    def __init__(self, models: ModelSet, cache: ContentCache) -> None:
        self._models = models
        self._cache = cache
        self._kinds: tuple[str, Classifier[Kind]] | None = None
        self._aspects: dict[tuple[str, bool], Classifier[str]] = {}

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
        mine, *theirs = await self.embed(embedder, [new.content, *(one.content for one in others)])
        near = _in_range(np.stack(theirs) @ mine, embedder)
        order = np.argsort(-near, kind="stable")[:_COMPARED]
        return [others[n] for n in order if near[n] >= _NEAR]

    async def neighbours(self, entries: Sequence[MemoryEntry]) -> list[tuple[MemoryEntry, MemoryEntry]]:
        """Pairs of one type that are near in meaning, what was said last behind, the nearest pair first."""
        embedder, _ = await asyncio.to_thread(self._models.find_embedder)
        if embedder is None or len(entries) < 2:
            return []
        vectors = np.stack(await self.embed(embedder, [one.content for one in entries]))
        near = _in_range(vectors @ vectors.T, embedder)
        pairs = [
            (float(near[i, j]), entries[i], entries[j])
            for i in range(len(entries))
            for j in range(i + 1, len(entries))
            if entries[i].type == entries[j].type and near[i, j] >= _NEAR
        ]
        pairs.sort(key=lambda pair: -pair[0])
        return [(a, b) if _last_said(a) <= _last_said(b) else (b, a) for _, a, b in pairs]

    async def relate(self, old: MemoryEntry, new: MemoryEntry) -> Relation | None:
        """How a new entry stands to an old one of its type, by words or by the models. Raises what the models raise."""
        if says_the_same(old.content, new.content):
            return Relation(old, "same")
        chat, missing = await asyncio.to_thread(self._models.find_chat)
        if chat is None:
            raise missing or ModelMissing("No chat model is there.", "`zib models pull` fetches one.")
        embedder, no_embedder = await asyncio.to_thread(self._models.find_embedder)
        if embedder is None:
            raise no_embedder or ModelMissing("No embedding model is there.", "`zib models pull` fetches one.")
        opinion = Opinion(*[await ask_odds(chat, asked) for asked in ask_relation(old.content, new.content)])
        before, now = await self.embed(embedder, [old.content, new.content])
        aspects = await self._aspects_of(embedder, new.type)
        related = about_the_same(aspects.probabilities(before), aspects.probabilities(now))
        if new.type == "feedback":
            verdict = relate_wishes(opinion, related)
        else:
            near = float(_in_range(np.array([before @ now]), embedder)[0])
            differ = not may_be_same(old.content, new.content)
            verdict = relate_facts(opinion, near, related, figures_differ=differ)
        return Relation(old, verdict) if verdict else None

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

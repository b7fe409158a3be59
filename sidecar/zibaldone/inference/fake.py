"""Scripted models that ship: for tests, demonstrations and machines without a model. They need no files."""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
import re
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass

import numpy as np

from zibaldone.domain.words import index_terms, query_terms
from zibaldone.errors import DeadlineExceeded, InvalidRequest
from zibaldone.inference.roles import Delta, Finished, Message, ModelState, Piece, Sampling, Vectors

_CONTEXT_TOKENS = 8192
_DIMENSIONS = 256
_SURE = 0.9
_ITEM = re.compile(r"^\[(\d+)\][ \t]*(.*)", re.MULTILINE)
_SENTENCE = re.compile(r".+?[.!?。！？](?=\s|$)|.+", re.DOTALL)
_NOTHING = "The notes do not say."


@dataclass(frozen=True, slots=True)
class Rule:
    """Where `pattern` (a regular expression) is found in the last user message, answer `reply`."""

    pattern: str
    reply: str


Script = Sequence[Rule] | Callable[[Sequence[Message]], str]
Scores = Callable[[Sequence[Message], Sequence[str]], Sequence[float]]


class FakeChat:
    """`ChatModel` from a script. A token is a word.

    Without a script it answers with the first sentence of the first evidence item (`[1] Title` and the text on
    the lines below it) of the last user message and the marker `[1]`.

    Args:
        script: rules, the first that fits wins, or a function from the prompt to the reply.
        scores: from prompt and labels to log-probabilities. Without it the first label gets probability 0.9
            where the evidence holds at least half of the question's words, else the last label.
        pause_s: seconds before each word.
    """

    def __init__(self, script: Script = (), *, scores: Scores | None = None, pause_s: float = 0.0) -> None:
        self._script = script
        self._scores = scores
        self._pause_s = pause_s
        self._cached: list[str] = []
        self.prompts: list[list[Message]] = []

    @property
    def name(self) -> str:
        return "fake-chat"

    @property
    def state(self) -> ModelState:
        return "ready"

    async def close(self) -> None:
        """Nothing to let go of."""

    async def context_tokens(self) -> int:
        return _CONTEXT_TOKENS

    async def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]

    async def generate(self, messages: Sequence[Message], sampling: Sampling) -> AsyncGenerator[Delta, None]:
        end = time.monotonic() + sampling.deadline_s
        prompt, cached = self._read_prompt(messages)
        reply = self._reply(messages, sampling)
        found = [at for stop in sampling.stop if stop and (at := reply.find(stop)) >= 0]
        words = re.findall(r"\s*\S+\s*$|\s*\S+", reply[: min(found)] if found else reply)
        limit = min(sampling.max_tokens, _CONTEXT_TOKENS - prompt)
        for word in words[:limit]:
            await asyncio.sleep(self._pause_s)
            if time.monotonic() > end:
                raise DeadlineExceeded(f"fake-chat did not finish within {sampling.deadline_s:g} s.", "Ask for less.")
            yield Piece(word)
        yield Finished(
            "length" if len(words) > limit else "stop",
            prompt_tokens=prompt,
            completion_tokens=min(len(words), limit),
            cached_tokens=cached,
        )

    async def score_labels(
        self, messages: Sequence[Message], labels: Sequence[str], *, deadline_s: float = 120.0
    ) -> list[float]:
        self._read_prompt(messages)
        if self._scores is not None:
            return list(self._scores(messages, labels))
        if len(labels) < 2:
            return [0.0] * len(labels)
        best = 0 if _evidence_fits(messages) else len(labels) - 1
        rest = math.log((1 - _SURE) / (len(labels) - 1))
        return [math.log(_SURE) if i == best else rest for i in range(len(labels))]

    def _read_prompt(self, messages: Sequence[Message]) -> tuple[int, int]:
        """Words of the prompt, and how many of them the previous one began with."""
        self.prompts.append(list(messages))
        words = [word for message in messages for word in message.content.split()]
        if len(words) + 1 > _CONTEXT_TOKENS:
            raise InvalidRequest(
                f"The prompt has {len(words)} tokens and the context window {_CONTEXT_TOKENS}.",
                "Shorten the prompt.",
            )
        pairs = enumerate(zip(words, self._cached, strict=False))
        same = next((i for i, (a, b) in pairs if a != b), min(len(words), len(self._cached)))
        self._cached = words
        return len(words), max(0, min(same, len(words) - 1))

    def _reply(self, messages: Sequence[Message], sampling: Sampling) -> str:
        if callable(self._script):
            return self._script(messages)
        asked = _last_user(messages)
        for rule in self._script:
            if re.search(rule.pattern, asked):
                return rule.reply
        if sampling.schema is not None:
            return json.dumps(_example(dict(sampling.schema)))
        items = _evidence(asked)
        said = f"{_first_sentence(items[0][1])} [{items[0][0]}]" if items else _NOTHING
        return f" {said}" if messages and messages[-1].role == "assistant" else said


class FakeEmbedder:
    """`Embedder` by hashed words: 256 dimensions, unit length, texts that share words are near."""

    @property
    def name(self) -> str:
        return "fake-embed"

    @property
    def state(self) -> ModelState:
        return "ready"

    @property
    def fingerprint(self) -> str:
        return "fake-embed-1"

    @property
    def cosine_range(self) -> tuple[float, float]:
        return (0.0, 0.6)

    async def close(self) -> None:
        """Nothing to let go of."""

    async def dimensions(self) -> int:
        return _DIMENSIONS

    async def warm_up(self) -> None:
        """Nothing to load."""

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        rows = [_hash_words(text) for text in texts]
        return np.stack(rows) if rows else np.zeros((0, _DIMENSIONS), np.float32)

    async def compare(self, query: str, passages: Sequence[str]) -> list[float]:
        vectors = await self.embed_passages(passages)
        return [float(score) for score in vectors @ await self.embed_query(query)]

    async def embed_query(self, text: str) -> Vectors:
        return _hash_words(text)


def _hash_words(text: str) -> Vectors:
    vector = np.zeros(_DIMENSIONS, np.float32)
    for term in query_terms(text) or index_terms(text):
        digest = hashlib.blake2b(term.encode("utf-8", "replace"), digest_size=4).digest()
        vector[int.from_bytes(digest, "big") % _DIMENSIONS] += 1.0
    norm = float(np.linalg.norm(vector))
    if norm == 0:
        vector[0] = norm = 1.0
    unit: Vectors = (vector / np.float32(norm)).astype(np.float32)
    return unit


def _last_user(messages: Sequence[Message]) -> str:
    return next((m.content for m in reversed(messages) if m.role == "user"), "")


def _evidence(text: str) -> list[tuple[int, str]]:
    """Number and text of each item; an item ends at the next one or at an empty line before a question."""
    marks = list(_ITEM.finditer(text))
    items = []
    for i, mark in enumerate(marks):
        end = marks[i + 1].start() if i + 1 < len(marks) else len(text)
        body = re.split(r"\n\s*\n(?=\w+:)", text[mark.end() : end])[0].strip()
        items.append((int(mark[1]), body or mark[2].strip()))
    return items


def _evidence_fits(messages: Sequence[Message]) -> bool:
    asked = _last_user(messages)
    held = set(index_terms(" ".join(body for _, body in _evidence(asked))))
    stated = re.findall(r"^Question:(.*)", asked, re.MULTILINE)
    question = query_terms(stated[-1] if stated else asked.rsplit("\n", 1)[-1])
    return 2 * sum(term in held for term in question) >= len(question) > 0


def _first_sentence(text: str) -> str:
    match = _SENTENCE.match(text.strip())
    return " ".join(match[0].split()) if match else ""


def _example(schema: dict[str, object]) -> object:
    """The smallest value that a simple JSON Schema allows."""
    if "const" in schema:
        return schema["const"]
    values = schema.get("enum")
    if isinstance(values, list) and values:
        return values[0]
    properties = schema.get("properties")
    if isinstance(properties, dict):
        return {key: _example(value) for key, value in properties.items() if isinstance(value, dict)}
    simple: dict[object, object] = {"array": [], "string": "", "integer": 0, "number": 0, "boolean": False}
    return simple.get(schema.get("type"), {} if schema.get("type") == "object" else None)

"""The roles served by llama.cpp in a worker process, from a GGUF file."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from zibaldone.errors import ModelInvalid
from zibaldone.inference.frames import Frame
from zibaldone.inference.gguf import GgufHeader, read_gguf
from zibaldone.inference.process import ModelProcess
from zibaldone.inference.roles import Delta, Finished, Message, ModelState, Piece, Sampling, Vectors
from zibaldone.inference.thinking import hide_thinking

# Raise it whenever vectors of the same model and text change: windows, normalisation, prefixes' handling.
EMBEDDING_VERSION = 1

_COUNT_DEADLINE_S = 120.0
_EMBED_DEADLINE_S = 300.0
_RANK_DEADLINE_S = 120.0
# Small, so that a question's embedding waits no longer for a running sync than a fifth of a second; large enough that
# asking costs little beside the work.
_TEXTS_PER_REQUEST, _CHARS_PER_REQUEST = 16, 2000
_POOLINGS = {1: "mean", 2: "cls", 3: "last"}


class _LlamaModel:
    """A GGUF file and its worker. Nothing is read or started before the first request."""

    def __init__(self, path: Path, name: str, load: Mapping[str, Any], *, idle_s: float) -> None:
        self._path = path
        self._name = name
        self._process = ModelProcess(name, {"path": str(path), **load}, idle_s=idle_s)
        self._header: GgufHeader | None = None

    @property
    def name(self) -> str:
        return self._name

    @property
    def path(self) -> Path:
        return self._path

    @property
    def state(self) -> ModelState:
        return self._process.state

    @property
    def pid(self) -> int | None:
        return self._process.pid

    async def close(self) -> None:
        """Stop the worker. The model can be used again afterwards."""
        await self._process.close()

    async def _read_header(self) -> GgufHeader:
        if self._header is None:
            header = await asyncio.to_thread(read_gguf, self._path)
            self._check(header)
            self._header = header
        return self._header

    def _check(self, header: GgufHeader) -> None:
        raise NotImplementedError


class LlamaChat(_LlamaModel):
    """`ChatModel` from a GGUF file.

    Args:
        context_tokens: size of the context window; never more than the model was trained for.
        threads: 0 for as many as there are cores.
        idle_s: seconds without a request after which the model is unloaded.
    """

    def __init__(
        self,
        path: Path,
        name: str,
        *,
        context_tokens: int = 4096,
        threads: int = 0,
        idle_s: float = 600.0,
    ) -> None:
        load = {"role": "chat", "context_tokens": context_tokens, "threads": threads}
        super().__init__(path, name, load, idle_s=idle_s)
        self._context_tokens = context_tokens

    async def context_tokens(self) -> int:
        trained = (await self._read_header()).context_tokens
        return min(self._context_tokens, trained) if trained else self._context_tokens

    async def count_tokens(self, texts: Sequence[str]) -> list[int]:
        if not texts:
            return []
        await self._read_header()
        frame = await self._process.call("count_tokens", {"texts": list(texts)}, deadline_s=_COUNT_DEADLINE_S)
        return [int(count) for count in frame.header["counts"]]

    async def generate(self, messages: Sequence[Message], sampling: Sampling) -> AsyncGenerator[Delta, None]:
        await self._read_header()
        body = {
            "messages": [asdict(message) for message in messages],
            "max_tokens": sampling.max_tokens,
            "temperature": sampling.temperature,
            "stop": list(sampling.stop),
            "schema": dict(sampling.schema) if sampling.schema is not None else None,
        }
        async with aclosing(self._process.stream("generate", body, deadline_s=sampling.deadline_s)) as frames:
            started = await anext(frames)
            deltas = _read_deltas(frames)
            if sampling.schema is None:
                deltas = hide_thinking(deltas, inside=bool(started.header.get("thinking")))
            async for delta in deltas:
                yield delta

    async def score_labels(
        self, messages: Sequence[Message], labels: Sequence[str], *, deadline_s: float = 120.0
    ) -> list[float]:
        if not labels:
            return []
        await self._read_header()
        body = {"messages": [asdict(message) for message in messages], "labels": list(labels)}
        frame = await self._process.call("score_labels", body, deadline_s=deadline_s)
        return [float(value) for value in frame.header["log_probabilities"]]

    def _check(self, header: GgufHeader) -> None:
        if not header.has_chat_template:
            raise ModelInvalid(
                f"{self._path.name} has no chat template, so it is not a chat model.", "Use an instruct model."
            )


class LlamaEmbedder(_LlamaModel):
    """`Embedder` from a GGUF file.

    Args:
        prefixes: what the model wants in front of a text, by kind (`query`, `passage`).
        cosine_range: cosines of unrelated texts and of texts that say the same.
        sha256: of the file, where known; part of the fingerprint, else the name is.
        threads: 0 for as many as there are cores.
        idle_s: seconds without a request after which the model is unloaded.
    """

    def __init__(
        self,
        path: Path,
        name: str,
        prefixes: Mapping[str, str] | None = None,
        *,
        cosine_range: tuple[float, float] = (0.2, 0.8),
        sha256: str = "",
        threads: int = 0,
        idle_s: float = 600.0,
    ) -> None:
        self._cosine_range = cosine_range
        self._prefixes = dict(prefixes or {})
        load = {"role": "embed", "prefixes": self._prefixes, "threads": threads}
        super().__init__(path, name, load, idle_s=idle_s)
        self._identity = sha256 or name

    @property
    def fingerprint(self) -> str:
        parts = [self._identity, *(f"{kind}={text}" for kind, text in sorted(self._prefixes.items()))]
        text = "\0".join([*parts, "pooling of the file", str(EMBEDDING_VERSION)])
        return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]

    @property
    def cosine_range(self) -> tuple[float, float]:
        return self._cosine_range

    async def dimensions(self) -> int:
        return (await self._read_header()).dimensions

    async def warm_up(self) -> None:
        await self._read_header()
        await self._process.call("count_tokens", {"texts": []}, deadline_s=_COUNT_DEADLINE_S)

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        dimensions = await self.dimensions()
        parts = [await self._embed("passage", some) for some in _requests(texts)]
        return np.concatenate(parts) if parts else np.zeros((0, dimensions), np.float32)

    async def embed_query(self, text: str) -> Vectors:
        await self._read_header()
        vector: Vectors = (await self._embed("query", [text]))[0]
        return vector

    async def compare(self, query: str, passages: Sequence[str]) -> list[float]:
        await self._read_header()
        for some in _requests(passages):  # the worker remembers them
            await self._process.call("read", {"texts": some}, deadline_s=_EMBED_DEADLINE_S)
        body = {"query": query, "texts": list(passages)}
        frame = await self._process.call("compare", body, deadline_s=_EMBED_DEADLINE_S)
        return [float(score) for score in frame.header["scores"]]

    async def _embed(self, kind: str, texts: Sequence[str]) -> Vectors:
        body = {"kind": kind, "texts": list(texts)}
        frame = await self._process.call("embed", body, deadline_s=_EMBED_DEADLINE_S)
        shape = (int(frame.header["rows"]), int(frame.header["dimensions"]))
        return np.frombuffer(frame.blob, "<f4").astype(np.float32).reshape(shape)

    def _check(self, header: GgufHeader) -> None:
        if header.pooling not in _POOLINGS:
            raise ModelInvalid(
                f"{self._path.name} names no pooling, so it is not an embedding model.",
                "Use an embedding model's GGUF.",
            )


class LlamaReranker(_LlamaModel):
    """`Reranker` from the GGUF file of a cross-encoder (bge-reranker, Qwen3-Reranker).

    Args:
        threads: 0 for as many as there are cores.
        idle_s: seconds without a request after which the model is unloaded.
    """

    is_trained = True

    def __init__(self, path: Path, name: str, *, threads: int = 0, idle_s: float = 600.0) -> None:
        super().__init__(path, name, {"role": "rerank", "threads": threads}, idle_s=idle_s)

    async def score(self, query: str, passages: Sequence[str]) -> list[float]:
        await self._read_header()
        body = {"query": query, "texts": list(passages)}
        frame = await self._process.call("rank", body, deadline_s=_RANK_DEADLINE_S)
        return [float(score) for score in frame.header["scores"]]

    def _check(self, header: GgufHeader) -> None:
        if not header.has_classifier:
            raise ModelInvalid(
                f"{self._path.name} has no classifier head, so it is not a reranker.", "Use a cross-encoder's GGUF."
            )


def _requests(texts: Sequence[str]) -> Iterator[list[str]]:
    """The texts in order, as many at once as one request takes; a longer one goes alone."""
    some: list[str] = []
    size = 0
    for text in texts:
        if some and (len(some) == _TEXTS_PER_REQUEST or size + len(text) > _CHARS_PER_REQUEST):
            yield some
            some, size = [], 0
        some.append(text)
        size += len(text)
    if some:
        yield some


async def _read_deltas(frames: AsyncIterator[Frame]) -> AsyncGenerator[Delta, None]:
    async for frame in frames:
        header = frame.header
        if header["event"] == "piece":
            yield Piece(header["text"])
        elif header["event"] == "done":
            yield Finished(
                header["reason"],
                prompt_tokens=header["prompt_tokens"],
                completion_tokens=header["completion_tokens"],
                cached_tokens=header["cached_tokens"],
            )

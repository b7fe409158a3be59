"""The roles served by an OpenAI-compatible server: llama-server, vLLM, Ollama, a team's machine.

The session is opened with the first request and belongs to the event loop of it. The key goes into one header and
into nothing else. Abandoning a request closes its connection, which is how these servers are told to stop.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import asdict, dataclass, field
from typing import Any

import aiohttp
import numpy as np

from zibaldone.errors import DeadlineExceeded, InvalidRequest, ModelFailed, ModelMissing, ZibaldoneError
from zibaldone.inference.roles import Delta, Finished, Message, ModelState, Piece, Sampling, Vectors
from zibaldone.inference.thinking import hide_thinking

_CONNECT_S = 10.0
_EMBED_DEADLINE_S = 300.0
_COUNT_DEADLINE_S = 30.0
_TEXTS_PER_REQUEST = 16
_MAX_PASSAGE_CHARS = 6000
_MAX_LINE_BYTES = 4 << 20
_TOP_LOGPROBS = 20
# Below what a server tells among its 20 likeliest tokens.
_LOGPROB_FLOOR = -20.0
# Bytes of UTF-8 for one token, at least: English has about 4, and no common tokenizer needs more than a token
# for two bytes of other scripts' prose.
_BYTES_PER_TOKEN = 2.5


@dataclass(frozen=True, slots=True)
class Server:
    """`url` with or without `/v1`; `model` as the server calls it, empty for the only one that it has."""

    url: str
    model: str
    key: str = field(default="", repr=False)

    @property
    def base(self) -> str:
        return self.url.rstrip("/").removesuffix("/v1")


class _Connection:
    """Requests to one server, with our errors."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._session: aiohttp.ClientSession | None = None

    async def close(self) -> None:
        if self._session is not None:
            session, self._session = self._session, None
            await session.close()

    async def post(self, path: str, body: Mapping[str, Any], deadline_s: float) -> Any:
        """The JSON document of the answer. Raises ModelFailed, InvalidRequest, DeadlineExceeded."""
        try:
            async with asyncio.timeout(deadline_s), self._request(path, body) as response:
                await self._check(response)
                return await response.json(content_type=None)
        except TimeoutError as error:
            raise self._late(deadline_s) from error
        except (aiohttp.ClientError, ValueError) as error:
            raise self._failed(error) from error

    async def stream(
        self, path: str, body: Mapping[str, Any], deadline_s: float
    ) -> AsyncGenerator[dict[str, Any], None]:
        """The documents of a server-sent event stream. Raises as `post` does."""
        loop = asyncio.get_running_loop()
        end = loop.time() + deadline_s
        request = self._request(path, body)
        try:
            # The timeout is not held over a `yield`: it would cancel whoever consumes.
            async with asyncio.timeout_at(end):
                response = await request.__aenter__()
            try:
                async with asyncio.timeout_at(end):
                    await self._check(response)
                while True:
                    async with asyncio.timeout_at(end):
                        line = await response.content.readline()
                    if not line:
                        raise ModelFailed(f"{self.server.url} ended its answer early.", "Look at the server's log.")
                    text = line.strip()
                    if text == b"data: [DONE]":
                        return
                    if text.startswith(b"data:"):
                        yield _object(json.loads(text[5:]))
            finally:
                response.close()
        except TimeoutError as error:
            raise self._late(deadline_s) from error
        except (aiohttp.ClientError, ValueError) as error:
            raise self._failed(error) from error

    def _request(self, path: str, body: Mapping[str, Any]) -> Any:
        if self._session is None or self._session.closed:
            timeout = aiohttp.ClientTimeout(total=None, connect=_CONNECT_S)
            headers = {"Authorization": f"Bearer {self.server.key}"} if self.server.key else {}
            self._session = aiohttp.ClientSession(timeout=timeout, headers=headers, read_bufsize=_MAX_LINE_BYTES)
        named = {"model": self.server.model, **body} if self.server.model else body
        # A redirect could carry the key elsewhere.
        return self._session.post(self.server.base + path, json=named, allow_redirects=False)

    async def _check(self, response: aiohttp.ClientResponse) -> None:
        if response.status == 200:
            return
        said = _one_line(await response.text(errors="replace"))
        url = self.server.url
        if response.status in (400, 413, 422):
            raise InvalidRequest(f"{url} refused the request: {said}", "A prompt that is too long is the usual cause.")
        if response.status in (401, 403):
            raise ModelFailed(
                f"{url} refused the key (status {response.status}).", "Check the variable named by api_key_env."
            )
        raise ModelFailed(f"{url} answered with status {response.status}: {said}", "Look at the server's log.")

    def _failed(self, error: Exception) -> ZibaldoneError:
        unreachable = isinstance(error, aiohttp.ClientConnectorError | aiohttp.InvalidURL)
        return (ModelMissing if unreachable else ModelFailed)(
            f"{self.server.url} cannot be used: {_one_line(str(error)) or type(error).__name__}.",
            "Is the server running, and is its address right (`zib config show`)?",
        )

    def _late(self, deadline_s: float) -> ZibaldoneError:
        return DeadlineExceeded(
            f"{self.server.url} did not answer within {deadline_s:g} s.", "Ask for less, or use a faster model."
        )


class EndpointChat:
    """`ChatModel` over `/v1/chat/completions`.

    A schema goes as OpenAI's `json_schema`, and to a server that refuses that form as `json_object` with `schema`
    (llama-cpp-python's server).

    `count_tokens` asks the server's `/tokenize` (llama-server, vLLM has another form of it) where there is one,
    else it estimates a token for 2.5 bytes of UTF-8, which is more than prose needs, so that budgets hold.
    """

    def __init__(self, server: Server, *, context_tokens: int = 8192) -> None:
        self._connection = _Connection(server)
        self._context_tokens = context_tokens
        self._has_tokenize = True
        self._old_schema_form = False

    @property
    def name(self) -> str:
        return self._connection.server.model or self._connection.server.url

    @property
    def state(self) -> ModelState:
        return "endpoint"

    async def close(self) -> None:
        await self._connection.close()

    async def context_tokens(self) -> int:
        return self._context_tokens

    async def count_tokens(self, texts: Sequence[str]) -> list[int]:
        if self._has_tokenize:
            try:
                return [await self._ask_tokenizer(text) for text in texts]
            except (ModelFailed, InvalidRequest, KeyError, TypeError):
                self._has_tokenize = False
        return [math.ceil(len(text.encode("utf-8", "replace")) / _BYTES_PER_TOKEN) for text in texts]

    async def generate(self, messages: Sequence[Message], sampling: Sampling) -> AsyncGenerator[Delta, None]:
        body: dict[str, Any] = {
            "messages": [asdict(message) for message in messages],
            "max_tokens": sampling.max_tokens,
            "temperature": sampling.temperature,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if sampling.stop:
            body["stop"] = list(sampling.stop)
        if sampling.schema is None:
            async with aclosing(self._stream(body, sampling.deadline_s)) as deltas:
                async for delta in hide_thinking(deltas):
                    yield delta
            return
        if not self._old_schema_form:
            body["response_format"] = _json_schema(sampling.schema)
            try:
                async with aclosing(self._stream(body, sampling.deadline_s)) as deltas:
                    async for delta in deltas:
                        yield delta
                return
            except (InvalidRequest, ModelFailed) as error:
                # A server that does not know the form refuses it before any text.
                if "response_format" not in error.message:
                    raise
                self._old_schema_form = True
        body["response_format"] = {"type": "json_object", "schema": dict(sampling.schema)}
        async with aclosing(self._stream(body, sampling.deadline_s)) as deltas:
            async for delta in deltas:
                yield delta

    async def _stream(self, body: Mapping[str, Any], deadline_s: float) -> AsyncGenerator[Delta, None]:
        async with aclosing(self._connection.stream("/v1/chat/completions", body, deadline_s)) as events:
            async for delta in _read_events(events):
                yield delta

    async def score_labels(
        self, messages: Sequence[Message], labels: Sequence[str], *, deadline_s: float = 120.0
    ) -> list[float]:
        """From the 20 likeliest first tokens; a label that is not among them gets -20."""
        body = {
            "messages": [asdict(message) for message in messages],
            "max_tokens": 1,
            "temperature": 0.0,
            "logprobs": True,
            "top_logprobs": _TOP_LOGPROBS,
        }
        answer = await self._connection.post("/v1/chat/completions", body, deadline_s)
        try:
            likeliest = answer["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
            tokens = [(str(item["token"]), float(item["logprob"])) for item in likeliest]
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise ModelFailed(
                f"{self._connection.server.url} gives no log-probabilities.",
                "Use a server that serves `logprobs` for chat completions.",
            ) from error
        return [_best_match(label, tokens) for label in labels]

    async def _ask_tokenizer(self, text: str) -> int:
        answer = await self._connection.post("/tokenize", {"content": text}, _COUNT_DEADLINE_S)
        return len(answer["tokens"])


class EndpointEmbedder:
    """`Embedder` over `/v1/embeddings`. A long text is cut by characters: the server's tokenizer is not ours.

    Args:
        prefixes: what the model wants in front of a text, by kind (`query`, `passage`).
        cosine_range: cosines of unrelated texts and of texts that say the same.
    """

    def __init__(
        self,
        server: Server,
        prefixes: Mapping[str, str] | None = None,
        *,
        cosine_range: tuple[float, float] = (0.2, 0.8),
    ) -> None:
        self._connection = _Connection(server)
        self._prefixes = dict(prefixes or {})
        self._cosine_range = cosine_range
        self._dimensions = 0

    @property
    def name(self) -> str:
        return self._connection.server.model or self._connection.server.url

    @property
    def state(self) -> ModelState:
        return "endpoint"

    @property
    def fingerprint(self) -> str:
        prefixes = [f"{kind}={text}" for kind, text in sorted(self._prefixes.items())]
        text = "\0".join(["endpoint 1", self._connection.server.base, self._connection.server.model, *prefixes])
        return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]

    @property
    def cosine_range(self) -> tuple[float, float]:
        return self._cosine_range

    async def close(self) -> None:
        await self._connection.close()

    async def dimensions(self) -> int:
        if not self._dimensions:
            self._dimensions = int((await self._embed(["dimensions"])).shape[1])
        return self._dimensions

    async def warm_up(self) -> None:
        """Nothing to load."""

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.zeros((0, await self.dimensions()), np.float32)
        prefix = self._prefixes.get("passage", "")
        parts = [_cut(text) for text in texts]
        flat = [prefix + part for text in parts for part in text]
        rows = np.concatenate(
            [await self._embed(flat[at : at + _TEXTS_PER_REQUEST]) for at in range(0, len(flat), _TEXTS_PER_REQUEST)]
        )
        ends = np.cumsum([len(text) for text in parts])
        means = [rows[end - len(text) : end].mean(axis=0) for text, end in zip(parts, ends, strict=True)]
        return _unit_rows(np.stack(means), self._connection.server.url)

    async def compare(self, query: str, passages: Sequence[str]) -> list[float]:
        vectors = await self.embed_passages(passages)
        return [float(score) for score in vectors @ await self.embed_query(query)]

    async def embed_query(self, text: str) -> Vectors:
        vector: Vectors = (await self._embed([self._prefixes.get("query", "") + text[:_MAX_PASSAGE_CHARS]]))[0]
        return vector

    async def _embed(self, texts: Sequence[str]) -> Vectors:
        answer = await self._connection.post("/v1/embeddings", {"input": list(texts)}, _EMBED_DEADLINE_S)
        try:
            items = sorted(answer["data"], key=lambda item: int(item["index"]))
            rows = np.asarray([item["embedding"] for item in items], np.float32)
        except (KeyError, TypeError, ValueError) as error:
            raise ModelFailed(
                f"{self._connection.server.url} gives no embeddings.", "Is it an embedding model?"
            ) from error
        if rows.ndim != 2 or len(rows) != len(texts):
            raise ModelFailed(
                f"{self._connection.server.url} gives embeddings of the shape {rows.shape} for {len(texts)} texts.",
                "Is it an embedding model?",
            )
        return _unit_rows(rows, self._connection.server.url)


async def _read_events(events: AsyncIterator[dict[str, Any]]) -> AsyncGenerator[Delta, None]:
    reason, count = "stop", 0
    usage: dict[str, Any] = {}
    async for event in events:
        if "error" in event:
            raise ModelFailed(f"The server failed: {_one_line(json.dumps(event['error']))}", "Look at its log.")
        usage = event.get("usage") or usage
        for choice in event.get("choices") or ():
            text = (choice.get("delta") or {}).get("content")
            if text:
                count += 1
                yield Piece(str(text))
            reason = choice.get("finish_reason") or reason
    details = usage.get("prompt_tokens_details") or {}
    yield Finished(
        "length" if reason == "length" else "stop",
        prompt_tokens=int(usage.get("prompt_tokens") or 0),
        completion_tokens=int(usage.get("completion_tokens") or count),
        cached_tokens=int(details.get("cached_tokens") or 0),
    )


def _json_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": dict(schema)}}


def _best_match(label: str, tokens: Sequence[tuple[str, float]]) -> float:
    """The likeliest token that is the label, or its beginning; `" Yes"` and `"Yes"` are the same here."""
    wanted = label.strip()
    found = [value for token, value in tokens if (said := token.strip()) and wanted.startswith(said)]
    return max(found, default=_LOGPROB_FLOOR)


def _cut(text: str) -> list[str]:
    return [text[at : at + _MAX_PASSAGE_CHARS] for at in range(0, len(text), _MAX_PASSAGE_CHARS)] or [""]


def _unit_rows(rows: Vectors, url: str) -> Vectors:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    if not np.all(np.isfinite(norms)) or not np.all(norms > 0):
        raise ModelFailed(f"{url} gives a vector without a direction.", "Is it an embedding model?")
    unit: Vectors = (rows / norms).astype(np.float32)
    return unit


def _object(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("an event is not an object")
    return value


def _one_line(text: str) -> str:
    return " ".join(text.split())[:300]

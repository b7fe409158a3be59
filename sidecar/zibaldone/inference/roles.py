"""The contract of a model role. Everything outside `inference/` sees only this."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]

# What serves a role is doing; `endpoint` is a server that is not ours to start or stop.
ModelState = Literal["idle", "loading", "ready", "busy", "failed", "endpoint"]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat prompt; the template is rendered by whoever serves the role."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Sampling:
    """How to generate. `schema` (JSON Schema) constrains the output; `deadline_s` stops the compute."""

    max_tokens: int = 512
    temperature: float = 0.0
    stop: tuple[str, ...] = ()
    schema: Mapping[str, Any] | None = None
    deadline_s: float = 300.0


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of generated text, as it comes."""

    text: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The end of a generation. `cached_tokens` is the part of the prompt that needed no compute."""

    reason: Literal["stop", "length"]
    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int = 0


Delta = Piece | Finished


class ChatModel(Protocol):
    """Text generation.

    Closing the generator that `generate` returns (or cancelling its task) stops the compute.
    Raises `ModelMissing`, `ModelFailed`, `DeadlineExceeded`, and `InvalidRequest` for a prompt that does not
    fit into the context window.
    """

    @property
    def name(self) -> str: ...

    @property
    def state(self) -> ModelState: ...

    async def close(self) -> None:
        """Let go of processes and connections. The model can be used again afterwards."""
        ...

    async def context_tokens(self) -> int:
        """Size of the context window, in tokens."""
        ...

    async def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text by the model's own tokenizer, without special tokens."""
        ...

    def generate(self, messages: Sequence[Message], sampling: Sampling) -> AsyncGenerator[Delta, None]:
        """Stream the continuation: any number of `Piece`, then exactly one `Finished`.

        Where the last message's role is `assistant` its content is continued.
        """
        ...

    async def score_labels(
        self, messages: Sequence[Message], labels: Sequence[str], *, deadline_s: float = 120.0
    ) -> list[float]:
        """Natural-log probability of each label's first token as the next token of the prompt."""
        ...


class Reranker(Protocol):
    """Compares each of a few passages with a question.

    Raises `ModelMissing`, `ModelInvalid`, `ModelFailed`, `DeadlineExceeded`.
    """

    @property
    def name(self) -> str: ...

    @property
    def is_trained(self) -> bool:
        """Whether the model was made to judge passages by a question."""
        ...

    async def score(self, query: str, passages: Sequence[str]) -> list[float]:
        """One number a passage; higher is better, only the order and the relative distances mean anything."""
        ...


class Embedder(Protocol):
    """Text embedding; every vector is float32 and of unit length.

    The prefixes that a model asks for are added by whoever serves the role. A text longer than the model's
    window is split by the model's tokenizer and the parts' vectors are averaged, so no text fails for length.
    """

    @property
    def name(self) -> str: ...

    @property
    def state(self) -> ModelState: ...

    async def close(self) -> None:
        """Let go of processes and connections. The model can be used again afterwards."""
        ...

    @property
    def fingerprint(self) -> str:
        """Identifies the vectors' space: model file, prefixes, pooling. Part of every cache key."""
        ...

    @property
    def cosine_range(self) -> tuple[float, float]:
        """Cosines of texts that have nothing to do with each other, and of texts that say the same: models differ
        (0.75..0.9 for e5, 0.05..0.7 for MiniLM), and only the place between the two means anything."""
        ...

    async def dimensions(self) -> int: ...

    async def warm_up(self) -> None:
        """Load what has to be loaded, while the caller still prepares its first texts."""
        ...

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimensions)."""
        ...

    async def embed_query(self, text: str) -> Vectors:
        """Shape (dimensions,)."""
        ...

    async def compare(self, query: str, passages: Sequence[str]) -> list[float]:
        """How well each passage answers to each part of the query, beside the others; higher is better.

        Late interaction (see `late_interaction`); where token vectors cannot be had, the cosine of the two.
        """
        ...

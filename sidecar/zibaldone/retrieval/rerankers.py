"""Rerankers from models that are open anyway: the embedding model's token vectors, or the chat model's yes or no."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from zibaldone.inference.roles import ChatModel, Embedder, Message

_SYSTEM = "You are given a question and a passage of the person's notes. Does the passage help to answer the question?"
_LABELS = ("Yes", "No")
_PIZZA = "Question: At what temperature do we bake the pizza?"
_SHOTS = (
    (f"{_PIZZA}\nPassage: The stone has to be in the oven for an hour, then six minutes at 280 degrees.", "Yes"),
    (f"{_PIZZA}\nPassage: We were eight for pizza at Carla's on Friday, and it rained the whole evening.", "No"),
)
# Characters of a passage that are read: what is longer (a table, a listing) would not fit into a small window.
_READ_CHARS = 2000
_DEADLINE_S = 60.0


class LateInteraction:
    """`Reranker` by `Embedder.compare`: it sees the one sentence that a passage's vector blurs."""

    is_trained = False

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    @property
    def name(self) -> str:
        return f"late interaction of {self._embedder.name}"

    async def score(self, query: str, passages: Sequence[str]) -> list[float]:
        return await self._embedder.compare(query, passages)


class YesOrNo:
    """`Reranker` by a chat model: the share of Yes in the probability of Yes and No, 0..1.

    One prompt a passage, of which all but the passage is evaluated once.
    """

    is_trained = True

    def __init__(self, chat: ChatModel) -> None:
        self._chat = chat

    @property
    def name(self) -> str:
        return f"yes or no of {self._chat.name}"

    async def score(self, query: str, passages: Sequence[str]) -> list[float]:
        return [await self._judge(query, passage) for passage in passages]

    async def _judge(self, query: str, passage: str) -> float:
        asked = f"Question: {query}\nPassage: {passage[:_READ_CHARS]}"
        shots = [(Message("user", shown), Message("assistant", said)) for shown, said in _SHOTS]
        messages = [Message("system", _SYSTEM), *(turn for shot in shots for turn in shot), Message("user", asked)]
        yes, no = await self._chat.score_labels(messages, _LABELS, deadline_s=_DEADLINE_S)
        return 1 / (1 + exp(min(no - yes, 700.0)))  # beyond 709 it overflows

"""What a chat model is asked in the background: once for the same prompt, and never while a question waits."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from contextlib import aclosing
from hashlib import sha256

from zibaldone.inference.roles import ChatModel, Message, Piece, Sampling
from zibaldone.runtime.foreground import Foreground
from zibaldone.store.cache_db import ContentCache


class BackgroundChat:
    """Answers are kept in the shared cache, by the model and the whole prompt, so that a clone or a rebuild asks
    nothing again. `calls` counts what the model was asked, `known` what the cache had."""

    def __init__(self, cache: ContentCache, foreground: Foreground) -> None:
        self._cache = cache
        self._foreground = foreground
        self.calls = 0
        self.known = 0

    async def ask(self, chat: ChatModel, messages: Sequence[Message], sampling: Sampling) -> str:
        """Raises what the model raises."""
        prompt = json.dumps([[one.role, one.content] for one in messages] + [sampling.max_tokens, sampling.schema])
        key, asked = f"answer:{chat.name}", sha256(prompt.encode()).hexdigest()
        before = await asyncio.to_thread(self._cache.get_document, key, asked)
        if before is not None:
            self.known += 1
            return before
        answer = await self._foreground.give_way(lambda: _generate(chat, messages, sampling))
        self.calls += 1
        await asyncio.to_thread(self._cache.put_document, key, asked, answer)
        return answer


async def _generate(chat: ChatModel, messages: Sequence[Message], sampling: Sampling) -> str:
    async with aclosing(chat.generate(messages, sampling)) as deltas:
        return "".join([delta.text async for delta in deltas if isinstance(delta, Piece)])

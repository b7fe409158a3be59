"""Questions go first: work in the background waits while one is being answered."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class Foreground:
    """Counts the questions under way."""

    def __init__(self) -> None:
        self._active = 0
        self._free = asyncio.Event()
        self._free.set()

    @contextmanager
    def question(self) -> Iterator[None]:
        self._active += 1
        self._free.clear()
        try:
            yield
        finally:
            self._active -= 1
            if self._active == 0:
                self._free.set()

    async def wait_turn(self) -> None:
        """Return at once where no question is under way, else when the last one has ended."""
        await self._free.wait()

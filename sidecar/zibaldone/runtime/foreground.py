"""Questions go first: work in the background waits while one is being answered; and they know their place in line."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Foreground:
    """The questions under way, in the order in which they came."""

    def __init__(self) -> None:
        self._active: list[object] = []
        self._free = asyncio.Event()
        self._free.set()

    @contextmanager
    def question(self) -> Iterator[Callable[[], int]]:
        """Gives what tells how many questions are ahead of this one."""
        ticket = object()
        self._active.append(ticket)
        self._free.clear()
        try:
            yield lambda: self._active.index(ticket)
        finally:
            self._active.remove(ticket)
            if not self._active:
                self._free.set()

    async def wait_turn(self) -> None:
        """Return at once where no question is under way, else when the last one has ended."""
        await self._free.wait()

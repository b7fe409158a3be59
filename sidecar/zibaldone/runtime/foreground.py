"""Questions go first: work in the background waits while one is being answered; and they know their place in line."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


class Foreground:
    """The questions under way, in the order in which they came."""

    def __init__(self) -> None:
        self._active: list[object] = []
        self._free = asyncio.Event()
        self._free.set()
        self._asked = asyncio.Event()

    @contextmanager
    def question(self) -> Iterator[Callable[[], int]]:
        """Gives what tells how many questions are ahead of this one."""
        ticket = object()
        self._active.append(ticket)
        self._free.clear()
        self._asked.set()
        try:
            yield lambda: self._active.index(ticket)
        finally:
            self._active.remove(ticket)
            if not self._active:
                self._asked.clear()
                self._free.set()

    async def wait_turn(self) -> None:
        """Return at once where no question is under way, else when the last one has ended."""
        await self._free.wait()

    async def give_way(self, work: Callable[[], Awaitable[T]]) -> T:
        """What `work` gives. It is broken off when a question comes, and begun anew when that was answered."""
        while True:
            await self.wait_turn()
            task = asyncio.ensure_future(work())
            asked = asyncio.ensure_future(self._asked.wait())
            try:
                await asyncio.wait((task, asked), return_when=asyncio.FIRST_COMPLETED)
                if task.done():
                    return task.result()
            finally:
                task.cancel()
                asked.cancel()
                await asyncio.gather(task, asked, return_exceptions=True)

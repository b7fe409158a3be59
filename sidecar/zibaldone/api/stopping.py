"""When to stop: SIGTERM, SIGINT, and with `--stdin-watch` the end of stdin, which comes with the parent's."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

# Everything on disk survives a kill, so a clean stop that hangs is ended by one.
_GRACE_S = 4.0


def watch_for_stop(*, stdin_watch: bool) -> asyncio.Event:
    """An event that is set when the process should end. Call it before anything slow is opened."""
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(name, stop.set)
        except NotImplementedError:  # Windows
            signal.signal(name, lambda *_: loop.call_soon_threadsafe(stop.set))
    if stdin_watch:
        threading.Thread(target=_wait_for_eof, args=(loop, stop), daemon=True, name="stdin-watch").start()
    return stop


async def unless_stopped(work: Coroutine[Any, Any, T], stop: asyncio.Event) -> T | None:
    """The result of `work`, or None where `stop` came first; then `work` is cancelled."""
    task = asyncio.ensure_future(work)
    waiter = asyncio.ensure_future(stop.wait())
    await asyncio.wait({task, waiter}, return_when=asyncio.FIRST_COMPLETED)
    waiter.cancel()
    if task.done():
        return task.result()
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        return await task
    return None


def _wait_for_eof(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> None:
    try:
        # Not sys.stdin: a thread that holds its buffer's lock would break the interpreter's exit.
        while os.read(sys.__stdin__.fileno() if sys.__stdin__ else 0, 4096):
            pass
    except OSError:
        pass
    with contextlib.suppress(RuntimeError):  # the loop has ended already
        loop.call_soon_threadsafe(stop.set)
    timer = threading.Timer(_GRACE_S, os._exit, args=(1,))
    timer.daemon = True
    timer.start()

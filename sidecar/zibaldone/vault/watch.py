"""Hints that something in the vault changed. A hint, nothing more: events get lost, reconciling is the truth."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

import watchfiles

from zibaldone.vault.paths import is_hidden

log = logging.getLogger(__name__)

Watcher = Callable[..., AsyncGenerator[set[tuple[Any, str]], None]]
_RETRY_MOST_S = 30.0


async def watch_vault(
    root: Path,
    *,
    debounce_s: float = 0.2,
    retry_s: float = 1.0,
    stop: asyncio.Event | None = None,
    watcher: Watcher = watchfiles.awatch,
) -> AsyncGenerator[set[str], None]:
    """Sets of paths (POSIX, relative) that were created, changed or deleted, until `stop` or cancelled.

    Hidden folders and our own temporary files are left out. When the watching itself fails (the folder was
    unmounted, the system ran out of watches, its thread died) it is started again after `retry_s`, twice
    that after each further failure up to 30 s; then an **empty set** is yielded: anything may have changed.
    """
    root = await asyncio.to_thread(root.resolve)
    stop = stop or asyncio.Event()
    pause_s = retry_s
    while not stop.is_set():
        try:
            hints = watcher(root, watch_filter=None, debounce=int(debounce_s * 1000), stop_event=stop)
            async with contextlib.aclosing(hints):
                async for changes in hints:
                    pause_s = retry_s
                    paths = {rel for _, path in changes if (rel := _relative(root, path)) is not None}
                    if paths:
                        yield paths
        except Exception as error:  # noqa: BLE001  a watcher that dies silently is worse than any failure
            log.warning("watching the vault failed (%s); again in %.0f s", type(error).__name__, pause_s)
        if await _stopped_within(stop, pause_s):
            return
        pause_s = min(pause_s * 2, _RETRY_MOST_S)
        yield set()


def _relative(root: Path, path: str) -> str | None:
    try:
        rel = Path(path).relative_to(root).as_posix()
    except ValueError:
        return None
    if rel == "." or is_hidden(rel):
        return None
    return rel


async def _stopped_within(stop: asyncio.Event, seconds: float) -> bool:
    try:
        await asyncio.wait_for(stop.wait(), seconds)
    except TimeoutError:
        return False
    return True

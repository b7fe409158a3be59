"""Fails a test in which code of ours blocks the event loop: sleep, file and socket calls, locks.

The folders' `conftest.py` import `no_blocking` where a loop serves somebody: `api`, `client`, `runtime`. A call counts
when any frame above it is ours, so libraries that we call are watched as well. SQLite and git are never called but
in `asyncio.to_thread`, where no loop runs.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from blockbuster import BlockBuster, blockbuster_ctx

# What may block, as (file, function, why). A new one needs a reason that would convince somebody whose answer stutters.
ALLOWED = (
    ("zibaldone/config/places.py", "vault_places", "once, before anything is served: one folder, one small file"),
    (
        "zibaldone/runtime/owner.py",
        "acquire_owner",
        "once, before anything is served: a lock that is tried, never waited for",
    ),
    ("tests/support/fakes.py", "example", "the tests' own: a scripted engine reads its answers"),
)


@pytest.fixture(autouse=True)
def no_blocking() -> Iterator[BlockBuster]:
    with blockbuster_ctx("zibaldone") as blockbuster:
        for file, function, _ in ALLOWED:
            for watched in blockbuster.functions.values():
                watched.can_block_in(file, function)
        yield blockbuster

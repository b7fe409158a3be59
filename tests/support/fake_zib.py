"""`zib` with a scripted engine in the place of the local one, as a process of its own.

    python fake_zib.py ARGUMENTS...

`$FAKE_ASK=wait` lets `ask` wait for ever after its first event, `$FAKE_OPEN=wait` the opening of the engine.
"""

from __future__ import annotations

import asyncio
import os
import sys
import types
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.fakes import ScriptedEngine, ask_event


async def open_local_engine(vault: object, loaded: object, places: object, *, watch: bool) -> ScriptedEngine:
    if os.environ.get("FAKE_OPEN") == "wait":
        print("opening", file=sys.stderr, flush=True)
        await asyncio.Event().wait()
    if os.environ.get("FAKE_ASK") == "wait":
        return ScriptedEngine([ask_event("started"), asyncio.Event()])
    return ScriptedEngine()


def install() -> None:
    local = types.ModuleType("zibaldone.runtime.local")
    local.open_local_engine = open_local_engine  # type: ignore[attr-defined]
    sys.modules["zibaldone.runtime.local"] = local


if __name__ == "__main__":
    install()
    from zibaldone.cli.main import main

    main()

"""`zib` with a scripted engine in the place of the local one, as a process of its own.

    python fake_zib.py ARGUMENTS...

`$FAKE_ASK=wait` lets `ask` wait for ever after its first event, `$FAKE_OPEN=wait` the opening of the engine.
`$FAKE_SCRIPT=FOLDER` has what is answered: in `ask.jsonl` the events of `ask`, one JSON object a line (`{"pause_s": 1}`
lets it wait), in `conversation.json` the conversation that is saved.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import types
from collections.abc import AsyncGenerator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.fakes import ScriptedEngine, ask_event
from zibaldone.schemas.ask import AskEvent, AskEventLine, AskRequest
from zibaldone.schemas.history import Conversation


class EngineOfFiles(ScriptedEngine):
    """Answers what stands in the files of a folder, each time that it is asked."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder

    async def ask(self, request: AskRequest) -> AsyncGenerator[AskEvent, None]:
        script = await asyncio.to_thread((self._folder / "ask.jsonl").read_text, "utf-8")
        for line in script.splitlines():
            step = json.loads(line)
            if "pause_s" in step:
                await asyncio.sleep(step["pause_s"])
            else:
                yield AskEventLine.model_validate(step).root

    async def conversation(self, conversation_id: str) -> Conversation:
        text = await asyncio.to_thread((self._folder / "conversation.json").read_text, "utf-8")
        return Conversation.model_validate_json(text)


async def open_local_engine(vault: object, loaded: object, places: object, *, watch: bool) -> ScriptedEngine:
    if os.environ.get("FAKE_OPEN") == "wait":
        print("opening", file=sys.stderr, flush=True)
        await asyncio.Event().wait()
    if folder := os.environ.get("FAKE_SCRIPT"):
        return EngineOfFiles(Path(folder))
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

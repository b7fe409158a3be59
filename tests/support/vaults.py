"""A vault with an engine over it: real git, SQLite and Chroma, scripted models."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from zibaldone.config.load import load_settings
from zibaldone.config.places import vault_places
from zibaldone.runtime.local import LocalEngine, open_local_engine
from zibaldone.runtime.owner import acquire_owner
from zibaldone.runtime.prepare import prepare_vault
from zibaldone.schemas.ask import TERMINAL_ASK_EVENTS, Answer, Answered, AskEvent, AskRequest
from zibaldone.schemas.search import SearchRequest
from zibaldone.schemas.sync import Synced, SyncReport, SyncRequest

NOTES = {
    "Bees/Varroa.md": (
        "# Varroa\n\nThe colony by the hedge had 14 mites a day in July.\n\nTreat with oxalic acid in December.\n"
    ),
    "Studio/Varnish.md": "---\ndate: 2026-05-06\n---\n# Varnish\n\nFor the captain I chose Regalrez 1094 in the end.\n",
    "Küche/Suppe.md": "# Suppe\n\nDie Suppe braucht zwei Lorbeerblätter und eine Stunde Zeit.\n",
    "Empty.md": "",
}


@dataclass
class Vault:
    """A vault on disk and ways to open it."""

    root: Path

    def write(self, rel: str, text: str) -> None:
        path = self.root / rel
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def git(self, *arguments: str) -> str:
        done = subprocess.run(["git", "-C", str(self.root), *arguments], capture_output=True, text=True, check=True)
        return done.stdout.strip()

    @asynccontextmanager
    async def open(self, *, watch: bool = False, **flags: object) -> AsyncGenerator[Asking, None]:
        wanted = {"models.chat": "fake-chat", "models.embed": "fake-embed", "watch.debounce_s": 0.05, **flags}
        places = vault_places(self.root)
        with acquire_owner(places):
            loaded = await asyncio.to_thread(load_settings, self.root, wanted)
            engine = await open_local_engine(self.root, loaded, places, watch=watch)
            try:
                yield Asking(engine)
            finally:
                await engine.close()


@dataclass
class Asking:
    """The engine, with the streams collected."""

    engine: LocalEngine

    async def sync(self, **request: object) -> SyncReport:
        last = [event async for event in self.engine.sync(SyncRequest.model_validate(request))][-1]
        assert isinstance(last, Synced), last
        return last.report

    async def events(self, question: str, **request: object) -> list[AskEvent]:
        asked = AskRequest.model_validate({"question": question, **request})
        events = [event async for event in self.engine.ask(asked)]
        assert [isinstance(event, TERMINAL_ASK_EVENTS) for event in events].count(True) == 1
        return events

    async def ask(self, question: str, **request: object) -> Answer:
        last = (await self.events(question, **request))[-1]
        assert isinstance(last, Answered), last
        return last.answer

    async def found(self, query: str) -> list[str]:
        return [hit.path for hit in (await self.engine.search(SearchRequest(query=query))).hits]


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    return make_vault(tmp_path / "vault")


def make_vault(root: Path) -> Vault:
    """A few notes and a git repository."""
    made = Vault(root)
    for rel, text in NOTES.items():
        made.write(rel, text)
    prepare_vault(made.root, load_settings(made.root).settings, confirm=lambda _: True)
    return made


OpenVault = Callable[[], AbstractAsyncContextManager[Asking]]

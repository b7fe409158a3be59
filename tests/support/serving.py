"""The real server on a real loopback socket, with a scripted engine: fixtures for `api` and `client`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

import aiohttp
import pytest
from aiohttp import web

from support.fakes import ScriptedEngine
from zibaldone.api.app import build_app, make_runner
from zibaldone.schemas.status import PROTOCOL, Handshake

TOKEN = "t0ken-" + "x" * 37
VAULT = "/home/ada/Notes"


@dataclass
class Served:
    engine: ScriptedEngine
    url: str
    port: int
    session: aiohttp.ClientSession
    runner: web.AppRunner
    headers: dict[str, str] = field(default_factory=lambda: {"Authorization": f"Bearer {TOKEN}"})


Serve = Callable[[ScriptedEngine], Awaitable[Served]]


@pytest.fixture
async def serve_engine() -> AsyncIterator[Serve]:
    open_things: list[Served] = []

    async def start(engine: ScriptedEngine) -> Served:
        identity = Handshake(protocol=PROTOCOL, version="0.1.0", vault=VAULT, pid=1)
        app = build_app(engine, identity=identity, token=TOKEN)
        runner = make_runner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        port = runner.addresses[0][1]
        served = Served(engine, f"http://127.0.0.1:{port}", port, aiohttp.ClientSession(), runner)
        open_things.append(served)
        return served

    yield start
    for served in open_things:
        await served.session.close()
        await served.runner.cleanup()


@pytest.fixture
async def served(serve_engine: Serve) -> Served:
    return await serve_engine(ScriptedEngine())

"""NDJSON: one terminal event, and a client that goes away stops the compute."""

from __future__ import annotations

import asyncio
import json
import logging

import pytest

from support.fakes import ScriptedEngine, ask_event, example, sync_event
from support.serving import Serve, Served
from zibaldone.errors import ModelFailed
from zibaldone.schemas.ask import Token

ASK = example("AskRequest.minimal")
LIMIT_S = 5.0


async def read_events(served: Served, path: str, body: object) -> list[dict[str, object]]:
    async with served.session.post(served.url + path, json=body, headers=served.headers) as response:
        assert response.status == 200
        assert response.content_type == "application/x-ndjson"
        return [json.loads(line) for line in (await response.read()).splitlines()]


async def test_ask_streams_the_engines_events(served: Served) -> None:
    events = await read_events(served, "/v1/ask", ASK)
    assert [event["type"] for event in events][:2] == ["started", "retrieved"]
    assert events[-1] == example("AskEventLine.answered")
    assert served.engine.closed.is_set()


async def test_sync_streams_the_engines_events(served: Served) -> None:
    events = await read_events(served, "/v1/sync", {"paths": ["Projects"]})
    assert events == [example("SyncEventLine.progress"), example("SyncEventLine.synced")]


async def test_an_event_is_sent_when_it_comes(serve_engine: Serve) -> None:
    go_on = asyncio.Event()
    served = await serve_engine(ScriptedEngine([ask_event("started"), go_on, ask_event("cancelled")]))
    async with served.session.post(f"{served.url}/v1/ask", json=ASK, headers=served.headers) as response:
        async with asyncio.timeout(LIMIT_S):
            assert json.loads(await response.content.readline())["type"] == "started"
        go_on.set()
        assert json.loads(await response.content.readline())["type"] == "cancelled"


async def test_nothing_follows_the_terminal_event(serve_engine: Serve) -> None:
    script = [ask_event("answered"), Token(text="late"), ask_event("answered")]
    served = await serve_engine(ScriptedEngine(list(script)))
    assert [event["type"] for event in await read_events(served, "/v1/ask", ASK)] == ["answered"]
    assert served.engine.closed.is_set()


@pytest.mark.parametrize(
    ("step", "code"),
    [
        (None, "internal"),
        (ModelFailed("The worker died.", "Ask again."), "model_failed"),
        (RuntimeError("note text"), "internal"),
    ],
)
async def test_a_stream_that_breaks_ends_with_failed(
    serve_engine: Serve, step: Exception | None, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    served = await serve_engine(ScriptedEngine([Token(text="a"), *([step] if step else [])]))
    with caplog.at_level(logging.ERROR):
        events = await read_events(served, "/v1/ask", ASK)
    assert [event["type"] for event in events] == ["token", "failed"]
    error = events[-1]["error"]
    assert isinstance(error, dict)
    assert error["code"] == code
    assert "note text" not in caplog.text + json.dumps(events)


@pytest.mark.parametrize("written", [0, 1, 3], ids=["before the first event", "after one", "after three"])
async def test_a_client_that_goes_away_closes_the_iterator(serve_engine: Serve, written: int) -> None:
    tokens = [Token(text=f"t{number}") for number in range(written)]
    never = asyncio.Event()
    served = await serve_engine(ScriptedEngine([*tokens, never, ask_event("answered")]))
    response = await served.session.post(f"{served.url}/v1/ask", json=ASK, headers=served.headers)
    for _ in tokens:
        await response.content.readline()
    await asyncio.wait_for(served.engine.waiting.wait(), LIMIT_S)
    assert not served.engine.closed.is_set()
    response.close()
    await asyncio.wait_for(served.engine.closed.wait(), LIMIT_S)


async def test_a_client_that_goes_away_while_it_is_written_to(serve_engine: Serve) -> None:
    """The client reads nothing: the socket's buffers fill, and the handler waits in a write."""
    served = await serve_engine(ScriptedEngine([Token(text="x" * 100_000)] * 1000))
    body = json.dumps(ASK).encode()
    head = (
        f"POST /v1/ask HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\n"
        f"Authorization: {served.headers['Authorization']}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port, limit=1024)
    writer.write(head.encode() + body)
    await reader.readexactly(100)
    assert not served.engine.closed.is_set()
    writer.transport.abort()
    await asyncio.wait_for(served.engine.closed.wait(), LIMIT_S)


async def test_closing_a_sync_stops_the_watching(serve_engine: Serve) -> None:
    served = await serve_engine(ScriptedEngine(sync_script=[sync_event("progress"), asyncio.Event()]))
    response = await served.session.post(f"{served.url}/v1/sync", json={}, headers=served.headers)
    await response.content.readline()
    response.close()
    await asyncio.wait_for(served.engine.closed.wait(), LIMIT_S)


async def test_many_disconnects_leave_the_server_serving(serve_engine: Serve) -> None:
    served = await serve_engine(ScriptedEngine([asyncio.Event()]))
    for _ in range(50):
        served.engine.waiting.clear()
        served.engine.closed.clear()
        response = await served.session.post(f"{served.url}/v1/ask", json=ASK, headers=served.headers)
        await asyncio.wait_for(served.engine.waiting.wait(), LIMIT_S)
        response.close()
        await asyncio.wait_for(served.engine.closed.wait(), LIMIT_S)
    async with served.session.get(f"{served.url}/v1/health", headers=served.headers) as response:
        assert response.status == 200


async def test_a_server_that_stops_ends_its_streams_with_cancelled(serve_engine: Serve) -> None:
    served = await serve_engine(ScriptedEngine([ask_event("started"), asyncio.Event()]))
    async with served.session.post(f"{served.url}/v1/ask", json=ASK, headers=served.headers) as response:
        await response.content.readline()
        stopping = asyncio.ensure_future(served.runner.cleanup())
        async with asyncio.timeout(LIMIT_S):
            assert json.loads(await response.content.readline()) == {"type": "cancelled"}
            assert await response.content.readline() == b""
            await stopping
    assert served.engine.closed.is_set()

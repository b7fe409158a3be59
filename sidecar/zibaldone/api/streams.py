"""NDJSON streams: typed events and exactly one terminal event, as long as the client is there.

The server is run with aiohttp's `handler_cancellation`: a lost connection cancels the handler at once, also
while no line is being written (a model reading its prompt). That closes the engine's iterator, which stops
the compute.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator

from aiohttp import web
from pydantic import BaseModel

from zibaldone.api.logs import describe_safely
from zibaldone.api.requests import CONTEXT, read_model
from zibaldone.errors import ZibaldoneError
from zibaldone.schemas.ask import TERMINAL_ASK_EVENTS, AskRequest, Cancelled, Failed
from zibaldone.schemas.failure import describe_error
from zibaldone.schemas.sync import TERMINAL_SYNC_EVENTS, SyncRequest

log = logging.getLogger(__name__)


async def ask(request: web.Request) -> web.StreamResponse:
    wanted = await read_model(request, AskRequest)
    return await stream_events(request, request.app[CONTEXT].engine.ask(wanted), TERMINAL_ASK_EVENTS)


async def sync(request: web.Request) -> web.StreamResponse:
    wanted = await read_model(request, SyncRequest)
    return await stream_events(request, request.app[CONTEXT].engine.sync(wanted), TERMINAL_SYNC_EVENTS)


async def stream_events(
    request: web.Request, events: AsyncGenerator[BaseModel, None], terminal: tuple[type[BaseModel], ...]
) -> web.StreamResponse:
    task = asyncio.current_task()
    assert task is not None
    request.app[CONTEXT].streams.add(task)
    response = web.StreamResponse(headers={"Content-Type": "application/x-ndjson; charset=utf-8"})
    try:
        await response.prepare(request)
        async with contextlib.aclosing(_until_terminal(events, terminal)) as lines:
            async for event in lines:
                await _write_line(response, event)
        await response.write_eof()
    except asyncio.CancelledError:
        # The client has gone, or the server stops: then the client is told.
        if request.transport is not None and not request.transport.is_closing():
            with contextlib.suppress(ConnectionError):
                await _write_line(response, Cancelled())
                await response.write_eof()
        raise
    finally:
        request.app[CONTEXT].streams.discard(task)
        await events.aclose()
    return response


async def _until_terminal(
    events: AsyncGenerator[BaseModel, None], terminal: tuple[type[BaseModel], ...]
) -> AsyncGenerator[BaseModel, None]:
    """The events up to the first terminal one; one is made up where the engine gives none."""
    try:
        async for event in events:
            yield event
            if isinstance(event, terminal):
                return
        failure = ZibaldoneError("The work ended without a result.", "Look at the sidecar's log.")
    except ZibaldoneError as error:
        failure = error
    except Exception as error:  # noqa: BLE001 - a stream that has begun can only end with an event
        log.error("A stream failed: %s", describe_safely(error))
        failure = ZibaldoneError("Something went wrong inside the sidecar.", "Look at its log.")
    yield Failed(error=describe_error(failure))


async def _write_line(response: web.StreamResponse, event: BaseModel) -> None:
    await response.write(event.model_dump_json().encode() + b"\n")

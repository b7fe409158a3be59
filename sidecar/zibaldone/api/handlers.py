"""Handlers of the routes that answer with one document: parse, call the engine, render."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from typing import Any, TypeVar

from aiohttp import web
from pydantic import BaseModel

from zibaldone.api.requests import CONTEXT, read_model
from zibaldone.errors import InvalidRequest, NotFound
from zibaldone.schemas.changes import UndoRequest
from zibaldone.schemas.memory import RememberRequest
from zibaldone.schemas.proposals import Decision
from zibaldone.schemas.search import SearchRequest
from zibaldone.schemas.status import Health
from zibaldone.schemas.sync import VaultChanges

T = TypeVar("T")

MOST_CHANGES = 1000


async def handshake(request: web.Request) -> web.Response:
    return _json(request.app[CONTEXT].identity)


async def health(request: web.Request) -> web.Response:
    context = request.app[CONTEXT]
    uptime_s = time.monotonic() - context.started
    return _json(Health(ok=True, can_write=context.can_write(), uptime_s=round(uptime_s, 3)))


async def status(request: web.Request) -> web.Response:
    context = request.app[CONTEXT]
    found = await context.engine.status()
    return _json(found.model_copy(update={"owner": context.run}) if context.run else found)


async def doctor(request: web.Request) -> web.Response:
    return _json(await request.app[CONTEXT].engine.doctor())


async def config(request: web.Request) -> web.Response:
    return _json(await request.app[CONTEXT].engine.config())


async def openapi(request: web.Request) -> web.Response:
    return web.json_response(request.app[CONTEXT].document)


async def search(request: web.Request) -> web.Response:
    wanted = await read_model(request, SearchRequest)
    return _json(await request.app[CONTEXT].engine.search(wanted))


async def note_changes(request: web.Request) -> web.Response:
    changes = await read_model(request, VaultChanges)
    return _json(await _to_the_end(request.app[CONTEXT].engine.note_changes(changes)))


async def remember(request: web.Request) -> web.Response:
    wanted = await read_model(request, RememberRequest)
    return _json(await _to_the_end(request.app[CONTEXT].engine.remember(wanted)))


async def changes(request: web.Request) -> web.Response:
    limit = request.query.get("limit", "50")
    if not (limit.isascii() and limit.isdigit() and 0 < int(limit) <= MOST_CHANGES):
        raise InvalidRequest(f"limit={limit} is not served.", f"Give a whole number from 1 to {MOST_CHANGES}.")
    return _json(await request.app[CONTEXT].engine.changes(int(limit)))


async def undo(request: web.Request) -> web.Response:
    wanted = await read_model(request, UndoRequest)
    return _json(await _to_the_end(request.app[CONTEXT].engine.undo(wanted)))


async def proposals(request: web.Request) -> web.Response:
    return _json(await request.app[CONTEXT].engine.proposals(all_states="all" in request.query))


async def proposal(request: web.Request) -> web.Response:
    return _json(await request.app[CONTEXT].engine.proposal(_number(request)))


async def apply_proposal(request: web.Request) -> web.Response:
    decision = await read_model(request, Decision)
    return _json(await _to_the_end(request.app[CONTEXT].engine.apply_proposal(_number(request), decision)))


async def reject_proposal(request: web.Request) -> web.Response:
    decision = await read_model(request, Decision)
    return _json(await _to_the_end(request.app[CONTEXT].engine.reject_proposal(_number(request), decision)))


async def jobs(request: web.Request) -> web.Response:
    return _json(await request.app[CONTEXT].engine.jobs())


async def cancel_job(request: web.Request) -> web.Response:
    return _json(await _to_the_end(request.app[CONTEXT].engine.cancel_job(request.match_info["id"])))


async def conversations(request: web.Request) -> web.Response:
    return _json(await request.app[CONTEXT].engine.conversations())


async def conversation(request: web.Request) -> web.Response:
    return _json(await request.app[CONTEXT].engine.conversation(request.match_info["id"]))


async def delete_conversation(request: web.Request) -> web.Response:
    engine = request.app[CONTEXT].engine
    return _json(await _to_the_end(engine.delete_conversation(request.match_info["id"])))


def _number(request: web.Request) -> int:
    given = request.match_info["id"]
    if not (given.isascii() and given.isdigit() and len(given) < 16):
        raise NotFound(f"There is no proposal {given}.", "`zib proposals` lists them.")
    return int(given)


def _json(model: BaseModel) -> web.Response:
    return web.Response(text=model.model_dump_json(), content_type="application/json")


async def _to_the_end(write: Coroutine[Any, Any, T]) -> T:
    """A handler is cancelled when its client goes away; what it began to write is finished nevertheless."""
    return await asyncio.shield(asyncio.ensure_future(write))

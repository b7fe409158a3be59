"""Handlers of the memory's routes."""

from __future__ import annotations

from aiohttp import web

from zibaldone.api.answers import as_json, to_the_end
from zibaldone.api.requests import CONTEXT, read_model, read_query
from zibaldone.runtime.engine import PersonalMemory
from zibaldone.schemas.memory import (
    ClearRequest,
    EditMemoryRequest,
    ForgetRequest,
    ImportMemoryRequest,
    KeepRequest,
    MemoryRequest,
    MigrateRequest,
    PatternRequest,
    RememberRequest,
)
from zibaldone.schemas.rules import RulesRequest


async def tell_memory(request: web.Request) -> web.Response:
    wanted = MemoryRequest(as_of=request.query.get("as_of"), all=request.query.get("all") == "1")
    return as_json(await _memory(request).tell(wanted))


async def remember(request: web.Request) -> web.Response:
    wanted = await read_model(request, RememberRequest)
    return as_json(await to_the_end(_memory(request).remember(wanted)))


async def edit_memory(request: web.Request) -> web.Response:
    wanted = await read_model(request, EditMemoryRequest)
    return as_json(await to_the_end(_memory(request).edit(request.match_info["id"], wanted)))


async def prevail_memory(request: web.Request) -> web.Response:
    wanted = await read_model(request, KeepRequest)
    return as_json(await to_the_end(_memory(request).prevail(request.match_info["id"], wanted)))


async def clear_memory(request: web.Request) -> web.Response:
    wanted = await read_model(request, ClearRequest)
    return as_json(await to_the_end(_memory(request).clear(wanted)))


async def forget_memory(request: web.Request) -> web.Response:
    wanted = await read_model(request, ForgetRequest)
    return as_json(await to_the_end(_memory(request).forget(wanted)))


async def memory_history(request: web.Request) -> web.Response:
    return as_json(await _memory(request).history(request.query.get("id")))


async def tell_rules(request: web.Request) -> web.Response:
    wanted = read_query(request, RulesRequest)
    return as_json(await _memory(request).rules(wanted))


async def run_pattern(request: web.Request) -> web.Response:
    wanted = await read_model(request, PatternRequest)
    return as_json(await to_the_end(_memory(request).pattern(wanted)))


async def migrate_memory(request: web.Request) -> web.Response:
    wanted = await read_model(request, MigrateRequest)
    return as_json(await to_the_end(_memory(request).migrate(wanted)))


async def import_memory(request: web.Request) -> web.Response:
    wanted = await read_model(request, ImportMemoryRequest)
    return as_json(await to_the_end(_memory(request).import_entries(wanted)))


def _memory(request: web.Request) -> PersonalMemory:
    return request.app[CONTEXT].engine.memory

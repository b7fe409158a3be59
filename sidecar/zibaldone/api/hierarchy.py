"""Handlers of the routes of the vault's memory."""

from __future__ import annotations

from aiohttp import web

from zibaldone.api.answers import as_json, to_the_end
from zibaldone.api.requests import CONTEXT, read_model, read_query
from zibaldone.api.streams import stream_events
from zibaldone.runtime.engine import VaultMemory
from zibaldone.schemas.hierarchy import (
    TERMINAL_BUILD_EVENTS,
    BuildRequest,
    GradeRequest,
    NodesRequest,
    RecallRequest,
    TimelineRequest,
    TouchRequest,
    WriteNotesRequest,
)
from zibaldone.schemas.sync import PauseRequest


async def build_memory(request: web.Request) -> web.StreamResponse:
    wanted = await read_model(request, BuildRequest)
    return await stream_events(request, _memory(request).build(wanted), TERMINAL_BUILD_EVENTS)


async def memory_stats(request: web.Request) -> web.Response:
    return as_json(await _memory(request).stats())


async def pause_building(request: web.Request) -> web.Response:
    return as_json(await _memory(request).pause(await read_model(request, PauseRequest)))


async def concepts(request: web.Request) -> web.Response:
    return as_json(await _memory(request).concepts(read_query(request, NodesRequest)))


async def timeline(request: web.Request) -> web.Response:
    return as_json(await _memory(request).timeline(read_query(request, TimelineRequest)))


async def forgetting(request: web.Request) -> web.Response:
    return as_json(await _memory(request).forgetting(read_query(request, NodesRequest)))


async def drift(request: web.Request) -> web.Response:
    return as_json(await _memory(request).drift(read_query(request, NodesRequest)))


async def distill(request: web.Request) -> web.Response:
    return as_json(await _memory(request).distill(read_query(request, NodesRequest)))


async def recall(request: web.Request) -> web.Response:
    return as_json(await _memory(request).recall(await read_model(request, RecallRequest)))


async def grade_card(request: web.Request) -> web.Response:
    wanted = await read_model(request, GradeRequest)
    return as_json(await to_the_end(_memory(request).grade(request.match_info["card"], wanted)))


async def usage(request: web.Request) -> web.Response:
    return as_json(await _memory(request).usage(read_query(request, NodesRequest)))


async def touch(request: web.Request) -> web.Response:
    wanted = await read_model(request, TouchRequest)
    return as_json(await to_the_end(_memory(request).touch(wanted)))


async def clear_usage(request: web.Request) -> web.Response:
    return as_json(await to_the_end(_memory(request).clear_usage()))


async def write_concept_notes(request: web.Request) -> web.Response:
    await read_model(request, WriteNotesRequest)
    return as_json(await to_the_end(_memory(request).write_notes()))


def _memory(request: web.Request) -> VaultMemory:
    return request.app[CONTEXT].engine.vault_memory

"""Handlers of the routes that answer with one document: parse, call the engine, render."""

from __future__ import annotations

import time

from aiohttp import web

from zibaldone.api.answers import as_json, read_limit, to_the_end
from zibaldone.api.library import require_local
from zibaldone.api.requests import CONTEXT, read_model
from zibaldone.errors import NotFound
from zibaldone.schemas.agenda import AgendaAddRequest, AgendaRequest
from zibaldone.schemas.changes import UndoRequest
from zibaldone.schemas.evolution import EvolutionRequest
from zibaldone.schemas.exchange import ExchangeRequest
from zibaldone.schemas.history import RenameConversationRequest
from zibaldone.schemas.proposals import Decision, HunkEdit, SuggestLinksRequest
from zibaldone.schemas.related import RelatedRequest
from zibaldone.schemas.search import SearchRequest
from zibaldone.schemas.settings import SettingsChange
from zibaldone.schemas.status import Health
from zibaldone.schemas.sync import PauseRequest, VaultChanges


async def handshake(request: web.Request) -> web.Response:
    return as_json(request.app[CONTEXT].identity)


async def health(request: web.Request) -> web.Response:
    context = request.app[CONTEXT]
    uptime_s = time.monotonic() - context.started
    return as_json(Health(ok=True, can_write=context.can_write(), uptime_s=round(uptime_s, 3)))


async def status(request: web.Request) -> web.Response:
    context = request.app[CONTEXT]
    found = await context.engine.status()
    return as_json(found.model_copy(update={"owner": context.run}) if context.run else found)


async def doctor(request: web.Request) -> web.Response:
    return as_json(await request.app[CONTEXT].engine.doctor())


async def config(request: web.Request) -> web.Response:
    return as_json(await request.app[CONTEXT].engine.config())


async def change_config(request: web.Request) -> web.Response:
    require_local(request)
    wanted = await read_model(request, SettingsChange)
    return as_json(await to_the_end(request.app[CONTEXT].engine.change_config(wanted)))


async def coverage(request: web.Request) -> web.Response:
    return as_json(await request.app[CONTEXT].engine.coverage())


async def openapi(request: web.Request) -> web.Response:
    return web.json_response(request.app[CONTEXT].document)


async def search(request: web.Request) -> web.Response:
    wanted = await read_model(request, SearchRequest)
    return as_json(await request.app[CONTEXT].engine.search(wanted))


async def related(request: web.Request) -> web.Response:
    wanted = await read_model(request, RelatedRequest)
    return as_json(await request.app[CONTEXT].engine.related(wanted))


async def evolution(request: web.Request) -> web.Response:
    wanted = await read_model(request, EvolutionRequest)
    return as_json(await request.app[CONTEXT].engine.evolution(wanted))


async def agenda(request: web.Request) -> web.Response:
    wanted = await read_model(request, AgendaRequest)
    return as_json(await request.app[CONTEXT].engine.agenda(wanted))


async def add_to_agenda(request: web.Request) -> web.Response:
    wanted = await read_model(request, AgendaAddRequest)
    return as_json(await to_the_end(request.app[CONTEXT].engine.add_to_agenda(wanted)))


async def note_changes(request: web.Request) -> web.Response:
    changes = await read_model(request, VaultChanges)
    return as_json(await to_the_end(request.app[CONTEXT].engine.note_changes(changes)))


async def pause(request: web.Request) -> web.Response:
    wanted = await read_model(request, PauseRequest)
    return as_json(await to_the_end(request.app[CONTEXT].engine.pause(wanted)))


async def changes(request: web.Request) -> web.Response:
    return as_json(await request.app[CONTEXT].engine.changes(read_limit(request)))


async def undo(request: web.Request) -> web.Response:
    wanted = await read_model(request, UndoRequest)
    return as_json(await to_the_end(request.app[CONTEXT].engine.undo(wanted)))


async def pull(request: web.Request) -> web.Response:
    await read_model(request, ExchangeRequest)
    return as_json(await to_the_end(request.app[CONTEXT].engine.pull()))


async def push(request: web.Request) -> web.Response:
    await read_model(request, ExchangeRequest)
    return as_json(await to_the_end(request.app[CONTEXT].engine.push()))


async def proposals(request: web.Request) -> web.Response:
    return as_json(await request.app[CONTEXT].engine.proposals(all_states="all" in request.query))


async def proposal(request: web.Request) -> web.Response:
    return as_json(await request.app[CONTEXT].engine.proposal(_number(request)))


async def suggest_links(request: web.Request) -> web.Response:
    wanted = await read_model(request, SuggestLinksRequest)
    return as_json(await to_the_end(request.app[CONTEXT].engine.suggest_links(wanted)))


async def edit_proposal(request: web.Request) -> web.Response:
    edit = await read_model(request, HunkEdit)
    return as_json(await to_the_end(request.app[CONTEXT].engine.edit_proposal(_number(request), edit)))


async def apply_proposal(request: web.Request) -> web.Response:
    decision = await read_model(request, Decision)
    return as_json(await to_the_end(request.app[CONTEXT].engine.apply_proposal(_number(request), decision)))


async def reject_proposal(request: web.Request) -> web.Response:
    decision = await read_model(request, Decision)
    return as_json(await to_the_end(request.app[CONTEXT].engine.reject_proposal(_number(request), decision)))


async def jobs(request: web.Request) -> web.Response:
    return as_json(await request.app[CONTEXT].engine.jobs())


async def cancel_job(request: web.Request) -> web.Response:
    return as_json(await to_the_end(request.app[CONTEXT].engine.cancel_job(request.match_info["id"])))


async def conversations(request: web.Request) -> web.Response:
    return as_json(await request.app[CONTEXT].engine.conversations(request.query.get("q", "")))


async def conversation(request: web.Request) -> web.Response:
    return as_json(await request.app[CONTEXT].engine.conversation(request.match_info["id"]))


async def rename_conversation(request: web.Request) -> web.Response:
    wanted = await read_model(request, RenameConversationRequest)
    engine = request.app[CONTEXT].engine
    return as_json(await to_the_end(engine.rename_conversation(request.match_info["id"], wanted)))


async def delete_conversation(request: web.Request) -> web.Response:
    engine = request.app[CONTEXT].engine
    return as_json(await to_the_end(engine.delete_conversation(request.match_info["id"])))


def _number(request: web.Request) -> int:
    given = request.match_info["id"]
    if not (given.isascii() and given.isdigit() and len(given) < 16):
        raise NotFound(f"There is no proposal {given}.", "`zib proposals` lists them.")
    return int(given)

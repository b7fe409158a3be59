"""Handlers of the wiki's routes."""

from __future__ import annotations

from aiohttp import web

from zibaldone.api.answers import as_json, read_limit, to_the_end
from zibaldone.api.requests import CONTEXT, read_model
from zibaldone.runtime.engine import Wiki
from zibaldone.schemas.wiki import (
    AppendPageRequest,
    ExtendPageRequest,
    LintRequest,
    LogRequest,
    RenamePageRequest,
    SimilarRequest,
    WritePageRequest,
)


async def pages(request: web.Request) -> web.Response:
    return as_json(await _wiki(request).pages(request.query.get("prefix", "")))


async def page(request: web.Request) -> web.Response:
    return as_json(await _wiki(request).page(_slug(request)))


async def write_page(request: web.Request) -> web.Response:
    wanted = await read_model(request, WritePageRequest)
    return as_json(await to_the_end(_wiki(request).write(wanted)))


async def extend_page(request: web.Request) -> web.Response:
    wanted = await read_model(request, ExtendPageRequest)
    return as_json(await to_the_end(_wiki(request).extend(_slug(request), wanted)))


async def append_page(request: web.Request) -> web.Response:
    wanted = await read_model(request, AppendPageRequest)
    return as_json(await to_the_end(_wiki(request).append(_slug(request), wanted)))


async def rename_page(request: web.Request) -> web.Response:
    wanted = await read_model(request, RenamePageRequest)
    return as_json(await to_the_end(_wiki(request).rename(_slug(request), wanted)))


async def delete_page(request: web.Request) -> web.Response:
    return as_json(await to_the_end(_wiki(request).delete(_slug(request))))


async def page_history(request: web.Request) -> web.Response:
    return as_json(await _wiki(request).history(_slug(request), read_limit(request)))


async def page_blame(request: web.Request) -> web.Response:
    return as_json(await _wiki(request).blame(_slug(request)))


async def log_topic(request: web.Request) -> web.Response:
    wanted = await read_model(request, LogRequest)
    return as_json(await to_the_end(_wiki(request).log(wanted)))


async def backlinks(request: web.Request) -> web.Response:
    return as_json(await _wiki(request).backlinks(request.match_info["of"]))


async def lint_wiki(request: web.Request) -> web.Response:
    wanted = await read_model(request, LintRequest)
    return as_json(await to_the_end(_wiki(request).lint(wanted)))


async def similar_pages(request: web.Request) -> web.Response:
    wanted = await read_model(request, SimilarRequest)
    return as_json(await _wiki(request).similar(wanted))


def _wiki(request: web.Request) -> Wiki:
    return request.app[CONTEXT].engine.wiki


def _slug(request: web.Request) -> str:
    return request.match_info["slug"]

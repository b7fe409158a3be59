"""Handlers of the routes for the divergent questions."""

from __future__ import annotations

from aiohttp import web

from zibaldone.api.answers import as_json
from zibaldone.api.requests import CONTEXT, read_model
from zibaldone.runtime.engine import Divergence
from zibaldone.schemas.divergence import BridgesRequest, ContradictionsRequest, GapsRequest, WalkRequest


async def contradictions(request: web.Request) -> web.Response:
    return as_json(await _divergence(request).contradictions(await read_model(request, ContradictionsRequest)))


async def gaps(request: web.Request) -> web.Response:
    return as_json(await _divergence(request).gaps(await read_model(request, GapsRequest)))


async def drift_walk(request: web.Request) -> web.Response:
    return as_json(await _divergence(request).drift_walk(await read_model(request, WalkRequest)))


async def bridges(request: web.Request) -> web.Response:
    return as_json(await _divergence(request).bridges(await read_model(request, BridgesRequest)))


def _divergence(request: web.Request) -> Divergence:
    return request.app[CONTEXT].engine.divergence

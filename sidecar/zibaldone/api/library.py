"""Handlers of the routes for sources and imports.

Two of them are given paths of this machine, and copy what is there into the vault. Whoever has the token may do that as
long as they are on this machine: the token is a file of the person's, so they could read the other files as well. Where
the person serves other machines (`--allow-remote`) that does not follow, so there these two are refused.
"""

from __future__ import annotations

import ipaddress

from aiohttp import web

from zibaldone.api.answers import as_json, to_the_end
from zibaldone.api.requests import CONTEXT, read_model
from zibaldone.errors import Unauthorized
from zibaldone.runtime.engine import Library
from zibaldone.schemas.sources import CollectRequest, ImportRequest, IngestRequest


async def add_sources(request: web.Request) -> web.Response:
    require_local(request)
    wanted = await read_model(request, IngestRequest)
    return as_json(await to_the_end(_library(request).add(wanted)))


async def sources(request: web.Request) -> web.Response:
    return as_json(await _library(request).list())


async def collect_sources(request: web.Request) -> web.Response:
    wanted = await read_model(request, CollectRequest)
    return as_json(await to_the_end(_library(request).collect(wanted)))


async def stale_pages(request: web.Request) -> web.Response:
    return as_json(await _library(request).stale())


async def import_folder(request: web.Request) -> web.Response:
    require_local(request)
    wanted = await read_model(request, ImportRequest)
    return as_json(await to_the_end(_library(request).import_folder(wanted)))


def require_local(request: web.Request) -> None:
    """Raises `Unauthorized` for a caller on another machine."""
    peer = request.transport.get_extra_info("peername") if request.transport else None
    if not peer or not is_loopback(str(peer[0])):
        raise Unauthorized(
            "Files of this machine are only read for callers on it.", "Run the command where the sidecar runs."
        )


def is_loopback(address: str) -> bool:
    """Whether a peer's address is this machine's own, also as IPv6 writes an IPv4 one."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    mapped = parsed.ipv4_mapped if isinstance(parsed, ipaddress.IPv6Address) else None
    return (mapped or parsed).is_loopback


def _library(request: web.Request) -> Library:
    return request.app[CONTEXT].engine.library

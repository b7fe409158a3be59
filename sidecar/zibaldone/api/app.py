"""The aiohttp application: guards first, then the table of routes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from aiohttp import web

from zibaldone.api.guards import GUARDS, MOST_BODY_BYTES, add_headers
from zibaldone.api.openapi import build_document
from zibaldone.api.requests import CONTEXT, Context
from zibaldone.api.routes import all_routes
from zibaldone.runtime.engine import Engine
from zibaldone.schemas.status import Handshake, RunFile

# A client that has stopped reading cannot hold up the end.
_STREAM_END_S = 2.0


def build_app(
    engine: Engine,
    *,
    identity: Handshake,
    token: str,
    can_write: Callable[[], bool] = lambda: True,
    run: RunFile | None = None,
) -> web.Application:
    """Run it by `make_runner`."""
    routes = all_routes()
    app = web.Application(middlewares=GUARDS, client_max_size=MOST_BODY_BYTES)
    app[CONTEXT] = Context(
        engine=engine,
        identity=identity,
        token=token,
        can_write=can_write,
        run=run,
        document=build_document(routes, identity.version),
    )
    for route in routes:
        app.router.add_route(route.method, route.path, route.handler)
    app.on_response_prepare.append(add_headers)
    app.on_shutdown.append(_end_streams)
    return app


def make_runner(app: web.Application) -> web.AppRunner:
    """Streams rely on `handler_cancellation` to notice a client that has gone. Requests are not logged."""
    return web.AppRunner(
        app, handler_cancellation=True, access_log=None, shutdown_timeout=_STREAM_END_S, handle_signals=False
    )


async def _end_streams(app: web.Application) -> None:
    """Stopping does not wait for a model that is still talking."""
    tasks = list(app[CONTEXT].streams)
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=_STREAM_END_S)

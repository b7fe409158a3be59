"""What handlers share: a document as a response, a limit from the query, and writes that are finished."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from aiohttp import web
from pydantic import BaseModel

from zibaldone.errors import InvalidRequest

T = TypeVar("T")

MOST_LISTED = 1000


def as_json(model: BaseModel) -> web.Response:
    return web.Response(text=model.model_dump_json(), content_type="application/json")


def read_limit(request: web.Request) -> int:
    """`?limit=N`, 50 where it is not given. Raises `InvalidRequest`."""
    limit = request.query.get("limit", "50")
    if not (limit.isascii() and limit.isdigit() and len(limit) < 8 and 0 < int(limit) <= MOST_LISTED):
        raise InvalidRequest(f"limit={limit} is not served.", f"Give a whole number from 1 to {MOST_LISTED}.")
    return int(limit)


async def to_the_end(write: Coroutine[Any, Any, T]) -> T:
    """A handler is cancelled when its client goes away; what it began to write is finished nevertheless."""
    return await asyncio.shield(asyncio.ensure_future(write))

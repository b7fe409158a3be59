"""What a handler is given beside the request, and how a body becomes a model."""

from __future__ import annotations

import asyncio
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from aiohttp import web
from pydantic import BaseModel, ValidationError

from zibaldone.errors import InvalidRequest
from zibaldone.runtime.engine import Engine
from zibaldone.schemas.status import Handshake, RunFile

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class Context:
    """`streams` holds the tasks of the open streams, so that stopping need not wait for them."""

    engine: Engine
    identity: Handshake
    token: str
    can_write: Callable[[], bool]
    document: dict[str, Any]
    run: RunFile | None = None
    started: float = field(default_factory=time.monotonic)
    streams: weakref.WeakSet[asyncio.Task[Any]] = field(default_factory=weakref.WeakSet)


CONTEXT = web.AppKey("context", Context)


async def read_model(request: web.Request, model: type[M]) -> M:
    """The body as `model`. Raises `InvalidRequest` that names the field, never the text in it."""
    try:
        return model.model_validate_json(await request.read())
    except ValidationError as error:
        problems = error.errors(include_input=False, include_url=False)
        first = problems[0]
        where = ".".join(str(part) for part in first["loc"]) or "the body"
        if first["type"] == "string_too_long":
            most = first["ctx"]["max_length"]
            raise InvalidRequest(f"{where}: more than {most:,} characters are not read.", "Shorten it.") from None
        raise InvalidRequest(
            f"{where}: {first['msg']}.", f"The schema is {model.__name__} in /v1/openapi.json."
        ) from None


def read_query(request: web.Request, model: type[M]) -> M:
    """The query's parameters as `model`. Raises `InvalidRequest` that names the parameter."""
    try:
        return model.model_validate(dict(request.query))
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InvalidRequest(f"{where}: {first['msg']}.", "See /v1/openapi.json.") from None

"""The middleware before every route, in this order: errors, Host, Origin, preflight, token, protocol, body.

A page in a browser on the same machine can reach a loopback port, and by DNS rebinding under a name of its
own. So only a literal address with our port is a Host, only Obsidian is an Origin, and every route wants the
token in a header.
"""

from __future__ import annotations

import hmac
import ipaddress
import logging
from collections.abc import Awaitable, Callable

from aiohttp import hdrs, web

from zibaldone.api.logs import describe_safely
from zibaldone.api.requests import CONTEXT
from zibaldone.errors import InvalidRequest, NotFound, ProtocolMismatch, Unauthorized, ZibaldoneError
from zibaldone.schemas.base import ErrorResponse
from zibaldone.schemas.failure import describe_error
from zibaldone.schemas.status import PROTOCOL

log = logging.getLogger(__name__)

OBSIDIAN = "app://obsidian.md"
PROTOCOL_HEADER = "X-Zibaldone-Protocol"
MOST_BODY_BYTES = 4 * 1024 * 1024
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@web.middleware
async def map_errors(request: web.Request, handler: _Handler) -> web.StreamResponse:
    try:
        return await handler(request)
    except ZibaldoneError as error:
        return _error_response(error, error.status)
    except web.HTTPException as error:
        return _error_response(_explain(request, error), error.status)
    except ConnectionError:
        raise  # the client has gone: nobody is there to be answered
    except Exception as error:  # noqa: BLE001 - the one place where a request must survive anything
        log.error("%s %s failed: %s", request.method, _route_of(request), describe_safely(error))
        failure = ZibaldoneError("Something went wrong inside the sidecar.", "Look at its log.")
        return _error_response(failure, failure.status)


@web.middleware
async def check_host(request: web.Request, handler: _Handler) -> web.StreamResponse:
    hosts = request.headers.getall(hdrs.HOST, [])
    # An absolute target (`GET http://elsewhere/v1/...`) would override the header.
    if len(hosts) != 1 or hosts[0] not in _own_hosts(request) or not request.raw_path.startswith("/"):
        raise Unauthorized("This Host is not served.", "Use the url that `zib serve` printed, as it is.")
    return await handler(request)


@web.middleware
async def check_origin(request: web.Request, handler: _Handler) -> web.StreamResponse:
    origins = request.headers.getall(hdrs.ORIGIN, [])
    if origins not in ([], [OBSIDIAN]):
        raise Unauthorized("This Origin is not served.", "Only Obsidian and local programs are.")
    return await handler(request)


@web.middleware
async def answer_preflight(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """Browsers send no token with it. Without an Origin it is no preflight and goes on to the token."""
    asked = hdrs.ACCESS_CONTROL_REQUEST_METHOD in request.headers
    if request.method != hdrs.METH_OPTIONS or not asked or hdrs.ORIGIN not in request.headers:
        return await handler(request)
    headers: dict[str, str] = {
        hdrs.ACCESS_CONTROL_ALLOW_METHODS: "GET, POST, DELETE",
        hdrs.ACCESS_CONTROL_ALLOW_HEADERS: f"Authorization, Content-Type, {PROTOCOL_HEADER}",
        hdrs.ACCESS_CONTROL_MAX_AGE: "600",
    }
    if request.headers.get("Access-Control-Request-Private-Network") == "true":
        headers["Access-Control-Allow-Private-Network"] = "true"
    return web.Response(status=204, headers=headers)


@web.middleware
async def check_token(request: web.Request, handler: _Handler) -> web.StreamResponse:
    given = request.headers.getall(hdrs.AUTHORIZATION, [])
    expected = f"Bearer {request.app[CONTEXT].token}".encode()
    # Undecodable header bytes arrive as surrogates.
    sent = given[0].encode("utf-8", "surrogateescape") if len(given) == 1 else b""
    if not hmac.compare_digest(sent, expected):
        raise Unauthorized(
            "The token is missing or wrong.",
            "Send `Authorization: Bearer ...` with the content of the token file; it is new at each start.",
        )
    return await handler(request)


@web.middleware
async def check_protocol(request: web.Request, handler: _Handler) -> web.StreamResponse:
    theirs = request.headers.get(PROTOCOL_HEADER)
    if theirs is not None:
        if not (theirs.isascii() and theirs.isdigit()):
            raise InvalidRequest(f"{PROTOCOL_HEADER} must be a whole number.", f"Send {PROTOCOL}.")
        if int(theirs) != PROTOCOL:
            raise protocol_mismatch(client=int(theirs), sidecar=PROTOCOL)
    return await handler(request)


@web.middleware
async def check_body(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """A page may send text/plain and forms anywhere without a preflight; JSON it may not."""
    if request.method == hdrs.METH_POST or request.body_exists:
        if request.content_type != "application/json" or (request.charset or "utf-8").lower() != "utf-8":
            raise InvalidRequest(
                f"A body of type {request.content_type} is not read.", "Send application/json in UTF-8."
            )
        if hdrs.CONTENT_ENCODING in request.headers:
            raise InvalidRequest("A compressed body is not read.", "Send it without Content-Encoding.")
    return await handler(request)


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """On every response, streams and errors too."""
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Vary"] = "Origin"
    response.headers[PROTOCOL_HEADER] = str(PROTOCOL)
    if request.headers.getall(hdrs.ORIGIN, []) == [OBSIDIAN]:
        response.headers[hdrs.ACCESS_CONTROL_ALLOW_ORIGIN] = OBSIDIAN
        response.headers[hdrs.ACCESS_CONTROL_EXPOSE_HEADERS] = PROTOCOL_HEADER


GUARDS = (map_errors, check_host, check_origin, answer_preflight, check_token, check_protocol, check_body)


def protocol_mismatch(*, client: int, sidecar: int) -> ProtocolMismatch:
    """Says which of the two is behind."""
    behind = "the Obsidian plugin (or the other client)" if client < sidecar else "Zibaldone's sidecar"
    return ProtocolMismatch(
        f"The client speaks protocol {client}, the sidecar protocol {sidecar}.",
        f"Update {behind}, then start it again.",
    )


def _own_hosts(request: web.Request) -> set[str]:
    """The literal loopback addresses with the port that this connection came in by, and the address itself,
    which is another one where the person serves with --allow-remote."""
    sockname = request.transport.get_extra_info("sockname") if request.transport else None
    if not sockname:
        return set()
    port = sockname[1]
    hosts = {f"127.0.0.1:{port}", f"[::1]:{port}"}
    address = ipaddress.ip_address(str(sockname[0]).split("%")[0])
    hosts.add(f"[{address}]:{port}" if address.version == 6 else f"{address}:{port}")
    return hosts


def _explain(request: web.Request, error: web.HTTPException) -> ZibaldoneError:
    if error.status == 404:
        return NotFound("There is no such route.", "See /v1/openapi.json.")
    if error.status == 413:
        return InvalidRequest(f"The body is larger than {MOST_BODY_BYTES} bytes.", "Send it in parts.")
    if error.status == 405:
        return InvalidRequest(f"{request.method} is not served here.", "See /v1/openapi.json.")
    return InvalidRequest(f"The request was refused: {error.reason}.", "See /v1/openapi.json.")


def _route_of(request: web.Request) -> str:
    """The route's pattern: the path itself may hold a name of the person's."""
    resource = request.match_info.route.resource
    return resource.canonical if resource else "an unknown route"


def _error_response(error: ZibaldoneError, status: int) -> web.Response:
    body = ErrorResponse(error=describe_error(error)).model_dump_json()
    return web.Response(text=body, status=status, content_type="application/json")

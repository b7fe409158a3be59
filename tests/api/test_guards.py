"""Who is let in: every route x tokens, Hosts, Origins, content types."""

from __future__ import annotations

import asyncio
import json

import pytest

from support.fakes import ScriptedEngine, example
from support.serving import TOKEN, Served
from zibaldone.api.guards import MOST_BODY_BYTES, OBSIDIAN
from zibaldone.api.routes import Route, all_routes

ROUTES = all_routes()
BODIES = {
    "/v1/config": {"values": {}},
    "/v1/related": {"path": "Home.md"},
    "/v1/sync/pause": {"paused": False},
    "/v1/links/suggest": {"path": "Home.md"},
    "/v1/proposals/{id}/edit": {"path": "Home.md", "hunk": 1, "new": "", "revision": 1},
    "/v1/memory/{id}/keep": {},
    "/v1/vault/changes": example("VaultChanges.rename"),
    "/v1/build-memory": {},
    "/v1/memory-stats/pause": {"paused": False},
    "/v1/concepts/notes": {},
    "/v1/recall": {},
    "/v1/recall/{card}": {"grade": "good"},
    "/v1/usage": {"targets": []},
    "/v1/conversations/{id}": example("RenameConversationRequest.title"),
    "/v1/proposals/{id}/apply": example("Decision.hunk"),
    "/v1/proposals/{id}/reject": example("Decision.hunk"),
    "/v1/pull": {},
    "/v1/push": {},
    "/v1/undo": example("UndoRequest.one"),
    "/v1/memory": example("RememberRequest.selection"),
    "/v1/pattern": example("PatternRequest.dry"),
    "/v1/memory/clear": example("ClearRequest.context"),
    "/v1/memory/forget": example("ForgetRequest.one"),
    "/v1/memory/import": example("ImportMemoryRequest.one"),
    "/v1/memory/migrate": example("MigrateRequest.dry"),
    "/v1/memory/{id}": example("EditMemoryRequest.words"),
    "/v1/search": example("SearchRequest.minimal"),
    "/v1/ask": example("AskRequest.minimal"),
    "/v1/evolution": example("EvolutionRequest.full"),
    "/v1/agenda": example("AgendaRequest.week"),
    "/v1/agenda/add": example("AgendaAddRequest.day"),
    "/v1/sync": {},
    "/v1/pages": example("WritePageRequest.minimal"),
    "/v1/pages/{slug}/extend": example("ExtendPageRequest.typical"),
    "/v1/pages/{slug}/append": example("AppendPageRequest.section"),
    "/v1/pages/{slug}/rename": example("RenamePageRequest.typical"),
    "/v1/log": example("LogRequest.typical"),
    "/v1/lint": example("LintRequest.fix"),
    "/v1/similar": example("SimilarRequest.text"),
    "/v1/sources": example("IngestRequest.full"),
    "/v1/sources/gc": example("CollectRequest.apply"),
    "/v1/import": example("ImportRequest.full"),
    "/v1/contradictions": example("ContradictionsRequest.top"),
    "/v1/gaps": example("GapsRequest.topic"),
    "/v1/drift-walk": example("WalkRequest.full"),
    "/v1/bridges": example("BridgesRequest.words"),
}
BAD_AUTHORIZATIONS = [
    None, "", "Bearer", "Bearer ", "Bearer wrong", f"bearer {TOKEN}", f"Basic {TOKEN}", TOKEN, f"Bearer {TOKEN}x",
    f"Bearer {TOKEN[:-1]}", f"Bearer  {TOKEN}", f"Bearer {TOKEN},Bearer {TOKEN}", "Bearer \udcff\udcfe",
]  # fmt: skip
BAD_HOSTS = [
    "localhost", "localhost:{port}", "127.0.0.1", "127.0.0.1:1", "127.0.0.1:{port}0", "evil.example",
    "evil.example:{port}", "127.0.0.1.evil.example:{port}", "127.0.0.1:{port}.evil.example", "127.1:{port}",
    "2130706433:{port}", "0x7f000001:{port}", "0177.0.0.1:{port}", "127.000.000.001:{port}", "0.0.0.0:{port}",
    "127.0.0.2:{port}", "[::]:{port}", "[::ffff:127.0.0.1]:{port}", "[0:0:0:0:0:0:0:1]:{port}", "::1:{port}",
    "user@127.0.0.1:{port}", "127.0.0.1:{port}@evil.example", "127.0.0.1:{port}/", "127.0.0.1:{port}#",
    "127.0.0.1 :{port}", "127.0.0.1: {port}", "127.0.0.1:+{port}", "127.0.0.1:0{port}", "LOCALHOST:{port}",
    "127.0.0.1.:{port}", "127.0.0.1%00:{port}", "127.0.0.1%2eevil:{port}", "rebind.network:{port}", "a.nip.io:{port}",
    "127.0.0.1.nip.io:{port}", "localtest.me:{port}", "lvh.me:{port}", "obsidian.md:{port}", "app://obsidian.md",
    "127.0.0.1:{port},evil.example", "evil.example,127.0.0.1:{port}", "127.0.0.1;{port}", "[127.0.0.1]:{port}",
    "192.168.0.1:{port}", "10.0.0.1:{port}", "169.254.169.254:{port}", "host.docker.internal:{port}", "null", "*",
    "{port}", ":{port}", "http://127.0.0.1:{port}", "//127.0.0.1:{port}", "xn--127-0-0-1:{port}", "127.0.0.1:http",
    "１２７.0.0.1:{port}", "127。0。0。1:{port}", "127.0.0.1:{port}\t", "127.0.0.1::{port}", "127.0.0.1:{port}:80",
]  # fmt: skip
BAD_ORIGINS = [
    "null", "http://localhost", "http://127.0.0.1", "https://obsidian.md", "app://obsidian.md.evil.example",
    "app://obsidian.md/", "app://obsidian", "APP://OBSIDIAN.MD", "app://obsidian.md, https://evil.example", "*", "",
    "capacitor://localhost", "file://", "https://evil.example",
]  # fmt: skip


def name_of(route: Route) -> str:
    return f"{route.method} {route.path}"


def each_route() -> pytest.MarkDecorator:
    return pytest.mark.parametrize("route", ROUTES, ids=name_of)


async def send_raw(served: Served, route: Route, lines: list[str], target: str | None = None) -> tuple[int, bytes]:
    """A request by hand, as no client library would send it. Gives status and body."""
    body = json.dumps(BODIES[route.path]).encode() if route.path in BODIES else b""
    named = route.path.replace("{slug}", "bees:varroa").replace("{of}", "Home.md").replace("{card}", "0123456789abcdef")
    path = target or named.replace("{id}", "3" if "proposals" in route.path else "conv-20260304-1")
    head = [f"{route.method} {path} HTTP/1.1", *lines, "Connection: close"]
    if body:
        head += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    writer.write("\r\n".join([*head, "", ""]).encode("utf-8", "surrogateescape") + body)
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    return int(answer.split(b" ", 2)[1]), answer.split(b"\r\n\r\n", 1)[1]


def host_line(served: Served) -> str:
    return f"Host: 127.0.0.1:{served.port}"


def token_line() -> str:
    return f"Authorization: Bearer {TOKEN}"


@each_route()
async def test_each_route_answers_who_may_ask(served: Served, route: Route) -> None:
    assert (await send_raw(served, route, [host_line(served), token_line()]))[0] == 200
    assert (await send_raw(served, route, [host_line(served), token_line(), f"Origin: {OBSIDIAN}"]))[0] == 200


@each_route()
async def test_token_is_wanted_everywhere(served: Served, route: Route) -> None:
    for bad in BAD_AUTHORIZATIONS:
        lines = [host_line(served)] + ([f"Authorization: {bad}"] if bad is not None else [])
        status, body = await send_raw(served, route, lines)
        assert status == 401, bad
        assert json.loads(body)["error"]["code"] == "unauthorized"
        assert TOKEN.encode() not in body
    doubled, _ = await send_raw(served, route, [host_line(served), token_line(), token_line()])
    assert doubled == 401
    path = route.path.replace("{id}", "x")
    queried, _ = await send_raw(served, route, [host_line(served)], f"{path}?token={TOKEN}&access_token={TOKEN}")
    assert queried == 401
    cookie, _ = await send_raw(served, route, [host_line(served), f"Cookie: token={TOKEN}; Authorization={TOKEN}"])
    assert cookie == 401
    assert served.engine.calls == []


@each_route()
async def test_only_a_literal_loopback_host_is_served(served: Served, route: Route) -> None:
    assert len(BAD_HOSTS) >= 60
    for bad in BAD_HOSTS:
        host = bad.format(port=served.port)
        if host.strip() == f"127.0.0.1:{served.port}":
            continue  # white space around a header's value is no part of it
        status, _ = await send_raw(served, route, [f"Host: {host}", token_line()])
        assert status in (400, 401), host
    for lines in ([], [host_line(served), host_line(served)], [host_line(served), "Host: evil.example"]):
        status, _ = await send_raw(served, route, [*lines, token_line()])
        assert status in (400, 401), lines
    assert served.engine.calls == []


@each_route()
async def test_an_absolute_target_cannot_override_the_host(served: Served, route: Route) -> None:
    target = f"http://evil.example{route.path.replace('{id}', 'x')}"
    status, _ = await send_raw(served, route, [host_line(served), token_line()], target)
    assert status in (400, 401)
    assert served.engine.calls == []


@each_route()
async def test_only_obsidian_is_an_origin(served: Served, route: Route) -> None:
    for bad in BAD_ORIGINS:
        status, body = await send_raw(served, route, [host_line(served), token_line(), f"Origin: {bad}"])
        assert status == 401, bad
        assert b"Allow-Origin" not in body
    twice = [f"Origin: {OBSIDIAN}", f"Origin: {OBSIDIAN}"]
    assert (await send_raw(served, route, [host_line(served), token_line(), *twice]))[0] == 401
    assert served.engine.calls == []


@each_route()
async def test_preflight_is_answered_for_obsidian_alone(served: Served, route: Route) -> None:
    url = served.url + route.path.replace("{id}", "x")
    asked = {"Access-Control-Request-Method": route.method, "Access-Control-Request-Private-Network": "true"}
    async with served.session.options(url, headers={"Origin": OBSIDIAN, **asked}) as response:
        assert response.status == 204
        assert response.headers["Access-Control-Allow-Origin"] == OBSIDIAN
        assert "Authorization" in response.headers["Access-Control-Allow-Headers"]
        assert route.method in response.headers["Access-Control-Allow-Methods"]
        assert response.headers["Access-Control-Allow-Private-Network"] == "true"
    for headers in ({"Origin": "https://evil.example", **asked}, asked, {"Origin": OBSIDIAN}, {}):
        async with served.session.options(url, headers=headers) as response:
            assert response.status == 401, headers
    evil = {"Origin": "https://evil.example", **asked}
    async with served.session.options(url, headers=evil) as response:
        assert "Access-Control-Allow-Origin" not in response.headers
    assert served.engine.calls == []


@pytest.mark.parametrize(
    "content_type",
    [
        None, "text/plain", "text/plain; application/json", "application/x-www-form-urlencoded", "text/json",
        "multipart/form-data; boundary=x", "application/json; charset=latin-1", "application/jsonp",
        "application/json+x", "application/octet-stream", "*/*",
    ],
)  # fmt: skip
@pytest.mark.parametrize("path", sorted(BODIES))
async def test_only_json_is_read(served: Served, path: str, content_type: str | None) -> None:
    headers = dict(served.headers)
    if content_type:
        headers["Content-Type"] = content_type
    body = json.dumps(BODIES[path]).encode()
    async with served.session.post(
        served.url + path, data=body, headers=headers, skip_auto_headers=["Content-Type"]
    ) as response:
        assert response.status == 400
        assert (await response.json())["error"]["code"] == "invalid_request"
    assert served.engine.calls == []


async def test_a_body_where_none_belongs_must_be_json_too(served: Served) -> None:
    async with served.session.delete(
        f"{served.url}/v1/jobs/x", data=b"x=1", headers={**served.headers, "Content-Type": "text/plain"}
    ) as response:
        assert response.status == 400
    assert served.engine.calls == []


async def test_json_with_its_charset_is_read(served: Served) -> None:
    headers = {**served.headers, "Content-Type": "Application/JSON; charset=UTF-8"}
    body = json.dumps(BODIES["/v1/search"])
    async with served.session.post(f"{served.url}/v1/search", data=body, headers=headers) as response:
        assert response.status == 200


async def test_a_body_has_a_most(served: Served) -> None:
    async with served.session.post(
        f"{served.url}/v1/search", json={"query": "x" * MOST_BODY_BYTES}, headers=served.headers
    ) as response:
        assert response.status == 413
        assert (await response.json())["error"]["code"] == "invalid_request"
    assert served.engine.calls == []


async def test_a_compressed_body_is_refused(served: Served) -> None:
    async with served.session.post(
        f"{served.url}/v1/search", json=BODIES["/v1/search"], headers=served.headers, compress="deflate"
    ) as response:
        assert response.status == 400


@each_route()
@pytest.mark.parametrize(("version", "side"), [("0", "plugin"), ("2", "sidecar"), ("999", "sidecar")])
async def test_another_protocol_is_told_which_side_to_update(
    served: Served, route: Route, version: str, side: str
) -> None:
    status, body = await send_raw(served, route, [host_line(served), token_line(), f"X-Zibaldone-Protocol: {version}"])
    assert status == 426
    error = json.loads(body)["error"]
    assert error["code"] == "protocol_mismatch"
    assert side in error["hint"]
    assert served.engine.calls == []


async def test_a_protocol_that_is_no_number(served: Served) -> None:
    headers = {**served.headers, "X-Zibaldone-Protocol": "one"}
    async with served.session.get(f"{served.url}/v1/status", headers=headers) as response:
        assert response.status == 400


async def test_the_preflight_names_the_protocol_header(served: Served) -> None:
    headers = {"Origin": OBSIDIAN, "Access-Control-Request-Method": "POST"}
    async with served.session.options(f"{served.url}/v1/ask", headers=headers) as response:
        assert "X-Zibaldone-Protocol" in response.headers["Access-Control-Allow-Headers"]


async def test_the_token_is_new_to_nobody_in_an_error(served: Served) -> None:
    served.engine.failure = RuntimeError("note text")
    async with served.session.get(f"{served.url}/v1/status", headers=served.headers) as response:
        text = await response.text()
    assert "note text" not in text
    assert TOKEN not in text


def test_scripted_engine_is_an_engine() -> None:
    from zibaldone.runtime.engine import Engine

    engine: Engine = ScriptedEngine()
    assert engine

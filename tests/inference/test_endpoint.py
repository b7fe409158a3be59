"""The endpoint against a real OpenAI-compatible server (llama-cpp-python's), and against a rude one."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import numpy as np
import pytest
from aiohttp import web

from zibaldone.errors import DeadlineExceeded, InvalidRequest, ModelFailed, ModelMissing
from zibaldone.inference.endpoint import EndpointChat, EndpointEmbedder, Server
from zibaldone.inference.roles import Finished, Message, Piece, Sampling

ASKED = [Message("system", "You answer in one short sentence."), Message("user", "Name a colour.")]
SECRET = "sk-very-secret"

Handler = Callable[[web.Request], "asyncio.Future[web.StreamResponse]"]


@pytest.fixture(scope="module")
def real_url(chat_path: Path, embed_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One server with both models; the system chooses the port, the server's log tells it."""
    common = {"n_ctx": 512, "n_threads": 1, "n_threads_batch": 1, "verbose": False}
    models = [
        {"model": str(chat_path), "model_alias": "chat", "chat_format": "chatml", "logits_all": True, **common},
        {"model": str(embed_path), "model_alias": "embed", "embedding": True, **common},
    ]
    config = tmp_path_factory.mktemp("server") / "config.json"
    config.write_text(json.dumps({"host": "127.0.0.1", "port": 0, "models": models}))
    command = [sys.executable, "-m", "llama_cpp.server", "--config_file", str(config)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as server:
        assert server.stderr is not None
        log = []
        try:
            for line in server.stderr:
                log.append(line)
                if found := re.search(r"running on (http://\S+)", line):
                    break
            else:
                pytest.fail("the server did not start: " + "".join(log))
            yield found[1]
        finally:
            server.kill()


async def answer(model: EndpointChat, sampling: Sampling) -> tuple[str, Finished]:
    text = ""
    async for delta in model.generate(ASKED, sampling):
        if isinstance(delta, Finished):
            return text, delta
        text += delta.text
    raise AssertionError("no Finished")


@pytest.mark.model
async def test_a_real_server_chats(real_url: str) -> None:
    chat = EndpointChat(Server(f"{real_url}/v1/", "chat"), context_tokens=512)
    try:
        text, finished = await answer(chat, Sampling(max_tokens=8))
        assert text.strip()
        assert finished.completion_tokens > 0
        schema = {"type": "object", "properties": {"kind": {"enum": ["a", "b"]}}, "required": ["kind"]}
        document, _ = await answer(chat, Sampling(max_tokens=40, schema=schema))
        assert json.loads(document)["kind"] in ("a", "b")
        likely, absent = await chat.score_labels(ASKED, [text.split()[0], "Ξ☃"])
        assert 0 >= likely > absent
        assert absent == -20
        # It has no /tokenize, so that the estimate is used: more than there are, never fewer.
        (count,) = await chat.count_tokens(["a note about apples and pears"])
        assert 6 <= count <= 20
        # Closing early ends the request: the server, which serves one at a time, answers the next one.
        stream = chat.generate(ASKED, Sampling(max_tokens=400))
        assert isinstance(await anext(stream), Piece)
        await stream.aclose()
        assert (await answer(chat, Sampling(max_tokens=2)))[0]
    finally:
        await chat.close()


@pytest.mark.model
async def test_a_real_server_embeds(real_url: str) -> None:
    embedder = EndpointEmbedder(Server(real_url, "embed"))
    try:
        assert await embedder.dimensions() == 384
        query = await embedder.embed_query("repair a flat tyre")
        near, far = await embedder.embed_passages(["Repairing a punctured tyre", "A recipe for plum cake"])
        assert query @ near > query @ far
        assert np.isclose(np.linalg.norm(near), 1, atol=1e-5)
        assert (await embedder.embed_passages([])).shape == (0, 384)
    finally:
        await embedder.close()


@asynccontextmanager
async def serving(handle: Callable[[web.Request], object]) -> AsyncIterator[Server]:
    app = web.Application()
    app.router.add_post("/{path:.*}", handle)  # type: ignore[arg-type]
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        port = runner.addresses[0][1]
        yield Server(f"http://127.0.0.1:{port}", "m", SECRET)
    finally:
        await runner.cleanup()


@pytest.mark.parametrize(
    ("status", "kind"),
    [(400, InvalidRequest), (401, ModelFailed), (404, ModelFailed), (302, ModelFailed), (500, ModelFailed)],
)
async def test_refusals_name_the_server_and_never_the_key(status: int, kind: type[Exception]) -> None:
    seen = []

    async def refuse(request: web.Request) -> web.Response:
        seen.append(request.headers.get("Authorization"))
        return web.Response(status=status, text="no\nway", headers={"Location": "/elsewhere"})

    async with serving(refuse) as server:
        chat = EndpointChat(server)
        with pytest.raises(kind) as caught:
            await answer(chat, Sampling())
        await chat.close()
    said = f"{caught.value} {getattr(caught.value, 'hint', '')}"
    assert server.url in said
    assert SECRET not in said
    assert SECRET not in repr(server)
    assert seen == [f"Bearer {SECRET}"]


async def test_a_server_that_is_not_there() -> None:
    chat = EndpointChat(Server("http://127.0.0.1:9", "m", SECRET))
    with pytest.raises(ModelMissing, match=r"http://127\.0\.0\.1:9 cannot be used"):
        await answer(chat, Sampling())
    await chat.close()


async def test_deadline_broken_and_early_ended_streams() -> None:
    async def handle(request: web.Request) -> web.StreamResponse:
        how = (await request.json())["messages"][-1]["content"]
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        await response.write(b'data: {"choices": [{"delta": {"content": "<think>x</th"}}]}\n\n')
        if how == "silent":
            await asyncio.sleep(60)
        elif how == "broken":
            await response.write(b"data: {nonsense\n\n")
        elif how == "error":
            await response.write(b'data: {"error": {"message": "out of memory"}}\n\n')
        elif how == "fine":
            await response.write(b': comment\n\ndata: {"choices": [{"delta": {"content": "ink>\\u00fc"}}]}\n\n')
            await response.write(b'data: {"choices": [], "usage": {"prompt_tokens": 7}}\n\ndata: [DONE]\n\n')
        return response

    async def ask(how: str) -> list[Piece | Finished]:
        return [d async for d in chat.generate([Message("user", how)], Sampling(deadline_s=0.5))]

    async with serving(handle) as server:
        chat = EndpointChat(server)
        assert await ask("fine") == [Piece("ü"), Finished("stop", 7, 2)]
        with pytest.raises(DeadlineExceeded):
            await ask("silent")
        with pytest.raises(ModelFailed, match="cannot be used"):
            await ask("broken")
        with pytest.raises(ModelFailed, match="out of memory"):
            await ask("error")
        with pytest.raises(ModelFailed, match="ended its answer early"):
            await ask("early")
        await chat.close()


async def test_closing_the_stream_closes_the_connection() -> None:
    gone = asyncio.Event()

    async def handle(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        try:
            while True:
                await response.write(b'data: {"choices": [{"delta": {"content": "x "}}]}\n\n')
                await asyncio.sleep(0.01)
        except (ConnectionError, asyncio.CancelledError):
            gone.set()
            raise

    async with serving(handle) as server:
        chat = EndpointChat(server)
        stream = chat.generate(ASKED, Sampling())
        assert isinstance(await anext(stream), Piece)
        await stream.aclose()
        await asyncio.wait_for(gone.wait(), 30)
        await chat.close()


async def test_answers_that_are_no_embeddings() -> None:
    async def handle(request: web.Request) -> web.Response:
        texts = (await request.json())["input"]
        if texts == ["zero"]:
            return web.json_response({"data": [{"index": 0, "embedding": [0.0, 0.0]}]})
        return web.json_response({"data": [{"index": 0, "embedding": [1.0, 2.0]}] * 2 if texts == ["two"] else None})

    async with serving(handle) as server:
        embedder = EndpointEmbedder(server)
        for text, reason in (("zero", "direction"), ("two", "shape"), ("other", "no embeddings")):
            with pytest.raises(ModelFailed, match=reason):
                await embedder.embed_query(text)
        await embedder.close()

"""`zib serve` as a process: what it prints and leaves, and every way in which it ends."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import stat
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from support.fakes import example
from zibaldone.config.places import VaultPlaces, vault_places

FAKE_ZIB = Path(__file__).parents[1] / "support" / "fake_zib.py"
LIMIT_S = 20.0
Start = Callable[..., Awaitable[Process]]


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "Notes"
    (folder / ".obsidian").mkdir(parents=True)
    return folder.resolve()


@pytest.fixture
async def start(vault: Path) -> AsyncIterator[Start]:
    processes: list[Process] = []

    async def run(*arguments: str, **environ: str) -> Process:
        process = await asyncio.create_subprocess_exec(
            sys.executable, str(FAKE_ZIB), *arguments, "--vault", str(vault),
            stdin=PIPE, stdout=PIPE, stderr=PIPE, env={**os.environ, **environ},
        )  # fmt: skip
        processes.append(process)
        return process

    yield run
    for process in processes:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def first_line(process: Process) -> dict[str, Any]:
    assert process.stdout is not None
    line = await asyncio.wait_for(process.stdout.readline(), LIMIT_S)
    if not line:
        assert process.stderr is not None
        raise AssertionError((await process.stderr.read()).decode())
    document = json.loads(line)
    assert isinstance(document, dict)
    return document


async def finish(process: Process) -> tuple[int, str, str]:
    out, err = await asyncio.wait_for(process.communicate(), LIMIT_S)
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()


def leftovers(places: VaultPlaces) -> list[str]:
    return sorted(path.name for path in places.root.iterdir() if path.name not in ("vault.json", "owner.lock"))


def authorize(run: dict[str, Any]) -> dict[str, str]:
    return {"Authorization": f"Bearer {Path(run['token_file']).read_text()}"}


async def get(run: dict[str, Any], path: str) -> Any:
    headers = authorize(run)
    async with aiohttp.ClientSession() as session, session.get(run["url"] + path, headers=headers) as response:
        assert response.status == 200
        return await response.json()


async def test_serve_prints_one_line_and_serves(start: Start, vault: Path) -> None:
    process = await start("serve")
    run = await first_line(process)
    places = vault_places(vault)
    assert set(run) == {"url", "token_file", "pid", "protocol", "version"}
    assert run["pid"] == process.pid
    assert run["url"].startswith("http://127.0.0.1:")
    assert run == json.loads(places.run_file.read_text())
    assert stat.S_IMODE(places.run_file.stat().st_mode) == 0o600
    assert stat.S_IMODE(places.token.stat().st_mode) == 0o600
    assert stat.S_IMODE(places.root.stat().st_mode) == 0o700
    assert len(places.token.read_text()) >= 43  # 256 bits in base64
    assert (await get(run, "/v1/handshake"))["vault"] == str(vault)
    assert (await get(run, "/v1/status")) == {**example("Status.typical"), "owner": run}

    process.send_signal(signal.SIGTERM)
    code, out, err = await finish(process)
    assert code == 0
    assert out == ""
    assert "Serving" in err
    assert leftovers(places) == []


async def test_the_token_is_new_at_each_start(start: Start, vault: Path) -> None:
    tokens = set()
    for _ in range(2):
        process = await start("serve")
        await first_line(process)
        tokens.add(vault_places(vault).token.read_text())
        process.send_signal(signal.SIGINT)
        assert (await finish(process))[0] == 0
    assert len(tokens) == 2


async def test_stdin_watch_ends_with_the_parent(start: Start, vault: Path) -> None:
    process = await start("serve", "--stdin-watch")
    await first_line(process)
    assert process.stdin is not None
    process.stdin.write(b"not the end\n")
    await process.stdin.drain()
    await get(json.loads(vault_places(vault).run_file.read_text()), "/v1/health")
    process.stdin.close()
    assert (await finish_without_stdin(process)) == 0
    assert leftovers(vault_places(vault)) == []


async def test_stdin_watch_ends_while_the_engine_is_being_opened(start: Start, vault: Path) -> None:
    process = await start("serve", "--stdin-watch", FAKE_OPEN="wait")
    assert process.stderr is not None
    assert process.stdin is not None
    await asyncio.wait_for(process.stderr.readuntil(b"opening\n"), LIMIT_S)
    process.stdin.close()
    assert (await finish_without_stdin(process)) == 0


async def test_stdin_watch_ends_while_an_answer_is_generated(start: Start, vault: Path) -> None:
    process = await start("serve", "--stdin-watch", FAKE_ASK="wait")
    run = await first_line(process)
    headers = authorize(run)
    async with aiohttp.ClientSession() as session:
        body = example("AskRequest.minimal")
        async with session.post(run["url"] + "/v1/ask", json=body, headers=headers) as response:
            await response.content.readline()
            assert process.stdin is not None
            process.stdin.close()
            assert json.loads(await response.content.readline()) == {"type": "cancelled"}
    assert (await finish_without_stdin(process)) == 0


async def finish_without_stdin(process: Process) -> int:
    return await asyncio.wait_for(process.wait(), LIMIT_S)


async def test_without_stdin_watch_a_closed_stdin_is_nothing(start: Start, vault: Path) -> None:
    process = await start("serve")
    run = await first_line(process)
    assert process.stdin is not None
    process.stdin.close()
    assert (await get(run, "/v1/health"))["ok"] is True


async def test_a_taken_port_is_told(start: Start, vault: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        code, out, err = await finish(await start("serve", "--port", str(port)))
    assert code == 1
    assert out == ""
    assert f"error: 127.0.0.1 port {port} cannot be served" in err
    assert "hint: Choose another with --port" in err
    assert "Traceback" not in err
    assert leftovers(vault_places(vault)) == []


@pytest.mark.parametrize(
    ("host", "words"), [("0.0.0.0", "--allow-remote"), ("::", "--allow-remote"), ("localhost", "literal address")]
)
async def test_another_host_must_be_allowed(start: Start, host: str, words: str) -> None:
    code, _, err = await finish(await start("serve", "--host", host))
    assert code == 1
    assert words in err


async def test_an_allowed_host_is_served_with_a_warning(start: Start, vault: Path) -> None:
    process = await start("serve", "--host", "0.0.0.0", "--allow-remote")
    run = await first_line(process)
    assert run["url"].startswith("http://127.0.0.1:")
    assert (await get(run, "/v1/health"))["ok"] is True
    process.send_signal(signal.SIGTERM)
    _, _, err = await finish(process)
    assert "unencrypted" in err


async def test_one_owner_others_attach_and_takeover(start: Start, vault: Path) -> None:
    first = await start("serve")
    run = await first_line(first)
    code, _, err = await finish(await start("serve"))
    assert code == 1
    assert f"served already at {run['url']}" in err

    code, out, _ = await finish(await start("status", "--json"))
    assert (code, json.loads(out)) == (0, {**example("Status.typical"), "owner": run})

    first.kill()
    await first.wait()
    assert leftovers(vault_places(vault)) == ["run.json", "token"]  # stale, as after any kill
    second = await start("serve")
    assert (await first_line(second))["pid"] == second.pid


async def test_five_starters_have_one_owner(start: Start, vault: Path) -> None:
    processes = [await start("serve") for _ in range(5)]
    waits = [asyncio.ensure_future(process.wait()) for process in processes]
    ended: set[asyncio.Future[int]] = set()
    while len(ended) < 4:
        done, _ = await asyncio.wait(set(waits) - ended, timeout=LIMIT_S, return_when=asyncio.FIRST_COMPLETED)
        assert done
        ended |= done
    alive = [process for process in processes if process.returncode is None]
    assert len(alive) == 1
    assert (await first_line(alive[0]))["pid"] == alive[0].pid
    for wait in waits:
        wait.cancel()

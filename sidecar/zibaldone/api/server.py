"""The socket, the token and the run file: from "open engine" to "stopped cleanly"."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import os
import secrets
import shutil
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from aiohttp import web

from zibaldone import __version__
from zibaldone.api.app import build_app, make_runner
from zibaldone.config.places import VaultPlaces
from zibaldone.errors import InvalidRequest
from zibaldone.runtime.engine import Engine
from zibaldone.schemas.status import PROTOCOL, Handshake, RunFile

log = logging.getLogger(__name__)

LOOPBACK = "127.0.0.1"
_TOKEN_BYTES = 32


def check_host(host: str, *, allow_remote: bool) -> None:
    """Raises `InvalidRequest` for a host that is not a literal loopback address, unless it is allowed."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        raise InvalidRequest(
            f"--host {host} is not an address.", f"Give a literal address, such as {LOOPBACK}."
        ) from None
    if not address.is_loopback and not allow_remote:
        raise InvalidRequest(
            f"--host {host} would serve the vault to other machines.",
            "Add --allow-remote if that is meant; the connection is not encrypted.",
        )


async def serve(
    engine: Engine,
    *,
    vault: Path,
    places: VaultPlaces,
    stop: asyncio.Event,
    host: str = LOOPBACK,
    port: int = 0,
    allow_remote: bool = False,
    read_only: bool = False,
    stdout: TextIO | None = None,
) -> None:
    """Serve until `stop` is set. The caller owns the vault, and closes the engine.

    Another `host` is served beside the loopback address, so that local clients never need it.

    Raises:
        InvalidRequest: the host is not allowed or the port is taken.
    """
    check_host(host, allow_remote=allow_remote)
    sockets = _listen(host, port)
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    identity = Handshake(protocol=PROTOCOL, version=__version__, vault=str(vault), pid=os.getpid())
    run = RunFile(
        url=_url(sockets[0]),
        token_file=str(places.token),
        pid=identity.pid,
        protocol=PROTOCOL,
        version=__version__,
    )
    app = build_app(engine, identity=identity, token=token, can_write=_can_write(vault, read_only), run=run)
    runner = make_runner(app)
    await runner.setup()
    try:
        for listening in sockets:
            await web.SockSite(runner, listening).start()
        _write_private(places.token, token)
        _write_private(places.run_file, run.model_dump_json())
        if not ipaddress.ip_address(host).is_loopback:
            log.warning("Served to other machines at %s, unencrypted: whoever has the token can read the vault.", host)
        print(run.model_dump_json(), file=stdout or sys.stdout, flush=True)
        log.info("Serving %s at %s", identity.vault, run.url)
        await stop.wait()
        log.info("Stopping.")
    finally:
        # The vault's lock is ours, so these files are too.
        places.run_file.unlink(missing_ok=True)
        places.token.unlink(missing_ok=True)
        await runner.cleanup()


def _listen(host: str, port: int) -> list[socket.socket]:
    """Listening sockets, the loopback one first."""
    address = ipaddress.ip_address(host)
    if address.is_loopback or _is_everywhere(host):  # which includes loopback
        return [_bind(host, port)]
    first = _bind(LOOPBACK, port)
    try:
        return [first, _bind(host, first.getsockname()[1])]
    except InvalidRequest:
        first.close()
        raise


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    if os.name == "posix":
        # On Windows this option would let two programs share the port.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if family == socket.AF_INET6:
        listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    try:
        listening.bind((host, port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        raise InvalidRequest(
            f"{host} port {port} cannot be served: {error.strerror}.",
            "Choose another with --port or the setting server.port; 0, the default, lets the system choose.",
        ) from None
    listening.setblocking(False)
    return listening


def _url(listening: socket.socket) -> str:
    """Where a program on this machine reaches it."""
    host, port = listening.getsockname()[:2]
    if _is_everywhere(host):
        host = LOOPBACK
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _is_everywhere(host: str) -> bool:
    address = ipaddress.ip_address(host)
    return address.version == 4 and address.is_unspecified


def _can_write(vault: Path, read_only: bool) -> Callable[[], bool]:
    return lambda: not read_only and os.access(vault, os.W_OK) and shutil.which("git") is not None


def _write_private(path: Path, text: str) -> None:
    """Mode 0600 from the first byte on, in a folder of mode 0700, and never half written."""
    path.parent.chmod(0o700)
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    fresh.replace(path)

"""Finding the running owner of a vault.

A run file may be stale or planted: it says where to ask, no more. The token is read from the vault's own
place, never from a path in the run file, is sent to a literal loopback address only, and the handshake
decides. No pid is trusted or signalled.
"""

from __future__ import annotations

import asyncio
import ipaddress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pydantic import ValidationError

from zibaldone.config.places import VaultPlaces
from zibaldone.errors import ProtocolMismatch, VaultBusy, ZibaldoneError
from zibaldone.schemas.status import PROTOCOL, RunFile

if TYPE_CHECKING:
    from zibaldone.client.remote import RemoteEngine


# Also on a machine that is busy with a model: the handshake needs nothing of it.
_HANDSHAKE_S = 10.0


def read_run_file(places: VaultPlaces) -> RunFile | None:
    """What the run file says, unchecked. Keys of a newer version are ignored."""
    try:
        return RunFile.model_validate_json(places.run_file.read_bytes(), extra="ignore")
    except (OSError, ValidationError):
        return None


async def attach(places: VaultPlaces, vault: Path) -> RemoteEngine | None:
    """The engine of the process that serves `vault`, or None where none answers as it should.

    Raises:
        ProtocolMismatch: one does, but speaks another protocol.
        VaultBusy: one is there and does not answer.
    """
    run = await asyncio.to_thread(read_run_file, places)
    token = await asyncio.to_thread(_read_token, places)
    if run is None or token is None or not _is_loopback_url(run.url):
        return None

    from zibaldone.client.remote import RemoteEngine

    engine = RemoteEngine(run.url, token)
    try:
        async with asyncio.timeout(_HANDSHAKE_S):
            greeting = await engine.handshake()
    except TimeoutError:
        await engine.close()
        raise VaultBusy(
            f"The sidecar that serves this vault (pid {run.pid}) does not answer.", "End it and try again."
        ) from None
    except ProtocolMismatch:
        await engine.close()
        raise _mismatch(run.protocol) from None
    except ZibaldoneError:
        await engine.close()
        return None
    if greeting.vault != str(vault):
        await engine.close()
        return None
    if greeting.protocol != PROTOCOL:
        await engine.close()
        raise _mismatch(greeting.protocol)
    return engine


def _read_token(places: VaultPlaces) -> str | None:
    try:
        return places.token.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return None


def _mismatch(theirs: int) -> ProtocolMismatch:
    behind = "the running sidecar (restart it after the update)" if theirs < PROTOCOL else "this `zib` command"
    return ProtocolMismatch(
        f"The sidecar that serves this vault speaks protocol {theirs}, this command protocol {PROTOCOL}.",
        f"Update {behind}.",
    )


def _is_loopback_url(url: str) -> bool:
    try:
        parts = urlsplit(url)
        address = ipaddress.ip_address(parts.hostname or "")
        return parts.scheme == "http" and address.is_loopback and parts.port is not None and not parts.username
    except ValueError:
        return False

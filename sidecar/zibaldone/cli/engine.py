"""The engine behind a command: the vault's owner in another process, or this one as the owner.

The lock is asked first: only where it is held is there anything to attach to, so stale run files are never
followed.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from zibaldone.client.attach import attach, read_run_file
from zibaldone.config.places import VaultPlaces, vault_places
from zibaldone.errors import VaultBusy
from zibaldone.runtime.owner import Ownership, acquire_owner

if TYPE_CHECKING:
    from zibaldone.client.remote import RemoteEngine
    from zibaldone.config.load import LoadedSettings
    from zibaldone.runtime.engine import Engine
    from zibaldone.schemas.status import RunFile

# An owner that has just started has no run file yet; a command that owns the vault is soon done.
_PATIENCE_S = 5.0
# Another command may have a document read by a model.
_LONG_PATIENCE_S = 3600.0
_PAUSE_S = 0.1


@asynccontextmanager
async def open_engine(vault: Path, loaded: LoadedSettings, *, patient: bool = False) -> AsyncGenerator[Engine, None]:
    """Raises `ProtocolMismatch`, and `VaultBusy` where the owner is no sidecar and does not finish within some seconds
    (`patient`: an hour)."""
    places = vault_places(vault)
    found = await _own_or_attach(places, vault, _LONG_PATIENCE_S if patient else _PATIENCE_S)
    if isinstance(found, Ownership):
        async with _local(vault, loaded, places, found, watch=False) as local:
            yield local
        return
    try:
        yield found
    finally:
        await found.close()


@asynccontextmanager
async def own_engine(vault: Path, loaded: LoadedSettings) -> AsyncGenerator[Engine | RunFile, None]:
    """For the sidecar itself: as the owner, watching the vault; or what the sidecar says that serves it already.

    Raises `VaultBusy` where the owner is no sidecar and does not finish, `ProtocolMismatch`.
    """
    places = vault_places(vault)
    found = await _own_or_attach(places, vault)
    if isinstance(found, Ownership):
        async with _local(vault, loaded, places, found, watch=True) as local:
            yield local
        return
    await found.close()
    run = read_run_file(places)
    if run is None:  # it has ended since
        raise VaultBusy("The sidecar of this vault is just ending.", "Try again.")
    yield run.model_copy(update={"token_file": str(places.token)})


async def _own_or_attach(places: VaultPlaces, vault: Path, patience_s: float = _PATIENCE_S) -> Ownership | RemoteEngine:
    patient_until = time.monotonic() + patience_s
    while True:
        try:
            return acquire_owner(places)
        except VaultBusy:
            if (remote := await attach(places, vault)) is not None:
                return remote
            if time.monotonic() > patient_until:
                raise
        await asyncio.sleep(_PAUSE_S)


@asynccontextmanager
async def _local(
    vault: Path, loaded: LoadedSettings, places: VaultPlaces, ownership: Ownership, *, watch: bool
) -> AsyncGenerator[Engine, None]:
    from zibaldone.runtime.local import open_local_engine

    with ownership:
        engine = await open_local_engine(vault, loaded, places, watch=watch)
        try:
            yield engine
        finally:
            await engine.close()

"""`zib serve`."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import click

from zibaldone.cli.options import Invocation, common_options


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), help="0 or none: the system chooses.")
@click.option("--host", default="127.0.0.1", show_default=True, help="A literal address.")
@click.option("--allow-remote", is_flag=True, help="Allow a --host that other machines can reach.")
@click.option("--stdin-watch", is_flag=True, help="End when stdin closes, as it does with the parent.")
@click.option("--attach", is_flag=True, help="Where the vault is served already, print that sidecar's line and end.")
@common_options()
@click.pass_obj
def serve(
    invocation: Invocation, port: int | None, host: str, allow_remote: bool, stdin_watch: bool, attach: bool
) -> None:
    """Run the sidecar for the vault.

    Prints one JSON line {"url", "token_file", "pid", "protocol", "version"} on stdout, then logs on stderr.
    """
    with asyncio.Runner(loop_factory=_new_loop) as runner:
        runner.run(_serve(invocation, port, host, allow_remote, stdin_watch, attach))


def _new_loop() -> asyncio.AbstractEventLoop:
    """uvloop's, which wakes up sooner; there is none for Windows."""
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


async def _serve(
    invocation: Invocation, port: int | None, host: str, allow_remote: bool, stdin_watch: bool, attach: bool
) -> None:
    # First of all, so that a parent that dies now is noticed while the rest is being loaded.
    from zibaldone.api.stopping import unless_stopped, watch_for_stop

    stop = watch_for_stop(stdin_watch=stdin_watch)

    from zibaldone.api.logs import log_to
    from zibaldone.api.server import check_host
    from zibaldone.api.server import serve as serve_engine
    from zibaldone.cli.engine import own_engine
    from zibaldone.config.places import vault_places
    from zibaldone.errors import VaultBusy
    from zibaldone.schemas.status import RunFile

    check_host(host, allow_remote=allow_remote)
    log_to()
    vault = invocation.vault()
    loaded = invocation.load(vault, {"server.port": port})
    async with AsyncExitStack() as stack:
        engine = await unless_stopped(stack.enter_async_context(own_engine(vault, loaded)), stop)
        if engine is None:
            return
        if isinstance(engine, RunFile):
            if not attach:
                raise VaultBusy(
                    f"{vault} is served already at {engine.url}.",
                    "Use that sidecar, or stop it first (it ends with the Obsidian window that started it).",
                )
            print(engine.model_dump_json(), flush=True)
            return
        await serve_engine(
            engine,
            vault=vault,
            places=vault_places(vault),
            stop=stop,
            host=host,
            port=loaded.settings.server.port,
            allow_remote=allow_remote,
            read_only=loaded.settings.read_only,
        )

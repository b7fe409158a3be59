"""`zib rebuild`."""

from __future__ import annotations

import asyncio

import click

from zibaldone.cli.options import Invocation, common_options
from zibaldone.cli.sync import run_sync, show_report


@click.command()
@common_options()
@click.pass_obj
def rebuild(invocation: Invocation) -> None:
    """Make the index anew from the notes. Conversations and other state are not touched."""
    from zibaldone.schemas.sync import SyncRequest

    show_report(invocation, asyncio.run(run_sync(invocation, SyncRequest(rebuild=True))))

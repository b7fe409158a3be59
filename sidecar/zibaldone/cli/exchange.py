"""`zib pull` and `zib push`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

import click

from zibaldone.cli.options import Invocation, common_options
from zibaldone.cli.output import clean, show_json

if TYPE_CHECKING:
    from zibaldone.runtime.engine import Engine
    from zibaldone.schemas.exchange import Pulled

T = TypeVar("T")


@click.command()
@common_options()
@click.pass_obj
def pull(invocation: Invocation) -> None:
    """Bring in what the branch's git remote has; your own commits go on top of it.

    Where the same lines were changed here and there, or a file that would change has uncommitted changes, nothing is
    changed and the notes are named.
    """
    done = asyncio.run(_with_engine(invocation, lambda engine: engine.pull()))
    if invocation.json:
        show_json(done)
    else:
        click.echo(clean(_told(done)))


@click.command()
@common_options()
@click.pass_obj
def push(invocation: Invocation) -> None:
    """Send the branch, with all its commits, to its git remote; where that has moved, after a pull."""
    done = asyncio.run(_with_engine(invocation, lambda engine: engine.push()))
    if invocation.json:
        show_json(done)
        return
    if done.pulled:
        click.echo(clean(_told(done.pulled)))
    sent = f"{_commits(done.sent)} to" if done.sent else "nothing new for"
    click.echo(clean(f"pushed: {sent} {done.remote} ({done.branch})"))


async def _with_engine(invocation: Invocation, work: Callable[[Engine], Awaitable[T]]) -> T:
    from zibaldone.cli.engine import open_engine

    vault = invocation.vault()
    async with open_engine(vault, invocation.load(vault)) as engine:
        return await work(engine)


def _told(done: Pulled) -> str:
    came = f"{_commits(done.received)} from" if done.received else "nothing new from"
    lines = [f"pulled: {came} {done.remote} ({done.branch})", *(f"  {path}" for path in done.paths)]
    if done.replayed:
        lines.append(f"{_commits(done.replayed)} of yours on top")
    return "\n".join(lines)


def _commits(count: int) -> str:
    return f"{count} commit{'' if count == 1 else 's'}"

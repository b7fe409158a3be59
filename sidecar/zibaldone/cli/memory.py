"""`zib memory`: what is remembered about the person."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import click

from zibaldone.cli.options import Invocation, common_options
from zibaldone.cli.output import note, show_json

if TYPE_CHECKING:
    from zibaldone.schemas.memory import Remembered

_TYPES = ("user", "feedback", "context")


@click.group()
def memory() -> None:
    """What is remembered about you, in Zibaldone/memory/: read, edit or delete any line there."""


@memory.command()
@click.argument("statement")
@common_options()
@click.pass_obj
def add(invocation: Invocation, statement: str) -> None:
    """Remember STATEMENT, as a line of Markdown and a commit.

    "user: ..." is a fact about you (so is a statement without a type), "feedback: ..." how you like things done,
    "context: ..." what you are at now.
    """
    done = asyncio.run(_add(invocation, statement))
    if invocation.json:
        show_json(done)
    elif done.already:
        click.echo(f"{done.path} says so already.")
    else:
        click.echo(f"remembered: {done.path}{f' commit {done.commit[:7]}' if done.commit else ''}")
        if done.reason:
            note(done.reason)


async def _add(invocation: Invocation, statement: str) -> Remembered:
    from zibaldone.cli.engine import open_engine
    from zibaldone.cli.requests import checked
    from zibaldone.schemas.memory import RememberRequest

    kind, colon, text = statement.partition(":")
    if not colon or kind.strip() not in _TYPES:
        kind, text = "user", statement
    request = checked(RememberRequest, text=text.strip(), type=kind.strip())
    vault = invocation.vault()
    async with open_engine(vault, invocation.load(vault)) as engine:
        return await engine.remember(request)

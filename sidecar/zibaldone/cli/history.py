"""`zib history`: saved conversations."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

import click

from zibaldone.cli.options import Invocation, common_options
from zibaldone.cli.output import clean, show_json, wrap

if TYPE_CHECKING:
    from zibaldone.runtime.engine import Engine

T = TypeVar("T")


@click.group(invoke_without_command=True)
@common_options()
@click.pass_context
def history(ctx: click.Context) -> None:
    """List, show and delete saved conversations. Bare: the list."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_conversations)


@history.command("list")
@common_options()
@click.pass_obj
def list_conversations(invocation: Invocation) -> None:
    """The saved conversations."""
    found = asyncio.run(_with_engine(invocation, lambda engine: engine.conversations()))
    if invocation.json:
        show_json(found)
        return
    if not found.conversations:
        click.echo("No conversation is saved.")
    for conversation in found.conversations:
        turns = f"{conversation.turns} turn{'s' if conversation.turns != 1 else ''}"
        click.echo(f"{click.style(conversation.id, bold=True)}  {conversation.updated_at[:16]}  {turns}")
        click.echo(wrap(conversation.title, indent="    "))


@history.command()
@click.argument("conversation_id")
@common_options()
@click.pass_obj
def show(invocation: Invocation, conversation_id: str) -> None:
    """One conversation, word for word."""
    found = asyncio.run(_with_engine(invocation, lambda engine: engine.conversation(conversation_id)))
    if invocation.json:
        show_json(found)
        return
    click.echo(click.style(clean(found.title), bold=True))
    for message in found.messages:
        who = "you" if message.role == "user" else "zibaldone"
        state = "" if message.state == "complete" else f" ({message.state})"
        click.echo(f"\n{click.style(who, bold=True)}  {message.at[:16]}{state}")
        click.echo(wrap(message.text))
        for citation in message.citations:
            click.echo(clean(f"  [{citation.marker}] {citation.path} {citation.locator}".rstrip()))


@history.command()
@click.argument("conversation_ids", nargs=-1, required=True)
@common_options()
@click.pass_obj
def delete(invocation: Invocation, conversation_ids: tuple[str, ...]) -> None:
    """Delete the conversations with these ids."""
    from zibaldone.schemas.history import Deleted

    async def delete_all(engine: Engine) -> Deleted:
        results = [await engine.delete_conversation(name) for name in conversation_ids]
        return Deleted(deleted=sum(result.deleted for result in results))

    gone = asyncio.run(_with_engine(invocation, delete_all))
    if invocation.json:
        show_json(gone)
    else:
        click.echo(f"{gone.deleted} deleted")


async def _with_engine(invocation: Invocation, call: Callable[[Engine], Awaitable[T]]) -> T:
    from zibaldone.cli.engine import open_engine

    vault = invocation.vault()
    async with open_engine(vault, invocation.load(vault)) as engine:
        return await call(engine)

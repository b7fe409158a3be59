"""`zib changes` and `zib undo`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import click

from zibaldone.cli.options import Invocation, common_options
from zibaldone.cli.output import clean, note, show_json, wrap

if TYPE_CHECKING:
    from zibaldone.schemas.changes import Changes, ChangeSummary, Undone

_MOST_PATHS = 12


@click.command()
@click.option("-n", "--limit", type=click.IntRange(1, 1000), default=20, show_default=True, help="How many.")
@common_options()
@click.pass_obj
def changes(invocation: Invocation, limit: int) -> None:
    """Every change that was made in the vault, the newest first. `zib undo NUMBER` takes one back."""
    found = asyncio.run(_changes(invocation, limit))
    if invocation.json:
        show_json(found)
        return
    if not found.changes:
        click.echo("Nothing was changed yet.")
    for change in found.changes:
        click.echo("\n".join(_lines(change)))


@click.command()
@click.argument("change", type=int, required=False)
@common_options()
@click.pass_obj
def undo(invocation: Invocation, change: int | None) -> None:
    """Take back CHANGE (a number of `zib changes`), or the last one. What was written since is kept."""
    done = asyncio.run(_undo(invocation, change))
    if invocation.json:
        show_json(done)
        return
    click.echo(clean(f"undone: {_named(done.paths)}{f' commit {done.commit[:7]}' if done.commit else ''}"))
    if done.reason:
        note(done.reason)


def _named(paths: list[str]) -> str:
    """The paths, as many as a person wants to read: an import has thousands."""
    more = f" and {len(paths) - _MOST_PATHS} more" if len(paths) > _MOST_PATHS else ""
    return ", ".join(paths[:_MOST_PATHS]) + more


def _lines(change: ChangeSummary) -> list[str]:
    state = "" if change.state == "written" else f"  {change.state}"
    commit = f"  {change.commit[:7]}" if change.commit else ""
    head = f"{click.style(str(change.id), bold=True)}  {change.at[:16].replace('T', ' ')}{commit}{state}"
    return [head, wrap(change.message, indent="    "), wrap(_named(change.paths), indent="    ")]


async def _changes(invocation: Invocation, limit: int) -> Changes:
    from zibaldone.cli.engine import open_engine

    vault = invocation.vault()
    async with open_engine(vault, invocation.load(vault)) as engine:
        return await engine.changes(limit)


async def _undo(invocation: Invocation, change: int | None) -> Undone:
    from zibaldone.cli.engine import open_engine
    from zibaldone.schemas.changes import UndoRequest

    vault = invocation.vault()
    async with open_engine(vault, invocation.load(vault)) as engine:
        return await engine.undo(UndoRequest(change=change))

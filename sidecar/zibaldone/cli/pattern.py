"""`zib pattern`: the nightly run of the memory, now."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import click

from zibaldone.cli.options import Invocation, common_options
from zibaldone.cli.output import clean, note, show_json, wrap

if TYPE_CHECKING:
    from zibaldone.schemas.memory import PatternReport, PatternRequest

_TITLES = {
    "review": "conversations reviewed",
    "consolidate": "entries that say the same, or take each other back",
    "confirm": "said again",
    "fade": "faded",
    "rules": "rules",
    "reflect": "what works",
}


@click.command()
@click.option("--dry-run", is_flag=True, help="Say what would be done, and do nothing.")
@common_options()
@click.pass_obj
def pattern(invocation: Invocation, dry_run: bool) -> None:
    """Tidy the memory, as each night at 04:00: review conversations, merge, fade, promote to rules."""
    from zibaldone.cli.requests import checked
    from zibaldone.schemas.memory import PatternRequest

    report = asyncio.run(_run(invocation, checked(PatternRequest, dry_run=dry_run)))
    if invocation.json:
        show_json(report)
        return
    for step in report.steps:
        if step.changes:
            click.echo(f"{_TITLES[step.name]}:")
            for change in step.changes:
                click.echo(wrap(f"- {clean(change)}", indent="  "))
        if step.problem:
            note(f"{_TITLES[step.name]}: {clean(step.problem)}")
    if not any(step.changes for step in report.steps):
        click.echo("Nothing to do." if report.state == "complete" else "Nothing was changed.")
    if report.state == "partial":
        note("The run is partial: the next one does what is left.")


async def _run(invocation: Invocation, request: PatternRequest) -> PatternReport:
    from zibaldone.cli.engine import open_engine

    vault = invocation.vault()
    async with open_engine(vault, invocation.load(vault)) as engine:
        return await engine.memory.pattern(request)

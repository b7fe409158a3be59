"""`zib doctor`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import click

from zibaldone.cli.options import Invocation, common_options
from zibaldone.cli.output import show_json, wrap

if TYPE_CHECKING:
    from zibaldone.schemas.status import DoctorReport


@click.command()
@common_options()
@click.pass_obj
def doctor(invocation: Invocation) -> None:
    """Look at models, disk, git, the index and versions; each problem comes with a remedy."""
    report = asyncio.run(_doctor(invocation))
    if invocation.json:
        show_json(report)
        return
    for finding in report.findings:
        mark = click.style("ok     ", fg="green") if finding.ok else click.style("problem", fg="red")
        click.echo(f"{mark}  {wrap(f'{finding.name}: {finding.detail}', indent=' ' * 9, first='')}")
        if finding.remedy and not finding.ok:
            click.echo(wrap(f"remedy: {finding.remedy}", indent=" " * 9))
    problems = sum(not finding.ok for finding in report.findings)
    click.echo("Everything is in order." if not problems else f"{problems} of {len(report.findings)} need a look.")


async def _doctor(invocation: Invocation) -> DoctorReport:
    from zibaldone.cli.engine import open_engine

    vault = invocation.vault()
    async with open_engine(vault, invocation.load(vault)) as engine:
        return await engine.doctor()

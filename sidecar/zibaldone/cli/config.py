"""`zib config show`. It reads files only and needs no engine, and outside a vault no vault."""

from __future__ import annotations

import click

from zibaldone.cli.options import Invocation, common_options
from zibaldone.cli.output import show_json, table
from zibaldone.errors import VaultNotFound


@click.group()
@common_options(json=False)
def config() -> None:
    """Show each setting and where it came from."""


@config.command()
@common_options()
@click.pass_obj
def show(invocation: Invocation) -> None:
    """Each value and its source: flag > environment > .env > vault > user's config.toml > default."""
    try:
        vault = invocation.vault()
    except VaultNotFound:
        if invocation.vault_option:
            raise
        vault = None
    report = invocation.load(vault).report()
    if invocation.json:
        show_json(report)
        return
    click.echo(f"user's file   {report.config_file}")
    click.echo(f"vault's file  {report.vault_file or 'none'}\n")
    rows = [
        (key, f"{_shown(entry.value):<24}{'' if entry.source == 'default' else f'  ({entry.source})'}".rstrip())
        for key, entry in report.settings.items()
    ]
    click.echo(table(rows, indent=""))


def _shown(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(str(item) for item in value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if value != "" else "none"

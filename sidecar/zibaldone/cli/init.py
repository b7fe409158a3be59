"""`zib init`."""

from __future__ import annotations

import json as json_module
from dataclasses import asdict
from pathlib import Path

import click

from zibaldone.cli.options import Invocation, common_options
from zibaldone.cli.output import confirm, wrap
from zibaldone.errors import VaultNotFound


@click.command()
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option("--yes", is_flag=True, help="Agree to making a git repository.")
@common_options()
@click.pass_obj
def init(invocation: Invocation, path: Path | None, yes: bool) -> None:
    """Prepare the vault at PATH (or here).

    Makes a git repository if there is none (asks first) and the Zibaldone/ folder, in one commit. What exists
    is never overwritten; running it again changes nothing.
    """
    from zibaldone.runtime.prepare import prepare_vault

    folder = path or invocation.vault_option or Path.cwd()
    if not folder.is_dir():
        raise VaultNotFound(f"{folder} is not a folder.", "Make it first, or give another PATH.")
    vault = folder.resolve()
    loaded = invocation.load(vault)
    prepared = prepare_vault(vault, loaded.settings, lambda question: confirm(question, yes=yes))
    if invocation.json:
        click.echo(json_module.dumps(asdict(prepared), indent=2, default=str, ensure_ascii=False))
        return
    if prepared.repository_created:
        click.echo("A git repository was made.")
    for name in prepared.written:
        click.echo(f"written: {name}")
    if prepared.commit:
        click.echo(f"commit {prepared.commit[:7]}")
    for text in prepared.notes:
        click.echo(wrap(text))
    click.echo(f"{prepared.vault} is ready.")

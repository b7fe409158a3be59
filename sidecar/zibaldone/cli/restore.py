"""`zib restore`."""

from __future__ import annotations

import json as json_module
from datetime import datetime
from pathlib import Path

import click

from zibaldone.cli.options import Invocation, common_options
from zibaldone.cli.output import wrap
from zibaldone.errors import VaultBusy


@click.command()
@click.argument("src", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Replace what is there; it is kept in a folder beside.")
@common_options()
@click.pass_obj
def restore(invocation: Invocation, src: Path, force: bool) -> None:
    """Put the state and index of a backup back. No sidecar may be running."""
    from zibaldone.config.places import vault_places
    from zibaldone.runtime.backup import restore_backup
    from zibaldone.runtime.owner import acquire_owner

    vault = invocation.vault()
    loaded = invocation.load(vault)
    places = vault_places(vault)
    settings_file = vault / loaded.settings.folder / "settings.toml"
    try:
        ownership = acquire_owner(places)
    except VaultBusy:
        raise VaultBusy(
            "A sidecar is running for this vault; nothing can be restored under it.",
            "Close the vault in Obsidian (or stop `zib serve`) and try again.",
        ) from None
    with ownership:
        done = restore_backup(src, places, settings_file, force=force, now=datetime.now().astimezone())
    if invocation.json:
        document = {
            "restored": done.files,
            "displaced": str(done.displaced) if done.displaced else None,
            "created_at": done.manifest.created_at,
            "notes": done.notes,
        }
        click.echo(json_module.dumps(document, indent=2, ensure_ascii=False))
        return
    click.echo(f"restored: {', '.join(done.files)} of {done.manifest.created_at}")
    if done.displaced:
        click.echo(f"what was there before: {done.displaced}")
    for text in done.notes:
        click.echo(wrap(text))
    click.echo("Run `zib sync` to catch up with the notes on disk.")

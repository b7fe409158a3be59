"""`zib backup`."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from zibaldone.cli.options import Invocation, common_options


@click.command()
@click.argument("dest", required=False, type=click.Path(path_type=Path))
@common_options()
@click.pass_obj
def backup(invocation: Invocation, dest: Path | None) -> None:
    """Write state and index into one zip file; safe while the sidecar runs.

    DEST is a file or a folder outside the vault. Without it the file goes to the data folder's backups/.
    """
    from zibaldone.config.places import data_dir, vault_places
    from zibaldone.runtime.backup import as_document, default_name, write_backup

    vault = invocation.vault()
    loaded = invocation.load(vault)
    now = datetime.now().astimezone()
    target = dest or data_dir() / "backups"
    if dest is None or dest.is_dir():
        target = target / default_name(vault, now)
    settings_file = vault / loaded.settings.folder / "settings.toml"
    manifest = write_backup(vault_places(vault), vault, settings_file, target, now)
    if invocation.json:
        click.echo(as_document(manifest, target))
    else:
        click.echo(f"written: {target} ({target.stat().st_size} bytes: {', '.join(manifest.files)})")

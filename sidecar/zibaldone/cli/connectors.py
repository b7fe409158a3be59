"""`zib connectors`: folders and repositories beside the vault that are searched too."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import click

from zibaldone.cli.options import Invocation, common_options
from zibaldone.cli.output import clean, show_json, wrap
from zibaldone.cli.sync import run_sync, show_report

if TYPE_CHECKING:
    from zibaldone.schemas.connectors import ConnectorStatus


@click.group()
@common_options()
def connectors() -> None:
    """Folders and repositories beside the vault that are searched too; nothing in them is ever written.

    Another vault is searched together with this one. A folder of texts (Markdown, plain text) is where an answer is
    looked for when the notes have none. Where a folder is a git repository, its commits are read besides. They are
    named for this machine, and nothing of it stands in the vault.
    """


@connectors.command()
@click.argument("folder", metavar="FOLDER")
@click.option("--name", help="What it is called in citations; the folder's own name where none is given.")
@click.option("--authors", help="Whose commits are read: names or e-mail addresses, with commas between them.")
@click.option("--merges/--no-merges", default=None, help="Read merge commits too (their messages); not by default.")
@click.option("--max-commits", type=click.IntRange(min=0), help="How many, the newest first: 1000; 0 for none.")
@common_options()
@click.pass_obj
def add(
    invocation: Invocation,
    folder: str,
    name: str | None,
    authors: str | None,
    merges: bool | None,
    max_commits: int | None,
) -> None:
    """Name a folder, and read it: its texts, and its commits where it is a git repository (a bare one too).

    Again with other options, it changes what is read of the commits.
    """
    from pathlib import Path

    from zibaldone.config.connectors import HistoryOptions, add_connector
    from zibaldone.config.places import vault_places

    vault = invocation.vault()
    given = {
        "authors": None if authors is None else tuple(filter(None, map(str.strip, authors.split(",")))),
        "merges": merges,
        "max_commits": max_commits,
    }
    said = {key: value for key, value in given.items() if value is not None}
    history = HistoryOptions.model_validate(said) if said else None
    chosen = add_connector(vault_places(vault), vault, Path(folder), name, history)
    if not invocation.json:
        click.echo(clean(f"{chosen}: its files are //{chosen}/... in answers. Reading it."))
    _sync(invocation)


@connectors.command()
@click.argument("name")
@common_options()
@click.pass_obj
def remove(invocation: Invocation, name: str) -> None:
    """Forget a folder and its index; its files stay as they are."""
    from zibaldone.config.connectors import remove_connector
    from zibaldone.config.places import vault_places

    folder = remove_connector(vault_places(invocation.vault()), name)
    if not invocation.json:
        click.echo(clean(f"{name} is no longer searched; nothing in {folder} was touched."))
    _sync(invocation)


@connectors.command("list")
@common_options()
@click.pass_obj
def list_connectors(invocation: Invocation) -> None:
    """Each with what is known of it."""
    from zibaldone.schemas.connectors import ConnectorList

    found = asyncio.run(_statuses(invocation))
    if invocation.json:
        show_json(ConnectorList(connectors=found))
        return
    if not found:
        click.echo("There is none yet: `zib connectors add FOLDER` names one.")
    for one in found:
        kind = "another vault" if one.kind == "vault" else "texts"
        counted = f"{one.notes} files" + (f", {one.commits} commits" if one.is_repository else "")
        state = counted + (f", {one.pending} passages wait for `zib sync`" if one.pending else "")
        click.echo(f"{click.style(clean(one.name), bold=True)}  {kind}, {state if one.is_there else 'not there now'}")
        click.echo(wrap(clean(one.path), indent="    "))


def _sync(invocation: Invocation) -> None:
    from zibaldone.schemas.sync import SyncRequest

    show_report(invocation, asyncio.run(run_sync(invocation, SyncRequest())))


async def _statuses(invocation: Invocation) -> list[ConnectorStatus]:
    from zibaldone.cli.engine import open_engine

    vault = invocation.vault()
    async with open_engine(vault, invocation.load(vault)) as engine:
        return (await engine.status()).connectors

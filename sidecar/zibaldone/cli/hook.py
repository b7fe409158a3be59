"""`zib hook`: what git runs after the person's own commits, merges and checkouts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from zibaldone.cli.options import Invocation, common_options
from zibaldone.errors import InvalidRequest

if TYPE_CHECKING:
    from zibaldone.vault.history.hooks import Hooks


@click.group()
@common_options(json=False)
def hook() -> None:
    """Git hooks that tell Zibaldone of your own commits, merges and checkouts.

    They leave an empty file in the data folder. A running sidecar looks for it every two seconds; what starts later
    looks at the disk anyway. They never fail, and run the hook that was there before.
    """


@hook.command()
@common_options(json=False)
@click.pass_obj
def install(invocation: Invocation) -> None:
    """Put the hooks into the vault's repository."""
    hooks = _hooks(invocation)
    for path in hooks.install():
        click.echo(f"installed: {path}")


@hook.command()
@common_options(json=False)
@click.pass_obj
def uninstall(invocation: Invocation) -> None:
    """Take them away, and put back what was there."""
    hooks = _hooks(invocation)
    removed = hooks.uninstall()
    for path in removed:
        click.echo(f"removed: {path}")
    if not removed:
        click.echo("There was none.")


def _hooks(invocation: Invocation) -> Hooks:
    from zibaldone.config.places import vault_places
    from zibaldone.vault.history.hooks import find_hooks

    vault = invocation.vault()
    if invocation.load(vault).settings.read_only:
        raise InvalidRequest(
            "Nothing in the vault's repository is changed in read-only mode.", "Set read_only = false."
        )
    return find_hooks(vault, vault_places(vault).hint)

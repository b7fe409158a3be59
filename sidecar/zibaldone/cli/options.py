"""What every command has: the vault, --json, --debug; and the flags that search and ask share."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from zibaldone.config.load import LoadedSettings

F = TypeVar("F", bound=Callable[..., Any])


@dataclass
class Invocation:
    """The options that may stand before or after the command's name; `click.pass_obj` hands it on."""

    vault_option: Path | None = None
    json: bool = False
    debug: bool = False

    def vault(self) -> Path:
        """The vault, absolute and resolved. Raises `VaultNotFound`."""
        from zibaldone.vault.locate import find_vault

        return find_vault(self.vault_option, os.environ, Path.cwd())

    def load(self, vault: Path | None, flags: Mapping[str, object] | None = None) -> LoadedSettings:
        """The settings; what is wrong with them is said on stderr."""
        from zibaldone.config.load import load_settings

        loaded = load_settings(vault, flags or {})
        for warning in loaded.warnings:
            click.echo(f"warning: {warning}", err=True)
        return loaded


def common_options(*, json: bool = True) -> Callable[[F], F]:
    """--vault and --debug, and --json where the command has a document to print."""

    def decorate(command: F) -> F:
        if json:
            command = _remembered("--json", "json", "Print one JSON document on stdout.")(command)
        command = _remembered("--debug", "debug", "Show the traceback of a failure.")(command)
        return click.option(
            "--vault",
            "vault_option",
            type=click.Path(path_type=Path),
            help="The vault's folder.",
            expose_value=False,
            callback=_remember,
        )(command)

    return decorate


def retrieval_options(command: F) -> F:
    """-k, --strategy, --profile, --modality, --level."""
    profiles = click.Choice(["balanced", "relevant", "recent", "usage"])
    levels = click.Choice(["event", "episode", "concept"])
    for option in (
        click.option("--level", type=levels, help="Find these, and search what they rest on."),
        click.option("--modality", multiple=True, help="Only these: text, pdf, image, canvas, ..."),
        click.option("--profile", type=profiles, help="How scores are weighed."),
        click.option("--strategy", help="Legs to fuse, such as bm25+semantic."),
        click.option("-k", "--top-k", "k", type=click.IntRange(1, 100), help="How many passages."),
    ):
        command = option(command)
    return command


def exchange_options(command: F) -> F:
    """--no-pull, --no-push."""
    for option in (
        click.option("--no-push", is_flag=True, help="Push nothing, whatever the settings say."),
        click.option("--no-pull", is_flag=True, help="Pull nothing, whatever the settings say."),
    ):
        command = option(command)
    return command


def _remembered(flag: str, name: str, text: str) -> Callable[[F], F]:
    return click.option(flag, name, is_flag=True, help=text, expose_value=False, callback=_remember)


def _remember(ctx: click.Context, option: click.Parameter, value: object) -> None:
    invocation = ctx.ensure_object(Invocation)
    if value and option.name:
        setattr(invocation, option.name, value)

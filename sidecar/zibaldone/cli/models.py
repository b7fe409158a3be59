"""`zib models`: what there is, and how it gets onto this machine. Needs no vault and no engine."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zibaldone.cli.options import Invocation, common_options
from zibaldone.cli.output import clean, confirm, note, table

if TYPE_CHECKING:
    from zibaldone.inference.catalogue import ModelEntry, ModelRole

_ROLES = ("chat", "embed", "rerank")
_NARROWEST = 80


@click.group()
@common_options(json=False)
def models() -> None:
    """The catalogue of models: list, pull, use.

    A model is a file on this machine. Nothing is downloaded but by `zib models pull`.
    """


@models.command(name="list")
@common_options()
@click.pass_obj
def list_models(invocation: Invocation) -> None:
    """Each model: whether it is here, what it is used for, size, licence, languages."""
    from zibaldone.config.places import models_dir
    from zibaldone.inference.catalogue import all_models

    folder = models_dir()
    used = _used(invocation)
    rows = [_describe(entry, folder, used) for entry in all_models(folder).values()]
    if invocation.json:
        _show({"folder": str(folder), "models": rows})
        return
    _print_table(rows)
    click.echo(f"\nModels are in {folder}.")


@models.command()
@click.argument("name")
@common_options()
@click.pass_obj
def show(invocation: Invocation, name: str) -> None:
    """Everything about one model."""
    from zibaldone.config.places import models_dir
    from zibaldone.inference.catalogue import find_model
    from zibaldone.inference.pull import describe_source

    folder = models_dir()
    entry = find_model(folder, name)
    described = _describe(entry, folder, _used(invocation))
    if invocation.json:
        _show(described)
        return
    rows = [
        ("name", entry.name),
        ("", entry.description),
        ("role", entry.role),
        ("used for", ", ".join(described["used_for"]) or "nothing"),
        ("installed", "yes" if described["installed"] else f"no; zib models pull {entry.name}"),
        ("file", described["path"]),
        ("size", _size(entry.size_bytes)),
        ("licence", entry.licence),
        ("languages", ", ".join(entry.languages) or "not told"),
        ("context", f"{entry.context_tokens} tokens" if entry.context_tokens else "not told"),
        ("source", describe_source(entry)),
        ("sha256", described["sha256"] or "the hub's, checked at pull"),
        *((f"{kind} prefix", repr(text)) for kind, text in entry.prefixes.items()),
    ]
    click.echo(table([row for row in rows if row[1]], indent=""))


@models.command()
@click.argument("names", nargs=-1)
@common_options()
@click.pass_obj
def pull(invocation: Invocation, names: tuple[str, ...]) -> None:
    """Download models; without NAMES the ones that the settings use.

    Says what it downloads, checks the hash, and does nothing for a model that is here and right.
    """
    from zibaldone.config.places import models_dir
    from zibaldone.inference.catalogue import FAKE_CHAT, FAKE_EMBED, find_model
    from zibaldone.inference.pull import describe_source, pull_model

    folder = models_dir()
    wanted = names or tuple(name for name in _used(invocation) if name not in (FAKE_CHAT, FAKE_EMBED))
    entries = [find_model(folder, name) for name in dict.fromkeys(wanted)]
    pulled = []
    for entry in entries:
        if not entry.path_in(folder).exists():
            note(f"{entry.name}: {describe_source(entry)}, {_size(entry.size_bytes)}")
        with _progress(entry.name, entry.size_bytes) as report:
            downloaded = pull_model(entry, folder, report)
        pulled.append({"name": entry.name, "path": str(entry.path_in(folder)), "downloaded": downloaded})
        if not invocation.json:
            click.echo(f"{entry.name}: {'downloaded and checked' if downloaded else 'is here and right'}.")
    if invocation.json:
        _show({"models": pulled})
    elif not entries:
        click.echo("The settings use no model that could be pulled.")


@models.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--name", required=True, help="What to call it.")
@click.option("--role", type=click.Choice(_ROLES), required=True, help="What it is for.")
@click.option("--query-prefix", default="", help="What an embedding model wants before a question.")
@click.option("--passage-prefix", default="", help="What an embedding model wants before a passage.")
@common_options()
@click.pass_obj
def add(invocation: Invocation, path: Path, name: str, role: ModelRole, query_prefix: str, passage_prefix: str) -> None:
    """Add your own GGUF file; it stays where it is."""
    from zibaldone.config.places import models_dir
    from zibaldone.inference.catalogue import add_model

    prefixes = {"query": query_prefix, "passage": passage_prefix}
    entry = add_model(
        models_dir(),
        path,
        name,
        role,
        {kind: text for kind, text in prefixes.items() if text},
    )
    if invocation.json:
        _show(_describe(entry, models_dir(), {}))
    else:
        click.echo(f"Added {entry.name}. `zib models use {entry.role} {entry.name}` makes it the one for {entry.role}.")


@models.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@common_options()
@click.pass_obj
def remove(invocation: Invocation, name: str, yes: bool) -> None:
    """Delete a pulled model's file, or forget an added one (its file stays)."""
    from zibaldone.config.places import models_dir
    from zibaldone.inference.catalogue import find_model, remove_model

    folder = models_dir()
    entry = find_model(folder, name)
    added = entry.source.kind == "added"
    question = f"Forget {name}?" if added else f"Delete {name} ({_size(entry.size_bytes)})?"
    if not confirm(question, yes=yes or (not added and not entry.path_in(folder).exists())):
        return
    deleted = remove_model(folder, name)
    if invocation.json:
        _show({"name": name, "deleted": [str(path) for path in deleted]})
    else:
        click.echo(f"{name}: {'forgotten' if added else 'deleted'}.")


@models.command()
@click.argument("role", type=click.Choice((*_ROLES, "extract")))
@click.argument("name")
@common_options()
@click.pass_obj
def use(invocation: Invocation, role: str, name: str) -> None:
    """Use a model for a role from now on (in your config.toml)."""
    from zibaldone.config.places import config_dir, models_dir
    from zibaldone.errors import InvalidRequest
    from zibaldone.inference.catalogue import FAKE_CHAT, FAKE_EMBED, find_model
    from zibaldone.inference.choose import set_key

    serves = "chat" if role == "extract" else role
    needs_file = name != {"chat": FAKE_CHAT, "embed": FAKE_EMBED, "rerank": "chat"}[serves]
    if needs_file:
        entry = find_model(models_dir(), name)
        if entry.role != serves:
            raise InvalidRequest(
                f"{name} is a model for {entry.role}, not for {role}.", "`zib models list` shows more."
            )
    config = config_dir() / "config.toml"
    set_key(config, "models", role, name)
    here = not needs_file or entry.path_in(models_dir()).exists()
    if invocation.json:
        _show({"role": role, "name": name, "config_file": str(config), "installed": here})
        return
    click.echo(f"{role}: {name} ({config}).")
    if not here:
        click.echo(f"It is not on this machine yet: zib models pull {name}")
    if role == "embed":
        note("The notes are embedded anew at the next sync.")


def _used(invocation: Invocation) -> dict[str, list[str]]:
    """Model -> the roles that the settings use it for. An endpoint takes a role's place."""
    from zibaldone.errors import VaultNotFound

    try:
        vault = invocation.vault()
    except VaultNotFound:
        if invocation.vault_option:
            raise
        vault = None
    settings = invocation.load(vault).settings
    used: dict[str, list[str]] = {}
    if not settings.endpoints.chat.url:
        used.setdefault(settings.models.chat, []).append("chat")
        if settings.models.extract:
            used.setdefault(settings.models.extract, []).append("extract")
    if not settings.endpoints.embed.url:
        used.setdefault(settings.models.embed, []).append("embed")
    if settings.models.rerank not in ("", "chat"):
        used.setdefault(settings.models.rerank, []).append("rerank")
    return used


def _describe(entry: ModelEntry, folder: Path, used: dict[str, list[str]]) -> dict[str, Any]:
    path = entry.path_in(folder)
    return {
        "name": entry.name,
        "role": entry.role,
        "installed": path.is_file(),
        "used_for": used.get(entry.name, []),
        "path": str(path),
        "size_bytes": path.stat().st_size if path.is_file() else entry.size_bytes,
        "licence": entry.licence,
        "languages": list(entry.languages),
        "context_tokens": entry.context_tokens,
        "sha256": entry.known_sha256(folder),
        "source": entry.source.kind,
        "description": entry.description,
    }


def _print_table(rows: Sequence[dict[str, Any]]) -> None:
    from rich.console import Console
    from rich.table import Table

    grid = Table(box=None, pad_edge=False)
    grid.add_column("")
    grid.add_column("model", overflow="fold")
    grid.add_column("role")
    grid.add_column("size", justify="right")
    grid.add_column("licence")
    grid.add_column("languages", overflow="fold")
    for row in rows:
        mark = "*" if row["used_for"] else "+" if row["installed"] else ""
        languages = ", ".join(row["languages"])
        role = ", ".join(row["used_for"]) or row["role"]
        cells = (mark, row["name"], role, _size(row["size_bytes"]), row["licence"], languages)
        grid.add_row(*(_plain(clean(cell)) for cell in cells))
    console = Console(width=None if sys.stdout.isatty() else _NARROWEST, highlight=False)
    console.print(grid)
    missing = [row["name"] for row in rows if row["used_for"] and not row["installed"]]
    console.print("\n* used by the settings   + on this machine", highlight=False)
    if missing:
        console.print(f"Not on this machine yet: {', '.join(missing)}. `zib models pull` brings them.", markup=False)


def _plain(text: str) -> Any:
    from rich.text import Text

    return Text(text)


@contextmanager
def _progress(name: str, size: int) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr, on a terminal only."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(name, total=size)
        yield lambda done, total: bars.update(task, completed=done, total=total)


def _size(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"


def _show(document: dict[str, Any]) -> None:
    click.echo(json.dumps(document, indent=2, ensure_ascii=False))

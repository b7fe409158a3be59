"""`zib ingest`, `zib sources` and `zib stale`: documents that pages rest on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from zibaldone.cli.options import Invocation, common_options
from zibaldone.cli.output import clean, note, show_json, warn, wrap
from zibaldone.cli.wiki_output import tell_change

if TYPE_CHECKING:
    from zibaldone.runtime.engine import Library
    from zibaldone.schemas.sources import IngestedFile, SourceInfo

T = TypeVar("T")


def call_library(invocation: Invocation, call: Callable[[Library], Awaitable[T]], *, patient: bool = False) -> T:
    async def with_engine() -> T:
        from zibaldone.cli.engine import open_engine

        vault = invocation.vault()
        async with open_engine(vault, invocation.load(vault), patient=patient) as engine:
            return await call(engine.library)

    return asyncio.run(with_engine())


def absolute(path: str) -> str:
    """As the owner of the vault needs it, who may have been started elsewhere. Links are left to it."""
    return str(Path.cwd() / Path(path).expanduser())


@click.command()
@click.argument("files", metavar="FILE..", nargs=-1, required=True)
@click.option("--into", default="", metavar="FOLDER", help="A folder below Zibaldone/sources/.")
@click.option("--as", "key", metavar="KEY", help="Which document this is: a newer version supersedes the older one.")
@click.option("--register-only", is_flag=True, help="Write no page from it.")
@click.option("--prompt", metavar="TEXT", help="What its page is to be about.")
@common_options()
@click.pass_obj
def ingest(
    invocation: Invocation, files: tuple[str, ...], into: str, key: str | None, register_only: bool, prompt: str | None
) -> int:
    """Copy documents into the vault's sources, register them, and write a page from each."""
    from zibaldone.cli.requests import checked
    from zibaldone.schemas.sources import IngestRequest

    request = checked(
        IngestRequest,
        paths=[absolute(path) for path in files],
        into=into,
        key=key,
        prompt=prompt or "",
        register_only=register_only,
    )
    report = call_library(invocation, lambda library: library.add(request), patient=True)
    if invocation.json:
        show_json(report)
    else:
        for file in report.files:
            _tell(invocation, file)
    return 1 if any(file.outcome == "failed" for file in report.files) else 0


@click.group()
def sources() -> None:
    """Documents that pages rest on."""


@sources.command("list")
@common_options()
@click.pass_obj
def list_sources(invocation: Invocation) -> None:
    """Every registered document, its versions in order."""
    found = call_library(invocation, lambda library: library.list())
    if invocation.json:
        show_json(found)
        return
    if not found.sources:
        click.echo("Nothing is registered yet: `zib ingest FILE` adds a document.")
    for source in found.sources:
        click.echo("\n".join(_lines(source)))
    for problem in found.problems:
        warn(f"{problem.path} is not used: {problem.reason}")


@sources.command()
@click.option("--apply", is_flag=True, help="Remove them; without it they are only listed.")
@common_options()
@click.pass_obj
def gc(invocation: Invocation, apply: bool) -> None:
    """Copies that were superseded and that nothing in the vault names."""
    from zibaldone.schemas.sources import CollectRequest

    found = call_library(invocation, lambda library: library.collect(CollectRequest(apply=apply)))
    if invocation.json:
        show_json(found)
        return
    for source in found.removed:
        click.echo(clean(f"{'removed' if found.applied else 'would be removed'}: {source.path}"))
    for kept in found.kept:
        click.echo(clean(f"kept: {kept.path} ({kept.reason})"))
    if not found.removed:
        click.echo("There is nothing to remove.")
    elif not found.applied:
        note("Nothing was removed: --apply does it.")
    else:
        commit = f" commit {found.commit[:7]}" if found.commit else ""
        click.echo(f"done{commit}; `zib undo {found.change}` takes it back")
    if found.reason:
        note(found.reason)


@click.command()
@common_options()
@click.pass_obj
def stale(invocation: Invocation) -> int:
    """Pages that rest on something that was superseded, changed or removed. Exit code 1 where there is one."""
    found = call_library(invocation, lambda library: library.stale())
    if invocation.json:
        show_json(found)
        return 1 if found.stale else 0
    for entry in found.stale:
        newest = f", newest: {entry.newest}" if entry.newest else ""
        click.echo(f"{click.style(clean(entry.page), bold=True)}  {entry.state}")
        click.echo(wrap(f"{entry.rests_on}{newest}", indent="    "))
    if not found.stale:
        up_to_date = f"{found.pages} pages, each up to date with what it rests on."
        click.echo(up_to_date if found.pages else "There is no page yet.")
    return 1 if found.stale else 0


def _tell(invocation: Invocation, file: IngestedFile) -> None:
    if file.error is not None:
        click.secho("error: ", fg="red", err=True, nl=False)
        click.echo(clean(file.error.message), err=True)
        click.echo(clean(f"hint: {file.error.hint}"), err=True)
        return
    assert file.source is not None
    commit = f" commit {file.commit[:7]}" if file.commit else ""
    done = "registered already" if file.outcome == "unchanged" else file.outcome
    click.echo(clean(f"{done}: {file.source.path}{commit}"))
    if file.supersedes:
        click.echo(clean(f"    supersedes {file.supersedes}"))
    if file.source.superseded_by:
        click.echo(clean(f"    an older version of {file.source.key}: superseded by {file.source.superseded_by}"))
    if file.reason:
        note(file.reason)
    for page in file.pages:
        tell_change(invocation, page)
    for sentence in (file.no_page, file.left_out):
        if sentence:
            note(sentence)
    if file.left_stale:
        count = len(file.left_stale)
        note(f"{count} {'page rests' if count == 1 else 'pages rest'} on an older version: `zib stale` names them.")


def _lines(source: SourceInfo) -> list[str]:
    state = "  superseded" if source.superseded_by else ""
    gone = "" if source.present else "  the copy is gone"
    head = (
        f"{click.style(clean(source.key), bold=True)}  {source.registered_at[:10]}  {_size(source.size)}{state}{gone}"
    )
    return [head, clean(f"    {source.path}")]


def _size(count: int) -> str:
    if count < 1000:
        return f"{count} B"
    return f"{count / 1e6:.1f} MB" if count >= 100_000 else f"{count / 1e3:.1f} kB"

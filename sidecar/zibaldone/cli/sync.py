"""`zib sync`, and the watching of a sync that `zib rebuild` shares."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from typing import TYPE_CHECKING, assert_never

import click

from zibaldone.cli.options import Invocation, common_options
from zibaldone.cli.output import confirm, note, show_json, wrap
from zibaldone.cli.progress import show_progress
from zibaldone.errors import ZibaldoneError

if TYPE_CHECKING:
    from zibaldone.schemas.sync import FolderReport, SyncEvent, SyncReport, SyncRequest


@click.command()
@click.argument("paths", nargs=-1)
@click.option("--only", multiple=True, help="Only these kinds: notes, git, pdf, image, canvas, ...")
@click.option("--max-commits", type=click.IntRange(min=0), help="Of each history only the newest N commits.")
@click.option("--yes", is_flag=True, help="Accept that many notes are gone at once.")
@common_options()
@click.pass_obj
def sync(
    invocation: Invocation, paths: tuple[str, ...], only: tuple[str, ...], max_commits: int | None, yes: bool
) -> None:
    """Reconcile disk and index: the whole vault, or the vault-relative PATHS."""
    from zibaldone.schemas.sync import SyncRequest

    kinds = [kind for text in only for kind in text.split(",") if kind]
    request = SyncRequest(paths=list(paths), only=kinds, max_commits=max_commits, accept_deletions=yes)
    report = asyncio.run(run_sync(invocation, request))
    if report.held and not invocation.json:
        show_report(invocation, report)
    if report.held:
        question = (
            f"{report.held} notes have vanished at once (a disk not mounted, a branch switched?) and are "
            "still in the index. Drop them?"
        )
        if confirm(question, yes=False):
            accepted = request.model_copy(update={"accept_deletions": True})
            report = asyncio.run(run_sync(invocation, accepted))
    show_report(invocation, report)


async def run_sync(invocation: Invocation, request: SyncRequest) -> SyncReport:
    from zibaldone.cli.engine import open_engine

    vault = invocation.vault()
    async with open_engine(vault, invocation.load(vault)) as engine, aclosing(engine.sync(request)) as events:
        return await _watch(events)


def show_report(invocation: Invocation, report: SyncReport) -> None:
    if invocation.json:
        show_json(report)
    else:
        click.echo("\n".join(_render(report)))


async def _watch(events: AsyncGenerator[SyncEvent, None]) -> SyncReport:
    from zibaldone.schemas.ask import Cancelled, Failed, Notice
    from zibaldone.schemas.failure import restore_error
    from zibaldone.schemas.sync import Progress, Synced

    with show_progress() as update:
        async for event in events:
            match event:
                case Progress():
                    update(event)
                case Notice():
                    note(event.message)
                case Synced():
                    return event.report
                case Failed():
                    raise restore_error(event.error)
                case Cancelled():
                    break
                case _:
                    assert_never(event)
    raise ZibaldoneError("The sync was stopped before it was done.", "Run `zib sync` again; it goes on from there.")


def _render(report: SyncReport) -> Iterator[str]:
    yield from _render_folder(report)
    for beside in report.connectors:
        yield f"{beside.name}:"
        yield from (f"  {line}" for text in _render_folder(beside) for line in text.splitlines())


def _render_folder(report: FolderReport) -> Iterator[str]:
    counts = ("added", "changed", "renamed", "deleted", "held", "unchanged")
    told = [f"{getattr(report, name)} {name}" for name in counts if getattr(report, name)]
    yield wrap(f"{', '.join(told) or 'no notes'} in {report.seconds:.1f} s")
    if report.chunks_embedded or report.cache_hits:
        yield f"{report.chunks_embedded} chunks embedded, {report.cache_hits} found in the cache"
    for file in report.skipped:
        yield wrap(f"skipped {file.path}: {file.reason}", indent="  ", first="")
    for text in report.notes:
        yield wrap(text)

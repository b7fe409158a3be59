"""`zib status`."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from zibaldone.cli.options import Invocation, common_options
from zibaldone.cli.output import clean, show_json, table, wrap

if TYPE_CHECKING:
    from zibaldone.schemas.status import Status

_MOST_LISTED = 10


@click.command()
@common_options()
@click.pass_obj
def status(invocation: Invocation) -> None:
    """What is indexed, pending, skipped and why; models, git, disk."""
    report = asyncio.run(_status(invocation))
    if invocation.json:
        show_json(report)
    else:
        click.echo("\n".join(_render(report)))


async def _status(invocation: Invocation) -> Status:
    from zibaldone.cli.engine import open_engine

    vault = invocation.vault()
    async with open_engine(vault, invocation.load(vault)) as engine:
        return await engine.status()


def _render(report: Status) -> Iterator[str]:
    notes = report.notes
    yield click.style(clean(report.vault), bold=True)
    rows = [
        ("sidecar", f"{report.owner.url} (pid {report.owner.pid})" if report.owner else "not running"),
        (
            "notes",
            f"{notes.indexed} indexed, {notes.pending} pending, {notes.skipped} skipped, {notes.failed} failed",
        ),
        *([("files", ", ".join(f"{count} {name}" for name, count in report.kinds.items()))] if report.kinds else ()),
        ("index", f"{report.chunks} chunks, {report.vectors} vectors, {_size(report.disk_bytes)}"),
        ("sync", report.sync_state),
        ("git", report.git.state + (f", {report.git.queued_commits} commits wait" * bool(report.git.queued_commits))),
    ]
    for role, model in report.models.items():
        hint = f" - {model.hint}" if model.hint else ""
        rows.append((role, f"{model.model or 'none'}, {model.state}{hint}"))
    yield table(rows)
    for title, files in (("Skipped", report.skipped), ("Problems", report.problems)):
        if files:
            yield ""
            yield title
            for file in files[:_MOST_LISTED]:
                yield wrap(f"{file.path}: {file.reason}", indent="    ", first="  ")
            if len(files) > _MOST_LISTED:
                yield f"  and {len(files) - _MOST_LISTED} more (--json lists them all)"


def _size(count: int) -> str:
    size = float(count)
    for unit in ("bytes", "KB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"

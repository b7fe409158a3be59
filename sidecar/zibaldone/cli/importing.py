"""`zib import`: another vault, a folder of notes or an outmem wiki."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from zibaldone.cli.options import Invocation, common_options
from zibaldone.cli.output import clean, note, show_json, warn
from zibaldone.cli.sources import absolute, call_library

if TYPE_CHECKING:
    from zibaldone.schemas.sources import ImportReport

_SHOWN = 10
_KINDS = {"vault": "vault", "folder": "folder", "outmem": "outmem wiki"}


@click.command("import")
@click.argument("path")
@click.option("--into", metavar="FOLDER", help="The folder of the vault; the default is the name of PATH, . its root.")
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@click.option("--force", is_flag=True, help="Overwrite files that are in the way; `zib undo` brings them back.")
@common_options()
@click.pass_obj
def import_command(invocation: Invocation, path: str, into: str | None, dry_run: bool, force: bool) -> None:
    """Take another vault, a folder of notes or an outmem wiki into this vault, in one commit."""
    from zibaldone.cli.requests import checked
    from zibaldone.schemas.sources import ImportRequest

    request = checked(ImportRequest, path=absolute(path), into=into, dry_run=dry_run, force=force)
    report = call_library(invocation, lambda library: library.import_folder(request))
    if invocation.json:
        show_json(report)
        return
    click.echo("\n".join(_lines(report)))
    for line in _warnings(report):
        warn(line)
    if report.written:
        commit = f" commit {report.commit[:7]}" if report.commit else ""
        click.echo(f"imported{commit}; `zib undo {report.change}` takes it back")
    elif dry_run:
        note("Nothing was written.")
    if report.reason:
        note(report.reason)


def _lines(report: ImportReport) -> list[str]:
    to = report.into or "the vault's root"
    lines = [clean(f"{_KINDS[report.kind]} {report.name} -> {to}")]
    counts = {
        "notes": report.notes,
        "attachments": report.attachments,
        "pages": report.pages,
        "days of log": report.logs,
        "sources": report.sources,
        "there already": report.unchanged,
    }
    lines.append("  " + ", ".join(f"{count} {name}" for name, count in counts.items() if count or name == "notes"))
    lines.append(f"  {report.links_rewritten} links rewritten in {report.notes_changed} notes")
    lines += _some("in the way", [f"{one.existing} ({one.kind})" for one in report.collisions])
    lines += _some("left out", [f"{one.path} ({one.reason})" for one in report.left_out])
    return lines


def _warnings(report: ImportReport) -> list[str]:
    redirected = [f"{one.path}:{one.line} [[{one.target}]] would lead to {one.now}" for one in report.redirected]
    more = [f"{len(redirected) - _SHOWN} more links of your notes would"] if len(redirected) > _SHOWN else []
    return [*redirected[:_SHOWN], *more, *report.remarks]


def _some(what: str, items: list[str]) -> list[str]:
    if not items:
        return []
    more = [f"    and {len(items) - _SHOWN} more (--json lists all)"] if len(items) > _SHOWN else []
    return [f"  {len(items)} {what}:", *(clean(f"    {item}") for item in items[:_SHOWN]), *more]

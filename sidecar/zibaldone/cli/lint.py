"""`zib lint` and `zib index`: the wiki's upkeep."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from zibaldone.cli.options import Invocation, common_options
from zibaldone.cli.output import clean, show_json, wrap
from zibaldone.cli.wiki_output import call_wiki, tell_change

if TYPE_CHECKING:
    from zibaldone.schemas.wiki import LintFinding, LintReport, LintScope


@click.command()
@click.option("--fix", is_flag=True, help="Mend what can be mended without taking anything away, in one change.")
@click.option("--all", "everything", is_flag=True, help="The links and properties of your own notes too.")
@common_options()
@click.pass_obj
def lint(invocation: Invocation, fix: bool, everything: bool) -> int:
    """Look for what is wrong with the pages. Exit code 1 where there is an error."""
    report = _run(invocation, "all" if everything else "pages", fix=fix)
    if invocation.json:
        show_json(report)
    else:
        _tell(invocation, report)
    return 1 if report.errors else 0


@click.group()
def index() -> None:
    """Zibaldone/index.md, which lists the pages."""


@index.command()
@common_options()
@click.pass_obj
def rebuild(invocation: Invocation) -> None:
    """List the pages that index.md lacks and take out those that are gone; all other words in it stay."""
    report = _run(invocation, "index", fix=True)
    if invocation.json:
        show_json(report)
    elif report.fix:
        tell_change(invocation, report.fix)
    else:
        click.echo("The index lists every page.")


def _run(invocation: Invocation, scope: LintScope, *, fix: bool) -> LintReport:
    from zibaldone.schemas.wiki import LintRequest

    request = LintRequest(fix=fix, scope=scope)
    return call_wiki(invocation, lambda wiki: wiki.lint(request))


def _tell(invocation: Invocation, report: LintReport) -> None:
    if report.fix:
        tell_change(invocation, report.fix)
    for finding in report.findings:
        click.echo("\n".join(_lines(finding)))
    fixable = sum(finding.fixable for finding in report.findings)
    more = f"; `zib lint --fix` mends {fixable}" if fixable else ""
    click.echo(f"{_count(report.errors, 'error')}, {_count(report.warnings, 'warning')}{more}")


def _lines(finding: LintFinding) -> list[str]:
    where = f"{finding.path}:{finding.line}" if finding.line else finding.path
    mark = click.style(finding.severity, fg="red" if finding.severity == "error" else "yellow")
    return [
        f"{clean(where)}  {mark} {finding.kind}",
        wrap(finding.message, indent="    "),
        wrap(finding.remedy, indent="    "),
    ]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"

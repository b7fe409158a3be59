"""`zib bench`."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import click

from zibaldone.cli.options import Invocation, common_options
from zibaldone.cli.output import note, show_json, wrap

if TYPE_CHECKING:
    from zibaldone.bench.figures import BenchReport, Row

NAMES = ("embed", "generate", "search", "commit", "page", "noop", "followup", "save", "start", "scale")
_HEAD = f"{'name':<12} {'ours':>8} {'raw':>8} {'unit':<9} {'ratio':>6} {'spread':>11}  {'target':<7} met"


@click.command()
@click.argument("name", type=click.Choice(NAMES), required=False)
@click.option("--quick", is_flag=True, help="A small vault and few repeats: some minutes.")
@common_options()
@click.pass_obj
def bench(invocation: Invocation, name: str | None, quick: bool) -> int:
    """Measure against the raw libraries, on this machine: everything, or NAME.

    Works on a copy of --vault (without it, on a generated vault) in a temporary folder, with the models that are set;
    nothing of yours is written. Exits with 1 where a figure could not be taken for a reason other than a
    missing model; a target that is not met is told, and is no failure.
    """
    from zibaldone.bench.pipeline import run_bench

    given = invocation.vault_option
    vault = invocation.vault() if given else None
    settings = invocation.load(None).settings

    def show(row: Row) -> None:
        if not invocation.json:
            click.echo("\n".join(_render_row(row)))

    if not invocation.json:
        click.echo(_HEAD)
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)  # the temporary folder goes in any case
    try:
        report = run_bench(settings, name=name, vault=vault, quick=quick, say=note, show=show)
    finally:
        signal.signal(signal.SIGTERM, before)
    if invocation.json:
        show_json(report)
    else:
        click.echo(f"\n{_describe(report)}")
    return int(any(row.failed for row in report.rows))


def _describe(report: BenchReport) -> str:
    """When, where and with what it was measured."""
    machine = report.machine
    source = f"commit {report.commit[:12]}" if report.commit else f"version {report.version}"
    changed = " (changed since)" if report.changed_since_commit else ""
    vault = f"{report.notes} notes, {report.vault}{', quick' if report.quick else ''}"
    return wrap(
        f"{report.date[:10]}, {source}{changed}; {vault}; {report.chat}, {report.embed}, {report.threads} threads; "
        f"{machine.cpu}, {machine.cores} cores, {machine.memory_gib:g} GiB, {machine.system}, load {report.load:g}; "
        f"Python {machine.python}, llama-cpp-python {machine.llama_cpp_python}, chromadb {machine.chromadb}, "
        f"SQLite {machine.sqlite}, git {machine.git}; {report.seconds:.0f} s"
    )


def _render_row(row: Row) -> list[str]:
    if row.ours is None or row.raw is None:
        return [wrap(f"not measured: {row.why}", first=f"{row.name:<12} ", indent=" " * 13)]
    ratio = f"{row.ratio:.2f}" if row.ratio is not None else ""
    spread = f"{row.low:.2f}..{row.high:.2f}" if row.low is not None and row.high is not None else ""
    met = click.style("yes", fg="green") if row.met else click.style("no", fg="red")
    line = f"{row.name:<12} {_number(row.ours):>8} {_number(row.raw):>8} {row.unit:<9} {ratio:>6} {spread:>11}"
    about = f"{row.what}{f'; {row.detail}' if row.detail else ''}"
    return [f"{line}  {row.target:<7} {met}", click.style(wrap(about, indent=" " * 13), dim=True)]


def _number(value: float) -> str:
    return f"{value:.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"

"""`zib eval`: how good retrieval is."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from zibaldone.cli.options import Invocation, common_options
from zibaldone.cli.output import show_json
from zibaldone.cli.progress import show_progress

if TYPE_CHECKING:
    from zibaldone.config.settings import Settings
    from zibaldone.schemas.evaluation import RetrievalReport
    from zibaldone.schemas.search import Profile

_DEEPEST = 100
_PROFILES = click.Choice(["balanced", "relevant", "recent", "usage"])


def _read_cuts(ctx: click.Context, param: click.Parameter, value: str) -> tuple[int, ...]:
    parts = value.split(",")
    if not all(part.strip().isdigit() and 0 < int(part) <= _DEEPEST for part in parts):
        raise click.BadParameter(f"{value!r} is no list of ranks from 1 to {_DEEPEST}, such as 5,10.", ctx, param)
    return tuple(sorted({int(part) for part in parts}))


@click.group("eval")
@common_options(json=False)
def eval_command() -> None:
    """Measure how good the answers' passages are."""


@eval_command.command()
@click.option("--set", "folder", type=click.Path(path_type=Path), required=True, help="A set in the BEIR layout.")
@click.option("--strategy", help="Legs to fuse, such as bm25+semantic; your setting where none is given.")
@click.option("--profile", type=_PROFILES, help="How scores are weighed.")
@click.option(
    "--k",
    "cuts",
    metavar="N,N",
    callback=_read_cuts,
    default="5,10",
    show_default=True,
    help="Ranks that are looked at.",
)
@click.option("--query-prefix", default="", metavar="TEXT", help="Put before each query.")
@common_options()
@click.pass_obj
def retrieval(
    invocation: Invocation,
    folder: Path,
    strategy: str | None,
    profile: Profile | None,
    cuts: tuple[int, ...],
    query_prefix: str,
) -> None:
    """Search for the queries of a set whose answers are known.

    The set's documents become notes of a store that is thrown away, and go through the same chunking, index and
    search as yours; a document's score is that of its best passage. A set is a folder with corpus.jsonl, queries.jsonl
    and qrels.tsv.
    """
    settings = invocation.load(None).settings
    strategy = strategy or settings.retrieval.strategy
    report = asyncio.run(_measure(settings, folder, strategy, profile, cuts, query_prefix))
    if invocation.json:
        show_json(report)
    else:
        click.echo("\n".join(_render(report)))


async def _measure(
    settings: Settings, folder: Path, strategy: str, profile: Profile | None, cuts: tuple[int, ...], prefix: str
) -> RetrievalReport:
    from zibaldone.config.places import data_dir
    from zibaldone.evaluation.retrieval import open_evaluation
    from zibaldone.evaluation.sets import read_set
    from zibaldone.retrieval.strategy import parse_strategy

    plan = parse_strategy(strategy)
    given = read_set(folder)
    needs_vectors = plan.rerank or "semantic" in plan.legs
    async with open_evaluation(given, settings, data_dir() / "cache.db", vectors=needs_vectors) as evaluation:
        with show_progress() as show:
            await evaluation.index(show)
            report, _ = await evaluation.run(strategy, profile, cuts, prefix, show)
    return report


def _render(report: RetrievalReport) -> Iterator[str]:
    yield f"{report.set}: {report.docs} documents, {report.queries} queries, {report.strategy}"
    for name, value in report.metrics.items():
        yield f"  {name:<10} {value:.3f}"
    latency = report.latency_ms
    yield f"  {latency.p50:.1f} ms a query (p95 {latency.p95:.1f}), indexed in {report.index_seconds:.1f} s"

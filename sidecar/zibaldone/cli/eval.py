"""`zib eval`: how good retrieval is."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from zibaldone.cli.options import Invocation, common_options
from zibaldone.cli.output import show_json, warn
from zibaldone.cli.progress import show_progress

if TYPE_CHECKING:
    from zibaldone.schemas.evaluation import RetrievalReport
    from zibaldone.schemas.search import Profile

_DEEPEST = 100
_WIDE_GAP = 0.30  # from which CrossModalRAG would look at pictures by more than their text
_LEVELS = click.Choice(["evidence"])
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
@click.option("--set", "folder", type=click.Path(path_type=Path), help="A set in the BEIR layout.")
@click.option("--load-queries", "file", type=click.Path(path_type=Path), help="Your own questions, over your vault.")
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
@click.option("--level", type=_LEVELS, default="evidence", expose_value=False, help="What is searched: passages.")
@click.option("--modality", multiple=True, help="Only these: text, pdf, image, canvas, ...")
@click.option("--query-prefix", default="", metavar="TEXT", help="Put before each query.")
@common_options()
@click.pass_obj
def retrieval(
    invocation: Invocation,
    folder: Path | None,
    file: Path | None,
    strategy: str | None,
    profile: Profile | None,
    cuts: tuple[int, ...],
    modality: tuple[str, ...],
    query_prefix: str,
) -> None:
    """Search for queries whose answers are known.

    The documents of a --set become notes of a store that is thrown away, and go through the same chunking, index and
    search as yours; a document's score is that of its best passage. A set is a folder with corpus.jsonl, queries.jsonl
    and qrels.tsv.

    --load-queries asks your own vault instead: a JSON array, or one object a line, of {"query_text": "...",
    "expected_source_uris": ["note:Projects/Kestrel.md", "page:kestrel-budget"]}. Questions that have a "kind" are
    measured by kind as well; of the kinds image-text and image-layout the difference is told: how much pictures say
    that reading their text does not reach.
    """
    if folder is not None and file is None:
        report = asyncio.run(_measure_set(invocation, folder, strategy, profile, cuts, query_prefix, modality))
    elif file is not None and folder is None:
        report = asyncio.run(_measure_vault(invocation, file, strategy, profile, cuts, query_prefix, modality))
    else:
        raise click.UsageError("Give one of --set and --load-queries.")
    if invocation.json:
        show_json(report)
    else:
        click.echo("\n".join(_render(report)))


async def _measure_set(
    invocation: Invocation,
    folder: Path,
    strategy: str | None,
    profile: Profile | None,
    cuts: tuple[int, ...],
    prefix: str,
    modality: tuple[str, ...],
) -> RetrievalReport:
    from zibaldone.config.places import data_dir
    from zibaldone.domain.strategy import parse_strategy
    from zibaldone.evaluation.retrieval import open_evaluation
    from zibaldone.evaluation.sets import read_set

    settings = invocation.load(None).settings
    strategy = strategy or settings.retrieval.strategy
    plan = parse_strategy(strategy)
    given = read_set(folder)
    async with open_evaluation(given, settings, data_dir() / "cache.db", vectors=plan.embeds) as evaluation:
        with show_progress() as show:
            await evaluation.index(show)
            report, _ = await evaluation.run(strategy, profile, cuts, prefix, show, modality=modality)
    return report


async def _measure_vault(
    invocation: Invocation,
    file: Path,
    strategy: str | None,
    profile: Profile | None,
    cuts: tuple[int, ...],
    prefix: str,
    modality: tuple[str, ...],
) -> RetrievalReport:
    from zibaldone.cli.engine import open_engine
    from zibaldone.cli.requests import checked
    from zibaldone.evaluation.questions import measure_questions, read_questions
    from zibaldone.evaluation.ranking import PASSAGES
    from zibaldone.schemas.search import SearchRequest

    def make_request(text: str) -> SearchRequest:
        return checked(
            SearchRequest,
            query=prefix + text,
            k=PASSAGES,
            strategy=strategy,
            profile=profile,
            modality=list(modality),
        )

    questions = read_questions(file, warn)
    vault = invocation.vault()
    loaded = invocation.load(vault)
    async with open_engine(vault, loaded) as engine:
        with show_progress() as show:
            return await measure_questions(
                engine, file.name, questions, make_request, cuts, loaded.settings.folder, warn, show
            )


def _render(report: RetrievalReport) -> Iterator[str]:
    yield f"{report.set}: {report.docs} documents, {report.queries} queries, {report.strategy}"
    for name, value in report.metrics.items():
        yield f"  {name:<10} {value:.3f}"
    yield from _render_kinds(report)
    latency = report.latency_ms
    indexed = f", indexed in {report.index_seconds:.1f} s" if report.index_seconds else ""
    yield f"  {latency.p50:.1f} ms a query (p95 {latency.p95:.1f}){indexed}"


def _render_kinds(report: RetrievalReport) -> Iterator[str]:
    shown = [name for name in report.metrics if name.startswith(("recall@", "mrr@"))]
    if report.kinds:
        yield f"  {'by kind':<14}{'queries':>8}" + "".join(f"{name:>11}" for name in shown)
    for figures in report.kinds:
        yield f"  {figures.kind:<14}{figures.queries:>8}" + "".join(f"{figures.metrics[name]:>11.3f}" for name in shown)
    if report.image_gap is not None:
        verdict = "wide: what they show without words is not found" if report.image_gap >= _WIDE_GAP else "narrow"
        yield f"  pictures, recall of text less recall of layout: {report.image_gap:.3f}"
        yield f"  ({verdict}; wide is {_WIDE_GAP:.2f} or more)"

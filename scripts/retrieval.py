"""Every retrieval set by every strategy: the table of ARCHITECTURE.md, with how sure its figures are.

Usage: scripts/retrieval.py [SET ...] [--sets DIR] [--strategy S ...] [--rerank] [--cache FILE] [--json] [--write]

Without --strategy: each leg of the strategy that is set, that strategy, and with --rerank (slow) that one reranked. The
sets go through the product's own chunking, index and search, as with `zib eval retrieval`. --json prints the measures
of each query as well; --write puts the table between the marks in ARCHITECTURE.md.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from zibaldone.config.load import load_settings
from zibaldone.config.places import data_dir
from zibaldone.config.settings import Settings
from zibaldone.domain.strategy import parse_strategy
from zibaldone.errors import InvalidRequest
from zibaldone.evaluation.retrieval import FUSED, open_evaluation
from zibaldone.evaluation.sets import read_set
from zibaldone.evaluation.statistics import RESAMPLES, bootstrap_interval, paired_bootstrap_p
from zibaldone.schemas.evaluation import RetrievalReport

ROOT = Path(__file__).parents[1]
ARCHITECTURE = ROOT / "ARCHITECTURE.md"
BEGIN, END = "<!-- scripts/retrieval.py --write: begin -->", "<!-- scripts/retrieval.py --write: end -->"
NDCG, RECALL = "ndcg@10", "recall@10"
EXPLAINED = """\
nDCG@10 with {embedder}, in brackets the 95 % interval of the mean ({resamples:,} bootstrap resamples of the questions).
*Ceiling*: the mean where each question has the weight of words and meaning that is best for it, of 21 weights that
rank the same candidates; *of it*: the share of it that {default} reaches. *p*: how probable a difference between
{default} and the leg at least as large would be if there were none (paired bootstrap test, two-sided, not corrected
for their number)."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One strategy on one set; `by_query` holds the measures of each query."""

    report: RetrievalReport
    by_query: Mapping[str, Mapping[str, float]]

    def values(self, measure: str) -> dict[str, float]:
        return {query: row[measure] for query, row in self.by_query.items()}


@dataclass(frozen=True, slots=True)
class SetResult:
    """One set, by strategy. `default` is the strategy that the single legs are compared with; `ceiling` holds what the
    best weight of each query reaches, and nothing where no fusion was measured."""

    name: str
    measured: Mapping[str, Measured]
    default: str
    ceiling: Mapping[str, Mapping[str, float]]

    @property
    def legs(self) -> list[str]:
        return [strategy for strategy in self.measured if is_leg(strategy)]

    def mean(self, strategy: str, measure: str) -> float:
        return fmean(self.measured[strategy].values(measure).values())

    def interval(self, strategy: str, measure: str) -> tuple[float, float]:
        return bootstrap_interval(list(self.measured[strategy].values(measure).values()))

    def best(self, measure: str) -> float | None:
        return fmean(row[measure] for row in self.ceiling.values()) if self.ceiling else None

    def reached(self, measure: str) -> float | None:
        """The share of the ceiling."""
        best = self.best(measure)
        return self.mean(self.default, measure) / best if best and self.default in self.measured else None

    def p(self, leg: str) -> float | None:
        """Of the default strategy's nDCG against a single leg's."""
        if self.default not in self.measured or leg == self.default:
            return None
        ours, theirs = self.measured[self.default].values(NDCG), self.measured[leg].values(NDCG)
        return paired_bootstrap_p(list(ours.values()), [theirs[query] for query in ours])

    def document(self) -> dict[str, Any]:
        return {
            "set": self.name,
            "strategies": {
                strategy: {
                    **one.report.model_dump(exclude={"set", "strategy"}),
                    "intervals": {measure: self.interval(strategy, measure) for measure in (NDCG, RECALL)},
                    "by_query": one.by_query,
                }
                for strategy, one in self.measured.items()
            },
            "ceiling": {measure: self.best(measure) for measure in (NDCG, RECALL)},
            "p": {leg: self.p(leg) for leg in self.legs},
        }


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("names", nargs="*", metavar="SET", help="only these")
    parser.add_argument("--sets", type=Path, default=ROOT.parent / "shared/data/sets", help="folder of the sets")
    parser.add_argument("--strategy", action="append", default=[], dest="strategies")
    parser.add_argument("--rerank", action="store_true", help="the strategy that is set, reranked, as well")
    parser.add_argument("--cache", type=Path, help="of embeddings; else that of `zib eval`")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    settings = load_settings(None).settings
    default = settings.retrieval.strategy
    strategies = options.strategies or list(dict.fromkeys([*parse_strategy(default).legs, default]))
    if options.rerank:
        strategies.append(f"rerank({default})")
    try:
        plans = [parse_strategy(strategy) for strategy in strategies]
    except InvalidRequest as error:
        parser.error(f"{error.message} {error.hint}")
    vectors = any(plan.embeds for plan in plans)
    folders = find_sets(options.sets, options.names)
    cache = options.cache or data_dir() / "cache.db"
    results = [asyncio.run(measure_set(folder, strategies, settings, cache, vectors=vectors)) for folder in folders]
    if not results:
        say(f"No set was found in {options.sets}: nothing is measured.")
        return 0
    text = render(results, strategies, settings.models.embed)
    if options.json:
        print(json.dumps({"sets": [result.document() for result in results]}, ensure_ascii=False))
    else:
        print(text)
    if options.write:
        ARCHITECTURE.write_text(replace_block(ARCHITECTURE.read_text(encoding="utf-8"), text), encoding="utf-8")
    return 0


def find_sets(folder: Path, names: Sequence[str]) -> list[Path]:
    """The folders below `folder` that are sets; of those that are named and absent it is said so."""
    there = {path.parent.name: path.parent for path in sorted(folder.glob("*/corpus.jsonl"))}
    for name in names:
        if name not in there:
            say(f"{folder / name} is no set: left out.")
    return [path for name, path in there.items() if not names or name in names]


async def measure_set(
    folder: Path, strategies: Sequence[str], settings: Settings, cache: Path, *, vectors: bool
) -> SetResult:
    measured: dict[str, Measured] = {}
    async with open_evaluation(read_set(folder), settings, cache, vectors=vectors) as evaluation:
        say(f"{folder.name}: indexing")
        await evaluation.index(lambda _: None)
        for strategy in strategies:
            report, by_query = await evaluation.run(strategy, None, (10,), "", lambda _: None)
            measured[strategy] = Measured(report, by_query)
            say(f"{folder.name}: {strategy} {shown(report.metrics[NDCG])}, {report.latency_ms.p50:.1f} ms")
        ceiling = await evaluation.find_ceiling((10,)) if FUSED in strategies else {}
    return SetResult(folder.name, measured, settings.retrieval.strategy, ceiling)


def is_leg(strategy: str) -> bool:
    plan = parse_strategy(strategy)
    return len(plan.legs) == 1 and not plan.rerank


def render(results: Sequence[SetResult], strategies: Sequence[str], embedder: str) -> str:
    """Two tables in Markdown, and what stands in them."""
    legs = results[0].legs
    reports = [[result.measured[strategy].report for strategy in strategies] for result in results]
    quality = [
        [
            result.name,
            str(of_set[0].queries),
            *(with_interval(result, strategy, NDCG) for strategy in strategies),
            shown(result.best(NDCG)),
            shown(result.reached(NDCG)),
            *(shown_p(result.p(leg)) for leg in legs),
        ]
        for result, of_set in zip(results, reports, strict=True)
    ]
    reach = [
        [
            result.name,
            *(with_interval(result, strategy, RECALL) for strategy in strategies),
            shown(result.best(RECALL)),
            shown(result.reached(RECALL)),
            *(f"{report.latency_ms.p50:.1f}" for report in of_set),
        ]
        for result, of_set in zip(results, reports, strict=True)
    ]
    means = [shown(fmean(result.mean(strategy, NDCG) for result in results)) for strategy in strategies]
    if len(results) > 1:
        quality.append(["mean", "", *means, *[""] * (2 + len(legs))])
    return "\n\n".join(
        (
            EXPLAINED.format(embedder=embedder, default=results[0].default, resamples=RESAMPLES),
            table(["", "questions", *strategies, "ceiling", "of it", *(f"p, {leg}" for leg in legs)], quality),
            "Recall@10 likewise, and the median milliseconds of a search:",
            table(["", *strategies, "ceiling", "of it", *(f"ms, {strategy}" for strategy in strategies)], reach),
        )
    )


def with_interval(result: SetResult, strategy: str, measure: str) -> str:
    low, high = result.interval(strategy, measure)
    return f"{shown(result.mean(strategy, measure))} ({shown(low)}-{shown(high)})"


def shown(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}".removeprefix("0")


def shown_p(value: float | None) -> str:
    return "< .001" if value is not None and value < 0.001 else shown(value)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def replace_block(text: str, block: str) -> str:
    """Raises `SystemExit` where the marks are not there."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise SystemExit(f"{ARCHITECTURE} has no marks for the table: {BEGIN} and {END}")
    return f"{before}{BEGIN}\n{block}\n{END}{after}"


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())

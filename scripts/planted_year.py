"""Write a made-up year of notes with a ledger of what happened in it, or measure what is found in such years.

    python scripts/planted_year.py OUT [--seed N] [--half held]
    python scripts/planted_year.py --measure [--seeds 3] [--first 100] [--half held] [--chat]

The vault goes to OUT, its ledger to OUT.ledger.json: each event with its note, lines, words, kind, day, people, episode
and concept, and what drifts, is learned again, is contradicted or forgotten. `--measure` prints how many of the events
are found by the shape of sentences alone (no model), by their meaning too (the settings' embedder), and with `--chat`
what the chat model changes about the doubtful ones. Only the phrasings of the half `held` are for measuring.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Sequence
from dataclasses import astuple, fields
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.planted_vault.measure import EventFigures, measure_events
from support.planted_vault.sources import PlantedSource, read_sources
from support.planted_vault.year import Year, plant_year
from zibaldone.config.load import load_settings
from zibaldone.domain.hierarchy import Event
from zibaldone.hierarchy.events.classify import EventClassifier, Opinion, examples
from zibaldone.hierarchy.events.extract import LEAST, LEAST_BY_SHAPE, make_events
from zibaldone.hierarchy.events.prompt import LABELS, event_messages, is_doubtful, weigh_verdict
from zibaldone.inference.models import open_chat, open_embedder
from zibaldone.inference.roles import ChatModel, Embedder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, nargs="?")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--half", choices=("tuned", "held"), default="held")
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--first", type=int, default=100)
    parser.add_argument("--chat", action="store_true")
    options = parser.parse_args()
    if options.measure:
        seeds = range(options.first, options.first + options.seeds)
        asyncio.run(measure([plant_year(seed, options.half) for seed in seeds], options.chat))
    elif options.out:
        year = plant_year(options.seed, options.half)
        year.write(options.out)
        print(f"{len(year.notes)} notes, {len(year.ledger)} events")
    else:
        parser.error("OUT or --measure is missing")


async def measure(years: Sequence[Year], with_chat: bool) -> None:
    settings = load_settings(None).settings
    embedder, chat = open_embedder(settings), open_chat(settings)
    print(" " * 10, *(f"{field.name:>9}" for field in fields(EventFigures)), "  seconds")
    try:
        by_shape = EventClassifier()
        by_meaning = EventClassifier(await embedder.embed_passages([one.said for one, _ in examples()]))
        for year in years:
            await measure_year(year, by_shape, by_meaning, embedder, chat if with_chat else None)
    finally:
        await embedder.close()
        await chat.close()


async def measure_year(
    year: Year, by_shape: EventClassifier, by_meaning: EventClassifier, embedder: Embedder, chat: ChatModel | None
) -> None:
    sources = read_sources(year.notes)
    sentences = [one.sentence for source in sources for one in source.candidates]
    start = time.monotonic()
    report("shape", year, collect(sources, by_shape.judge(sentences), LEAST_BY_SHAPE), start)
    start = time.monotonic()
    opinions = by_meaning.judge(sentences, await embedder.embed_passages([one.said for one in sentences]))
    report("meaning", year, collect(sources, opinions, LEAST), start)
    if chat is not None:
        start = time.monotonic()
        for number, (sentence, opinion) in enumerate(zip(sentences, opinions, strict=True)):
            if is_doubtful(opinion):
                opinions[number] = weigh_verdict(opinion, await chat.score_labels(event_messages(sentence), LABELS))
        report("and chat", year, collect(sources, opinions, LEAST), start)


def collect(sources: Sequence[PlantedSource], opinions: Sequence[Opinion], least: float) -> list[Event]:
    left = iter(opinions)
    return [
        event
        for one in sources
        for event in make_events(one.source, one.candidates, [next(left) for _ in one.candidates], least)
    ]


def report(name: str, year: Year, events: Sequence[Event], start: float) -> None:
    figures = measure_events(year.ledger, events, year.notes)
    shown = (f"{value:9}" if isinstance(value, int) else f"{value:9.3f}" for value in astuple(figures))
    print(f"{name:10}", *shown, f"{time.monotonic() - start:9.1f}", flush=True)


if __name__ == "__main__":
    main()

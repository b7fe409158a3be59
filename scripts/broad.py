"""How many broad questions are known as such by the embedding model that is set, and how many others are taken for one.

Usage: scripts/broad.py [--sets DIR]

The broad ones are those of tests/questions/broad.jsonl, none of which is among the examples; the others are all that
ask for something in particular, there and in the retrieval sets.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from zibaldone.agents.relay.broad import find_broad
from zibaldone.config.load import load_settings
from zibaldone.inference.models import open_embedder
from zibaldone.inference.roles import Embedder
from zibaldone.runtime.hierarchy.broad import BroadQuestions
from zibaldone.store.cache_db import ContentCache

ROOT = Path(__file__).parents[1]
QUESTIONS = ROOT / "tests/questions"
PARTICULAR = ("abstention", "evidence", "example", "followups", "handbook")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sets", type=Path, default=ROOT.parent / "shared/data/sets", help="folder of the sets")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, closing(ContentCache(Path(folder) / "cache.db")) as cache:
        asyncio.run(measure(cache, list(read_particular(options.sets))))
    return 0


def read_particular(sets: Path) -> Iterator[str]:
    for name in PARTICULAR:
        for line in (QUESTIONS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            asked = json.loads(line).get("question")
            if isinstance(asked, str):
                yield asked
    for path in sorted(sets.glob("*/queries.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)["text"]


async def measure(cache: ContentCache, particular: Sequence[str]) -> None:
    embedder = open_embedder(load_settings(None).settings)
    try:
        broad = BroadQuestions(cache)
        await tell_known(broad, embedder)
        taken = [(one, found) for one in particular if (found := await broad.find(one, embedder, has_time=False))]
        print(f"{len(taken)} of {len(particular)} others are taken for a broad one:")
        for question, found in taken:
            print(f"  {found.kind}: {question}")
    finally:
        await embedder.close()


async def tell_known(broad: BroadQuestions, embedder: Embedder) -> None:
    cases = [json.loads(line) for line in (QUESTIONS / "broad.jsonl").read_text(encoding="utf-8").splitlines()]
    by_words = known = right = 0
    for case in cases:
        has_time = case["kind"] == "period"
        by_words += find_broad(case["question"], has_time=has_time) is not None
        found = await broad.find(case["question"], embedder, has_time=has_time)
        if found is None or found.kind != case["kind"]:
            print(f"  missed ({case['kind']}): {case['question']}")
            continue
        known += 1
        if found.topic == case["topic"]:
            right += 1
        else:
            print(f"  {found.topic!r} for {case['topic']!r}: {case['question']}")
    print(f"{known} of {len(cases)} broad questions are known, {by_words} by their words; {right} with their topic.")


if __name__ == "__main__":
    sys.exit(main())

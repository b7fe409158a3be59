"""How many planted cases of each divergent question are found, with the models of this machine.

    python scripts/divergence.py [--seeds 3]

Makes a vault per seed in a temporary folder (`tests/support/divergent_vault`), asks each question and prints hits,
false finds and seconds. A hit has the right notes and quotes that stand in them word for word.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.divergent_vault import Planted, plant
from zibaldone.config.load import load_settings
from zibaldone.config.places import vault_places
from zibaldone.runtime.local import LocalEngine, open_local_engine
from zibaldone.runtime.owner import acquire_owner
from zibaldone.runtime.prepare import prepare_vault
from zibaldone.schemas.divergence import BridgesRequest, ContradictionsRequest, GapsRequest, Quote, WalkRequest
from zibaldone.schemas.sync import SyncRequest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("-v", action="store_true", dest="verbose")
    options = parser.parse_args()
    for seed in range(options.first, options.first + options.seeds):
        with tempfile.TemporaryDirectory() as folder:
            root, planted = Path(folder) / "vault", plant(seed)
            planted.write(root)
            prepare_vault(root, load_settings(root, {}).settings, confirm=lambda _: True)
            asyncio.run(measure(root, planted, seed, options.verbose))


async def measure(root: Path, planted: Planted, seed: int, verbose: bool) -> None:
    loaded = load_settings(root, {})
    places = vault_places(root)
    with acquire_owner(places):
        engine = await open_local_engine(root, loaded, places, watch=False)
        try:
            async for _ in engine.sync(SyncRequest()):
                pass
            for question in (contradictions, gaps, walks, bridges):
                start = time.monotonic()
                hits, of, false = await question(engine, planted, root, verbose)
                print(
                    f"seed {seed}  {question.__name__:15} {hits}/{of} found, {false} false finds,"
                    f" {time.monotonic() - start:.1f} s",
                    flush=True,
                )
        finally:
            await engine.close()


async def contradictions(engine: LocalEngine, planted: Planted, root: Path, verbose: bool) -> tuple[int, int, int]:
    found = await engine.divergence.contradictions(ContradictionsRequest(top=30))
    wanted = {frozenset(pair) for pair in planted.pairs}
    updates = {frozenset(pair) for pair in planted.updates}
    hits = set()
    false = 0
    for one in found.contradictions:
        pair = frozenset(quote.path for quote in one.quotes)
        good = pair in wanted and one.verdict == "contradicts" and verbatim(one.quotes, root)
        if good:
            hits.add(pair)
        elif pair in updates and one.verdict == "changed":
            good = True
        else:
            false += 1
        if verbose:
            texts = " | ".join(quote.text.replace("\n", " ") for quote in one.quotes)
            print(f"  {'+' if good else '-'} {one.verdict} {one.probability} {one.kind}: {texts}")
    if verbose:
        for pair in wanted - hits:
            print("  missed", *[planted.notes[path].split("\n\n")[1] for path in pair], sep=" | ")
    return len(hits), len(wanted), false


async def gaps(engine: LocalEngine, planted: Planted, root: Path, verbose: bool) -> tuple[int, int, int]:
    hits = false = 0
    for topic, kind, subject in planted.gaps:
        found = await engine.divergence.gaps(GapsRequest(topic=topic))
        good = [one for one in found.gaps if one.kind == kind and subject in one.subject and verbatim(one.quotes, root)]
        hits += bool(good)
        known = {gap[2] for gap in planted.gaps}
        others = [one for one in found.gaps if not any(each in one.subject for each in known)]
        false += len(others)
        if verbose:
            print(
                f"  {'+' if good else '-'} {topic} {kind} {subject}; else: {[f'{o.kind} {o.subject}' for o in others]}"
            )
    return hits, len(planted.gaps), false


async def walks(engine: LocalEngine, planted: Planted, root: Path, verbose: bool) -> tuple[int, int, int]:
    hits = false = 0
    for start, target, kind in planted.walks:
        walk = await engine.divergence.drift_walk(WalkRequest(note=start, steps=4))
        good = [s for s in walk.steps if s.target == target and s.kind == kind and verbatim(s.quotes, root)]
        hits += bool(good)
        false += sum(not verbatim(step.quotes, root) for step in walk.steps)
        if verbose:
            steps = [(step.target, step.kind, step.reason) for step in walk.steps]
            print(f"  {'+' if good else '-'} {start} -> {target} {kind}: {steps}")
    return hits, len(planted.walks), false


async def bridges(engine: LocalEngine, planted: Planted, root: Path, verbose: bool) -> tuple[int, int, int]:
    hits = false = 0
    for a, b, between in planted.bridges:
        found = await engine.divergence.bridges(BridgesRequest(a=a, b=b))
        chains = [[step.target for step in chain.steps][:-1] for chain in found.chains]
        good = chains == [between] and all(verbatim(step.quotes, root) for step in found.chains[0].steps)
        hits += good
        false += bool(chains) and not good
        if verbose:
            steps = [(step.target, step.reason) for chain in found.chains for step in chain.steps]
            print(f"  {'+' if good else '-'} {a} {between} {b}: {steps}")
    return hits, len(planted.bridges), false


def verbatim(quotes: Iterable[Quote], root: Path) -> bool:
    def stands(quote: Quote) -> bool:
        lines = (root / quote.path).read_text(encoding="utf-8").split("\n")
        return quote.text in "\n".join(lines[quote.line_start - 1 : quote.line_end])

    return all(map(stands, quotes))


if __name__ == "__main__":
    main()

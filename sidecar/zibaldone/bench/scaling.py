"""Search as a vault grows: the same vault small and large, and what reading every passage would cost.

A hundred thousand passages take hours to embed. So a part of them is, and the others get mixtures of its vectors, put
into the embedding cache before they are indexed; all the rest is the product's own path.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from statistics import median, quantiles
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zibaldone.bench.figures import GROWTH, LARGE, SCAN, SMALL, Row
from zibaldone.bench.models import find_model
from zibaldone.bench.notes import SECTIONS, write_long_notes
from zibaldone.bench.searching import Searches, pair_searches
from zibaldone.bench.workbench import Workbench
from zibaldone.config.places import VaultPlaces
from zibaldone.errors import ZibaldoneError
from zibaldone.retrieval.rank import DEPTH
from zibaldone.store.cache_db import ContentCache

# Of the small vault's passages as many are really embedded.
_EMBEDDED = 0.15
# A mixture is as near to its first passage as the passages of a note are to each other (cosine .9).
_SECOND, _NOISE = 0.35, 0.3
_TOGETHER = 2000
_SCANS = 10


def measure_scale(bench: Workbench, repeats: int) -> list[Row]:
    """The same queries over HTTP and raw in both vaults, in a place of their own."""
    find_model(bench.settings, "embed")
    small, large = bench.chunks
    root = bench.root / "scale"
    root.mkdir()
    with contextlib.closing(
        Workbench(root, bench.settings, lambda folder: write_long_notes(folder, large // SECTIONS), bench.say)
    ) as place:
        embedded = embed_some(place, int(small * _EMBEDDED) // SECTIONS)
        few_chunks = grow(place, small // SECTIONS, embedded)
        few = pair_searches(place, repeats)
        scans = _pair_scans(place, few)
        rows = [SMALL.compare(few.pairs, _describe(few, few_chunks))]
        many_chunks = grow(place, large // SECTIONS, embedded)
        many = pair_searches(place, repeats)
        rows.append(LARGE.compare(many.pairs, _describe(many, many_chunks)))
    growth = (median(ours for ours, _ in many.pairs), median(ours for ours, _ in few.pairs))
    raw = median(raw for _, raw in many.pairs) / median(raw for _, raw in few.pairs)
    return [
        *rows,
        GROWTH.compare([growth], f"the raw libraries': {raw:.2f}"),
        SCAN.compare(scans, f"{few_chunks} chunks"),
    ]


class Embedded(NamedTuple):
    """Vectors of shape (number, dimensions), unit length."""

    fingerprint: str
    vectors: NDArray[np.float32]


def embed_some(place: Workbench, notes: int) -> Embedded:
    """The first notes are indexed and embedded as ever."""
    place.say(f"embedding {notes} notes")
    place.add_notes(notes)
    place.zib("sync")
    with contextlib.closing(sqlite3.connect(VaultPlaces(place.data).cache_db)) as database:
        rows = database.execute("SELECT fingerprint, vector FROM embeddings ORDER BY rowid").fetchall()
    return Embedded(rows[0][0], np.stack([np.frombuffer(vector, dtype="<f4") for _, vector in rows]))


def grow(place: Workbench, notes: int, embedded: Embedded) -> int:
    """Let the vault have as many notes, all searchable; how many chunks they are."""
    place.stop_sidecar()
    place.say(f"indexing {notes} notes")
    place.add_notes(notes - (place.notes - len(place.waiting)))
    place.zib("sync", ZIBALDONE_MODELS_EMBED="none")  # words only
    _invent_vectors(place, embedded)
    report = place.zib("sync")
    ((chunks, waiting),) = place.read_index("SELECT count(*), sum(embedded = 0) FROM chunks")
    if waiting or report["chunks_embedded"]:
        raise ZibaldoneError(f"{report['chunks_embedded']} chunks were embedded and {waiting} wait: none should.", "")
    return int(chunks)


def _invent_vectors(place: Workbench, embedded: Embedded) -> None:
    """A vector in the cache for each chunk that waits for one."""
    waiting = [hash_ for (hash_,) in place.read_index("SELECT embed_hash FROM chunks WHERE embedded = 0 ORDER BY row")]
    chance = np.random.default_rng(len(waiting))
    number, dimensions = embedded.vectors.shape
    with contextlib.closing(ContentCache(VaultPlaces(place.data).cache_db)) as cache:
        for start in range(0, len(waiting), _TOGETHER):
            hashes = waiting[start : start + _TOGETHER]
            first, second = (embedded.vectors[chance.integers(number, size=len(hashes))] for _ in range(2))
            mixed = first + _SECOND * second + chance.normal(scale=_NOISE / dimensions**0.5, size=first.shape)
            mixed /= np.linalg.norm(mixed, axis=1, keepdims=True)
            cache.put(embedded.fingerprint, hashes, mixed.astype(np.float32))


def _pair_scans(place: Workbench, searches: Searches) -> list[tuple[float, float]]:
    """Milliseconds of some queries by words alone, and of reading every passage for them."""
    raw, sidecar = place.raw(), place.serve()
    pairs = []
    for topic in searches.topics[:_SCANS]:
        started = time.monotonic()
        sidecar.call("POST", "/v1/search", {"query": topic.question, "strategy": "bm25"})
        ours = time.monotonic() - started
        pairs.append((ours * 1000, raw("scan", text=topic.question, limit=DEPTH)["seconds"] * 1000))
    return pairs


def _describe(searches: Searches, chunks: int) -> str:
    ours, raw = (_p95([pair[side] for pair in searches.pairs]) for side in (0, 1))
    steps = ", ".join(f"{step} {spent:.1f}" for step, spent in searches.spent.items())
    return f"{chunks} chunks; p95 {ours:.1f}, raw {raw:.1f} ms; {searches.within:.2f} without HTTP; {steps} ms"


def _p95(values: list[float]) -> float:
    return quantiles(values, n=20, method="inclusive")[-1] if len(values) > 1 else values[0]

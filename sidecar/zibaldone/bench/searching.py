"""Search over HTTP against the three things that it cannot do without: the query's embedding, FTS5, Chroma."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from zibaldone.bench.figures import SEARCH, Row
from zibaldone.bench.models import find_model
from zibaldone.bench.questions import Topic, find_topics
from zibaldone.bench.workbench import Workbench
from zibaldone.domain.lexicon import question_terms
from zibaldone.retrieval.rank import DEPTH

_WARM_UP = 3


@dataclass(frozen=True, slots=True)
class Searches:
    """Milliseconds of queries that were asked of ours and then of raw, in the order of `topics`; `within` is the ratio
    without HTTP, `spent` the median milliseconds of our steps."""

    topics: list[Topic]
    pairs: list[tuple[float, float]]
    within: float
    spent: dict[str, float]


def measure_search(bench: Workbench, repeats: int) -> Row:
    find_model(bench.settings, "embed")
    bench.index_all()
    searches = pair_searches(bench, repeats)
    return SEARCH.compare(searches.pairs, f"{searches.within:.2f} without HTTP")


def pair_searches(bench: Workbench, repeats: int) -> Searches:
    """Each query through the sidecar, then raw, with the same terms, prefix and number of candidates."""
    entry, path = find_model(bench.settings, "embed")
    bench.stop_sidecar()
    copy = Path(tempfile.mkdtemp(prefix="raw-", dir=bench.root))  # one folder is opened once by a process
    shutil.copytree(bench.data / "vectors", copy / "vectors")
    with (
        contextlib.closing(sqlite3.connect(bench.data / "index.db")) as database,
        contextlib.closing(sqlite3.connect(copy / "index.db")) as copied,
    ):
        database.backup(copied)
    raw, sidecar = bench.raw(), bench.serve()
    raw("load_embedder", path=str(path), threads=bench.threads)
    raw("open_index", database=str(copy / "index.db"), vectors=str(copy / "vectors"))
    topics = find_topics(bench, repeats + _WARM_UP)
    bench.say(f"searching {len(topics)} times")
    pairs, within, timings = [], [], []
    for topic in topics:
        query = topic.question
        started = time.monotonic()
        answer = sidecar.call("POST", "/v1/search", {"query": query})
        ours = time.monotonic() - started
        terms = [form for asked in question_terms(query, ()) for form in asked.forms]
        match = " OR ".join('"' + term.replace('"', '""') + '"' for term in terms)
        found = raw("search", text=entry.prefixes.get("query", "") + query, match=match, limit=DEPTH)
        pairs.append((ours * 1000, found["seconds"] * 1000))
        timings.append(answer["timing"])
        within.append(answer["timing"]["total_ms"] / (found["seconds"] * 1000))
    warm = _WARM_UP if len(pairs) > _WARM_UP else 0
    spent = {step: median(timing[f"{step}_ms"] for timing in timings[warm:]) for step in ("embed", "lexical", "vector")}
    return Searches(topics[warm:], pairs[warm:], median(within[warm:]), spent)

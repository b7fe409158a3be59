"""Search over HTTP against the three things that it cannot do without: the query's embedding, FTS5, Chroma."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import time
from statistics import median

from zibaldone.bench.figures import SEARCH, Row
from zibaldone.bench.models import find_model
from zibaldone.bench.questions import find_topics
from zibaldone.bench.workbench import Workbench
from zibaldone.domain.words import query_terms
from zibaldone.retrieval.pipeline import DEPTH

_WARM_UP = 3


def measure_search(bench: Workbench, repeats: int) -> Row:
    """Each query through the sidecar, then raw, with the same terms, prefix and number of candidates."""
    entry, path = find_model(bench.settings, "embed")
    bench.index_all()
    bench.stop_sidecar()
    copy = bench.root / "raw"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(bench.data / "vectors", copy / "vectors")
    with (
        contextlib.closing(sqlite3.connect(bench.data / "index.db")) as database,
        contextlib.closing(sqlite3.connect(copy / "index.db")) as copied,
    ):
        database.backup(copied)
    raw, sidecar = bench.raw(), bench.sidecar()
    raw("load_embedder", path=str(path), threads=bench.threads)
    raw("open_index", database=str(copy / "index.db"), vectors=str(copy / "vectors"))
    topics = find_topics(bench, repeats + _WARM_UP)
    bench.say(f"searching {len(topics)} times")
    pairs, within = [], []
    for topic in topics:
        query = topic.question
        started = time.monotonic()
        answer = sidecar.call("POST", "/v1/search", {"query": query})
        ours = time.monotonic() - started
        match = " OR ".join('"' + term.replace('"', '""') + '"' for term in query_terms(query))
        found = raw("search", text=entry.prefixes.get("query", "") + query, match=match, limit=DEPTH)
        pairs.append((ours * 1000, found["seconds"] * 1000))
        within.append(answer["timing"]["total_ms"] / (found["seconds"] * 1000))
    return SEARCH.compare(pairs[_WARM_UP:] or pairs, f"{median(within[_WARM_UP:] or within):.2f} without HTTP")

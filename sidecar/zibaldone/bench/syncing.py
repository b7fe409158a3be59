"""What keeps the index in step: the first sync, one that finds nothing, one saved note."""

from __future__ import annotations

import os
import time
from itertools import islice
from pathlib import Path

from zibaldone.bench.figures import EMBED, NOOP, SAVE, Row
from zibaldone.bench.models import find_model
from zibaldone.bench.notes import generate_notes
from zibaldone.bench.workbench import Sidecar, Workbench
from zibaldone.errors import ZibaldoneError

# Notes of the first sync: a minute's work or two.
_FIRST_NOTES = 1500
_POLL_S = 0.005
_SEARCHABLE_WITHIN_S = 60.0
_SAVED_SEED = 9_001
_NOTES_A_SAVE = 3


def measure_embedding(bench: Workbench, repeats: int) -> Row:
    """A first sync, followed by the same chunks through raw llama.cpp; then both once more, from nothing.

    Ours is the whole `zib sync` by its own report: reading, recording, loading the model, storing. Raw is nothing
    but the embedding, one text a call.
    """
    entry, path = find_model(bench.settings, "embed")
    raw = bench.raw()
    raw("load_embedder", path=str(path), threads=bench.threads)
    notes = bench.add_notes(_FIRST_NOTES)
    pairs, chunks = [], 0
    for number in range(repeats):
        bench.say(f"first sync of {notes} notes, {number + 1} of {repeats}")
        bench.forget_index()
        report = bench.zib("sync")
        texts = [text for (text,) in bench.read_index("SELECT DISTINCT embed_text FROM chunks WHERE embedded = 1")]
        if not texts or report["chunks_embedded"] != len(texts):
            raise ZibaldoneError(f"{report['chunks_embedded']} chunks were embedded, {len(texts)} expected.", "")
        prefix = entry.prefixes.get("passage", "")
        done = raw("embed", texts=[prefix + text for text in texts])
        pairs.append((done["tokens"] / report["seconds"], done["tokens"] / done["seconds"]))
        chunks = len(texts)
    return EMBED.compare(pairs, f"{chunks} chunks")


def measure_noop(bench: Workbench, repeats: int) -> Row:
    """`POST /v1/sync` of an unchanged vault, to its last event; raw walks the folders and stats each note."""
    sidecar = bench.sidecar()
    bench.say(f"syncing an unchanged vault {repeats} times")
    pairs = []
    for _ in range(repeats + 2):
        started = time.monotonic()
        _, last = sidecar.stream("/v1/sync", {})[-1]
        ours = time.monotonic() - started
        if last["report"]["added"] or last["report"]["changed"]:
            raise ZibaldoneError("Something changed in a vault that nobody touches.", "")
        started = time.monotonic()
        notes = _walk(bench.vault)
        pairs.append((ours * 1000, (time.monotonic() - started) * 1000))
    return NOOP.compare(pairs[2:], f"{notes} files")


def measure_save(bench: Workbench, repeats: int) -> Row:
    """From the end of a save to the first search that finds the new note by meaning; the debounce is taken off.

    The sidecar is told of the save, as the plugin does it; raw embeds the note's chunks.
    """
    entry, path = find_model(bench.settings, "embed")
    sidecar, raw = bench.sidecar(), bench.raw()
    raw("load_embedder", path=str(path), threads=bench.threads)
    debounce_s = bench.settings.watch.debounce_s
    bench.say(f"saving a note {repeats} times")
    texts = generate_notes((repeats + 1) * _NOTES_A_SAVE, _SAVED_SEED)
    pairs, chunks = [], 0
    for number in range(repeats + 1):
        rel = f"Bench/Saved {number}.md"
        sections = [text.split("---\n", 2)[2] for _, text in islice(texts, _NOTES_A_SAVE)]
        # Asked for in its own words: what is measured is when it is found, not how well.
        ours = _save(sidecar, bench.vault, rel, "\n".join(sections), " ".join(sections[0].split())) - debounce_s
        rows = bench.read_index(
            "SELECT c.embed_text FROM chunks c JOIN sources s ON s.id = c.source_id WHERE s.path = ?", rel
        )
        prefix = entry.prefixes.get("passage", "")
        done = raw("embed", texts=[prefix + text for (text,) in rows])
        pairs.append((ours * 1000, done["seconds"] * 1000))
        chunks = len(rows)
    return SAVE.compare(pairs[1:], f"{chunks} chunks a note; debounce {debounce_s:g} s")


def _save(sidecar: Sidecar, vault: Path, rel: str, text: str, query: str) -> float:
    """Seconds from the end of the save until a search finds the note by meaning."""
    known = {job["id"] for job in sidecar.call("GET", "/v1/jobs")["jobs"]}
    path = vault / rel
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    started = time.monotonic()
    sidecar.call("POST", "/v1/vault/changes", {"paths": [rel]})
    request = {"query": query, "strategy": "semantic"}
    while time.monotonic() - started < _SEARCHABLE_WITHIN_S:
        time.sleep(_POLL_S)
        jobs = {job["id"] for job in sidecar.call("GET", "/v1/jobs")["jobs"] if job["state"] == "done"}
        if jobs - known:
            known |= jobs
            if any(hit["path"] == rel for hit in sidecar.call("POST", "/v1/search", request)["hits"]):
                return time.monotonic() - started
    raise ZibaldoneError(f"{rel} was not found within {_SEARCHABLE_WITHIN_S:.0f} s of its saving.", "")


def _walk(folder: Path) -> int:
    """The fastest bare walk: every entry that is not hidden, each file with its stat; how many files."""
    count, folders = 0, [str(folder)]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                else:
                    entry.stat()
                    count += 1
    return count

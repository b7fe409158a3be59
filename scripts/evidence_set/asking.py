"""The 60 questions, asked of an index of the set."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from evidence_set.citing import is_cited
from evidence_set.ledger import read_ledger
from evidence_set.repository import NAME

ZIB = str(Path(sys.executable).parent / "zib")
QUESTIONS = Path(__file__).parents[2] / "tests/questions/evidence.jsonl"
TARGET = 54
_NEAR = 3
_DEEP = 20  # hits that are asked for: several may be of one source


def ask(out: Path, strategy: str | None) -> int:
    """1 where the right source is among the first three for fewer than TARGET of the questions."""
    places = {(source["uri"], place["place"]): place for source in read_ledger(out) for place in source["places"]}
    questions = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    flags = ["--strategy", strategy] if strategy else []
    found: Counter[str] = Counter()
    cited: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder, _serve(out, Path(folder) / "vault") as vault:
        for question in questions:
            hits = json.loads(_zib(vault, "search", question["question"], "-k", str(_DEEP), "--json", *flags))["hits"]
            rank, best = _find(hits, question["uri"])
            near = 1 <= rank <= _NEAR
            there = near and is_cited(best, places[question["uri"], question["place"]])
            found[question["kind"]] += near
            cited[question["kind"]] += there
            if not there:
                told = f"rank {rank or 'none'}" + (f", {best['locator'] or 'no place'}" if best else "")
                print(f"  {question['id']} {question['question']}\n      {question['uri']} {question['place']}: {told}")
    for kind, count in Counter(question["kind"] for question in questions).items():
        print(f"{kind:<11} {found[kind]} of {count} at rank {_NEAR} or better, {cited[kind]} of these at their place")
    print(f"{'all':<11} {found.total()} of {len(questions)} (target {TARGET}), {cited.total()} of these at their place")
    return int(found.total() < TARGET)


def _find(hits: list[dict[str, Any]], uri: str) -> tuple[int, dict[str, Any]]:
    """Which of the sources, best first, it is (0: none of them), and its best hit."""
    best = {hit["source_uri"]: hit for hit in reversed(hits)}
    ranked = list(dict.fromkeys(hit["source_uri"] for hit in hits))
    return (ranked.index(uri) + 1, best[uri]) if uri in best else (0, {})


@contextmanager
def _serve(out: Path, vault: Path) -> Iterator[Path]:
    """A synced copy of the vault, with a sidecar that keeps the models loaded."""
    shutil.copytree(out / "vault", vault)
    subprocess.run([ZIB, "init", str(vault), "--yes"], check=True, stdout=subprocess.DEVNULL)
    _zib(vault, "connectors", "add", str((out / NAME).resolve()))
    _zib(vault, "sync", "--json")
    command = [ZIB, "--vault", str(vault), "serve", "--stdin-watch"]
    sidecar = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert sidecar.stdin and sidecar.stdout
    try:
        sidecar.stdout.readline()
        yield vault
    finally:
        sidecar.stdin.close()
        sidecar.wait(timeout=30)


def _zib(vault: Path, *arguments: str) -> str:
    done = subprocess.run([ZIB, "--vault", str(vault), *arguments], check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout

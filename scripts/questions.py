"""Ask a set of questions over a copy of a vault and print how many were answered as they should be.

Usage: scripts/questions.py QUESTIONS.jsonl VAULT [--json] [--only ID ...] [--twice]

A question counts when a citation's quote holds one of the accepted answers and, where the set names the note, is of
that note; an unanswerable one counts when the answer abstains. The vault is copied, never written to.

With --twice all are asked once more, when their answers have become pages: of those that were answered, how many of the
second answers cite a page and a note behind it and are right again, and how much they read beside the first.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

ZIB = str(Path(sys.executable).parent / "zib")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("questions", type=Path)
    parser.add_argument("vault", type=Path)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--twice", action="store_true")
    arguments = parser.parse_args()
    questions = [json.loads(line) for line in arguments.questions.read_text(encoding="utf-8").splitlines() if line]
    if arguments.only:
        questions = [question for question in questions if question["id"] in arguments.only]
    with tempfile.TemporaryDirectory() as folder:
        results = ask_all(questions, arguments.vault, Path(folder), twice=arguments.twice)
    if arguments.json:
        print(json.dumps(results, ensure_ascii=False, indent=2))
    answerable = [result for result in results if result["answerable"]]
    others = [result for result in results if not result["answerable"]]
    print(
        f"{sum(r['right'] for r in answerable)} of {len(answerable)} answered with a quote that holds the answer; "
        f"{sum(r['right'] for r in others)} of {len(others)} unanswerable abstained",
        file=sys.stderr,
    )
    if arguments.twice:
        print(compare(results), file=sys.stderr)
    return 0


def compare(results: list[dict[str, Any]]) -> str:
    """What the pages did for the questions that were answered the first time."""
    answered = [result for result in results if not result["result"]["abstained"]]
    read = [_read(one["again"]["result"]) / max(1, _read(one["result"])) for one in answered]
    through = sum(_cites_through_a_page(one["again"]["result"]) for one in answered)
    right = [one for one in answered if one["right"]]
    kept = sum(one["again"]["right"] for one in right)
    return (
        f"asked again: {through} of {len(answered)} cite a page and a note behind it, {kept} of {len(right)} are right"
        f" again, evidence read beside the first time: median {median(read):.2f} ({min(read):.2f} to {max(read):.2f})"
    )


def _read(answer: dict[str, Any]) -> int:
    tokens: int = answer["timing"]["evidence_tokens"]
    return tokens


def _cites_through_a_page(answer: dict[str, Any]) -> bool:
    paths = [citation["path"] for citation in answer["citations"] if citation["supported"]]
    return any("/pages/" in path for path in paths) and any("/pages/" not in path for path in paths)


def ask_all(questions: list[dict[str, Any]], vault: Path, folder: Path, *, twice: bool = False) -> list[dict[str, Any]]:
    """Copy, prepare and sync the vault under `folder`, then ask each question of one running sidecar."""
    copy = folder / "vault"
    shutil.copytree(vault, copy, symlinks=True)
    subprocess.run([ZIB, "init", str(copy), "--yes"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([ZIB, "--vault", str(copy), "sync", "--json"], check=True, stdout=subprocess.DEVNULL)
    sidecar = subprocess.Popen(
        [ZIB, "--vault", str(copy), "serve", "--stdin-watch"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ,
    )
    assert sidecar.stdin and sidecar.stdout
    try:
        sidecar.stdout.readline()
        results = [ask(question, copy) for question in questions]
        if twice:
            subprocess.run([ZIB, "--vault", str(copy), "sync", "--json"], check=True, stdout=subprocess.DEVNULL)
            results = [
                {**result, "again": ask(question, copy)} for question, result in zip(questions, results, strict=True)
            ]
        return results
    finally:
        sidecar.stdin.close()
        sidecar.wait(timeout=30)


def ask(question: dict[str, Any], vault: Path) -> dict[str, Any]:
    began = time.monotonic()
    done = subprocess.run(
        [ZIB, "--vault", str(vault), "ask", question["question"], "--json"], check=True, capture_output=True
    )
    answer = json.loads(done.stdout)
    notes = question["note"] if isinstance(question["note"], list) else [question["note"]]
    held = [
        citation
        for citation in answer["citations"]
        if any(text.casefold() in citation["quote"].casefold() for text in question["answer"])
        and (question["note"] is None or citation["path"] in notes)
    ]
    right = bool(held) and not answer["abstained"] if question["answerable"] else answer["abstained"]
    print(
        f"{'ok ' if right else 'BAD'} {question['id']} {time.monotonic() - began:5.1f} s  "
        f"{answer['abstention_reason'] or ''} top {answer['top_score']:.2f}  {answer['answer'][:150]!r}",
        file=sys.stderr,
    )
    return {**question, "right": right, "result": answer}


if __name__ == "__main__":
    sys.exit(main())

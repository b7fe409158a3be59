"""Search notes in two languages, of which only one has the answer: in the question's language, or in the other one.

Usage: scripts/languages.py ENGLISH GERMAN [--share X] [--seed N] [--strategy NAME]...

ENGLISH and GERMAN are sets in the BEIR layout with the same documents and questions under the same ids (xquad-en and
xquad-de). Each document is taken in one of the languages, in German with the chance X (.5 where none is given); every
fourth question is asked in each. Printed are nDCG@10 and Recall@5 where the answer is in the question's language and
where it is in the other, by `zib eval retrieval`.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ZIB = str(Path(sys.executable).parent / "zib")
_EVERY = 4


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("sets", nargs=2, type=Path, metavar="SET")
    parser.add_argument("--share", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--strategy", action="append")
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    corpora = [_read(one / "corpus.jsonl") for one in arguments.sets]
    spoken = {document["_id"]: int(chance.random() < arguments.share) for document in corpora[0]}
    documents = [corpora[spoken[id_]][number] for number, id_ in enumerate(spoken)]
    for is_same in (True, False):
        with tempfile.TemporaryDirectory() as folder:
            count = _write(Path(folder), documents, _questions(arguments.sets, spoken, is_same=is_same))
            for strategy in arguments.strategy or ["bm25", "semantic", "bm25+semantic"]:
                found = _measure(Path(folder), strategy)
                where = "same language" if is_same else "the other one"
                print(f"{where:<14} {count} questions  {strategy:<14} {found['ndcg@10']:.3f} {found['recall@5']:.3f}")
    return 0


def _questions(sets: list[Path], spoken: dict[str, int], *, is_same: bool) -> list[tuple[dict[str, Any], str]]:
    """Questions with the document that answers, each in one language only."""
    chosen = []
    for language, one in enumerate(sets):
        answers = dict(line.split("\t")[:2] for line in (one / "qrels.tsv").read_text(encoding="utf-8").splitlines())
        for question in _read(one / "queries.jsonl")[language::_EVERY]:
            answer = answers[question["_id"]]
            if (spoken[answer] == language) is is_same:
                chosen.append(({**question, "_id": f"{language}-{question['_id']}"}, answer))
    return chosen


def _write(folder: Path, documents: list[dict[str, Any]], questions: list[tuple[dict[str, Any], str]]) -> int:
    def lines(values: list[dict[str, Any]]) -> str:
        return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)

    (folder / "corpus.jsonl").write_text(lines(documents), encoding="utf-8")
    (folder / "queries.jsonl").write_text(lines([question for question, _ in questions]), encoding="utf-8")
    relevant = "".join(f"{question['_id']}\t{answer}\t1\n" for question, answer in questions)
    (folder / "qrels.tsv").write_text(relevant, encoding="utf-8")
    return len(questions)


def _measure(folder: Path, strategy: str) -> dict[str, float]:
    command = [ZIB, "eval", "retrieval", "--set", str(folder), "--strategy", strategy, "--json"]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    found: dict[str, float] = json.loads(done.stdout)["metrics"]
    return found


def _read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    sys.exit(main())

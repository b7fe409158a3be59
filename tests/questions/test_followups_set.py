"""The dialogues that follow-up questions are measured by: their shape, their balance, and what the notes say."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
EXAMPLE = Path(__file__).parents[2] / "examples/vault"
DIALOGUES: list[dict[str, Any]] = [
    json.loads(line) for line in (HERE / "followups.jsonl").read_text(encoding="utf-8").splitlines()
]
KEYS = {"id", "vault", "language", "first", "second", "leans", "note", "answer", "half"}


def test_every_line_has_its_shape() -> None:
    for row in DIALOGUES:
        assert set(row) == KEYS, row["id"]
        assert row["vault"] in {"example", "handbook"}, row["id"]
        assert row["note"] and row["answer"], row["id"]
    assert len({row["id"] for row in DIALOGUES}) == len(DIALOGUES)
    assert len({row["second"] for row in DIALOGUES}) == len(DIALOGUES)


def test_half_of_each_half_leans_on_the_question_before() -> None:
    counts = Counter((row["half"], row["leans"]) for row in DIALOGUES)
    assert counts == {("a", True): 12, ("a", False): 12, ("b", True): 11, ("b", False): 11}


def test_the_notes_say_so() -> None:
    for row in DIALOGUES:
        if row["vault"] == "example":
            text = "\n".join((EXAMPLE / note).read_text(encoding="utf-8") for note in row["note"])
            assert any(answer in text for answer in row["answer"]), row["id"]

"""The questions that the abstention gate is set and judged by: their shape, their balance, and what the notes say."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
VAULTS = Path(__file__).parents[3] / "shared/data/vaults"
QUESTIONS: list[dict[str, Any]] = [
    json.loads(line) for line in (HERE / "abstention.jsonl").read_text(encoding="utf-8").splitlines()
]
OWN_LANGUAGE = {"handbook": "en", "garden-zh": "zh"}
KINDS = {
    True: {"fact", "howto", "why", "name", "list", "definition"},
    False: {"near", "absent", "false_premise", "entity"},
}
KEYS = {"id", "vault", "question", "language", "answerable", "kind", "note", "answer", "half"}


def test_every_line_has_its_shape() -> None:
    for row in QUESTIONS:
        assert set(row) == KEYS, row["id"]
        assert row["vault"] in OWN_LANGUAGE, row["id"]
        assert row["language"] in {"en", "zh", "de", "es"}, row["id"]
        assert row["kind"] in KINDS[row["answerable"]], row["id"]
        assert row["half"] in {"a", "b"}, row["id"]
        assert row["question"].strip() == row["question"] != "", row["id"]
        assert bool(_notes(row)) is bool(row["answer"]) is row["answerable"], row["id"]


def test_ids_and_questions_are_unique() -> None:
    assert len({row["id"] for row in QUESTIONS}) == len(QUESTIONS)
    assert len({row["question"] for row in QUESTIONS}) == len(QUESTIONS)


@pytest.mark.parametrize(("vault", "answerable"), list(product(OWN_LANGUAGE, (True, False))))
def test_the_set_is_balanced(vault: str, answerable: bool) -> None:
    rows = [row for row in QUESTIONS if row["vault"] == vault and row["answerable"] is answerable]
    assert Counter(row["half"] for row in rows) == {"a": 25, "b": 25}
    assert sum(row["language"] != OWN_LANGUAGE[vault] for row in rows) == 8
    for kind in {row["kind"] for row in rows}:
        halves = Counter(row["half"] for row in rows if row["kind"] == kind)
        assert abs(halves["a"] - halves["b"]) <= 1, kind
    assert answerable or sum(row["kind"] == "near" for row in rows) >= 25


def test_no_note_is_asked_about_more_than_twice() -> None:
    asked = Counter((row["vault"], note) for row in QUESTIONS for note in _notes(row))
    assert [note for note, times in asked.items() if times > 2] == []


@pytest.mark.parametrize("vault", list(OWN_LANGUAGE))
def test_the_notes_hold_the_answers(vault: str) -> None:
    folder = VAULTS / vault
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there")
    for row in QUESTIONS:
        if row["vault"] != vault or not row["answerable"]:
            continue
        texts = [(folder / note).read_text(encoding="utf-8") for note in _notes(row)]
        assert all(any(answer in text for text in texts) for answer in row["answer"]), row["id"]
        assert all(any(answer in text for answer in row["answer"]) for text in texts), row["id"]


def _notes(row: dict[str, Any]) -> list[str]:
    """The notes that a question may be answered from; none where the vault does not say."""
    note = row["note"]
    if note is None:
        return []
    return [note] if isinstance(note, str) else list(note)

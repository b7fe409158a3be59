"""The questions about the generated evidence: their shape and spread, and that the set holds what they expect."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from evidence import SEED, make_evidence

QUESTIONS: list[dict[str, Any]] = [
    json.loads(line) for line in Path(__file__).with_name("evidence.jsonl").read_text(encoding="utf-8").splitlines()
]
SPREAD = {"pdf": 12, "screenshot": 6, "photo": 6, "canvas": 8, "commit": 14, "note": 8, "document": 6}
HEAD = "3c021c98449f52d769d25d2658c6c4047a7e8ef6"  # of the repository, from the seed: on any machine


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    return make_evidence(tmp_path_factory.mktemp("evidence") / "set", SEED)


def test_every_line_has_its_shape() -> None:
    for row in QUESTIONS:
        assert set(row) == {"id", "question", "language", "kind", "asks", "uri", "place", "answer"}, row["id"]
        assert row["language"] in {"en", "de"}
        assert row["asks"] in {"figure", "reason", "who", "when", "where", "what"}
    assert len({row["id"] for row in QUESTIONS}) == len({row["question"] for row in QUESTIONS}) == 60
    assert Counter(row["kind"] for row in QUESTIONS) == SPREAD
    assert Counter(row["language"] for row in QUESTIONS) == {"en": 30, "de": 30}


def test_the_set_holds_each_answer_at_its_place(sources: list[dict[str, Any]]) -> None:
    by_uri = {source["uri"]: source for source in sources}
    for row in QUESTIONS:
        (place,) = [place for place in by_uri[row["uri"]]["places"] if place["place"] == row["place"]]
        text = " ".join(" ".join(place["texts"]).split())
        assert [answer for answer in row["answer"] if answer not in text] == [], row["id"]


def test_no_other_place_holds_the_answer(sources: list[dict[str, Any]]) -> None:
    texts = {(one["uri"], place["place"]): " ".join(" ".join(place["texts"]).split())
             for one in sources for place in one["places"]}  # fmt: skip
    for row in QUESTIONS:
        holding = [where for where, text in texts.items() if all(answer in text for answer in row["answer"])]
        assert row["kind"] == "commit" or holding == [(row["uri"], row["place"])], row["id"]


def test_no_question_copies_what_it_looks_for(sources: list[dict[str, Any]]) -> None:
    """No four words in a row of a question stand at its place."""
    by_uri = {source["uri"]: source for source in sources}
    for row in QUESTIONS:
        (place,) = [place for place in by_uri[row["uri"]]["places"] if place["place"] == row["place"]]
        text = " ".join(" ".join(place["texts"]).casefold().split())
        words = row["question"].casefold().strip("?").split()
        runs = [" ".join(words[at : at + 4]) for at in range(len(words) - 3)]
        assert [run for run in runs if run in text] == [], row["id"]


def test_the_repository_is_the_same_on_every_machine(sources: list[dict[str, Any]]) -> None:
    commits = [source for source in sources if source["kind"] == "commit"]
    assert len(commits) == 300
    assert commits[-1]["uri"] == f"git:pegel@{HEAD}"


def test_another_seed_says_the_same_elsewhere(sources: list[dict[str, Any]], tmp_path: Path) -> None:
    others = make_evidence(tmp_path / "set", SEED + 1)
    assert [one["uri"] for one in others if one["kind"] != "commit"] == [
        one["uri"] for one in sources if one["kind"] != "commit"
    ]
    assert others[-1]["uri"] != sources[-1]["uri"]

"""What `zib eval retrieval` asks of the engine, and which flags go together."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from zibaldone.schemas.search import SearchRequest


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.json"
    path.write_text(
        json.dumps([{"query_text": "Kestrel's budget?", "expected_source_uris": ["note:Projects/Kestrel.md"]}]),
        encoding="utf-8",
    )
    return path


def test_the_engine_is_asked_with_the_flags(zib, opened, file: Path) -> None:
    ran = zib("eval", "retrieval", "--load-queries", str(file), "--strategy", "bm25", "--profile", "recent",
              "--modality", "pdf", "--query-prefix", "Say: ", "--json")  # fmt: skip
    assert (ran.code, ran.err) == (0, "")
    asked = SearchRequest(
        query="Say: Kestrel's budget?", k=100, strategy="bm25", profile="recent", modality=["pdf"]
    )  # fmt: skip
    assert [call for call in opened.calls if call == ("search", asked)] == [("search", asked)] * 2  # one to warm up
    report = json.loads(ran.out)
    assert (report["set"], report["queries"], report["metrics"]["ndcg@10"]) == ("mine.json", 1, 1.0)


def test_a_person_reads_it_on_80_columns(zib, file: Path) -> None:
    ran = zib("eval", "retrieval", "--load-queries", str(file))
    assert ran.code == 0
    assert "mine.json: " in ran.out
    assert "indexed in" not in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80


def test_kinds_and_the_gap_are_told_on_80_columns(zib, file: Path) -> None:
    items = [("Kestrel's budget?", "note:Projects/Kestrel.md", "image-text"), ("Where?", "image:a.png", "image-layout")]
    file.write_text(
        json.dumps([{"query_text": text, "expected_source_uris": [uri], "kind": kind} for text, uri, kind in items]),
        encoding="utf-8",
    )
    ran = zib("eval", "retrieval", "--load-queries", str(file))
    assert "recall of text less recall of layout: 1.000" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ((), "--load-queries"),
        (("--set", "a", "--load-queries", "b"), "--load-queries"),
        (("--load-queries", "b", "--level", "concept"), "'concept' is not 'evidence'"),
    ],
)
def test_usage(zib, flags: tuple[str, ...], said: str) -> None:
    ran = zib("eval", "retrieval", *flags)
    assert ran.code == 2
    assert said in ran.err


def test_a_file_that_is_none_is_an_expected_failure(zib, tmp_path: Path) -> None:
    ran = zib("eval", "retrieval", "--load-queries", str(tmp_path / "missing.json"))
    assert ran.code == 1
    assert ran.err.startswith("error: ")
    assert "missing.json" in ran.err

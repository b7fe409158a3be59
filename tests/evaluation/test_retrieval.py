"""A set goes through the product's own index; the store is gone afterwards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from zibaldone.cli.main import run
from zibaldone.errors import InvalidRequest
from zibaldone.evaluation.retrieval import weigh_hits
from zibaldone.evaluation.sets import read_set
from zibaldone.schemas.search import Components, Hit

CORPUS = [
    {"_id": "a", "title": "Varroa", "text": "Fourteen mites a day in July.", "scope": "bees", "date": "2026-07-01"},
    {"_id": "b", "title": "", "text": "The varnish of the captain is Regalrez.", "scope": "bees"},
    {"_id": "c", "title": "Mites", "text": "Mites everywhere, mites on mites in July.", "scope": "other"},
]
QUERIES = [
    {"_id": "1", "text": "mites in July", "scope": "bees"},
    {"_id": "2", "text": "varnish", "scope": "bees"},
    {"_id": "3", "text": "mites", "scope": "nowhere"},
    {"_id": "4", "text": "never judged", "scope": "bees"},
]
QRELS = "query-id\tcorpus-id\tscore\n1\ta\t1\n2\tb\t2\n3\tc\t1\n4\ta\t0\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, rows in (("corpus", CORPUS), ("queries", QUERIES)):
        lines = "\n".join(json.dumps(row) for row in rows)
        (tmp_path / f"{name}.jsonl").write_text(f"{lines}\n", encoding="utf-8")
    (tmp_path / "qrels.tsv").write_text(QRELS, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("strategy", ["bm25", "bm25+semantic"])
def test_each_query_finds_the_documents_of_its_scope(
    folder: Path, strategy: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZIBALDONE_MODELS_EMBED", "fake-embed")
    assert run(["eval", "retrieval", "--set", str(folder), "--strategy", strategy, "--k", "1,5", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["set"], report["docs"], report["queries"]) == (folder.name, 3, 3)
    assert report["metrics"]["recall@1"] == pytest.approx(2 / 3, abs=1e-4)
    assert report["metrics"]["ndcg@5"] == pytest.approx(2 / 3, abs=1e-4)


def test_what_is_wrong_with_a_set_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "queries.jsonl").write_text('{"_id": "1"}\n', encoding="utf-8")
    with pytest.raises(InvalidRequest, match="line 1"):
        read_set(folder)
    (folder / "corpus.jsonl").unlink()
    assert run(["eval", "retrieval", "--set", str(folder), "--strategy", "bm25"]) == 1
    assert "corpus.jsonl" in capsys.readouterr().err
    assert run(["eval", "retrieval", "--set", str(folder), "--k", "0"]) == 2


def test_hits_are_weighed_anew() -> None:
    hits = [
        Hit.model_construct(path=path, components=Components(bm25=bm25, semantic=semantic))
        for path, bm25, semantic in (("words", 1.0, 0.0), ("meaning", 0.1, 1.0), ("both", 0.7, 0.7))
    ]
    orders = {share: [hit.path for hit in weigh_hits(hits, share)] for share in (0.0, 0.5, 1.0)}
    assert orders == {
        0.0: ["words", "both", "meaning"],
        0.5: ["both", "meaning", "words"],
        1.0: ["meaning", "both", "words"],
    }

"""`scripts/retrieval.py`: what it measures, what it prints, and where it writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import retrieval as script

CORPUS = {"a": "Fourteen mites a day in July.", "b": "The varnish of the captain.", "c": "Yellow marks in spring."}
QUERIES = {"1": ("mites in July", "a"), "2": ("varnish of the captain", "b"), "3": ("nothing of the kind", "c")}


@pytest.fixture
def sets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two sets of the same, and a folder that is none."""
    monkeypatch.setenv("ZIBALDONE_MODELS_EMBED", "fake-embed")
    folder = tmp_path / "sets"
    for name in ("one", "two", "none"):
        (folder / name).mkdir(parents=True)
    for one in (folder / "one", folder / "two"):
        corpus = [json.dumps({"_id": id_, "title": "", "text": text}) for id_, text in CORPUS.items()]
        queries = [json.dumps({"_id": id_, "text": text}) for id_, (text, _) in QUERIES.items()]
        (one / "corpus.jsonl").write_text("\n".join(corpus), encoding="utf-8")
        (one / "queries.jsonl").write_text("\n".join(queries), encoding="utf-8")
        (one / "qrels.tsv").write_text("".join(f"{id_}\t{doc}\t1\n" for id_, (_, doc) in QUERIES.items()))
    return folder


def test_the_document_has_the_measures_of_each_query(
    sets: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ["--sets", str(sets), "--cache", str(tmp_path / "cache.db"), "--json"]
    assert script.main(["one", "absent", *flags]) == 0
    captured = capsys.readouterr()
    assert "absent is no set" in captured.err
    [of_one] = json.loads(captured.out)["sets"]
    assert of_one["set"] == "one"
    assert list(of_one["strategies"]) == ["bm25", "semantic", "bm25+semantic"]
    words = of_one["strategies"]["bm25"]
    assert {query: row["ndcg@10"] for query, row in words["by_query"].items()} == {"1": 1.0, "2": 1.0, "3": 0.0}
    assert words["metrics"]["ndcg@10"] == pytest.approx(2 / 3, abs=1e-4)
    low, high = words["intervals"]["ndcg@10"]
    assert low <= 2 / 3 <= high
    assert set(of_one["p"]) == {"bm25", "semantic"}
    assert of_one["ceiling"]["ndcg@10"] >= of_one["strategies"]["bm25+semantic"]["metrics"]["ndcg@10"] - 1e-4
    assert (tmp_path / "cache.db").exists()


def test_the_table_takes_the_place_of_the_one_before(
    sets: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "ARCHITECTURE.md"
    page.write_text(f"# Map\n\n{script.BEGIN}\nold\n{script.END}\n\nThe end.\n", encoding="utf-8")
    monkeypatch.setattr(script, "ARCHITECTURE", page)
    flags = ["--sets", str(sets), "--strategy", "bm25", "--write"]
    assert script.main(flags) == 0
    written = page.read_text(encoding="utf-8")
    assert "old" not in written
    assert written.startswith(f"# Map\n\n{script.BEGIN}\nnDCG@10")
    assert written.endswith(f"{script.END}\n\nThe end.\n")
    assert "| one | 3 | .667 (.000-1.000) |" in written
    assert "| mean |  | .667 |" in written
    assert capsys.readouterr().out.strip() in written
    assert script.main(flags) == 0
    assert page.read_text(encoding="utf-8").count("| one |") == 2  # nDCG and recall
    page.write_text("# Map\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="no marks"):
        script.main(flags)


def test_without_sets_nothing_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert script.main(["--sets", str(tmp_path / "absent")]) == 0
    captured = capsys.readouterr()
    assert (captured.out, "nothing is measured" in captured.err) == ("", True)


def test_an_unknown_strategy_is_usage(sets: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        script.main(["--sets", str(sets), "--strategy", "magic"])
    assert raised.value.code == 2
    assert "magic" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("value", "text", "p"), [(None, "", ""), (1.0, "1.000", "1.000"), (0.5, ".500", ".500"), (0.0001, ".000", "< .001")]
)
def test_figures(value: float | None, text: str, p: str) -> None:
    assert (script.shown(value), script.shown_p(value)) == (text, p)


def test_the_page_has_the_marks() -> None:
    text = script.ARCHITECTURE.read_text(encoding="utf-8")
    assert script.BEGIN in script.replace_block(text, "")

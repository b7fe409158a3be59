"""A person's own questions over their own vault, and what is said of sources that cannot be found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from zibaldone.cli.main import run
from zibaldone.errors import InvalidRequest
from zibaldone.evaluation.questions import Question, read_questions

PAGE = "---\ntitle: Varroa treatment\nslug: bees:treatment\nprovenance: []\n---\n\n- Oxalic acid in December.\n"
NOTES = {
    "Bees/Varroa.md": "# Varroa\n\nThe colony by the hedge had 14 mites a day in July.\n",
    "Bees/Ko\u0308nigin.md": "# Queen\n\nShe was marked yellow in spring.\n",  # as macOS spells it
    "Studio/Varnish.md": "# Varnish\n\nFor the captain I chose Regalrez 1094 in the end.\n",
    "Zibaldone/pages/bees/treatment.md": PAGE,
}


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ZIBALDONE_MODELS_EMBED", "fake-embed")
    root = tmp_path / "Notes"
    (root / ".obsidian").mkdir(parents=True)
    assert run(["init", str(root), "--yes"]) == 0
    for rel, text in NOTES.items():
        (root / rel).parent.mkdir(parents=True, exist_ok=True)
        (root / rel).write_text(text, encoding="utf-8")
    return root


def write(folder: Path, *items: dict[str, object]) -> Path:
    path = folder / "mine.json"
    path.write_text(json.dumps(items), encoding="utf-8")
    return path


def ask(text: str, *uris: str) -> dict[str, object]:
    return {"query_text": text, "expected_source_uris": list(uris)}


class Evaluate:
    def __init__(self, vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._vault = vault
        self._capsys = capsys
        self.err = ""

    def __call__(self, path: Path, *flags: str) -> dict[str, Any]:
        self._capsys.readouterr()
        arguments = ["eval", "retrieval", "--load-queries", str(path), "--vault", str(self._vault), "--json", *flags]
        assert run(arguments) == 0
        captured = self._capsys.readouterr()
        self.err = captured.err
        report: dict[str, Any] = json.loads(captured.out)
        return report


@pytest.fixture
def evaluate(vault: Path, capsys: pytest.CaptureFixture[str]) -> Evaluate:
    return Evaluate(vault, capsys)


def test_each_question_finds_its_sources(evaluate: Evaluate, tmp_path: Path) -> None:
    path = write(
        tmp_path,
        {**ask("How many mites a day in July?", "note:Bees/Varroa.md"), "id": 7, "tags": ["bees"]},
        ask("Which varnish for the captain, Regalrez?", "note:Studio/Varnish.md"),
        ask("When oxalic acid?", "page:bees:treatment"),
        ask("The queen, marked yellow?", "note:Bees/K\u00f6nigin.md"),
    )
    report = evaluate(path, "--strategy", "bm25", "--k", "1,3")
    assert evaluate.err == ""
    assert report["metrics"]["recall@1"] == 1
    assert report["metrics"]["ndcg@3"] == 1
    assert report["strategy"] == "bm25"
    assert (report["set"], report["docs"], report["queries"], report["index_seconds"]) == ("mine.json", 4, 4, 0)


def test_a_note_counts_once_however_many_of_its_passages_are_found(
    evaluate: Evaluate, vault: Path, tmp_path: Path
) -> None:
    """The long one holds the best passages; the one that is asked for comes right after it, as the second note."""
    part = "## Part {}\n\nMites, mites and mites of July: " + "they were counted on the board. " * 15
    (vault / "Long.md").write_text("\n\n".join(part.format(number) for number in range(8)), encoding="utf-8")
    path = write(tmp_path, ask("mites mites mites July board counted", "note:Bees/Varroa.md"))
    metrics = evaluate(path, "--strategy", "bm25", "--k", "1,2")["metrics"]
    assert (metrics["recall@1"], metrics["recall@2"], metrics["mrr@2"]) == (0, 1, 0.5)
    both = write(tmp_path, ask("mites mites mites July board counted", "note:Long.md", "note:Bees/Varroa.md"))
    assert evaluate(both, "--strategy", "bm25", "--k", "10")["metrics"]["recall@10"] == 1


def test_the_settings_strategy_is_used_where_none_is_given(evaluate: Evaluate, tmp_path: Path) -> None:
    report = evaluate(write(tmp_path, ask("mites in July", "note:Bees/Varroa.md")))
    assert report["strategy"] == "bm25+semantic"
    assert report["metrics"]["hit@5"] == 1


def test_what_cannot_be_found_is_said_and_counts_as_not_found(evaluate: Evaluate, tmp_path: Path) -> None:
    path = write(
        tmp_path,
        ask("mites in July", "note:Bees/Varroa.md", "note:Bees/Varroa.md", "Bees/Varroa.md", "note:Bees/Ant.md"),
        ask("Regalrez", "note:Studio/Varnish.md"),
        ask("", "note:Studio/Varnish.md"),
        {"query_text": "varnish"},
    )
    report = evaluate(path, "--strategy", "bm25")
    warnings = evaluate.err.splitlines()
    assert warnings[0].startswith("warning: question 3 has no `query_text`")
    assert warnings[1].startswith('warning: question 4 "varnish" has no list of `expected_source_uris`')
    assert warnings[2].startswith('warning: question 1 "mites in July": note:Bees/Varroa.md is listed twice')
    assert warnings[3].startswith('warning: question 1 "mites in July": Bees/Varroa.md is relative')
    assert warnings[4].startswith('warning: question 1 "mites in July": note:Bees/Ant.md matches nothing')
    assert len(warnings) == 5
    assert report["queries"] == 2
    assert report["metrics"]["recall@5"] == pytest.approx((1 / 3 + 1) / 2, abs=1e-4)


def test_only_a_modality(evaluate: Evaluate, tmp_path: Path) -> None:
    path = write(tmp_path, ask("mites in July", "note:Bees/Varroa.md"))
    assert evaluate(path, "--modality", "text", "--level", "evidence")["metrics"]["hit@5"] == 1
    assert evaluate(path, "--modality", "pdf")["metrics"]["hit@5"] == 0


def test_figures_by_kind_and_the_gap_of_pictures(evaluate: Evaluate, tmp_path: Path) -> None:
    path = write(
        tmp_path,
        {**ask("mites in July", "note:Bees/Varroa.md"), "kind": "image-text"},
        {**ask("varnish of the captain", "note:Studio/Varnish.md"), "kind": "image-text"},
        {**ask("mites in July", "note:Studio/Varnish.md"), "kind": "image-layout"},
        {**ask("oxalic acid", "page:bees:treatment"), "kind": "single"},
        ask("The queen, marked yellow?", "note:Bees/K\u00f6nigin.md"),
        {"query_text": "Who won?", "expected_source_uris": [], "kind": "unanswerable", "answerable": False},
    )
    report = evaluate(path, "--strategy", "bm25", "--k", "1")
    assert (evaluate.err, report["queries"]) == ("", 5)
    assert [(one["kind"], one["queries"], one["metrics"]["recall@1"]) for one in report["kinds"]] == [
        ("image-text", 2, 1), ("image-layout", 1, 0), ("single", 1, 1),
    ]  # fmt: skip
    assert report["image_gap"] == 1


def test_without_both_kinds_of_pictures_there_is_no_gap(evaluate: Evaluate, tmp_path: Path) -> None:
    report = evaluate(write(tmp_path, {**ask("mites in July", "note:Bees/Varroa.md"), "kind": "image-text"}))
    assert report["image_gap"] is None


def test_a_prefix_stands_before_each_question(evaluate: Evaluate, tmp_path: Path) -> None:
    path = write(tmp_path, ask("xyzzy", "note:Bees/Varroa.md"))
    flags = ("--strategy", "bm25")
    assert evaluate(path, *flags)["metrics"]["hit@5"] == 0
    assert evaluate(path, *flags, "--query-prefix", "mites in July ")["metrics"]["hit@5"] == 1


def test_one_object_a_line_is_as_good(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    lines = [json.dumps(ask("a\u2028b", "note:a"), ensure_ascii=False), "", json.dumps(ask("c", "page:b", "note:d"))]
    path.write_text("\ufeff" + "\r\n".join(lines), encoding="utf-8")
    warnings: list[str] = []
    assert read_questions(path, warnings.append) == [
        Question('question 1 "a b"', "a\u2028b", ("note:a",)),
        Question('question 2 "c"', "c", ("page:b", "note:d")),
    ]
    assert warnings == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no question"), ("[]", "no question"), ('[{"query_text": "a"}]', "no question"), ("[1]", "no object"),
        ("hello", "line 1"), ('{"query_text": "a"}\n{', "line 2"), ("[", "line 1"), ('["a", ]', "line 1"),
        ("7", "object"),
    ],
)  # fmt: skip
def test_another_file_is_one_clear_error(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "mine.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidRequest, match=said) as raised:
        read_questions(path, lambda _: None)
    assert str(path) in raised.value.message
    assert "query_text" in raised.value.hint


def test_a_file_that_cannot_be_read_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"\xff\xfe")
    for name in ("missing", "latin", "."):
        with pytest.raises(InvalidRequest, match="cannot be read"):
            read_questions(tmp_path / name, lambda _: None)

"""`zib sample`: made in a place of its own, the same each time, and never over what it did not make."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.repositories import git
from zibaldone.sample.make import read_vault


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "Try it"


def content(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*")
            if path.is_file() and ".git" not in path.parts}  # fmt: skip


def head(repository: Path) -> str:
    return git(repository, "rev-parse", "HEAD").strip()


def test_it_is_made_and_says_what_to_do_next(zib, folder: Path) -> None:
    ran = zib("sample", str(folder))
    assert (ran.code, ran.err) == (0, "")
    vault = folder / "vault"
    assert f"{vault}: 10 notes, 5 attachments" in ran.out
    assert f"zib --vault '{vault}' sync" in ran.out
    assert content(vault) == read_vault()
    assert git(vault, "status", "--porcelain") == ""


def test_it_is_the_same_each_time(zib, folder: Path, tmp_path: Path) -> None:
    zib("sample", str(folder))
    zib("sample", str(tmp_path / "again"))
    assert content(folder) == content(tmp_path / "again")
    for name in ("vault", "benchlog"):
        assert head(folder / name) == head(tmp_path / "again" / name)


def test_without_a_path_it_goes_to_the_data_folder(zib, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    made = json.loads(zib("sample", "--json").out)
    assert Path(made["vault"]).is_relative_to(tmp_path / "data")
    assert (made["notes"], made["attachments"], made["commits"]) == (10, 5, 6)
    assert made["next"][0] == f"zib init {made['vault']}"


def test_an_old_sample_is_only_replaced_by_force(zib, folder: Path) -> None:
    zib("sample", str(folder))
    note = folder / "vault" / "Geld.md"
    note.write_text("mine", encoding="utf-8")
    (folder / "beside.txt").write_text("mine too", encoding="utf-8")
    refused = zib("sample", str(folder))
    assert (refused.code, note.read_text(encoding="utf-8")) == (1, "mine")
    assert "--force" in refused.err
    assert zib("sample", str(folder), "--force").code == 0
    assert note.read_bytes() == read_vault()["Geld.md"]
    assert (folder / "beside.txt").read_text(encoding="utf-8") == "mine too"


@pytest.mark.parametrize("flags", [(), ("--force",)])
def test_a_folder_of_somebody_else_is_left_alone(zib, folder: Path, flags: tuple[str, ...]) -> None:
    (folder / "vault").mkdir(parents=True)
    (folder / "vault" / "diary.md").write_text("mine", encoding="utf-8")
    ran = zib("sample", str(folder), *flags)
    assert ran.code == 1
    assert "is no sample" in ran.err
    assert content(folder) == {"vault/diary.md": b"mine"}


def test_the_drifting_note_says_something_else_in_each_commit(zib, folder: Path) -> None:
    zib("sample", str(folder))
    versions = git(folder / "vault", "log", "--format=%as", "--", "Ideas/A good repair.md").split()
    assert versions == ["2026-09-21", "2026-04-13", "2026-01-19"]
    january = git(folder / "vault", "ls-tree", "-r", "--name-only", "HEAD~2")
    assert "2026-01-18" in january
    assert "2026-04-12" not in january


def test_each_question_expects_what_is_there(zib, folder: Path) -> None:
    zib("sample", str(folder))
    lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line) for line in lines]
    kinds = {"single", "multi", "drift", "image-text", "image-layout", "unanswerable"}
    assert {question["kind"] for question in questions} == kinds
    for question in questions:
        assert question["answerable"] is (question["kind"] != "unanswerable") is bool(question["expected_source_uris"])
        told = "".join(read_source(folder, uri) for uri in question["expected_source_uris"])
        readable = all(uri.startswith(("note:", "git:")) for uri in question["expected_source_uris"])
        assert not readable or all(answer in " ".join(told.split()) for answer in question["answer"]), question


def read_source(folder: Path, uri: str) -> str:
    """Fails where there is none."""
    scheme, _, path = uri.partition(":")
    if scheme == "git":
        return git(folder / "benchlog", "show", path.removeprefix("benchlog@"))
    return (folder / "vault" / path).read_bytes().decode("utf-8", "replace")


def test_what_is_shipped_stays_small() -> None:
    assert sum(map(len, read_vault().values())) < 400_000

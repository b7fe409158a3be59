"""Folders and repositories beside the vault, by name: what the file holds and what can be named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.repositories import git, make_repository
from zibaldone.config.connectors import HistoryOptions, NamedFolder, add_connector, is_repository, read_connectors
from zibaldone.config.places import VaultPlaces
from zibaldone.errors import InvalidRequest


@pytest.fixture
def places(tmp_path: Path) -> VaultPlaces:
    (tmp_path / "data").mkdir()
    (tmp_path / "vault").mkdir()
    return VaultPlaces(tmp_path / "data")


def add(places: VaultPlaces, folder: Path, name: str | None = None, history: HistoryOptions | None = None) -> str:
    return add_connector(places, places.root.parent / "vault", folder, name, history)


def test_files_of_before_are_read_and_stay_as_they_are(places: VaultPlaces, tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    places.connectors_file.write_text(json.dumps({"old": "/somewhere"}))
    assert add(places, tmp_path / "texts") == "texts"
    assert json.loads(places.connectors_file.read_text()) == {"old": "/somewhere", "texts": str(tmp_path / "texts")}
    assert read_connectors(places)["old"] == NamedFolder(path=Path("/somewhere"))


def test_what_is_read_of_a_repository_can_be_said_and_said_again(places: VaultPlaces, tmp_path: Path) -> None:
    root = make_repository(tmp_path / "project")
    some = HistoryOptions(authors=("Ada", "bo@example.org"), merges=True, max_commits=50)
    add(places, root, history=some)
    assert read_connectors(places) == {"project": NamedFolder(path=root, history=some)}
    add(places, root)
    assert read_connectors(places)["project"].history == some
    add(places, root, history=HistoryOptions())
    assert json.loads(places.connectors_file.read_text()) == {"project": str(root)}


def test_repositories_of_every_kind_are_known(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "project")
    git(tmp_path, "clone", "-q", "--bare", str(root), "bare.git")
    git(root, "worktree", "add", "-q", str(tmp_path / "second"))
    (root / "below").mkdir()
    assert [is_repository(tmp_path / name) for name in ("project", "bare.git", "second")] == [True] * 3
    assert not is_repository(root / "below")
    assert not is_repository(tmp_path)


@pytest.mark.parametrize("name", ["history", "History", "a/b", "", "-x"])
def test_names_that_cannot_be_cited(places: VaultPlaces, tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidRequest):
        add(places, make_repository(tmp_path / "project"), name)


def test_what_is_no_repository_has_no_history(places: VaultPlaces, tmp_path: Path) -> None:
    root = make_repository(tmp_path / "project.git")
    (root / "below").mkdir()
    with pytest.raises(InvalidRequest, match="no git repository"):
        add(places, root / "below", history=HistoryOptions(merges=True))
    with pytest.raises(InvalidRequest, match="git's own folder"):
        add(places, root / ".git")
    assert add(places, root) == "project"


@pytest.mark.parametrize("text", ["[]", "{", '{"a": 1}', '{"a": {"path": "/x", "history": {"max_commits": -1}}}'])
def test_a_file_that_cannot_be_read_says_where(places: VaultPlaces, text: str) -> None:
    places.connectors_file.write_text(text)
    with pytest.raises(InvalidRequest, match="cannot be read: "):
        read_connectors(places)

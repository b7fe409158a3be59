"""Values set in config.toml, with every other line as it was."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from zibaldone.config.change import change_config, check_values, set_values
from zibaldone.errors import InvalidRequest

BEFORE = """# mine
folder = "Zibaldone"  # as ever

[models]
chat = "a"   # small
threads = 2

[memory]
nightly = true
"""


def test_only_the_line_is_changed() -> None:
    after = set_values(BEFORE, {"models.chat": 'b "x"', "memory.nightly": False, "folder": "Z"})
    assert after == BEFORE.replace('"a"', '"b \\"x\\""').replace("nightly = true", "nightly = false").replace(
        '"Zibaldone"', '"Z"'
    )


def test_what_is_not_there_is_added_to_its_table() -> None:
    after = set_values(BEFORE, {"writeback": "log", "models.embed": "e", "exclusions.folders": ["Private", "Ä b"]})
    assert tomllib.loads(after)["exclusions"] == {"folders": ["Private", "Ä b"]}
    assert tomllib.loads(after)["models"] == {"chat": "a", "threads": 2, "embed": "e"}
    assert set(BEFORE.splitlines()) <= set(after.splitlines())
    assert set_values("", {"models.chat": "x"}) == '[models]\nchat = "x"\n'


@pytest.mark.parametrize("text", ['exclusions = { folders = ["x"] }\n', '[exclusions]\nfolders = [\n  "x",\n]\n'])
def test_what_is_written_in_another_way_is_left_to_the_person(text: str) -> None:
    with pytest.raises(InvalidRequest, match=r"config\.toml"):
        set_values(text, {"exclusions.folders": ["y"]})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("endpoints.chat.url", "http://evil"), ("index.url", "http://evil"), ("git.push", True), ("server.port", 1),
        ("nothing", 1), ("writeback", "everything"), ("memory.nightly_hour", 99), ("folder", "../up"),
    ],
)  # fmt: skip
def test_what_may_not_be_set_is_refused(name: str, value: object) -> None:
    with pytest.raises(InvalidRequest):
        check_values({name: value})


def test_a_damaged_file_is_kept_aside_and_said(tmp_path: Path) -> None:
    path = tmp_path / "zibaldone" / "config.toml"
    assert change_config(path, {"writeback": "off"}) == []
    path.write_text("[models\n")
    [note] = change_config(path, {"writeback": "log"})
    assert "config.toml.damaged-1" in note
    assert path.with_name("config.toml.damaged-1").read_text() == "[models\n"
    assert tomllib.loads(path.read_text()) == {"writeback": "log"}

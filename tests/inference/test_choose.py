from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from zibaldone.errors import InvalidRequest
from zibaldone.inference.choose import replace_key, set_key


def test_a_missing_file_is_made(tmp_path: Path) -> None:
    path = tmp_path / "config" / "config.toml"
    set_key(path, "models", "chat", "qwen3-8b")
    assert path.read_text() == '[models]\nchat = "qwen3-8b"\n'


def test_every_other_line_stays(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    before = (
        '# mine\r\nread_only = true\r\n\r\n[models] # which\r\n  chat = "old"   # because\r\nthreads = 2\r\n[watch]\r\n'
    )
    path.write_bytes(before.encode())
    path.chmod(0o640)
    set_key(path, "models", "chat", "new")
    assert path.read_bytes().decode() == before.replace('  chat = "old"', 'chat = "new"')
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_key_goes_behind_its_heading_and_a_heading_to_the_end() -> None:
    assert replace_key("[models]\nthreads = 1", "models", "chat", "x") == '[models]\nchat = "x"\nthreads = 1'
    assert replace_key("a = 1", "models", "chat", "x") == 'a = 1\n\n[models]\nchat = "x"\n'
    other = '[endpoints.chat]\nchat = "no"\n[models]\n'
    assert tomllib.loads(replace_key(other, "models", "chat", "x"))["models"] == {"chat": "x"}


@pytest.mark.parametrize(
    "content", ['models.chat = "a"\n', 'models = { chat = "a" }\n', "not toml", '[models]\n"chat" = "a"']
)
def test_a_form_that_cannot_be_edited_is_left_alone(content: str, tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(content)
    with pytest.raises(InvalidRequest):
        set_key(path, "models", "chat", "x")
    assert path.read_text() == content

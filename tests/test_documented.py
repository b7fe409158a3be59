"""What can be set and called is in README.md, with the defaults that it has."""

from __future__ import annotations

import re
from pathlib import Path

from zibaldone.cli.main import COMMANDS
from zibaldone.config.keys import all_keys

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
_ROW = re.compile(r"^\| `([a-z_.]+)` \| (.*?) \| (.+) \|$", re.MULTILINE)


def test_every_setting_is_described_with_its_default() -> None:
    rows = {key: default for key, default, what in _ROW.findall(README) if len(what) > 10}
    assert rows == {name: shown(key.default) for name, key in all_keys().items()}


def test_every_command_is_named() -> None:
    assert [name for name in COMMANDS if f"`zib {name}" not in README] == []


def shown(default: object) -> str:
    """A default as the table has it: in TOML, and nothing for what is empty."""
    if default in ("", ()):
        return ""
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    return f'`"{default}"`' if isinstance(default, str) else f"`{default}`"

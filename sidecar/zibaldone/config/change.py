"""Setting a value in the person's config.toml: the line that it stands in, and nothing else."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from zibaldone.config.keys import BadValue, all_keys, flatten
from zibaldone.errors import InvalidRequest

# What the plugin may set. Never an endpoint, a server or a git remote: those are for the person's own editor.
SETTABLE = ("folder", "writeback", "approval", "read_only", "models", "exclusions", "memory", "retrieval")

_HEADER = re.compile(r"\s*\[")
_VALUE = re.compile(r"""(?:"(?:[^"\\]|\\.)*"|'[^']*'|\[[^\]#]*\]|[^\s#"'\[]+)""")


def check_values(values: Mapping[str, object]) -> dict[str, object]:
    """Raises `InvalidRequest` for what is no setting, may not be set this way, or cannot take its value."""
    for name, value in values.items():
        key = all_keys().get(name)
        if key is None or name.split(".", 1)[0] not in SETTABLE:
            raise InvalidRequest(f"{name} cannot be set here.", "Edit config.toml; `zib config show` says where it is.")
        try:
            key.read(value)
        except BadValue as error:
            raise InvalidRequest(f"{name} cannot be that: {error}.", "Give another value.") from None
    return dict(values)


def set_values(text: str, values: Mapping[str, object]) -> str:
    """The file's text with these dotted keys; all other lines as they are.

    Raises:
        InvalidRequest: it holds one of them in a way that is better edited by hand.
    """
    wanted = {**flatten(tomllib.loads(text)), **{name: _plain(value) for name, value in values.items()}}
    for name, value in values.items():
        text = _set_value(text, name, value)
    try:
        found = flatten(tomllib.loads(text))
    except tomllib.TOMLDecodeError:
        found = {}
    if found != wanted:
        raise InvalidRequest(f"{', '.join(values)} cannot be set in config.toml.", "Edit that file by hand.")
    return text


def change_config(path: Path, values: Mapping[str, object]) -> list[str]:
    """Write the values; sentences about what had to be put aside.

    Raises:
        InvalidRequest: as `check_values` and `set_values`.
    """
    values = check_values(values)
    notes: list[str] = []
    text = ""
    if path.exists():
        try:
            text = path.read_text(encoding="utf-8-sig")
            tomllib.loads(text)
        except (UnicodeDecodeError, tomllib.TOMLDecodeError):
            aside = _put_aside(path)
            notes.append(f"{path} could not be read and is kept as {aside}.")
            text = ""
    path.parent.mkdir(parents=True, exist_ok=True)
    written = path.with_name(f".{path.name}.new")
    written.write_text(set_values(text, values), encoding="utf-8")
    written.replace(path)
    return notes


def _set_value(text: str, name: str, value: object) -> str:
    table, _, leaf = name.rpartition(".")
    lines = text.splitlines(keepends=True)
    first, last = _table_span(lines, table)
    line = f"{leaf} = {_toml(value)}"
    own = re.compile(rf"(\s*)\"?{re.escape(leaf)}\"?(\s*=\s*)")
    for at in range(first, last):
        if match := own.match(lines[at]):
            old = _VALUE.match(lines[at], match.end())
            rest = lines[at][old.end() :] if old else "\n"
            lines[at] = f"{match[1]}{leaf}{match[2]}{_toml(value)}{rest}"
            return "".join(lines)
    if first < 0:
        gap = "" if not lines else "\n" if lines[-1].endswith("\n") else "\n\n"
        return f"{text}{gap}[{table}]\n{line}\n"
    at = last
    while at > first and not lines[at - 1].strip():
        at -= 1
    if at > 0 and not lines[at - 1].endswith("\n"):
        lines[at - 1] += "\n"
    lines.insert(at, f"{line}\n")
    return "".join(lines)


def _table_span(lines: list[str], table: str) -> tuple[int, int]:
    """The lines of a table without its header, `(-1, -1)` where there is none; of no table: those before the first."""
    headers = [at for at, line in enumerate(lines) if _HEADER.match(line) and "=" not in line.partition("#")[0]]
    if not table:
        return 0, headers[0] if headers else len(lines)
    own = re.compile(rf"\s*\[\s*\"?{re.escape(table)}\"?\s*\]")
    for place, at in enumerate(headers):
        if own.match(lines[at]):
            return at + 1, headers[place + 1] if place + 1 < len(headers) else len(lines)
    return -1, -1


def _put_aside(path: Path) -> Path:
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    path.rename(aside)
    return aside


def _plain(value: object) -> object:
    return list(value) if isinstance(value, (tuple, list)) else value


def _toml(value: object) -> str:
    """Strings of JSON are strings of TOML, and so are its numbers, booleans and lists of these."""
    return json.dumps(_plain(value), ensure_ascii=False)

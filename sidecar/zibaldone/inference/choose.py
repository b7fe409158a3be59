"""Set one key in a TOML file that a person also edits: every other line stays as it is."""

from __future__ import annotations

import json
import os
import re
import tempfile
import tomllib
from pathlib import Path

from zibaldone.errors import InvalidRequest

_TABLE = re.compile(r"^\s*\[(?P<name>[^\[\]]+)\]\s*(#.*)?$")


def set_key(path: Path, table: str, key: str, value: str) -> None:
    """Write `key = "value"` into `[table]` of the file, which is made where it is missing.

    Raises:
        InvalidRequest: the file is no TOML, or holds the key in a form that a line edit cannot change.
    """
    try:
        before = path.read_bytes().decode("utf-8") if path.exists() else ""
        old = tomllib.loads(before)
    except (ValueError, OSError) as error:
        raise InvalidRequest(f"{path} cannot be read: {error}.", "Correct the file first.") from error
    after = replace_key(before, table, key, value)
    try:
        new = tomllib.loads(after)
    except ValueError:
        new = {}
    if new != {**old, table: {**_as_table(old.get(table)), key: value}}:
        raise InvalidRequest(
            f"{path} holds {table}.{key} in a form that cannot be edited here.",
            f"Put `{key} = {json.dumps(value)}` into [{table}] yourself.",
        )
    _write(path.resolve(), after)


def replace_key(text: str, table: str, key: str, value: str) -> str:
    """The text with the key's line replaced, or put behind the table's heading, or both put at the end. Pure."""
    line = f"{key} = {json.dumps(value, ensure_ascii=False)}"
    assignment = re.compile(rf"^\s*{re.escape(key)}\s*=\s*(\"[^\"\\]*\"|'[^']*')(?P<comment>\s*#.*)?\s*$")
    lines = text.splitlines(keepends=True)
    heading = None
    for number, whole in enumerate(lines):
        current = whole.rstrip("\r\n")
        if match := _TABLE.match(current):
            inside = match["name"].strip() == table
            heading = number if inside else heading
        elif heading is not None and inside and (found := assignment.match(current)):
            lines[number] = f"{line}{found['comment'] or ''}{_line_end(whole)}"
            return "".join(lines)
    if heading is not None:
        lines[heading] = lines[heading].rstrip("\r\n") + (_line_end(lines[heading]) or "\n")
        lines.insert(heading + 1, line + _line_end(lines[heading]))
        return "".join(lines)
    gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    return f"{text}{gap}[{table}]\n{line}\n"


def _as_table(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _line_end(line: str) -> str:
    return line[len(line.rstrip("\r\n")) :]


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o600
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".config-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).chmod(mode)
        Path(temporary).replace(path)
    except OSError:
        Path(temporary).unlink(missing_ok=True)
        raise

"""Reading the files that settings come from. Each reader returns what it could read and warnings."""

from __future__ import annotations

import tomllib
from pathlib import Path

_MOST_BYTES = 256 * 1024


def read_toml(path: Path) -> tuple[dict[str, object], list[str]]:
    text, warnings = _read_text(path)
    if text is None:
        return {}, warnings
    try:
        return tomllib.loads(text), []
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        reason = "nested too deep" if isinstance(error, RecursionError) else error
        return {}, [f"{path} is not valid TOML and was left out: {reason}."]


def read_dotenv(path: Path) -> tuple[dict[str, str], list[str]]:
    """`NAME=value` lines; `export `, quotes, blank lines and `#` comments are understood."""
    text, warnings = _read_text(path)
    values: dict[str, str] = {}
    for number, raw in enumerate((text or "").splitlines(), start=1):
        line = raw.strip().removeprefix("export ").strip()
        if not line or line.startswith("#"):
            continue
        name, equals, value = line.partition("=")
        if not equals or not name.strip().isidentifier():
            warnings.append(f"{path} line {number} is not NAME=value and was left out.")
            continue
        values[name.strip()] = _unquote(value.strip())
    return values, warnings


def _unquote(value: str) -> str:
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value.split(" #", 1)[0].rstrip()


def _read_text(path: Path) -> tuple[str | None, list[str]]:
    try:
        if not path.exists():
            return None, []
        if not path.is_file():
            return None, [f"{path} is not a file and was left out."]
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
        if len(content) > _MOST_BYTES:
            return None, [f"{path} is larger than {_MOST_BYTES} bytes and was left out."]
        return content.decode("utf-8-sig"), []
    except UnicodeDecodeError:
        return None, [f"{path} is not UTF-8 text and was left out."]
    except OSError as error:
        return None, [f"{path} cannot be read and was left out: {error.strerror}."]

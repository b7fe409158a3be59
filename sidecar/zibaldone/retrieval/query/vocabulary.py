"""The tables of `languages.toml`, and how a pattern in them is read."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from importlib import resources
from typing import Any

Table = Mapping[str, Any]


# Read with the module: the first question is parsed on the event loop, which waits for no disk.
_TABLES = tomllib.loads(
    resources.files("zibaldone.retrieval.query").joinpath("languages.toml").read_text(encoding="utf-8")
)


def languages() -> Mapping[str, Table]:
    """The table of each language, by its code."""
    return _TABLES


def whole(pattern: str, spaced: bool = True) -> str:
    """An expression for a pattern of the tables: whole words where a language is `spaced`; white space, accents and
    apostrophes loosely."""
    loose = re.sub(r"[À-ɏ]", _loosen_accent, pattern).replace("'", "['’]").replace(" ", r"(?:\s{1,3})")
    return rf"(?<!\w)(?:{loose})(?!\w)" if spaced else f"(?:{loose})"


def _loosen_accent(letter: re.Match[str]) -> str:
    apart = unicodedata.normalize("NFD", letter[0])
    return f"(?:{letter[0]}|{apart}?)" if len(apart) > 1 else letter[0]

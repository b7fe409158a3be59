"""Values as YAML that reads back exactly: by our own reader, by YAML 1.1 and 1.2 readers, and by Obsidian. Pure.

Plain only where nobody could read anything but these characters: words of letters, digits and a few harmless marks
that are not also a number, a date, a truth value or null to some reader. Everything else is double-quoted, with JSON's
escapes, which YAML shares (YAML 1.2, section 7.3.1).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Value: TypeAlias = "str | Sequence[Value] | Mapping[str, Value]"

_PLAIN = re.compile(r"[^\W\d_][^\W_]*(?:[ ./()_-]+[^\W_]+)*")
# What YAML 1.1 takes for a truth value or nothing.
_WORDS = frozenset("y n yes no on off true false null none nan inf".split())
# PyYAML refuses these as they are; the line and direction marks would be read as a line's end or not be seen.
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def quote(text: str) -> str:
    """`text` as one scalar on one line. Half surrogates, which no file can hold, become U+FFFD."""
    if _PLAIN.fullmatch(text) and text.casefold() not in _WORDS:
        return text
    quoted = json.dumps(_SURROGATE.sub("\ufffd", text), ensure_ascii=False)
    return _ESCAPED.sub(lambda char: f"\\u{ord(char[0]):04x}", quoted)


def property_lines(key: str, value: Value) -> list[str]:
    """The lines of one property: a scalar beside its key, lists and maps in block style below it."""
    if isinstance(value, str):
        return [f"{key}: {quote(value)}"]
    if not value:
        return [f"{key}: {{}}" if isinstance(value, Mapping) else f"{key}: []"]
    return [f"{key}:", *_block(value, "  ")]


def _block(value: Sequence[Value] | Mapping[str, Value], indent: str) -> list[str]:
    if isinstance(value, Mapping):
        return [indent + line for key, inner in value.items() for line in property_lines(quote(key), inner)]
    lines: list[str] = []
    for item in value:
        if isinstance(item, str):
            lines.append(f"{indent}- {quote(item)}")
            continue
        first, *rest = _block(item, "")
        lines += [f"{indent}- {first}", *(f"{indent}  {line}" for line in rest)]
    return lines

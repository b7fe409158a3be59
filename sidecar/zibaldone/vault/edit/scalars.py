"""Property values as YAML that every reader takes for exactly that value. Pure.

Readers differ: PyYAML follows YAML 1.1 (`no` is False, `12:30` is 750, `00123` is 83), Obsidian YAML 1.2 (`1e3` is a
number), `ingest.frontmatter` a rule of its own. So text stays plain only where all of them see text, and is put into
double quotes otherwise, on one line, with escapes for what a line cannot hold.
"""

from __future__ import annotations

import math
import re
from datetime import date, datetime

import yaml

from zibaldone.errors import InvalidRequest
from zibaldone.vault.edit.yaml_entries import Scalar

Value = str | int | float | bool | date | datetime | None
PropertyValue = Value | list[Value]

_WORDS = frozenset("~ null true false yes no on off y n = << .inf .nan".split())
_NUMBER_1_2 = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+|[-+]\.inf")
# Dates, times, versions, and what some reader of YAML 1.1 takes for a number: quoted to be on the safe side.
_NUMBER_LIKE = re.compile(r"[-+.0-9][-+.0-9_:,eExXoOtTzZ ]*|[eE][-+]?[0-9]+")
_UNSAFE = re.compile(
    r"""^[-?:,\[\]{}#&*!|>'"%@`\s]|\s$|:(?:\s|$)|\s\#|[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]"""
)
_ESCAPED = re.compile(r'["\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]')
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_RESOLVER = yaml.SafeLoader("")


def render_value(value: Value, *, flow: bool = False) -> str:
    """One value on one line; empty text for None, as Obsidian writes it, outside of `[...]`.

    Raises:
        InvalidRequest: a value that no reader would give back (an infinite number, half a character).
    """
    match value:
        case None:
            return "null" if flow else ""
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return _render_float(value)
        case datetime() | date():
            return value.isoformat()
        case str():
            return render_text(value, flow=flow)


def render_text(text: str, *, flow: bool = False) -> str:
    """Text, plain or in double quotes."""
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise InvalidRequest("the value holds half of a character (a lone surrogate)", "leave it out")
    plain = is_text(text) and not _NUMBER_LIKE.fullmatch(text) and not _UNSAFE.search(text)
    if plain and not (flow and re.search(r"[,\[\]{}:?]", text)):
        return text
    return f'"{escape_text(text)}"'


def escape_text(text: str) -> str:
    """Text as it stands between double quotes."""
    return _ESCAPED.sub(lambda match: _ESCAPES.get(match[0]) or f"\\u{ord(match[0]):04x}", text)


def is_text(written: str) -> bool:
    """Whether every reader takes this plain scalar for text."""
    if not written or written.lower() in _WORDS or _NUMBER_1_2.fullmatch(written):
        return False
    tag = _RESOLVER.resolve(yaml.ScalarNode, written, (True, False))  # type: ignore[no-untyped-call]
    return bool(tag == "tag:yaml.org,2002:str")


def reads_as(written: Scalar | None, value: Value) -> bool:
    """Whether what stands there is this value already, to every reader."""
    if written is None or written.plain is None:
        return False
    if isinstance(value, str):
        return written.text == value and (not written.plain or is_text(value))
    if value is None:
        return written.plain and written.text in ("", "~", "null")
    return written.plain and written.text == render_value(value)


def check_value(value: PropertyValue) -> None:
    """Raises InvalidRequest for what cannot be written, before anything else is looked at."""
    for item in value if isinstance(value, list) else [value]:
        if not isinstance(item, str | int | float | date | None):
            raise InvalidRequest(
                f"a property cannot hold a {type(item).__name__}", "give text, a number, a date or a list of them"
            )
        render_value(item)


def _render_float(value: float) -> str:
    if not math.isfinite(value):
        raise InvalidRequest(f"{value} cannot be a property", "give a finite number")
    written = repr(value)
    if "e" in written and "." not in written:  # YAML 1.1 wants the point: 1e+20 would be text
        written = written.replace("e", ".0e")
    return written

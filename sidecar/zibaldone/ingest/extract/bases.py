"""Bases of Obsidian: the names and expressions of a `.base` file in plain lines, so that it is found by what it lists.

Nothing is computed: which notes a base shows, only Obsidian knows. Widths, colours and other looks say nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from zibaldone.domain.documents import Document, Part, Unreadable
from zibaldone.ingest.extract.characters import decode_text
from zibaldone.ingest.frontmatter import load_mapping

_Names = Mapping[str, str]


def read(data: bytes, name: str, ocr: object = None) -> Document | Unreadable:
    """Read a `.base` file: what holds for all of it, then a part for each view, headed by the view's name."""
    text = decode_text(data)
    if isinstance(text, Unreadable):
        return text
    base = load_mapping(text)
    if isinstance(base, Unreadable):
        return Unreadable(f"is not a base: {base.reason}")
    names = _displayed_names(base)
    views = [view for view in _as_list(base.get("views")) if isinstance(view, dict)]
    listed = ", ".join(title for view in views if (title := _as_text(view.get("name"))))
    lines = [
        f"Views: {listed}" if listed else "",
        _filter_line(base),
        *(f"Formula {key}: {_as_text(value)}" for key, value in _as_map(base.get("formulas")).items()),
        *(f"Property {key} is shown as {shown}" for key, shown in names.items()),
    ]
    parts = [Part("\n".join(filter(None, lines))), *(_read_view(view, names) for view in views)]
    return Document(tuple(part for part in parts if part.text))


def _read_view(view: Mapping[str, object], names: _Names) -> Part:
    title = _as_text(view.get("name"))
    columns = [_show(_as_text(column), names) for column in _as_list(view.get("order"))]
    sorting = [_show_order(rule, names) for rule in _as_list(view.get("sort"))]
    grouping = [_show_order(rule, names) for rule in _as_list(view.get("groupBy"))]
    lines = [
        " ".join(filter(None, ("View", title, f"({_as_text(view.get('type')) or 'table'})"))),
        _filter_line(view),
        "Shows: " + ", ".join(filter(None, columns)) if any(columns) else "",
        "Sorted by " + ", ".join(filter(None, sorting)) if any(sorting) else "",
        "Grouped by " + ", ".join(filter(None, grouping)) if any(grouping) else "",
    ]
    return Part("\n".join(filter(None, lines)), (title,) if title else ())


def _displayed_names(base: Mapping[str, object]) -> dict[str, str]:
    """Property as it is written -> the name that a reader sees."""
    named = (
        (key, _as_text(_as_map(value).get("displayName"))) for key, value in _as_map(base.get("properties")).items()
    )
    return {key: shown for key, shown in named if shown}


def _show(key: str, names: _Names) -> str:
    """A column by the name that is shown; a note's property may be written with or without `note.`."""
    return names.get(key) or names.get(f"note.{key}") or names.get(key.removeprefix("note.")) or key


def _show_order(rule: object, names: _Names) -> str:
    if not isinstance(rule, dict):
        return _show(_as_text(rule), names)
    shown = _show(_as_text(rule.get("property") or rule.get("column")), names)
    direction = {"ASC": " ascending", "DESC": " descending"}.get(_as_text(rule.get("direction")).upper(), "")
    return shown + direction if shown else ""


def _filter_line(holder: Mapping[str, object]) -> str:
    written = _join_filters(holder.get("filters"))
    return f"Filter: {written}" if written else ""


def _join_filters(value: object, nested: bool = False) -> str:
    """`{and: [a, {or: [b, c]}]}` as `a and (b or c)`; of `not`, none of what it lists may hold."""
    if isinstance(value, list):
        return _join_filters({"and": value}, nested)
    if not isinstance(value, dict):
        return _as_text(value)
    clauses = []
    for operator, operands in value.items():
        written = [text for operand in _as_list(operands) if (text := _join_filters(operand, nested=True))]
        written = [f"not ({text})" for text in written] if operator == "not" else written
        clause = (" or " if operator == "or" else " and ").join(written)
        clauses.append(f"({clause})" if len(written) > 1 and (nested or len(value) > 1) else clause)
    return " and ".join(filter(None, clauses))


def _as_text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None or isinstance(value, dict | list) else " ".join(str(value).split())


def _as_list(value: object) -> list[object]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _as_map(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}
